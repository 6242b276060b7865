import subprocess

from workflow.deepnets.config.devices import check_gpu
from workflow.deepnets.config.environment import too_many_cores
from workflow.deepnets.engine.long_specs import sweep
from workflow.deepnets.engine.slurm import check_hearing, check_requests, requested


# Runs in no dry run. Files of specs that nobody needs are deleted; what is certain to fail is told before the first
# job, and not in a plan, which needs neither cluster nor GPU.
onstart:
    sweep(plan.unbounded_specs)
    jobs = workflow.dag.needrun_jobs()
    try:
        if workflow.executor_plugin.name == "slurm":
            settings = workflow.executor_settings
            check_hearing(
                status_command=settings.status_command,
                interval=settings.init_seconds_before_status_checks,
            )
            check_requests(requested(job.resources) for job in jobs if not job.is_local)
        elif workflow.local_exec:
            if line := too_many_cores(workflow.resource_settings.cores):
                logger.warning(line)
            # With --software-deployment-method, jobs have another torch than this process.
            if not workflow.deployment_settings.deployment_method:
                runs = [job.wildcards for job in jobs if job.rule.name == "train"]
                check_gpu(wildcards.experiment for wildcards in runs if gpus_of(wildcards))
    except UserError as error:
        raise WorkflowError(str(error)) from None


# After Ctrl-C the plugin cancels what it has submitted, and then submits what was still waiting for sbatch.
onerror:
    if workflow.executor_plugin.name == "slurm":
        # All jobs bear the name of this run, and no other's do.
        subprocess.run(["scancel", "--name", workflow.scheduler._executor.run_uuid], timeout=60)
