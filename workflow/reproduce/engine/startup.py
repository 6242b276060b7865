"""Prepare a start of Snakemake before the first job: check the machine, plan the jobs, check the targets.

The functions take Snakemake's `workflow` object.
"""

import gc
import os
import re
import shlex
import sys
from contextlib import AbstractContextManager

from snakemake.logging import logger
from snakemake.settings.enums import Quietness, RerunTrigger
from snakemake.utils import update_config

from reproduce.config import environment
from reproduce.config.files import DEFAULT, check_keys, of_command_line
from reproduce.config.plan import Plan
from reproduce.engine.jobs import Jobs
from reproduce.engine.persistence import answer_from_records
from reproduce.engine.sbatch import sbatch_options
from reproduce.engine.slurm import check_requests, runs_on_slurm
from reproduce.engine.snakemake_internals import Workflow, keep_locks_of_others, workflow_errors
from reproduce.errors import UserError
from reproduce.records.cache import FileCache


def check_config_files(workflow: Workflow) -> None:
    """Raise WorkflowError, with file and line as Snakemake does not, for a config file with a fault of YAML.

    This workflow's own file is the one that `configfile:` reads next.
    """
    # In a module, the other workflow's config replaces it.
    own = [DEFAULT] if DEFAULT.exists() and not workflow.modifier.skip_configfile else []
    with _workflow_errors(workflow):
        check_keys([*workflow.configfiles, *own])


def plan_jobs(workflow: Workflow, config: dict) -> Jobs:
    """Return all jobs of a config; raises WorkflowError if the config or the folder has an error."""
    # Modules and Snakemake's jobs stay to the end: searching them repeatedly for garbage takes a fifth of a large plan.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    keep_locks_of_others()
    # `python` in the jobs' commands is that of this process, whatever comes first on the user's PATH: the commands
    # contain no path of this machine. A job on a cluster reads the Snakefile too, and needs the same.
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    with _workflow_errors(workflow):
        if workflow.is_main_process:
            _limit_cores(workflow)
        stored = workflow.storage_settings.default_storage_provider is not None
        if os.path.lexists("results") and not os.access("results", os.R_OK | os.W_OK | os.X_OK):
            raise UserError(f"{os.path.abspath('results')} must be a folder that you may write to; it is not")
        update_config(config, of_command_line(workflow.config_settings.config_args))
        plan, cache = Plan(config), FileCache(stored=stored)
        # A job on a cluster starts Snakemake too, and must not compare all results.
        if workflow.is_main_process:
            command, own = _command_of_start(workflow)
            lines = [environment.reduced_data(plan, cache.record, command)]
            # With --software-deployment-method, jobs use other packages than this process.
            if not workflow.deployment_settings.deployment_method:
                lines.append(environment.other_versions(plan, cache.record, command, own))
            for line in filter(None, lines):
                logger.warning(line)
            # Snakemake asks after `save`; compute digests before, for the next start.
            results = (*plan.results.values(), *plan.pages.values())
            for paths in {paths for result in results for paths in result.inputs.values()}:
                cache.digest(paths)
            cache.save()
            plan.codes.save()
    return Jobs(plan, cache, workflow)


def _command_of_start(workflow: Workflow) -> tuple[str, str]:
    """Return the command of this start without `--dry-run`, and the options for the audit of the same config."""
    # Short options are written together, too: -np.
    words = [re.sub("^(-[Fp]*)n", r"\1", word) for word in sys.argv[1:]]
    words = [word for word in words if word not in ("-", "--dry-run", "--dryrun")]
    files = [os.path.relpath(path) for path in workflow.config_settings.configfiles]
    entries = workflow.config_settings.config_args
    own = [*(["--configfile", *files] if files else []), *(["--config", *entries] if entries else [])]
    return shlex.join(["snakemake", *words]), "".join(f" {shlex.quote(word)}" for word in own)


def _limit_cores(workflow: Workflow) -> None:
    """Run as many jobs at a time as this machine has processors: more take memory, and no less time."""
    asked, here = workflow.resource_settings.cores, environment.processors()
    if (least := min(each for each in (asked, workflow.resource_settings.nodes, 1) if each is not None)) < 1:
        raise UserError(f"--cores or --jobs {least}: no job would ever start; allowed: 1 or more")
    if workflow.local_exec and asked and asked > here:
        workflow.register_resource("_cores", here)
        logger.info(f"--cores {asked}: this machine gives {here}, so that {here} jobs run at a time.")


