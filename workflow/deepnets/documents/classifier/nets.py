"""The nets of document 000: how figures name them, and which settings only follow from others."""

from collections.abc import Iterable

import pandas as pd

from workflow.deepnets.tables.axes import drop_dependent_axes
from workflow.deepnets.tables.words import label_of, text_of

# The document draws its points with this seed.
DOCUMENT_DATA = 0
# Blocks that the document does not have: draws of other points, other learning rates, other thresholds to stop at.
DATA_SETS, RATES, THRESHOLDS = "data_sets", "rates", "thresholds"
TRAINING = ("learning_rate", "target_loss")


def each_as_trained(runs: pd.DataFrame) -> pd.DataFrame:
    """Drop learning rate and threshold if each net has one of its own, as all nets of the document do."""
    return drop_dependent_axes(runs, *TRAINING)


def variant_name(net: pd.Series) -> str:
    """Return the name of a net: depth, and what is unusual of it.

    net: a row of the table.
    """
    parts = [
        "1 layer" if net["depth"] == 1 else f"{net['depth']} layers",
        "from zeros" if net["init"] == "zeros" else "",
        f"rank {net['rank']}" if net["rank"] else "",
        f"× {text_of(net['scale'])}" if net["scale"] != 1 else "",
        f"data set {net['data_seed']}" if net["data_seed"] != DOCUMENT_DATA else "",
    ]
    return ", ".join(filter(None, parts))


def trained_name(net: pd.Series, axes: Iterable[str]) -> str:
    """Return the name of a net with its learning rate and threshold, as far as they are among some axes."""
    return ", ".join([variant_name(net), *(label_of(axis, net[axis]) for axis in TRAINING if axis in axes)])
