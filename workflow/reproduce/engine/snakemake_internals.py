"""The undocumented parts of Snakemake that this project uses, why, and what breaks without them.

A newer Snakemake may change them without notice, and then results would be made again, or kept, for wrong reasons. So
the Snakefile refuses every version with which test_snakemake_internals.py has not run (versions.py).
"""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cache, reduce
from inspect import signature
from shutil import which
from typing import Any

from snakemake import __version__
from snakemake.benchmark import BenchmarkTimer
from snakemake.common import overwrite_function_params
from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile
from snakemake.iocontainers import InputFiles as InputFiles
from snakemake.iocontainers import OutputFiles as OutputFiles
from snakemake.iocontainers import Wildcards as Wildcards
from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence
from snakemake.shell import shell

from reproduce.errors import UserError

# Snakemake's `workflow` object, not typed because most of its attributes are None before a Snakefile is read.
Workflow = Any
# Attribute of `workflow` that we read → what it is, and what we use it for.
WORKFLOW_ATTRIBUTES = {
    "basedir": "the folder of the Snakefile, to refuse braces in it, which Snakemake reads as wildcards",
    "configfiles": "the files of --configfile, to find the file and line of a duplicate key",
    "config_settings.config_args": "the arguments of --config, to read them as YAML: Snakemake turns null into text",
    "is_main_process": "false in a job on a cluster, which must not compare all results before it starts",
    "storage_settings.default_storage_provider": "whether results lie on a storage, where this project reads no stamps",
    "workflow_settings.persistence_backend": "where the metadata is: this project writes metadata files, no database",
    "deployment_settings.deployment_method": "whether jobs use other packages than this process: then no warnings",
    "group_settings.group_components": "the bundles of the Slurm profile: without it, no jobs would share allocations",
    "dag_settings.batch": "the rule of --batch, to refuse an unknown one, and whether to run only a part of a sweep: "
    "without it, every part would run all points",
    "dag_settings.rerun_triggers": "what Snakemake compares, to refuse a start that would see no edit of code",
    "modifier": "whether this workflow is a module of another one, whose targets and config we do not check",
    "_build_dag": "called when targets are known, to check their names first",
    "dag.targetrules": "the rules on the command line",
    "dag.targetfiles": "the files on the command line, in which we replace folders by their results",
    "dag.untilfiles": "the files of --until, for the same",
    "dag.omitfiles": "the files of --omit-from, for the same",
    "default_target": "the rule that runs without a target, which Snakemake does not take from an included file",
    "dryrun": "whether this start only prints what it would do, which we print as one table",
    "rules": "the rules, to list targets and rules, and to check shell commands",
    "output_settings.printshellcmds": "whether a dry run prints an entry for each job",
    "output_settings.verbose": "the same",
    "output_settings.quiet": "whether Snakemake prints errors, which we print if it does not",
    "dag.jobs": "all jobs, to print how many of them will run",
    "dag.reason": "why a job will run",
    "dag.needrun_jobs": "the jobs that will run, to count them, and to check their requests to Slurm and for GPUs",
    "dag.finish": "called after each job, before others are started, to skip the current ones of these",
    "dag.depending": "the jobs after a job, to find those that may be skipped",
    "dag.ready_jobs": "the jobs whose inputs are complete, for the same",
    "dag.register_running": "removes a job from these, to skip it",
    "dag.forcerules": "the rules of --forcerun, whose jobs are not skipped",
    "dag.forcefiles": "the files of --force, and those of interrupted jobs, whose jobs are not skipped",
    "scheduler.failed": "the jobs that failed, to count them by rule at the end",
    "scheduler.finished_jobs": "the number of finished jobs, to count skipped jobs in Snakemake's progress",
    "executor_settings": "the plugin's settings: whether it submits jobs to Slurm, which we check and cancel",
    "local_exec": "whether jobs run here, to warn if --cores exceeds the machine's cores, and to look for a GPU",
    "resource_settings.cores": "the number of --cores, for the same warning",
    "resource_settings.default_resources": "the resources that a site sets for all jobs, to find its GPUs' partition",
    "async_run": "an argument that Snakemake passes when it evaluates a resource, as we do with that partition",
    "scheduler.job_rate_limiter": "the limit of jobs per timespan, which we remove: its default keeps Snakemake busy",
    # dry_run.py also reads the fields of `Reason`, and of the records of LogEvent.JOB_INFO, GROUP_INFO and RUN_INFO.
    "scheduler._executor": "the executor, whose folder names all jobs of this start, to cancel them after Ctrl-C",
}


