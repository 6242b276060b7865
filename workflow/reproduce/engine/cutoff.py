"""Skip a planned job if the jobs before it made its inputs with the same content as before."""

from collections.abc import Callable

from snakemake.logging import logger

from reproduce.engine.snakemake_internals import Workflow


def skip_current(workflow: Workflow, is_current: Callable[[str], bool]) -> None:
    """Make Snakemake skip a planned job if its results are current when all jobs before it have run.

    Snakemake itself runs every job that depends on a job that runs. Jobs in bundles still run, because Snakemake treats
    a bundle as one job.

    is_current: returns whether the result at a path is the one that its job would make now
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
