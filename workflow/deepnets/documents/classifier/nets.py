"""The nets of document 000: how figures name them, and which settings only follow from others."""

import pandas as pd

from workflow.deepnets.figures.which_runs import settled

# The document draws its points with this seed.
DOCUMENT_DATA = 0
# Blocks that the document does not have: draws of other points, other learning rates, other thresholds to stop at.
DATA_SETS, RATES, THRESHOLDS = "data_sets", "rates", "thresholds"
TRAINING = ("learning_rate", "target_loss")


def each_as_trained(runs: pd.DataFrame) -> pd.DataFrame:
    """Leave out learning rate and threshold where each net has one of its own, as all of the document's do."""
    return settled(runs, *TRAINING)


def variant_name(net: pd.Series) -> str:
    """Name a net by what is not usual of it.

    net: a row of the table.
    """
    parts = [
        "1 layer" if net["depth"] == 1 else f"{net['depth']} layers",
        "from zeros" if net["init"] == "zeros" else "",
        f"rank {net['rank']}" if net["rank"] else "",
        f"× {net['scale']:g}" if net["scale"] != 1 else "",
        f"data set {net['data_seed']}" if net["data_seed"] != DOCUMENT_DATA else "",
    ]
    return ", ".join(filter(None, parts))