def check_targets(workflow: Workflow, jobs: Jobs) -> None:
    """Make Snakemake ask the records when it plans, and refuse before it what it would plan wrongly.

    It also accepts absolute paths and folders of results as targets.
    """
    # Snakemake starts jobs on a cluster with known targets.
    if not workflow.is_main_process:
        return
    # If this workflow is a module, the other one has more rules.
    is_module, build = not workflow.modifier.is_main_snakefile(), workflow._build_dag

    def check_and_build() -> None:
        if not is_module:
            with _workflow_errors(workflow):
                _find_targets(workflow, jobs)
        _stop_polling(workflow)
        _refuse_to_send_parts(workflow)
        answer_from_records(workflow, jobs)
        build()
        # A dry run calls no hook.
        with _workflow_errors(workflow):
            for job in () if is_module else workflow.dag.needrun_jobs():
                if job.rule.name == "data":
                    jobs.check_dataset(job.wildcards)

    workflow._build_dag = check_and_build


def _find_targets(workflow: Workflow, jobs: Jobs) -> None:
    """Replace what the command line names by results; raise UserError for what names none."""
    dag, batch = workflow.dag, workflow.dag_settings.batch
    if RerunTrigger.PARAMS not in workflow.dag_settings.rerun_triggers:
        raise UserError("--rerun-triggers: must contain params, as these tell what differs from the records")
    # Without a target, Snakemake makes targets of what --until and --forcerun name.
    # Snakemake's message on an unknown name would be that no rule makes this file.
    for files in (dag.untilfiles, dag.omitfiles, dag.forcefiles, dag.targetfiles):
        results = [result for name in files for result in jobs.find_named(name)]
        files.clear()
        files.update(results)
    if batch is not None:
        part_of = batch.get_batch
        # Snakemake refuses a result of fewer files than parts. Each part may make all of them.
        batch.get_batch = lambda files: part_of(files) if len(files) >= batch.batches else files


def _stop_polling(workflow: Workflow) -> None:
    """Make Snakemake look for new jobs only when a job ends, unless the user changed its limit of jobs per second.

    With the default limit, Snakemake looks again one second after every look. Each finished job adds one more such
    series of looks: after 400 jobs, 400 looks per second took a fifth of a core. No option sets no limit.
    """
    settings = workflow.scheduling_settings
    limit = settings and settings.max_jobs_per_timespan
    if limit and (limit.max_jobs, limit.timespan) == (100, 1):
        settings.max_jobs_per_timespan = None


def _refuse_to_send_parts(workflow: Workflow) -> None:
    """Refuse to send nodes that share no folder only the Snakefiles: Snakemake sends them what git lists."""
    upload, program = workflow.upload_sources, "workflow/launch.py"

    def check_and_upload() -> None:
        with _workflow_errors(workflow):
            if os.path.exists(program) and program not in workflow.dag.get_sources():
                raise UserError(
                    f"nodes would lack {program} and all other files that git does not list in this folder; run "
                    "`git init && git add .`, or share the folder: --shared-fs-usage with sources"
                )
        upload()

    workflow.upload_sources = check_and_upload


def _workflow_errors(workflow: Workflow) -> AbstractContextManager[None]:
    return workflow_errors(silent=Quietness.ALL in (workflow.output_settings.quiet or ()))


def check_machine(workflow: Workflow, jobs: Jobs) -> None:
    """Raise WorkflowError if the planned jobs cannot run on Slurm or on this machine."""
    planned = list(workflow.dag.needrun_jobs())
    with workflow_errors():
        if runs_on_slurm(workflow):
            check_requests(sbatch_options(job.resources) for job in planned if not job.is_local)
        # With --software-deployment-method, jobs have other packages than this process.
        elif workflow.local_exec and not workflow.deployment_settings.deployment_method:
            runs = [job.wildcards for job in planned if job.rule.name == "train"]
            environment.check_gpu(wildcards.experiment for wildcards in runs if jobs.gpus(wildcards))
