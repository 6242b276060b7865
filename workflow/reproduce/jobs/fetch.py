"""Program: write MNIST to results/data/mnist.npz."""

from dataclasses import replace
from pathlib import Path

from deepnets.data import sources
from reproduce.config.points import canonical_json
from reproduce.records import datasets
from reproduce.records.atomic import replacing
from reproduce.records.job import Job
from reproduce.records.provenance import sha256_of


def main(job: Job, subset: Path, output: Path) -> None:
    """Get MNIST from the spec's source (source, directory, mirrors) and write it as one data set.

    subset: the file of the embedded subset
    """
    with replacing(output) as unfinished:
        arrays, mnist = sources.acquire(**job.spec, subset=subset)
        # The stamp records the content and not the source: two sources with the same content give the same bytes.
        held = replace(job, spec_text=canonical_json({"mnist": mnist}))
        datasets.write(unfinished, arrays, held.provenance({"subset": sha256_of(subset)}, mnist))
