import inspect
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from drawn_tables import NUMBERS, table_of
from entries import CHARTS, FIGURES, PACKAGE
from reproduce.config.documents import documents_of
from reproduce.figures.drawn import drawn_numbers
from reproduce.figures.sheet import draw_or_explain
from reproduce.tables.rows import NotRecordedError
from scopes import known_of

# A logarithmic axis without positive values has no ends, and a legend without lines no entries.
pytestmark = [pytest.mark.usefixtures("off_screen"), pytest.mark.filterwarnings("ignore::UserWarning")]
_RELATIVE = {
    f"{document.id}-{name}"
    for document in documents_of(PACKAGE).values()
    for name in known_of(document.room).get("RELATIVE", ())
}


def draw(name, table):
    """Draw a figure or chart. table: returns the table of an experiment."""
    drawing = (FIGURES | CHARTS)[name]
    return drawing(*map(table, inspect.signature(drawing).parameters))


@pytest.mark.parametrize("name", FIGURES | CHARTS)
def test_a_drawing_without_its_runs_gives_the_reason(name):
    try:
        drawn = draw(name, lambda experiment: table_of(experiment, "other_blocks"))
    except NotRecordedError as reason:
        assert str(reason)
        return
    if isinstance(drawn, Figure):
        drawn.draw_without_rendering()
        assert all(axis.has_data() or axis.texts for axis in drawn.axes if axis.get_visible())
    else:
        assert drawn.to_dict()["description"]
    plt.close("all")


# Cached: the figures of a document read the same tables.
@cache
def swept_table_of(experiment, larger):
    """Return a swept table. larger: whether the values of all added runs are larger, or of all others; None: none."""
    added = len(table_of(experiment, "whole").frame)
    return table_of(experiment, "swept").pipe(
        lambda rows: rows.assign(value=rows["value"].where((rows.index >= added) != larger, 1.001 * rows["value"]))
    )


def numbers_of(name, larger):
    """Return what a figure draws from swept tables. larger: as in `swept_table_of`."""
    figure = draw_or_explain(lambda: draw(name, lambda experiment: swept_table_of(experiment, larger)))
    drawn = drawn_numbers(figure)[NUMBERS].to_numpy(float)
    plt.close("all")
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FIGURES.keys() - _RELATIVE))
def test_no_point_depends_on_two_values_of_a_swept_axis(name):
    before, *others = (numbers_of(name, larger) for larger in (None, True, False))
    changes = [(~np.isclose(before, each, rtol=1e-9, atol=0, equal_nan=True)).any(axis=1) for each in others]
    assert not np.logical_and(*changes).any()
