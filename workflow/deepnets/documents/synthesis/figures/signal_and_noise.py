import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.synthesis.runs import DRAWN_PRODUCTS, SET_UPS
from deepnets.looks import ARCHITECTURES, INITS, NORMS
from reproduce import api


def depth_before_training(propagation: api.Table, spectra: api.Table) -> Figure:
    """Before training, the signal loses directions in vanilla nets, and noise explodes with batch normalisation, but not in a resnet.

    Lines and bands: median and 16th to 84th percentile over simulations of 3 × 3 convolutions on CIFAR-10 (document 002).
    a: growth of noise relative to signal since the input. b: sum of the signal's variances in all directions, divided by
    the largest; stars: products of 100 × 100 Gaussian matrices (Saxe et al.). c: noise grows slowly in the resnet, since
    unit l adds only about 1/(l + 1) of the signal's variance.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 3))
    axes[0].set(xlabel="layer or unit $l$", ylabel=r"sensitivity $\chi$")
    axes[1].set(xlabel="layer or unit $l$", ylabel="effective rank (sum / largest)")
    axes[2].set(xlabel="unit $l$", ylabel="variance share × ($l$ + 1)")
    for name, described in SET_UPS.items():
        colour, line = NORMS[described["norm"]].color, ARCHITECTURES[described["arch"]]
        # Only a resnet has branches.
        branches = [("variance_share_branch", axes[2])] if described["arch"] == "residual" else []
        with sheet.part(*(axis for _, axis in branches)):
            net = sheet.take(described.shown(propagation), name=name)
            # A run has several simulations.
            count = api.count_text(len(api.rows_of(net, "chi", step=0)), "simulation")
            sheet.note(f"{name}: {api.label_of('width', net['width'].iloc[0])}, {count}")
            for metric, axis in (("chi", axes[0]), ("effective_rank_signal", axes[1]), *branches):
                layers = api.by_simulation(api.require_curve(net, metric, step="layer"))
                # A logarithmic axis cannot show layer 0, the input.
                layers = layers[layers.index > 0]
                x = layers.index.to_numpy()
                if metric == "variance_share_branch":
                    layers = layers.mul(x + 1, axis=0)
                low, middle, high = np.nanpercentile(layers, [16, 50, 84], axis=1)
                axis.plot(x, middle, color=colour, ls=line, label=name)
                axis.fill_between(x, low, high, color=colour, alpha=0.2, lw=0, label=f"_{name}")
            for axis in axes[:2]:
                axis.set(xscale="log", yscale="log")
            for _, axis in branches:
                axis.axhline(1, color="0.5", ls=":", lw=0.8)
                axis.set(xscale="log", ylim=(0, 1.3))
    ranks = _ranks_of_products(sheet.take(DRAWN_PRODUCTS.shown(spectra.pipe(api.runs_of, init="gaussian"), "depth")))
    axes[1].plot(ranks.index, ranks, "*", color=INITS["gaussian"].color, ms=6, label="Gaussian products")
    for axis in axes[:2]:
        api.label_lines(axis)
    return sheet.finish()


def _ranks_of_products(products: pd.DataFrame) -> pd.Series:
    """Return number of matrices → effective rank of white inputs after their product: the median of Σσ² / max σ²."""
    values = api.first_seed(api.rows_of(products, "singular_value"))
    found = {}
    for depth, rows in values.groupby("depth"):
        size = int(rows["size"].iloc[0])
        squares = rows.sort_values("index")["value"].to_numpy() ** 2
        if len(squares) % size == 0:
            each = squares.reshape(-1, size)
            found[depth] = float(np.median(each.sum(axis=1) / each.max(axis=1)))
    return pd.Series(found, dtype=float)
