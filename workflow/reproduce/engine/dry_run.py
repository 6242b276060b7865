"""Shorten Snakemake's messages: a dry run prints one table by rule and cause, and `all` no longer lists its inputs."""

import logging
from collections import Counter, defaultdict

from snakemake.logging import LogEvent

from reproduce.code.fingerprint import without_pins
from reproduce.engine.snakemake_internals import Workflow

# Print an entry for each job up to this number, or with --printshellcmds or --verbose.
_FEW = 12
# Print so many letters of a reason.
_LONG = 200
_LEGEND = (
    "new: the file does not exist; forced: you asked for it, or an earlier start was interrupted; code, package, "
    "settings: they differ from those that made the file; inputs: what it is made from changed, or will be made."
)


class DryRun:
    """A filter of Snakemake's messages: it changes those of dry runs, and shortens reasons and the entry of `all`."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow, self._to_come = workflow, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to print a message."""
        event = getattr(record, "event", None)
        if event == LogEvent.JOB_INFO and not (record.__dict__["output"] or record.__dict__["rule_msg"]):
            # All results are inputs of `all`: 50,000 characters, and as many in the reason.
            record.__dict__.update(input=[], reason=None)
        if event == LogEvent.JOB_INFO and len(reason := str(record.__dict__["reason"])) > _LONG:
            # A reason lists all changed inputs, and the JSON of all settings before and now.
            record.__dict__["reason"] = f"{reason[:_LONG]} …"
        if not self._workflow.dryrun:
            return True
        if event == LogEvent.RUN_INFO:
            # Snakemake prints it before and after the entries of jobs.
            if self._to_come:
                return False
            jobs = list(self._workflow.dag.needrun_jobs())
            self._to_come, record.msg = len(jobs), self._table(jobs)
        if event in (LogEvent.JOB_INFO, LogEvent.GROUP_INFO):
            settings = self._workflow.output_settings
            return settings.printshellcmds or settings.verbose or self._to_come <= _FEW
        # The table gives the causes.
        return not str(record.msg).startswith(("Reasons:\n", "Some jobs were triggered by provenance", "Rules with "))

    def _table(self, jobs: list) -> str:
        dag, causes_by_rule = self._workflow.dag, defaultdict(Counter)
        for job in jobs:
            causes_by_rule[job.rule.name][_find_cause(job, dag.reason(job))] += 1
        every = Counter(job.rule.name for job in dag.jobs)
        rules = [rule.name for rule in self._workflow.rules if rule.name in causes_by_rule]
        rows = [
            (name, causes_by_rule[name].total(), every[name], _describe_causes(causes_by_rule[name])) for name in rules
        ]
        rows.append(("total", sum(row[1] for row in rows), every.total(), ""))
        width = max(len(name) for name, *_ in rows)
        lines = [f"{name:<{width}}  {count:>7}  {all_:>6}   {causes}".rstrip() for name, count, all_, causes in rows]
        return "\n".join(["Job stats:", f"{'rule':<{width}}  to make      of   why", *lines, "", _LEGEND, ""])


def _describe_causes(causes: Counter) -> str:
    """Return the number of jobs of each cause as text; only the cause, if all jobs have it."""
    return next(iter(causes)) if len(causes) == 1 else ", ".join(f"{n} {cause}" for cause, n in causes.most_common())


def _find_cause(job, reason) -> str:
    """Return in one word why Snakemake runs a job: the first cause that holds."""
    old, new = reason.params_changed.only_old, reason.params_changed.only_new
    changed = {name: repr(value) in new for name, value in job.params.items() if name in ("code", "spec")}
    causes = {
        "forced": reason.forced,
        "new": reason.missing_output or reason.noio or reason.nooutput,
        "package": changed.get("code") and without_pins(repr(job.params["code"])) in map(without_pins, old),
        "code": changed.get("code"),
        # Before `settings`, because the spec of a table contains the code of its runs.
        "inputs": reason.updated_input or reason.updated_input_run,
        "settings": changed.get("spec"),
    }
    return next((cause for cause, holds in causes.items() if holds), "inputs")
