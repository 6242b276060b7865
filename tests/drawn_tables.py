"""The numbers that figures draw from thinned tables of the default config."""

import inspect
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt

from conftest import ROOT
from deepnets.figures.drawn import COLUMNS, drawn_numbers
from deepnets.jobs.frames import to_frame
from deepnets.records.paths import STYLE
from deepnets.records.tables import read_table
from entries import FIGURES

FOLDER = Path(__file__).parent / "figures/tables"
RECORD = Path(__file__).parent / "figures/drawn_numbers.parquet"
NUMBERS = list(COLUMNS[3:])
# At most so many points of a series are recorded.
_POINTS = 20


@cache
def _table(experiment):
    path = FOLDER / f"{experiment}.parquet"
    assert path.exists(), f"record the numbers of figures: python tools/drawn.py results/tables {experiment}"
    return to_frame(read_table(path))


def numbers_of(name):
    """Return the first points of each series of a figure, rounded to six digits. name: as in FIGURES."""
    with plt.style.context(["default", ROOT / "workflow/deepnets" / STYLE]):
        draw = FIGURES[name]
        drawn = drawn_numbers(draw(*map(_table, inspect.signature(draw).parameters)))
        plt.close("all")
    drawn = drawn[drawn.groupby(["panel", "kind", "series"]).cumcount() < _POINTS]
    rounded = {column: [float(f"{value:.6g}") for value in drawn[column].astype(float)] for column in NUMBERS}
    return drawn.assign(figure=name, **rounded).reset_index(drop=True)
