from types import SimpleNamespace

import pytest

from default_tables import default_tables
from reproduce.code.modules import Package
from reproduce.config.metrics import units_of


@pytest.mark.parametrize("experiment", default_tables())
def test_the_docstring_lists_every_metric(experiment):
    assert set(default_tables()[experiment].frame["metric"]) <= units_of(Package(), experiment).keys()


def test_units_and_conditions_are_no_metrics():
    text = "Run.\n\n- rate, once: a share.\n- needed[mode], once, if learned, updates: a time.\n- a, b (eq. 1): two."
    package = SimpleNamespace(docstring=lambda entry: text)
    assert units_of(package, "toy") == {"rate": "", "needed": "updates", "a": "", "b": ""}
