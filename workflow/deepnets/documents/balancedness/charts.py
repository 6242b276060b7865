"""The chart with sliders: learning of one mode, by imbalance of the layers and learning rate."""

import altair as alt
import pandas as pd

from deepnets.charts.line_chart import line_chart
from deepnets.documents.balancedness.runs import IMBALANCES
from deepnets.tables.rows import runs_of


def imbalances(unequal_layers: pd.DataFrame) -> alt.TopLevelMixin:
    """Strength of one mode, its growth, and its difference from the closed form of gradient flow, against updates.

    Choose the imbalance of the layers and the learning rate. There is one run for each choice: it draws no random
    numbers.
    """
    return line_chart(
        runs_of(unequal_layers, index=0),
        {
            "strength": "strength, share of the target",
            "growth": "growth per training time",
            "error": "strength minus closed form",
        },
        IMBALANCES,
        title="The more unequal the layers, the earlier and the less sigmoidally the mode is learned",
        names={"imbalance": "imbalance λ"},
    )
