"""Program: make a data set."""

from dataclasses import replace
from pathlib import Path

from reproduce.config.grids import canonical_json
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records import datasets
from reproduce.records.files import replacing
from reproduce.records.record import merge_reduced


def main(job: Job, data: list[Path], output: Path) -> None:
    """Run the function that the code names on the settings and its data, and write the arrays.

    spec: settings, and contents, the first of `DatasetSettings.contents` if there are any
    data: as in `train`
    """
    spec = job.spec
    with replacing(output) as unfinished:
        read = datasets.read_all(data)
        with isolated(job) as make:
            made = make(spec["settings"], **read)
        reduced = merge_reduced([made.reduced, *(each.reduced for each in read.values())])
        if spec["contents"]:
            # The content counts and not the source: two sources of the same arrays give the same bytes.
            job = replace(job, spec_text=canonical_json({"reduced": reduced}))
        datasets.write(unfinished, made.arrays, reduced)
        job.write_record({output: unfinished}, {name: each.digest for name, each in read.items()}, reduced)
