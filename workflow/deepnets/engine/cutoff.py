"""A job that was planned only because others run before it is skipped if its inputs come out as they were."""

from collections.abc import Callable

from snakemake.logging import logger

from workflow.deepnets.engine.snakemake_internals import Workflow


def skip_current(workflow: Workflow, current: Callable[[str], bool]) -> None:
    """Let Snakemake skip a planned job whose results are current once all jobs before it have run.

    Snakemake itself runs whatever depends on a job that runs. Jobs in bundles still run: a bundle is one job to it.

    current: returns whether the result at a path is what its job would make now.
    """
    # Other packages than before make the same jobs stale, and no stamp can tell.
    if workflow.deployment_settings.deployment_method:
        return
    finish = workflow.dag.finish

    def forced(job) -> bool:
        return job.rule in workflow.dag.forcerules or not workflow.dag.forcefiles.isdisjoint(job.output)

    async def finish_and_skip(job, **options) -> bool:
        ready = await finish(job, **options)
        finished = job if job.is_group() else [job]
        for each in {later for one in finished for later in workflow.dag.depending[one]} & workflow.dag.ready_jobs:
            if each.output and not forced(each) and all(map(current, each.output)):
                logger.info(f"Kept, since its inputs have the content that it was made from: {each.output[0]}")
                workflow.dag.register_running({each})
                workflow.scheduler.finished_jobs += 1
                ready |= await finish_and_skip(each)
        return ready

    workflow.dag.finish = finish_and_skip
