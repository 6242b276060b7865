"""Program: run one point of an experiment and write its measurements."""

import hashlib
import random
import sys
from pathlib import Path

import numpy as np

from deepnets.data.mnist import merged_mnist
from deepnets.jobs.cost import mathematics
from deepnets.records import datasets
from deepnets.records.atomic import replacing
from deepnets.records.job import Job
from deepnets.records.tables import write_run


def main(job: Job, data: list[Path], output: Path) -> None:
    """Run the function that the code names on the spec and the data sets, and write the run's Parquet file.

    data: npz files with the names of the function's arguments.
    """
    run = job.function
    with replacing(output) as unfinished:
        read = {path.stem: datasets.read(path) for path in data}
        _seed_shared_generators(job.spec_text)
        with mathematics():
            measurements = run(job.spec, **read)
        inputs = {name: dataset.digest for name, dataset in read.items()}
        mnist = merged_mnist([dataset.mnist for dataset in read.values()])
        write_run(unfinished, measurements, job.provenance(inputs, mnist))


def _seed_shared_generators(spec: str) -> None:
    """Seed the generators that all callers share: libraries draw from them, such as `torch.nn.Linear` its weights."""
    seed = int.from_bytes(hashlib.sha256(spec.encode()).digest()[:4])
    random.seed(seed)
    np.random.seed(seed)
    # Only experiments that use torch have imported it.
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
