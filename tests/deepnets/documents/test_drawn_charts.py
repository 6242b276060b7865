"""Every chart contains and draws the recorded numbers from thinned tables (tools/drawn.py records them)."""

import pytest

from drawn_tables import changes_of, numbers_of, recorded
from entries import CHARTS


@pytest.mark.parametrize(("name", "table"), [key for key in recorded("charts") if key[0] in CHARTS])
def test_a_chart_draws_the_recorded_numbers(name, table):
    changes = changes_of(numbers_of(name, table), recorded("charts")[name, table])
    assert not changes, f"record them if they are meant: python tools/drawn.py\n{changes}"


def test_the_numbers_of_every_chart_are_recorded():
    assert set(CHARTS) <= {name for name, _ in recorded("charts")}, "record them: python tools/drawn.py"
