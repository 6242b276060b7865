import logging
from types import SimpleNamespace

import pytest
from snakemake.jobs import Reason
from snakemake.logging import LogEvent
from snakemake.persistence import ParamsChange

from reproduce.engine.dry_run import DryRun

FINGERPRINT = "0123456789abcdef01234567"


def job(rule, **why):
    """Return a job with Snakemake's own reason. changed: names of its params that changed."""
    params = {"spec": '{"depth":1}', "code": f"run@{FINGERPRINT}", "inputs": "{}"}
    reason = Reason()
    for name, value in why.items():
        if name == "changed":
            # The last digits of a fingerprint are those of the pinned packages.
            old = {repr(f"run@{FINGERPRINT[:16]}ffffffff" if value == ["package"] else "run@other")}
            new = {repr(params["code" if each == "package" else each]) for each in value}
            reason.params_changed = ParamsChange(only_old=old, only_new=new)
        else:
            setattr(reason, name, value)
    return SimpleNamespace(rule=SimpleNamespace(name=rule), params=params, reason=reason)


JOBS = [
    *(job("train", _missing_output={"run"}) for _ in range(20)),
    job("train", changed=["code"]),
    job("train", changed=["package"]),
    job("train", changed=["spec", "inputs"]),
    job("train", changed=["inputs"]),
    # The spec of a table contains the code of its runs, so it changes with them; the cause is the new run.
    job("aggregate", _updated_input_run={"run"}, changed=["spec"]),
    job("figure", forced=True, _missing_output={"pdf"}),
    job("figure", _updated_input={"table"}),
]


def workflow(jobs, *, done=(), dryrun=True, **settings):
    dag = SimpleNamespace(needrun_jobs=lambda: iter(jobs), reason=lambda job: job.reason, jobs=[*jobs, *done])
    rules = [SimpleNamespace(name=name) for name in ("train", "aggregate", "figure", "page")]
    output = SimpleNamespace(**{"printshellcmds": False, "verbose": False, **settings})
    return SimpleNamespace(dag=dag, rules=rules, dryrun=dryrun, output_settings=output)


def record(text, event=None, **extra):
    made = logging.makeLogRecord({"msg": text, **extra})
    if event is not None:
        made.event = event
    return made


ENTRY = {"event": LogEvent.JOB_INFO, "output": ["run.parquet"], "input": ["data"], "reason": "Missing", "rule_msg": ""}


def printed_lines(dry_run, *records):
    return [each.msg for each in records if dry_run.filter(each)]


def test_the_table_counts_the_jobs_of_each_rule_and_cause():
    (table,) = printed_lines(DryRun(workflow(JOBS, done=[job("page"), job("figure")])), record("", LogEvent.RUN_INFO))
    rows = [line.split(maxsplit=3) for line in table.partition("why\n")[2].partition("\n\n")[0].splitlines()]
    assert rows == [
        ["train", "24", "24", "20 new, 1 code, 1 package, 1 settings, 1 inputs"],
        ["aggregate", "1", "1", "inputs"],
        ["figure", "2", "3", "1 forced, 1 inputs"],
        ["total", "27", "29"],
    ]
    assert max(map(len, table.splitlines())) < 240


def test_many_jobs_are_printed_as_one_table_without_entries():
    stats = [record("Job stats", LogEvent.RUN_INFO) for _ in range(2)]
    reasons = record("Reasons:\n    (check individual jobs above for details)\n    forced:\n        figure")
    records = (stats[0], record("entry", **ENTRY), stats[1], reasons, record("the end"))
    seen = printed_lines(DryRun(workflow(JOBS)), *records)
    assert [text.partition("\n")[0] for text in seen] == ["Job stats:", "the end"]


@pytest.mark.parametrize(
    "shown", [workflow(JOBS[-2:]), workflow(JOBS, printshellcmds=True), workflow(JOBS, verbose=True)]
)
def test_entries_are_printed_for_few_jobs_or_on_request(shown):
    assert printed_lines(DryRun(shown), record("", LogEvent.RUN_INFO), record("entry", **ENTRY))[1:] == ["entry"]


def test_a_long_reason_is_shortened():
    entry = record("entry", **{**ENTRY, "reason": "Params have changed: " + "{}" * 1000})
    assert printed_lines(DryRun(workflow(JOBS, dryrun=False)), entry) == ["entry"]
    assert len(entry.reason) == 202
    assert entry.reason.startswith("Params have changed: {}") and entry.reason.endswith(" …")


def test_a_real_start_prints_everything_except_the_inputs_of_all():
    entry, target = record("entry", **ENTRY), record("all", **{**ENTRY, "output": []})
    stats = [record("Job stats", LogEvent.RUN_INFO) for _ in range(2)]
    printed = printed_lines(DryRun(workflow(JOBS, dryrun=False)), *stats, entry, target)
    assert printed == ["Job stats", "Job stats", "entry", "all"]
    assert (entry.input, entry.reason) == (["data"], "Missing")
    assert (target.input, target.reason) == ([], None)
    told = record("verdicts", **{**ENTRY, "output": [], "rule_msg": "Comparing."})
    assert printed_lines(DryRun(workflow(JOBS, dryrun=False)), told) == ["verdicts"]
    assert told.reason == "Missing"
