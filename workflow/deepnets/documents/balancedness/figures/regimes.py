"""The figure on unequal layers."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.balancedness.runs import IMBALANCES
from deepnets.figures.sheet import Sheet
from deepnets.tables.matrices import by_seed
from deepnets.tables.old_selection import select_settings
from deepnets.tables.rows import rows_of


def strengths(unequal_layers: pd.DataFrame) -> Figure:
    """Learning of one mode in a two-layer linear net, one colour per imbalance λ of its layers.

    (a) Strength, as a share of its target, against training time on a logarithmic axis. Lines: closed form of gradient
    flow; circles: gradient descent. (b) Growth of the strength s per unit of training time, divided by λ + 2, against
    s. Lines: √(λ² + 4s²) (1 − s); circles: gradient descent. With equal layers (λ = 0) learning is fastest midway, with
    very unequal ones at the start.
    """
    sheet = Sheet()
    runs = sheet.take(select_settings(unequal_layers, IMBALANCES, imbalance=6))
    over_time, over_strength = sheet.panels(1, 2, figsize=(6.9, 2.7)).flat
    for position, imbalance in enumerate(sorted(runs["imbalance"].unique())):
        time, strength, closed_form, growth = (
            by_seed(rows_of(runs, metric, imbalance=imbalance)).iloc[:, 0].to_numpy()
            for metric in ("training_time", "strength", "closed_form", "growth")
        )
        color = f"C{position}"
        over_time.plot(time[1:], closed_form[1:], color=color, lw=1, label=f"λ = {imbalance:g}")
        # As many circles in each part of the logarithmic axis.
        shown = sorted({round(1.25**power) for power in range(26)} & set(range(len(time))))
        over_time.plot(time[shown], strength[shown], "o", color=color, ms=3, mfc="none")
        expected = (imbalance**2 + 4 * closed_form**2) ** 0.5 * (1 - closed_form)
        over_strength.plot(closed_form, expected / (imbalance + 2), color=color, lw=1)
        even = np.unique(np.searchsorted(strength, np.linspace(strength[0], strength[-1], 16)))
        over_strength.plot(strength[even], growth[even] / (imbalance + 2), "o", color=color, ms=3, mfc="none")
    over_time.set(xlabel="training time: learning rate × updates", ylabel="strength", xscale="log")
    over_strength.set(xlabel="strength", ylabel="growth / (λ + 2)")
    sheet.add_legend()
    return sheet.finish()
