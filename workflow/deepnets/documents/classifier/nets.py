import pandas as pd

from reproduce import api

# The seed of the document's points.
DOCUMENT_DATA = 0
# Blocks that are not in the document. They vary the learning rate and the stopping threshold.
RATES, THRESHOLDS = "rates", "thresholds"
TRAINING = ("learning_rate", "target_loss")


def variant_name(net: pd.Series | api.Selection) -> str:
    """Return the name of a net: its depth, and each setting that differs from the default.

    net: a row of the table, or a selection that names these axes.
    """
    parts = [
        "1 layer" if net["depth"] == 1 else f"{net['depth']} layers",
        "from zeros" if net["init"] == "zeros" else "",
        f"rank {net['rank']}" if net["rank"] else "",
        f"× {api.text_of(net['scale'])}" if net["scale"] != 1 else "",
    ]
    return ", ".join(filter(None, parts))
