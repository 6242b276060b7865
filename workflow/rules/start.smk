from workflow.deepnets.config.environment import too_many_cores
from workflow.deepnets.config.slurm import check_hearing, check_requests, requested


# Runs in no dry run: a plan needs no cluster.
onstart:
    if workflow.executor_plugin.name == "local" and workflow.is_main_process:
        if line := too_many_cores(workflow.resource_settings.cores):
            logger.warning(line)
    if workflow.executor_plugin.name == "slurm":
        settings = workflow.executor_settings
        try:
            check_hearing(
                status_command=settings.status_command,
                interval=settings.init_seconds_before_status_checks,
            )
            check_requests(requested(job.resources) for job in workflow.dag.needrun_jobs() if not job.is_local)
        except UserError as error:
            raise WorkflowError(str(error)) from None
