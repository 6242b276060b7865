import inspect
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from drawn_tables import NUMBERS, table_of
from entries import CHARTS, FIGURES
from reproduce.figures.drawn import drawn_numbers
from reproduce.figures.sheet import draw_or_explain
from reproduce.tables.rows import NotRecordedError

pytestmark = pytest.mark.usefixtures("off_screen")


# The points of these figures depend on all runs: labels, shares of the largest similarity, differences between nets.
_RELATIVE = {"000-classifier-data", "003-hierarchy-larger_scale", "004-zero-training"}


def draw(name, table):
    """Draw a figure or chart. table: returns the table of an experiment."""
    drawing = (FIGURES | CHARTS)[name]
    with warnings.catch_warnings():
        # A logarithmic axis without positive values has no ends, and a legend without lines no entries.
        warnings.simplefilter("ignore", UserWarning)
        drawn = drawing(*map(table, inspect.signature(drawing).parameters))
        if isinstance(drawn, Figure):
            drawn.draw_without_rendering()
    return drawn


@pytest.mark.parametrize("name", FIGURES | CHARTS)
def test_a_drawing_without_its_runs_gives_the_reason(name):
    try:
        drawn = draw(name, lambda experiment: table_of(experiment, "other_blocks"))
    except NotRecordedError as reason:
        assert str(reason)
        return
    if isinstance(drawn, Figure):
        assert all(axis.has_data() or axis.texts for axis in drawn.axes if axis.get_visible())
    else:
        assert drawn.to_dict()["description"]
    plt.close("all")


def numbers_of(name, *, larger=None):
    """Return what a figure draws from swept tables.

    larger: whether the values of all added runs are larger, or those of all others; if omitted, none.
    """

    def table(experiment):
        whole, added = table_of(experiment, "swept"), len(table_of(experiment, "whole").frame)
        return whole.pipe(
            lambda rows: rows.assign(value=rows["value"].where((rows.index >= added) != larger, 1.001 * rows["value"]))
        )

    drawn = drawn_numbers(draw_or_explain(lambda: draw(name, table)))[NUMBERS].to_numpy(float)
    plt.close("all")
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FIGURES.keys() - _RELATIVE))
def test_no_point_depends_on_two_values_of_a_swept_axis(name):
    before, *others = (numbers_of(name, larger=larger) for larger in (None, True, False))
    changes = [(~np.isclose(before, each, rtol=1e-9, atol=0, equal_nan=True)).any(axis=1) for each in others]
    assert not np.logical_and(*changes).any()
