"""Print at the end of a start which data it used, which verdicts changed, and where the page is."""

from collections.abc import Callable, Collection, Iterator

from snakemake.logging import logger

from reproduce.engine.jobs import Jobs
from reproduce.engine.snakemake_internals import Workflow
from reproduce.records.record import words_on_reduced

# Documents → a line for each verdict that differs from the recorded one, how many were compared, and what is missing.
Comparison = Callable[[Collection[str]], tuple[list[str], int, list[str]]]
# Verdicts that differ are listed up to this number.
_FEW = 5


def print_end(workflow: Workflow, jobs: Jobs, compare: Comparison) -> None:
    """Print the block, if there is anything to say."""
    data = jobs.data_sets({path for job in workflow.dag.jobs for path in job.output})
    lines = [
        f"Data: {title}, {words_on_reduced(reduced) if reduced else 'complete'}." for title, reduced in data.items()
    ]
    # The ledgers of a start with other settings may differ for this reason.
    if len(workflow.configfiles) == 1 and not workflow.config_settings.config_args:
        lines += _compare_verdicts(workflow, compare)
    made = {job.output[0] for job in workflow.dag.jobs if job.rule.name == "page"}
    lines += [f"Page: {path}" for path in sorted(made)]
    if lines:
        logger.info("\n".join(["", *lines, ""]))


def _compare_verdicts(workflow: Workflow, compare: Comparison) -> Iterator[str]:
    judged = {job.wildcards.document for job in workflow.dag.jobs if job.rule.name == "judge"}
    differing, compared, missing = compare(judged) if judged else ([], 0, [])
    if compared:
        yield f"Verdicts: {len(differing) or 'none'} of {compared} differ from the recorded ones." + (
            " All: python -m reproduce.tools.verdicts" if len(differing) > _FEW else ""
        )
    yield from (f"  {line}" for line in differing[:_FEW] + missing)
