"""Program: run one point of an experiment and write its measurements."""

from pathlib import Path

from reproduce.jobs.cost import mathematics
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records import datasets
from reproduce.records.atomic import replacing
from reproduce.records.reduced import merge_reduced
from reproduce.records.tables import write_run


def main(job: Job, data: list[Path], output: Path) -> None:
    """Run the function that the code names on the spec and its data, and write the run's Parquet file.

    data: data sets with the names of the function's arguments.
    """
    with replacing(output) as unfinished:
        read = datasets.read_all(data)
        with isolated(job) as run, mathematics():
            measurements = run(job.spec, **read)
        inputs = {name: dataset.digest for name, dataset in read.items()}
        reduced = merge_reduced(dataset.reduced for dataset in read.values())
        write_run(unfinished, measurements, job.spec_text, reduced)
        job.write_record({output: unfinished}, inputs, reduced)
