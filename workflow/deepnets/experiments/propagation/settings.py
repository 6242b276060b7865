from typing import Literal

from pydantic import Field, model_validator

from deepnets.data.mnist import SIDE
from deepnets.data.mnist.settings import Images
from reproduce import api


def _positions(kernel: int) -> int:
    """Return the number of positions in a layer: the first convolution halves both sides of the image."""
    return 1 if kernel == 1 else (SIDE // 2) ** 2


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The part of the document to which the runs belong; figures select runs by this name."
    )
    arch: api.Axis[Literal["feedforward", "residual"]] = Field(
        description="Layers (linear, norm, activation), or residual units of two layers (norm, activation, linear)."
    )
    norm: api.Axis[Literal["none", "batch", "layer", "group", "instance"]] = Field(
        description="Normalisation before the activation; feedforward without normalisation is the vanilla net."
    )
    activation: api.Axis[Literal["relu", "tanh"]] = Field(description="Activation function.")
    init: api.Axis[Literal["normal", "hyperball"]] = Field(
        description="Distribution of weights: normal, or uniform in a hyperball for each channel."
    )
    gain: api.Axis[api.Positive] = Field(
        description="Number of inputs of a unit times the variance of a weight; 2 in He et al. 2015."
    )
    bias: api.Axis[api.NonNegative] = Field(description="Root mean square of the biases; a normalisation removes them.")
    width: api.Axis[api.Size] = Field(description="Number of channels in every layer.")
    kernel: api.Axis[api.Integer[Literal[1, 3, 5, 7]]] = Field(
        description="Side of the convolutions, an odd number; 1 means fully connected nets on flattened images."
    )
    batch: api.Axis[Images] = Field(description="Number of images that pass through one net.")
    depth: api.Axis[api.Size] = Field(description="Number of layers, or of residual units.")


class _Grid(api.Grid[_Axes]):
    simulations: api.Count = Field(description="Number of nets per seed; each net gets another batch of images.")
    record_first: api.Natural = Field(description="All layers (residual: units) up to this number are recorded.")
    record_evenly: api.Count = Field(description="Number of layers recorded at even distances, up to the last layer.")
    cloud_depths: api.Distinct[api.Natural] = Field(
        description="Layers at which points of the first simulation are recorded, for a picture."
    )


class Settings(api.Experiment[_Grid]):
    """Document 002, signal and noise through random deep nets."""

    device: Literal["cpu", "cuda"] = Field(description="Device of the simulations.")
    padding: Literal["periodic", "symmetric", "zero"] = Field(
        description="How convolutions continue an image beyond the border."
    )
    groups: api.Size = Field(description="Number of groups of channels in group normalisation; must divide the width.")

    @staticmethod
    def megabytes(run: dict) -> float:
        """Return the memory of signal and noise at some places of a layer; of CUDA's libraries too, not measured."""
        libraries = 3000 if run["device"] == "cuda" else 0
        # Wide convolutions keep three arrays of tiles, each of four layers.
        places = 17 if run["kernel"] == 3 and run["width"] >= 256 and not libraries else 5
        return libraries + places * 8e-6 * run["batch"] * run["width"] * _positions(run["kernel"])

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all products on one core (measured: half); on a GPU a tenth of it, not measured."""
        layers = run["simulations"] * run["depth"] * (2 if run["arch"] == "residual" else 1)
        products = layers * run["batch"] * _positions(run["kernel"]) * (run["kernel"] * run["width"]) ** 2
        return products * (5e-12 if run["device"] == "cuda" else 5e-11) / 60

    @model_validator(mode="after")
    def _check_nets(self) -> "Settings":
        for name, grid in self.grids.items():
            widths, batches = api.values_of(grid.axes.width), api.values_of(grid.axes.batch)
            positions = _positions(max(api.values_of(grid.axes.kernel)))
            api.refuse_beyond_memory(
                f"grids.{name}: {max(batches)} images in {max(widths)} channels of {positions} positions, signal and "
                "noise",
                2 * max(batches) * max(widths) * positions,
            )
            undivided = [width for width in widths if width % self.groups]
            if "group" in api.values_of(grid.axes.norm) and undivided:
                raise ValueError(
                    f"grids.{name}: norm 'group' has {self.groups} groups of {undivided[0]} channels; allowed: widths "
                    f"that {self.groups} divides"
                )
        return self
