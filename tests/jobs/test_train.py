"""The program that runs one point: what a run draws depends on its spec only."""

import random

import numpy as np
import pytest
import torch

from deepnets.jobs.train import main
from deepnets.records.job import Job
from deepnets.records.measurements import Measurements
from deepnets.records.tables import read_table


def draw(spec):
    """Record one number of each generator that all callers share."""
    measurements = Measurements()
    weights = torch.nn.Linear(2, 1).weight.detach().numpy().ravel()
    measurements.add(0, "drawn", [random.random(), np.random.rand(), *weights])
    return measurements


def values(folder, monkeypatch, seed):
    monkeypatch.setattr(Job, "function", property(lambda job: draw))
    path = folder / "run.parquet"
    main(Job(f'{{"seed": {seed}}}', "deepnets.experiments.toy.run:run@0"), [], path)
    return read_table(path).column("value").to_pylist()


def test_draws_without_a_generator_depend_on_the_spec(tmp_path, monkeypatch):
    first, again, other = (values(tmp_path, monkeypatch, seed) for seed in (1, 1, 2))
    assert first == again
    assert all(one != pytest.approx(another) for one, another in zip(first, other, strict=True))
