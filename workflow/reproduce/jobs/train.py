"""Program: run one point of an experiment and write its measurements."""

import re
from pathlib import Path

from reproduce.errors import UserError, check_name, suggest
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records import datasets
from reproduce.records.files import replacing
from reproduce.records.record import merge_reduced
from reproduce.records.tables import write_run


def main(job: Job, data: list[Path], output: Path) -> None:
    """Run the function that the code names on the spec and its data, and write the run's Parquet file.

    data: data sets with the names of the function's arguments.
    """
    with replacing(output) as unfinished:
        read = datasets.read_all(data)
        with isolated(job) as run:
            measurements = run(_Spec(job.spec), **read)
            documented = {*re.findall(r"\w+", run.__doc__ or "")}
        if documented and (unknown := sorted(measurements.metrics - documented - {"diverged"})):
            meant = suggest(unknown[0], documented)
            raise UserError(f"{job.entry} recorded {unknown[0]!r}, which its docstring does not list{meant}")
        reduced = merge_reduced(dataset.reduced for dataset in read.values())
        write_run(unfinished, measurements, job.spec_text, reduced)
        job.write_record({output: unfinished}, {name: each.digest for name, each in read.items()}, reduced)


class _Spec(dict):
    """The spec of a run; a name that it lacks is a typing error."""

    def __missing__(self, name: str) -> None:
        check_name(name, f"axis or setting of {self['experiment']}", self)
