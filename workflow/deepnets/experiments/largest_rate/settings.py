from typing import Annotated, Literal

from pydantic import Field, model_validator

from deepnets.data.mnist import PIXELS
from deepnets.data.mnist.settings import Images
from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[Annotated[int, Field(ge=4, le=api.LARGEST_SIZE)]] = Field(
        description="Largest number of hidden layers, at least 4, since exponents need two depths."
    )
    init: api.Init[Literal["gaussian", "orthogonal"]]
    activation: api.Axis[Literal["relu", "linear"]] = Field(description="Activation function of the hidden layers.")
    width: api.Axis[api.Size] = Field(description="Number of units in each hidden layer.")
    batch: api.Axis[Images] = Field(description="Number of images in the update.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """The largest learning rate at initialisation, of nets with 2, 4, 8, … hidden layers up to `depth`."""

    simulations: api.Count = Field(description="Number of random nets for each depth in a run.")

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of the sharpness of all nets, of about ten updates each."""
        return api.minutes_of_updates(20 * run["simulations"], run["depth"], run["batch"], run["width"], run["width"])

    @model_validator(mode="after")
    def _check_memory(self) -> "Settings":
        for grid in self.grids.values():
            depth, width, batch = (
                max(api.values_of(each)) for each in (grid.axes.depth, grid.axes.width, grid.axes.batch)
            )
            numbers = width * (PIXELS + (depth - 1) * width + depth * batch)
            api.refuse_beyond_memory(f"{depth} layers of {width} units for a batch of {batch}", numbers)
        return self