def missing_attributes(workflow: Workflow) -> list[str]:
    """Return a sentence for each attribute that a running workflow no longer has."""
    return [
        f"Snakemake {__version__} has no workflow.{name} any more: {why}. Find its replacement, and change "
        "workflow/reproduce/engine."
        for name, why in WORKFLOW_ATTRIBUTES.items()
        if reduce(lambda owner, part: getattr(owner, part, _Missing), name.split("."), workflow) is _Missing
    ]


class _Missing:
    pass


def inspected(function: Callable) -> Callable:
    """Store the parameters of a function where Snakemake (undocumented) looks before it inspects it, for each job."""
    overwrite_function_params(function, signature(function).parameters)  # ty: ignore[invalid-argument-type]
    return function


def changed_shell() -> str:
    """Return what a Snakefile changed of the shell of all jobs, as it is written there; "" if nothing."""
    changed = {"prefix": shell._process_prefix, "suffix": shell._process_suffix}
    # Snakemake itself chooses the bash of the PATH.
    if (executable := shell.get_executable()) not in (None, which("bash")):
        changed["executable"] = executable
    return ", ".join(f"shell.{name}({value!r})" for name, value in changed.items() if value)


@cache
def write_texts_without_pandas() -> None:
    """Make Snakemake write params that are texts, as ours are, without pandas; undocumented is that it takes `repr`."""
    serialize = FilePersistence._serialize_param.fget

    def serialize_param(self: FilePersistence, value: object) -> object:
        return repr(value) if type(value) is str else serialize(self)(value)

    FilePersistence._serialize_param = serialize_param  # ty: ignore[invalid-assignment]


def time_jobs_only() -> None:
    """Make Snakemake write only the time of a job into its benchmark, and NA for the rest; undocumented is the class.

    It would look at all processes of the machine at least twice per job, at 4 ms each. Jobs print their processor time
    and memory themselves (jobs/cost.py).
    """

    def start(timer: BenchmarkTimer) -> None:
        # As if the job had ended before the first look: Snakemake writes NA without a warning.
        timer.bench_record.process_gone = True

    BenchmarkTimer.start = start  # ty: ignore[invalid-assignment]


class Error(WorkflowError):
    """An error of which Snakemake prints only the message: it looks up the traceback, and finds none here."""

    __traceback__ = None


@contextmanager
def workflow_errors(*, silent: bool = False) -> Generator[None]:
    """Make Snakemake print a UserError without the traceback that it prints for errors that are not its own.

    silent: print the message here, because Snakemake prints no errors (`--quiet all`)
    """
    try:
        yield
    except UserError as error:
        if silent:
            print(f"error: {error}", file=sys.stderr)
        raise Error(str(error)) from None


class Metadata:
    """Snakemake's metadata: one record per result, each in a file below .snakemake/metadata.

    Undocumented are FilePersistence._write_record, the fields of MetadataRecord, and the formats of params (sorted
    `repr`s without names) and of input checksums ("sha256:" and 64 digits). If any of them changes, a second start no
    longer prints "Nothing to be done", or no longer finds stale results.
    """

    def __init__(self) -> None:
        # The workflow itself holds the lock.
        self._persistence = FilePersistence(nolock=True)

    def read(self, path: str) -> MetadataRecord | None:
        """Return the record of a result, None if there is none."""
        return self._persistence.metadata(IOFile(path))

    def differs(self, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> bool:
        """Return whether a record has another format or other params, or lacks a SHA-256 of an input."""
        return (
            record.record_format_version != RECORD_FORMAT_VERSION
            or record.params != _format_params(params)
            or not _format_checksums(checksums).items() <= (record.input_checksums or {}).items()
        )

    def write(self, path: str, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> None:
        """Write the record of a result with these params and input checksums (path → SHA-256)."""
        record.record_format_version = RECORD_FORMAT_VERSION
        record.params = _format_params(params)
        record.input_checksums = _format_checksums(checksums)
        self._persistence._write_record(path, record)


def _format_checksums(checksums: Mapping[str, str]) -> dict[str, str]:
    return {path: f"sha256:{digest}" for path, digest in checksums.items()}


def _format_params(params: Iterable[str]) -> list[str]:
    return sorted(map(repr, params))
