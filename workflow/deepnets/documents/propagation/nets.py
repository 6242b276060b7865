"""Descriptions of nets of the experiment `propagation`: names and sizes, and whether any layer was measured."""

import pandas as pd

from deepnets.documents.propagation.quantities import simulations_of
from reproduce import api


def has_layers(net: pd.DataFrame) -> bool:
    """Return whether any layer after the first linear one was measured."""
    return bool((api.rows_of(net, "chi")["step"] > 0).any())


def require_layers(net: pd.DataFrame) -> pd.DataFrame:
    """Return a net; raise NotRecordedError, with the reason, if it has no layer to show."""
    if net.empty:
        raise api.NotRecordedError("the config contains no such runs")
    if not has_layers(net):
        last, batch = api.divergence_steps(net).max(), net["batch"].iloc[0]
        raise api.NotRecordedError(
            f"signal or noise vanished or overflowed by layer {last} in every simulation (batch {batch})"
        )
    return net


def describe_net(net: pd.DataFrame, *, drawn: tuple[str, ...] = (), shown: str | None = None) -> str:
    """Describe a net in words: operator, size, data, simulations.

    drawn: axes with several values in the figure, which the words leave out; shown: replaces the number of simulations.
    """
    first = net.iloc[0]
    images = f"{first['batch']:,} images" if first["batch"] > 1 else "1 image"
    images += " of CIFAR-10" * (first["dataset"] == "cifar10")
    vanilla = (first["arch"], first["norm"]) == ("feedforward", "none")
    kind = [] if vanilla or "norm" in drawn else [kind_of(net)]
    parts = [*kind, operator_of(net), f"{first['width']} channels", *list_nonstandard(net), images]
    return ", ".join([*parts, shown or count_simulations(net, noun="simulation")])


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


def list_nonstandard(net: pd.DataFrame) -> list[str]:
    """Return the non-standard choices of a net in words. Standard: CIFAR-10, ReLU, normal weights, gain 2, no biases."""
    first = net.iloc[0]
    return [
        name
        for name, shown in (
            ("MNIST", first["dataset"] == "mnist"),
            ("tanh", first["activation"] == "tanh"),
            ("uniform", first["init"] == "hyperball"),
            (api.label_of("gain", first["gain"]), first["gain"] != 2),
            (api.label_of("bias", first["bias"]), first["bias"] != 0),
        )
        if shown
    ]


def name_of(net: pd.DataFrame) -> str:
    """Return a net's name among nets of its size: normalisation, architecture, nonstandard features, depth, batch."""
    first = net.iloc[0]
    layers = "layers" if first["arch"] == "feedforward" else "units"
    return ", ".join([kind_of(net), *list_nonstandard(net), f"{first['depth']} {layers}, batch {first['batch']:,}"])


def nets_by_size(table: pd.DataFrame) -> dict[str, list[pd.DataFrame]]:
    """Return the rows of each net by the name of its size: wide nets, convolutions and standard nets first."""
    nets = [net for _, net in api.group_by_setting(api.merge_blocks(table))]
    sizes: dict[str, list[pd.DataFrame]] = {}
    for net in sorted(nets, key=_sort_key):
        sizes.setdefault(f"{operator_of(net)}, {net['width'].iloc[0]} channels", []).append(net)
    return sizes


def _sort_key(net: pd.DataFrame) -> list[object]:
    places = {"feedforward": 0, "residual": 1, "none": 0, "batch": 1, "instance": 2, "group": 3, "layer": 4}
    first = net.iloc[0]
    return [
        -first["width"],
        -first["kernel"],
        (first["init"] != "normal", first["activation"] != "relu"),
        *(places[first[axis]] for axis in ("arch", "norm")),
        *(first[axis] for axis in ("gain", "bias", "batch", "depth")),
    ]


def count_simulations(net: pd.DataFrame, *, noun: str = "") -> str:
    """Return the number of simulations as text, and how many of them ended before the last layer."""
    count, ended = len(simulations_of(net)), len(api.divergence_steps(net))
    return (api.count_text(count, noun) if noun else str(count)) + (f", {ended} of which ended early" if ended else "")
