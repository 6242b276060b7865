"""The figure of the regression shows weights as a matrix, and errors if there is noise."""

import pandas as pd
import pytest

from conftest import default_config
from deepnets.documents.hierarchy.figures.regression import regression_exercise
from deepnets.experiments.regression import run as regression
from reproduce.tables.table import Table

pytestmark = pytest.mark.usefixtures("off_screen")

SPEC = {**default_config()["experiments"]["regression"], "depth": 1, "init": "none"}


def table_of(*, seeds=2, **changes):
    runs = (pd.DataFrame(regression.run({**SPEC, **changes, "seed": seed}).columns()) for seed in range(seeds))
    return Table.by_hand(pd.concat([rows.assign(seed=seed) for seed, rows in enumerate(runs)], ignore_index=True))


def test_many_weights_have_colours_and_no_numbers():
    figure = regression_exercise(table_of(outputs=9))
    assert not figure.axes[0].texts
    assert [axis.get_ylabel() for axis in figure.axes[3:]] == ["weight", "weight"]


def test_without_noise_there_is_no_error_to_show():
    axis = regression_exercise(table_of(noise=0)).axes[2]
    assert not axis.lines
    assert "true weights up to rounding" in axis.texts[0].get_text().replace("\n", " ")
