from typing import Annotated, Literal

from pydantic import Field

from deepnets.data.cifar10 import SHAPE
from reproduce import api

LIMITS = {
    "dataset": Literal["cifar10", "mnist"],
    "device": Literal["cpu", "cuda"],
    "padding": Literal["periodic", "symmetric", "zero"],
    "arch": Literal["feedforward", "residual"],
    "norm": Literal["none", "batch", "layer", "group", "instance"],
    "activation": Literal["relu", "tanh"],
    "init": Literal["normal", "hyperball"],
    "kernel": api.Integer[Literal[1, 3, 5, 7]],
    "batch": Annotated[int, Field(ge=1, le=SHAPE[0])],
    "gain": api.Positive,
    "bias": api.NonNegative,
    "record_first": api.Natural,
    "cloud_depths": api.Distinct[api.Natural],
    **dict.fromkeys(("width", "groups", "simulations", "record_evenly"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of signal and noise at some places of a layer, and of all products on one core.

    Half of the time was measured; a GPU takes about a tenth of it, which was not measured.
    """
    width, kernel, batch, on_gpu = run["width"], run["kernel"], run["batch"], run["device"] == "cuda"
    if run["norm"] == "group" and width % run["groups"]:
        raise ValueError(f"norm 'group' has {run['groups']} groups of {width} channels; allowed: groups divides width")
    # The first convolution halves both sides of the image.
    positions = 1 if kernel == 1 else (SHAPE[-1] // 2) ** 2
    # Wide convolutions keep three arrays of tiles, each of four layers.
    places = 17 if kernel == 3 and width >= 256 and not on_gpu else 5
    layers = run["simulations"] * run["depth"] * (2 if run["arch"] == "residual" else 1)
    products = layers * batch * positions * (kernel * width) ** 2
    return api.Needs(places * batch * width * positions, products * (5e-12 if on_gpu else 5e-11) / 60)
