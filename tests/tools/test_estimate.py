"""The cost of a config is the sum of the costs of jobs that ran. Jobs without known cost are left out and named."""

from pathlib import Path

import numpy as np
import pytest

from deepnets.config.plan import Plan
from deepnets.records.measurements import Measurements
from deepnets.records.provenance import Provenance
from deepnets.records.tables import write_run
from deepnets.tools import estimate

TABLE = "results/tables/phase_portrait.parquet"


@pytest.fixture
def jobs(config, tmp_path, monkeypatch):
    """A function that returns the jobs of three seeds with these settings; the first seed ran here with 7 steps."""
    monkeypatch.chdir(tmp_path)
    block = config["experiments"]["phase_portrait"]
    block["grids"]["portrait"]["axes"]["seeds"] = 3

    def plan(**settings):
        return Plan({**config, "experiments": {"phase_portrait": {**block, **settings}}})

    first = next(iter(plan(steps=7).points.values()))
    Path(first.path).parent.mkdir(parents=True)
    measurements = Measurements()
    measurements.add(0, "loss", 1.0)
    write_run(first.path, measurements, Provenance(first.spec, "code", {}))
    costs = {first.path: {"wall_s": 36.0, "cpu_s": 72.0}, TABLE: {"wall_s": 3.6, "cpu_s": 3.6}}
    monkeypatch.setattr(estimate, "timing_of", costs.get)
    return lambda **settings: estimate.jobs_of(plan(**settings))


def test_a_run_costs_as_much_as_a_different_seed_did(jobs):
    found = jobs(steps=7)
    runs = found[found["part"] == "phase_portrait"]
    assert list(runs["cpu_s"]) == [72, 72, 72]
    assert list(runs["measured"]) == [True, False, False]
    assert "| phase_portrait | 3 | 1 | 0.06 | 0 | 0.01 |" in estimate.estimate_as_markdown(found).splitlines()


def test_the_cost_of_a_run_with_different_settings_is_not_used(jobs):
    found = jobs(steps=8)
    runs = found[found["part"] == "phase_portrait"]
    assert runs["cpu_s"].isna().all()
    assert "| phase_portrait | 3 | 0 | ? | 0 | ? |" in estimate.estimate_as_markdown(found).splitlines()
    # Only one of the three seeds is named.
    named = estimate.unmeasured(found)
    assert [path for path in named if "/runs/" in path] == [runs["path"].iloc[0]]
    assert TABLE not in named


def test_gpu_hours_count_only_runs_on_a_gpu(jobs):
    found = jobs(steps=7)
    found["gpu"] = np.arange(len(found)) == list(found["part"]).index("phase_portrait")
    row = next(
        line for line in estimate.estimate_as_markdown(found).splitlines() if line.startswith("| phase_portrait")
    )
    assert row == "| phase_portrait | 3 | 1 | 0.06 | 0.01 | 0.01 |"
