"""The docstrings of `run` are the data dictionary: they name every metric."""

import inspect
import re
from importlib import import_module

import pytest

from default_tables import frames


@pytest.mark.parametrize("experiment", frames())
def test_the_docstring_of_run_names_every_metric(experiment):
    run = import_module(f"deepnets.experiments.{experiment}.run").run
    words = set(re.findall(r"\w+", inspect.getdoc(run)))
    assert set(frames()[experiment]["metric"]) <= words
