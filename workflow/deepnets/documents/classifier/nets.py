"""The nets of document 000: their names in figures, and their learning rates and thresholds."""

from collections.abc import Iterable

import pandas as pd

from deepnets.tables.axes import drop_dependent_axes
from deepnets.tables.words import label_of, text_of

# The seed of the document's points.
DOCUMENT_DATA = 0
# Blocks that are not in the document. They vary the points, the learning rate and the stopping threshold.
DATA_SETS, RATES, THRESHOLDS = "data_sets", "rates", "thresholds"
TRAINING = ("learning_rate", "target_loss")


def drop_training_axes(runs: pd.DataFrame) -> pd.DataFrame:
    """Drop the learning rate and the threshold if the remaining axes determine both, as in the document."""
    return drop_dependent_axes(runs, *TRAINING)


def variant_name(net: pd.Series) -> str:
    """Return the name of a net: its depth, and each setting that differs from the default. net: a row of the table."""
    parts = [
        "1 layer" if net["depth"] == 1 else f"{net['depth']} layers",
        "from zeros" if net["init"] == "zeros" else "",
        f"rank {net['rank']}" if net["rank"] else "",
        f"× {text_of(net['scale'])}" if net["scale"] != 1 else "",
        f"data set {net['data_seed']}" if net["data_seed"] != DOCUMENT_DATA else "",
    ]
    return ", ".join(filter(None, parts))


def trained_name(net: pd.Series, axes: Iterable[str]) -> str:
    """Return the name of a net, with its learning rate and threshold if they are among `axes`."""
    return ", ".join([variant_name(net), *(label_of(axis, net[axis]) for axis in TRAINING if axis in axes)])
