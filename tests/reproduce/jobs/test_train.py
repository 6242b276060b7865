from types import SimpleNamespace

import pytest

from reproduce.config.experiments import units_of
from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.jobs.train import main
from reproduce.records.measurements import Measurements
from reproduce.records.tables import read_table


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that runs a function as an experiment, and returns the table of the run."""

    def run(function, spec="{}"):
        monkeypatch.setattr("reproduce.jobs.isolation.import_function", lambda entry: function)
        main(Job(spec, "toy:run", tmp_path / "run.json"), [], tmp_path / "run.parquet")
        return read_table(tmp_path / "run.parquet")

    return run


def record_and_read(spec):
    """Record the loss."""
    measurements = Measurements()
    measurements.add(0, spec["metric"], 1.0)
    return measurements


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            '{"metric": "lost"}',
            r"^toy:run recorded 'lost', which its docstring does not list \(did you mean 'loss'\?\)",
        ),
        (
            '{"experiment": "toy", "metrics": ""}',
            r"^'metric' is no axis or setting of toy \(did you mean 'metrics'\?\); allowed: exp",
        ),
    ],
)
def test_a_wrong_name_in_an_experiment_is_an_error(run, spec, message):
    with pytest.raises(UserError, match=message):
        run(record_and_read, spec=spec)


def test_units_and_conditions_are_no_metrics():
    text = "Run.\n\n- rate, once: a share.\n- needed[mode], once, if learned, updates: a time.\n- a, b (eq. 1): two."
    package = SimpleNamespace(docstring=lambda entry: text)
    assert units_of(package, "toy") == {"rate": "", "needed": "updates", "a": "", "b": ""}
