"""Before the first job: all that can be checked is checked, the jobs are planned, and metadata is synced.

The functions take Snakemake's `workflow` object; snakemake_internals.py lists the attributes that they read.
"""

import gc

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import PersistenceBackend, Quietness
from snakemake.utils import update_config

from workflow.deepnets.config import environment
from workflow.deepnets.config.files import check_keys, of_command_line
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.engine.captions import as_restructured_text
from workflow.deepnets.engine.dry_run import DryRun
from workflow.deepnets.engine.jobs import Jobs
from workflow.deepnets.engine.long_specs import delete_old_specs
from workflow.deepnets.engine.metadata import inputs_param, sync_snakemake_metadata
from workflow.deepnets.engine.slurm import check_requests, check_status_command, sbatch_options
from workflow.deepnets.engine.snakemake_internals import Workflow, workflow_errors
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import check_folders, check_writable
from workflow.deepnets.records.cache import open_file_cache
from workflow.deepnets.records.paths import check_no_braces

# With the log in a file only, and on the screen too.
_SHELL_COMMANDS = ("{params.command} 2> {log:q}", "{params.command} 2>&1 | tee {log:q}")


def plan_jobs(workflow: Workflow, config: dict) -> Jobs:
    """Return all jobs that a config asks for; raises WorkflowError if the config or the folder is at fault."""
    # Snakemake's jobs stay to the end: searching them again and again for garbage takes a sixth of a large plan.
    gc.set_threshold(50_000, 20, 100)
    with workflow_errors(silent=Quietness.ALL in (workflow.output_settings.quiet or ())):
        check_no_braces(workflow.basedir)
        # Down to the logs and runs of an experiment: further below there are thousands of folders.
        check_writable("results", levels=3)
        check_keys(workflow.configfiles)
        update_config(config, of_command_line(workflow.config_settings.config_args))
        plan, cache = Plan(config), open_file_cache()
        # Jobs on a cluster start Snakemake too: they must not compare all results.
        if workflow.is_main_process:
            logger.addFilter(DryRun(workflow))
            if workflow.workflow_settings.persistence_backend != PersistenceBackend.FILE:
                raise UserError("--persistence-backend: allowed: file, whose metadata is synced with results")
            # Plans all results, so code that cannot be followed stops the DAG before its first job.
            results = {**plan.results, **plan.pages}
            check_folders(results)
            sync_snakemake_metadata(results, cache)
            # With --software-deployment-method, jobs use other packages than this process.
            if not workflow.deployment_settings.deployment_method:
                for line in environment.warnings(plan, cache.stamp):
                    logger.warning(line)
            # Snakemake evaluates these params after the cache is saved: the next start has their digests then.
            for path, result in results.items():
                inputs_param(path, result, cache)
            cache.save()
            plan.fingerprints.save()
            # The report's captions are the docstrings of the figures' functions.
            config["captions"] = {
                f"{figure.document}/{figure.name}": as_restructured_text(figure.caption)
                for figure in plan.figures.values()
            }
    return Jobs(plan, cache, workflow)


def check_shell_commands(workflow: Workflow) -> None:
    """Raise WorkflowError if the shell command of a job is more than its param `command`, whose code is fingerprinted.

    Snakemake does not compare shell commands (profiles/default): another option would leave all results as they are.
    """
    for rule in workflow.rules:
        if hasattr(rule.params, "command") and " ".join((rule.shellcmd or "").split()) not in _SHELL_COMMANDS:
            raise WorkflowError(
                f"rule {rule.name}: allowed as its shell command: {' or '.join(_SHELL_COMMANDS)}; write what "
                "else a job is started with in workflow/deepnets/records/command.py"
            )


def stop_polling(workflow: Workflow) -> None:
    """Let Snakemake look for jobs to start only when one ends, unless the user sets another limit than Snakemake's own.

    Snakemake's own limit, 100 a second, makes it look again a second after every look. Each job that ends is one more
    look that never stops: after 400 jobs it looks 400 times a second, which took a fifth of a core.
    """
    limiter = workflow.scheduler.job_rate_limiter
    if limiter is not None and (limiter.max_jobs, limiter.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def check_machine(workflow: Workflow, jobs: Jobs) -> None:
    """Raise WorkflowError if Slurm or this machine is certain to fail the jobs to come; never part of a dry run."""
    delete_old_specs()
    to_come = workflow.dag.needrun_jobs()
    with workflow_errors():
        if workflow.executor_plugin.name == "slurm":
            settings = workflow.executor_settings
            check_status_command(
                status_command=settings.status_command, interval=settings.init_seconds_before_status_checks
            )
            check_requests(sbatch_options(job.resources) for job in to_come if not job.is_local)
        elif workflow.local_exec:
            if line := environment.too_many_cores(workflow.resource_settings.cores):
                logger.warning(line)
            # With --software-deployment-method, jobs have another torch than this process.
            if not workflow.deployment_settings.deployment_method:
                runs = [job.wildcards for job in to_come if job.rule.name == "train"]
                environment.check_gpu(wildcards.experiment for wildcards in runs if jobs.gpus(wildcards))
