from typing import Annotated, Literal

from pydantic import Field

from deepnets.data.mnist import PIXELS
from deepnets.data.mnist.settings import Images
from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The plot that the runs reproduce, from the document or from the authors' notebook."
    )
    width: api.Axis[Annotated[int, Field(ge=2, le=api.LARGEST_SIZE)]] = Field(
        description="Width of the hidden layers, except the first, which is as wide as the inputs."
    )
    depth: api.Axis[Annotated[int, Field(ge=4, le=api.LARGEST_SIZE)]] = Field(
        description="Number of weight matrices; from the third on, all but the last are width × width."
    )
    init: api.Init[Literal["zero", "partial_identity", "random", "one", "spray"]]
    bias: api.Axis[api.NonNegative] = Field(description="Initial value of every bias; if 0, the network has no biases.")


class _Grid(api.Grid[_Axes]):
    pool: api.Integer[Literal[1, 2, 4, 7, 14]] = Field(
        description="Side of the squares of pixels that are averaged; 1: none."
    )


class _Decay(api.Block):
    epochs: api.Count = Field(description="Epochs between two changes of the learning rate.")
    factor: float = Field(
        gt=0, le=1, description="Factor on the learning rate at each change; 1 means a constant rate."
    )


class Settings(api.Experiment[_Grid]):
    """Document 004, a ReLU network on MNIST and the rank of a layer's change."""

    steps: api.Count = Field(description="Number of updates of a run, in several epochs if needed.")
    batch: Images = Field(description="Number of images per update.")
    learning_rate: api.Positive = Field(description="Learning rate of SGD.")
    decay: _Decay = Field(description="How the learning rate falls with the epochs.")
    record_every: api.Count = Field(
        description="Batches between two records; the first batch of each epoch is recorded."
    )
    rank_tolerance: float = Field(
        gt=0, le=1e6, description="The rank is the number of singular values above this value."
    )

    @staticmethod
    def megabytes(run: dict) -> float:
        """Return the memory of the weights, and of the rank of one matrix in float64."""
        return 1e-6 * (4 * run["depth"] + 40) * max(run["width"], PIXELS) ** 2

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates on one core (measured: 40 %)."""
        return run["steps"] * run["batch"] * run["depth"] * max(run["width"], PIXELS) ** 2 * 1e-10 / 60
