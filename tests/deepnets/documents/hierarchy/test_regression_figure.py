"""The figure of the regression shows errors, which need noise."""

import pandas as pd
import pytest

from conftest import default_config
from deepnets.documents.hierarchy.figures.regression import regression_exercise
from deepnets.experiments.regression import run as regression
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.table import Table

pytestmark = pytest.mark.usefixtures("off_screen")

SPEC = {**default_config()["experiments"]["regression"], "depth": 1, "init": "none"}


def test_without_noise_there_is_no_error_to_show():
    runs = pd.DataFrame(regression.run({**SPEC, "noise": 0, "seed": 0}).columns()).assign(seed=0)
    with pytest.raises(NotRecordedError, match="without noise there are only rounding errors"):
        regression_exercise(Table.by_hand(runs))
