from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(description="The block of code in the document that the runs replay.")
    data_seed: api.Axis[api.Seed] = Field(
        description="Seed of the random stream from which points, then inits are drawn; 0 in the document."
    )
    init: api.Init[Literal["zeros", "xavier_normal"]]
    scale: api.Axis[api.Positive] = Field(description="Factor on the product of the weight matrices.")
    rank: api.Axis[Annotated[int, Field(ge=0, le=api.LARGEST_SIZE)]] = Field(
        description="Width of the hidden layers; 0 means the number of classes."
    )
    class_rank: api.Axis[Annotated[int, Field(ge=2, le=api.LARGEST_SIZE)]] = Field(
        description="Number of features that determine the class: the rank of a linear map whose largest output it is."
    )
    learning_rate: api.Axis[api.Positive] = Field(description="Step of gradient descent.")
    target_loss: api.Axis[api.Positive] = Field(
        description="Training stops when the mean cross entropy is at most this."
    )


class _Replay(api.Block):
    depths: api.Distinct[api.Size] = Field(min_length=1, description="Depths, in the order of the document's loop.")
    repetitions: api.Size = Field(description="Number of inits drawn at each depth.")


class _Grid(api.Grid[_Axes]):
    replay: _Replay = Field(
        description="The document's loop of random draws; a run replays it up to the run's own init."
    )
    record_every: api.Count = Field(description="Updates between two records of loss, accuracies and singular values.")
    record_data: bool = Field(description="Whether runs record inputs and labels, for the figure of the data.")


class Settings(api.Experiment[_Grid]):
    """Document 000, factorised linear classifiers on angular slices."""

    dimension: int = Field(ge=2, le=api.LARGEST_SIZE, description="Dimension of the inputs.")
    classes: int = Field(ge=2, le=api.LARGEST_SIZE, description="Number of classes.")
    samples: int = Field(ge=2, le=10**9, description="Number of training samples, and also of test samples.")
    max_steps: api.Count = Field(description="Largest number of updates of a run.")

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates."""
        sizes = run["samples"], run["dimension"], max(run["dimension"], run["classes"])
        return api.minutes_of_updates(run["max_steps"], run["depth"], *sizes)

    @model_validator(mode="after")
    def _check_memory(self) -> "Settings":
        columns = max(self.dimension, self.classes)
        rank = max(rank for grid in self.grids.values() for rank in api.values_of(grid.axes.class_rank))
        if rank > min(self.dimension, self.classes):
            raise ValueError(f"class_rank {rank} is above dimension {self.dimension} or classes {self.classes}")
        api.refuse_beyond_memory(f"{2 * self.samples} samples of {columns} numbers", 2 * self.samples * columns)
        return self
