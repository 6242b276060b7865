"""Program: run one point of an experiment and write its measurements."""

from pathlib import Path

from reproduce.jobs.cost import mathematics
from reproduce.jobs.isolation import isolated
from reproduce.records import datasets
from reproduce.records.atomic import replacing
from reproduce.records.job import Job
from reproduce.records.provenance import merge_reduced
from reproduce.records.tables import write_run


def main(job: Job, data: list[Path], files: list[Path], output: Path) -> None:
    """Run the function that the code names on the spec and its data, and write the run's Parquet file.

    data: data sets with the names of the function's arguments.
    files: such files of the experiment's folder.
    """
    with replacing(output) as unfinished:
        read = datasets.read_all(data, files)
        with isolated(job) as run, mathematics():
            measurements = run(job.spec, **read)
        inputs = {name: dataset.digest for name, dataset in read.items()}
        reduced = merge_reduced(dataset.reduced for dataset in read.values())
        write_run(unfinished, measurements, job.provenance(inputs, reduced))
