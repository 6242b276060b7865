"""Choosing nets and simulations from the table of the experiment `propagation`, and saying what was chosen."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.figures.rows import rows_of, runs_of


def normalized_nets(propagation: pd.DataFrame, **axes: str) -> pd.DataFrame:
    """Return all rows of the nets with a normalisation of any kind whose axes have the given values."""
    return runs_of(propagation[propagation["norm"] != "none"], **axes)


def by_simulation(net: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return a metric of one net: a row for each layer, a column for each simulation, of which a seed has many."""
    chosen = rows_of(net, metric)
    if chosen.empty:
        return pd.DataFrame(index=pd.Index([], dtype=int), dtype=float)
    return chosen.pivot(index="step", columns=["seed", "index"], values="value")


def branch_increments(net: pd.DataFrame) -> pd.Series:
    """Return δχ^{l,1} as the authors have it: the ratio of mean sensitivities behind and before a branch's layer."""
    before = by_simulation(net, "chi") / by_simulation(net, "delta_chi")
    behind = before * by_simulation(net, "delta_chi_layer")
    return (behind.mean(axis=1) / before.mean(axis=1)).dropna()


def every_layer(values: pd.Series, *, against: Callable = np.asarray) -> pd.Series:
    """Return a value for every layer from the first recorded one to the last; those between are interpolated.

    So means and fits weigh all depths alike, however unevenly they were recorded. against: the function of depth over
    which the values are taken for lines between two records.
    """
    layers = np.arange(values.index.min(), values.index.max() + 1)
    return pd.Series(np.interp(against(layers), against(values.index.to_numpy()), values), index=layers)


def set_up(net: pd.DataFrame, *, drawn: tuple[str, ...] = (), shown: str | None = None) -> str:
    """Say what a net is: operator, size, data, simulations.

    drawn: axes of which the figure draws several values; shown: what it shows in place of all simulations.
    """
    if net.empty:
        return ""
    first = net.iloc[0]
    images = f"{first['batch']:,} images" if first["batch"] > 1 else "1 image"
    vanilla = (first["arch"], first["norm"]) == ("feedforward", "none")
    kind = [] if vanilla or "norm" in drawn else [kind_of(net)]
    parts = [*kind, operator_of(net), f"{first['width']} channels", *unusual(net), f"{images} of MNIST"]
    return ", ".join([*parts, shown or count_of(net, of=" simulations")])


def kind_of(net: pd.DataFrame) -> str:
    """Return the name of a net's architecture and normalisation."""
    first = net.iloc[0]
    if first["norm"] == "none":
        return "vanilla" if first["arch"] == "feedforward" else "unnormalised resnet"
    return f"{first['norm']} norm " + ("feedforward" if first["arch"] == "feedforward" else "resnet")


def operator_of(net: pd.DataFrame) -> str:
    """Return the name of a net's linear operator."""
    kernel = net["kernel"].iloc[0]
    return "fully connected" if kernel == 1 else f"{kernel} × {kernel} convolutions"


def unusual(net: pd.DataFrame) -> list[str]:
    """Return what a net has in place of ReLU, normal weights of gain 2 and no biases."""
    first = net.iloc[0]
    return [
        name
        for name, shown in (
            ("tanh", first["activation"] == "tanh"),
            ("uniform", first["init"] == "hyperball"),
            (f"gain {first['gain']:g}", first["gain"] != 2),
            (f"bias {first['bias']:g}", first["bias"] != 0),
        )
        if shown
    ]


def why_nothing(net: pd.DataFrame) -> str:
    """Say why a net has no layer to show."""
    if net.empty:
        return "the config asks for no such runs"
    last, batch = rows_of(net, "diverged")["step"].max(), net["batch"].iloc[0]
    return f"signal or noise vanished or overflowed by layer {last} in every simulation (batch {batch})"


def count_of(net: pd.DataFrame, *, of: str = "") -> str:
    """Say how many simulations of a net there are, and how many of them ended before its last layer."""
    lost = len(rows_of(net, "diverged"))
    return f"{simulations_of(net)}{of}" + (f", {lost} of which ended early" if lost else "")


def simulations_of(net: pd.DataFrame) -> int:
    """Return how many simulations of a net there are."""
    # One that ends at once has no χ.
    return len(net[net["metric"].isin(["chi", "diverged"])][["seed", "index"]].drop_duplicates())
