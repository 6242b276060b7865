from typing import Literal

from pydantic import Field

from deepnets.data.mnist import TRAINING_IMAGES
from reproduce import api


class _Axes(api.Axes):
    init: api.Init[Literal["row_normalized", "orthogonal"]]
    rule: api.Axis[Literal["samples", "covariance", "covariance_in_place"]] = Field(
        description="Gradients from samples (Part 1) or covariances (Part 2); in_place updates matrices one by one."
    )


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Document 001, a linear network on whitened MNIST under two forms of gradient descent."""

    hidden: api.Size = Field(description="Width of every hidden layer.")
    steps: api.Count = Field(description="Number of updates of a run.")
    learning_rate: api.Positive = Field(description="Step of gradient descent on covariances.")
    record_product_at: api.Distinct[api.Natural] = Field(
        description="Steps at which the end-to-end matrix and the accuracies are recorded."
    )

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates, of which those of one rule read all images."""
        images = TRAINING_IMAGES if run["rule"] == "samples" else run["hidden"]
        return api.minutes_of_updates(run["steps"], run["depth"], images, run["hidden"], run["hidden"])
