"""All that this project uses of Snakemake beyond what its documentation promises, why, and what breaks without it.

A newer Snakemake may change any of it without notice, and results would then be made again, or not, for wrong reasons.
So the Snakefile refuses every version that tests/engine/test_snakemake_internals.py has not seen (versions.py).
"""

import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import Any

from snakemake import __version__
from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile
from snakemake.iocontainers import InputFiles as InputFiles
from snakemake.iocontainers import OutputFiles as OutputFiles
from snakemake.iocontainers import Wildcards as Wildcards
from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence

from workflow.deepnets.errors import UserError

# Snakemake's `workflow` object. Most of its attributes are declared to be None at times: before a Snakefile is read.
Workflow = Any
# Its attributes that we read: what each is, and what it is for.
WORKFLOW_ATTRIBUTES = {
    "basedir": "the folder of the Snakefile, to refuse braces in it, which Snakemake takes for wildcards",
    "configfiles": "the files of --configfile, to name the file and line of a key that is written twice",
    "config_settings.config_args": "the words of --config, to read them as YAML does: Snakemake turns null into text",
    "is_main_process": "false in a job on a cluster, which must not compare all results before it starts",
    "workflow_settings.persistence_backend": "where the metadata is: this project writes metadata files, no database",
    "deployment_settings.deployment_method": "whether jobs use other packages than this process: then no warnings",
    "group_settings.group_components": "the bundles of the Slurm profile: without it, no jobs would share allocations",
    "dag_settings.batch": "whether only a part of a sweep is asked for: without it, every part would run all points",
    "dryrun": "whether this start only prints what it would do: then as one table",
    "rules": "the rules by name, to list targets, rules in their order, and shell commands, to check them",
    "output_settings.printshellcmds": "whether a dry run is to print an entry for each job",
    "output_settings.verbose": "the same",
    "output_settings.quiet": "whether Snakemake prints errors, which we print if it does not",
    "dag.jobs": "all jobs, to print how many of them are to come",
    "dag.reason": "why a job is to come",
    "dag.needrun_jobs": "the jobs to come, to count them, and to check what they need of Slurm or of a GPU beforehand",
    "dag.finish": "called after each job, before others are started: to skip those that are current then",
    "dag.depending": "the jobs after a job, for the same",
    "dag.ready_jobs": "the jobs that wait for none any more, for the same",
    "dag.register_running": "takes a job from these, for the same",
    "dag.forcerules": "the rules of --forcerun, whose jobs are not skipped",
    "dag.forcefiles": "the files of --force, and those of interrupted jobs, which are not skipped",
    "scheduler.finished_jobs": "how many jobs are done, for Snakemake's progress: those that are skipped count",
    "executor_plugin.name": "whether jobs go to Slurm",
    "executor_settings": "the Slurm plugin's settings, to refuse those with which it would wait for ever",
    "local_exec": "whether jobs run here, to warn of more cores than there are, and to look for a GPU",
    "resource_settings.cores": "the number of cores asked for, for the same warning",
    "scheduler.job_rate_limiter": "the limit of jobs per timespan, whose default keeps Snakemake busy: it is taken off",
    # dry_run.py also reads the fields of `Reason`, and of the records of LogEvent.JOB_INFO, GROUP_INFO and RUN_INFO.
    # The attribute run_uuid of this executor is the Slurm plugin's: tests/workflow/test_slurm.py uses it.
    "scheduler._executor": "the name of all jobs of this start, to cancel what is still submitted after Ctrl-C",
}


def missing_attributes(workflow: Workflow) -> list[str]:
    """Return a sentence for each attribute that a running workflow no longer has."""
    return [
        f"Snakemake {__version__} has no workflow.{name} any more. It is {why}. Find where it went, and change "
        "workflow/deepnets/engine."
        for name, why in WORKFLOW_ATTRIBUTES.items()
        if reduce(lambda owner, part: getattr(owner, part, _Missing), name.split("."), workflow) is _Missing
    ]


class _Missing:
    pass


@contextmanager
def workflow_errors(*, silent: bool = False) -> Generator[None]:
    """Let Snakemake print a UserError as its message only: it prints a traceback for all errors but its own.

    silent: whether Snakemake prints no error at all (`--quiet all`), so that this must.
    """
    try:
        yield
    except UserError as error:
        if silent:
            print(f"error: {error}", file=sys.stderr)
        raise WorkflowError(str(error)) from None


class Metadata:
    """Snakemake's own records of results, one file each below .snakemake/metadata.

    Private are FilePersistence._write_record, the fields of MetadataRecord, the way in which params are written
    (sorted, as `repr` gives them, without names) and input checksums ("sha256:" and 64 digits). If any of them changes,
    a second start no longer prints "Nothing to be done", or no longer finds what is stale.
    """

    def __init__(self) -> None:
        # The workflow itself holds the lock.
        self._persistence = FilePersistence(nolock=True)

    def read(self, path: str) -> MetadataRecord | None:
        """Return the record of a result, None if there is none."""
        return self._persistence.metadata(IOFile(path))

    def differs(self, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> bool:
        """Return whether a record is of other params, lacks a SHA-256 of an input, or is of another Snakemake."""
        return (
            record.record_format_version != RECORD_FORMAT_VERSION
            or record.params != _written(params)
            or not _prefixed(checksums).items() <= (record.input_checksums or {}).items()
        )

    def write(self, path: str, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> None:
        """Write the record of a result with these params and SHA-256 of inputs."""
        record.record_format_version = RECORD_FORMAT_VERSION
        record.params = _written(params)
        record.input_checksums = _prefixed(checksums)
        self._persistence._write_record(path, record)


def _prefixed(checksums: Mapping[str, str]) -> dict[str, str]:
    return {path: f"sha256:{digest}" for path, digest in checksums.items()}


def _written(params: Iterable[str]) -> list[str]:
    return sorted(map(repr, params))
