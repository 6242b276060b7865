from typing import Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The part of the document that the runs reproduce; figures select runs by this name."
    )
    dataset: api.Axis[api.Name] = Field(description="A name for the data of the grid.")
    init: api.Init[Literal["fan_sum_normal", "fan_in_uniform"]]
    scale: api.Axis[api.Positive] = Field(description="Factor γ on each initial weight matrix.")
    learning_rate: api.Axis[api.Positive] = Field(description="Step of gradient descent.")


class _Data(api.Block):
    draw: api.Natural = Field(description="Number of data sets drawn before this one.")
    added_feature: list[api.Integer[Literal[-1, 1]]] = Field(
        [], min_length=1, description="The added feature's value for each item."
    )
    illusory_item: api.Natural = Field(
        0, description="The item (from 0) for which the prediction of the added feature is recorded."
    )

    @model_validator(mode="after")
    def _check_pair(self) -> "_Data":
        if len({"added_feature", "illusory_item"} & self.model_fields_set) == 1:
            raise ValueError("has only one of added_feature and illusory_item; allowed: both or neither")
        return self


class _Grid(api.Grid[_Axes]):
    data: _Data = Field(description="The data set sampled from the tree, and a feature added to this data set.")
    record_rsm_every: api.Count = Field(
        description="Updates between two records of the representational similarity matrix."
    )


class Settings(api.Experiment[_Grid]):
    """Document 003, linear networks on the features of items in a tree."""

    levels: int = Field(ge=1, le=30, description="Levels of the tree below its root.")
    branches: int = Field(
        ge=2, le=api.LARGEST_SIZE, description="Children of every node; the items are the branches^levels leaves."
    )
    flip_probability: float = Field(ge=0, le=1, description="Probability that a feature flips on an edge.")
    features: api.Count = Field(description="Number of features sampled from the tree.")
    hidden: api.Size = Field(description="Width of every hidden layer.")
    steps: api.Count = Field(description="Number of updates of a run.")
    recorded_features: api.Count = Field(
        description="Number of features recorded with weights; these are the last features."
    )

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates and of all data sets drawn."""
        sizes = run["branches"] ** run["levels"], run["features"], run["hidden"]
        # To draw a data set takes less time than an update.
        return api.minutes_of_updates(run["steps"] + run["data"]["draw"], run["depth"], *sizes)

    @model_validator(mode="after")
    def _check_tree(self) -> "Settings":
        items = self.branches**self.levels
        api.refuse_beyond_memory(
            f"a tree of {items} items (branches^levels) with {self.features} features",
            items * max(self.features, items),
        )
        for name, grid in self.grids.items():
            data = grid.data
            if data.added_feature and len(data.added_feature) != items:
                raise ValueError(
                    f"grids.{name}.data: added_feature has {len(data.added_feature)} values for {items} items "
                    "(branches^levels); allowed: one for each item"
                )
            if data.added_feature and data.illusory_item >= items:
                raise ValueError(
                    f"grids.{name}.data: illusory_item {data.illusory_item} is not one of {items} items "
                    f"(branches^levels); allowed: 0 to {items - 1}"
                )
        return self
