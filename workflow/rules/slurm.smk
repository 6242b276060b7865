import subprocess

from workflow.deepnets.config.slurm import check_hearing, check_requests, requested


# Runs in no dry run: a plan needs no cluster.
onstart:
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


# After Ctrl-C the plugin cancels what it has submitted, and then submits what was still waiting for sbatch.
onerror:
    if workflow.executor_plugin.name == "slurm":
        # All jobs bear the name of this run, and no other's do.
        subprocess.run(["scancel", "--name", workflow.scheduler._executor.run_uuid], timeout=60)
