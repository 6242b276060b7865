import numpy as np
import pytest

from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED
from reproduce.tables.selection import NotTestableError

AXES = {"block": "dynamics", "depth": 2, "init": "identity", "scale": 0.001, "rank": 5, "entries": 2000, "seed": 0}
SETTINGS = {"size": 100, "learning_rate": 0.1}
CLAIMS = Claims("arora_2019")
verdict = CLAIMS.verdict


def evidence(*runs):
    """Return evidence of runs, each (axes, metrics), from one grid with the paper's settings."""
    return of_one_grid("matrix_completion", table(runs), AXES, SETTINGS)


def test_the_error_of_the_flow_is_a_fraction_of_the_run_s_largest_rate():
    theory = {(1, 0): -4.0, (1, 1): 1.0, (2, 0): 2.0}
    found = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {**theory, (1, 0): -4.5}}))
    assert CLAIMS["singular_value_flow"].measure(found)["depth 2"] == pytest.approx([0.5 / 4])
    lost = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {(1, 0): -4.0}}))
    parts = CLAIMS["singular_value_flow"].measure(lost)
    assert np.isnan(parts["depth 2"]).all()
    assert isinstance(parts["depth 3"], NotTestableError)
    assert verdict("singular_value_flow", lost) == NOT_REPRODUCED


def test_five_values_at_three_steps_decide_when_the_fifth_rises():
    def delay(values):
        found = evidence((AXES, {"singular_value": values}))
        return CLAIMS["depth_separates_singular_values"].measure(found)["depth 2"]

    rises = {(step, mode): float(step >= first) for mode, first in enumerate((1, 1, 1, 1, 3)) for step in (0, 1, 3)}
    assert delay(rises) == [2]
    assert isinstance(delay({place: value for place, value in rises.items() if place[0] < 3}), NotTestableError)
