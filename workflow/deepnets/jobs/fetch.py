"""Program: bring MNIST to results/data/mnist.npz."""

from pathlib import Path

from workflow.deepnets.config.points import canonical
from workflow.deepnets.data import sources
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records import datasets
from workflow.deepnets.records.provenance import Provenance


def main(job: Job, output: Path) -> None:
    """Acquire MNIST as the spec says (source, directory, mirrors) and write it as one data set."""
    arrays, mnist = sources.acquire(**job.spec)
    # The file says what it holds, not where it came from: another source of the same content changes no byte.
    datasets.write(output, arrays, Provenance(canonical({"mnist": mnist}), job.code, mnist=mnist))
