"""Make Snakemake plan and start a job only if the record of a result of it differs from what it would record now.

Snakemake itself decides by .snakemake/metadata. But these files may be missing (the result was copied here, or its job
outlived the workflow) or belong to another file (the result was replaced).
"""

from collections.abc import Callable
from functools import partial

from snakemake.logging import logger

from reproduce.engine.jobs import Jobs
from reproduce.engine.snakemake_internals import Workflow


def answer_from_records(workflow: Workflow, jobs: Jobs) -> None:
    """Make Snakemake plan a job of ours if a record differs from what the job would record now, and only then.

    About results on a storage, and jobs of rules that a user added, Snakemake itself knows more.
    """
    persistence = workflow.persistence
    answers = {
        "has_metadata": lambda job: True,
        "has_outdated_metadata": lambda job: False,
        "input_changed": lambda job, file=None: (),
        # Snakemake prints it after "Params have changed since last execution".
        "params_changed": lambda job, file=None: jobs.differences([file] if file else job.output),
        # A newer input counts by its content, which `params_changed` compares.
        "input_checksums": lambda job, path: {f"sha256:{jobs.digest(path)}"},
    }

    def choose(name: str, ask_snakemake, job, *arguments, **named):
        return (answers[name] if jobs.has_records(job.output) else ask_snakemake)(job, *arguments, **named)

    for name in answers:
        setattr(persistence, name, partial(choose, name, getattr(persistence, name)))


def skip_current(workflow: Workflow, is_current: Callable[[str], bool]) -> None:
    """Make Snakemake skip a planned job if its results are current when all jobs before it have run.

    Snakemake itself runs every job that depends on a job that runs. Jobs in bundles still run, because Snakemake treats
    a bundle as one job.
    """
    # A changed environment of --software-deployment-method also makes jobs stale, and `is_current` does not notice it.
    if workflow.deployment_settings.deployment_method:
        return
    finish = workflow.dag.finish

    def is_forced(job) -> bool:
        return job.rule in workflow.dag.forcerules or not workflow.dag.forcefiles.isdisjoint(job.output)

    async def finish_and_skip(job, **options) -> bool:
        ready = await finish(job, **options)
        finished = job if job.is_group() else [job]
        for each in {later for one in finished for later in workflow.dag.depending[one]} & workflow.dag.ready_jobs:
            if each.output and not is_forced(each) and all(map(is_current, each.output)):
                logger.info(f"Kept, since its inputs have the content that it was made from: {each.output[0]}")
                workflow.dag.register_running({each})
                workflow.scheduler.finished_jobs += 1
                ready |= await finish_and_skip(each)
        return ready

    workflow.dag.finish = finish_and_skip
