"""Shorter messages: a dry run prints one table by rule and cause, and no start lists all inputs of a target."""

import logging
from collections import Counter, defaultdict

from snakemake.logging import LogEvent

from workflow.deepnets.engine.snakemake_internals import Workflow

# So many entries of single jobs fit on a screen; --printshellcmds and --verbose show them all.
_FEW = 12
_LEGEND = (
    "new: the file does not exist; forced: you asked for it, or an earlier start was interrupted; code, settings: they "
    "differ from those that made the file; inputs: what it is made from changed, or will be made."
)


class DryRun:
    """A filter of Snakemake's messages. It changes those of dry runs, and shortens the entry of `all`."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow, self._to_come = workflow, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to print a message."""
        event = getattr(record, "event", None)
        if event == LogEvent.JOB_INFO and not (record.__dict__["output"] or record.__dict__["rule_msg"]):
            # The inputs of `all` are all results: 50,000 characters, and as many in the reason.
            record.__dict__.update(input=[], reason=None)
        if not self._workflow.dryrun:
            return True
        if event == LogEvent.RUN_INFO:
            # Printed before the entries of jobs and after them.
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
        dag, why = self._workflow.dag, defaultdict(Counter)
        for job in jobs:
            why[job.rule.name][_cause(job, dag.reason(job))] += 1
        of = Counter(job.rule.name for job in dag.jobs)
        rules = [rule.name for rule in self._workflow.rules if rule.name in why]
        rows = [(name, why[name].total(), of[name], _counts(why[name])) for name in rules]
        rows.append(("total", sum(row[1] for row in rows), of.total(), ""))
        width = max(len(name) for name, *_ in rows)
        lines = [f"{name:<{width}}  {count:>7}  {all_:>6}   {causes}".rstrip() for name, count, all_, causes in rows]
        return "\n".join(["Job stats:", f"{'rule':<{width}}  to make      of   why", *lines, "", _LEGEND, ""])


def _counts(causes: Counter) -> str:
    """Return the number of jobs of each cause; the cause only, if all jobs have it."""
    return next(iter(causes)) if len(causes) == 1 else ", ".join(f"{n} {cause}" for cause, n in causes.most_common())


def _cause(job, reason) -> str:
    """Return why Snakemake makes a job's results, in one word: the first that holds."""
    new = reason.params_changed.only_new
    changed = {name: repr(value) in new for name, value in job.params.items() if name in ("code", "spec")}
    causes = {
        "forced": reason.forced,
        "new": reason.missing_output or reason.noio or reason.nooutput,
        "code": changed.get("code"),
        # Before the settings: a table's spec contains the code of its runs.
        "inputs": reason.updated_input or reason.updated_input_run,
        "settings": changed.get("spec"),
    }
    return next((cause for cause, holds in causes.items() if holds), "inputs")
