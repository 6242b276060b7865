from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The part of the paper to which the runs belong; figures select runs by this name."
    )
    init: api.Init[Literal["normal", "decoupled"]]
    activation: api.Axis[Literal["linear", "tanh"]] = Field(description="Activation function of the hidden layers.")


class _Grid(api.Grid[_Axes]):
    simulations: api.Count = Field(description="Number of nets per seed, each with its own initial weights.")


class Settings(api.Experiment[_Grid]):
    """Saxe et al. 2013, Fig. 3, nets that learn the features of items in a tree."""

    levels: int = Field(ge=1, le=30, description="Levels of the tree below its root.")
    branches: int = Field(
        ge=2, le=api.LARGEST_SIZE, description="Children of every node; the items are the branches^levels leaves."
    )
    flip_probability: float = Field(ge=0, le=1, description="Probability that a feature flips on an edge.")
    features: api.Count = Field(description="Number of features sampled from the tree.")
    data_seed: api.Seed = Field(description="Seed of the features; all runs use the same features.")
    hidden: api.Size = Field(description="Width of every hidden layer.")
    learning_rate: api.Positive = Field(description="Step of gradient descent on half the summed squared error.")
    initial_strength: api.Positive = Field(description="Initial strength u0 of each mode in theory.")
    steps: api.Count = Field(description="Number of updates of a run.")
    record_every: api.Count = Field(description="Updates between two records of the modes' strengths.")
    recorded_modes: Annotated[api.Distinct[api.Count], Field(min_length=1)] = Field(
        description="The modes for which strengths are recorded; the strongest mode is 1."
    )

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates."""
        items = run["branches"] ** run["levels"]
        return api.minutes_of_updates(run["steps"] * run["simulations"], run["depth"], items, items, run["hidden"])

    @model_validator(mode="after")
    def _check_tree(self) -> "Settings":
        items = self.branches**self.levels
        api.refuse_beyond_memory(
            f"a tree of {items} items (branches^levels) with {self.features} features",
            items * max(self.features, items),
        )
        if (largest := max(self.recorded_modes)) > items:
            raise ValueError(
                f"recorded_modes has mode {largest} of {items} items (branches^levels); allowed: 1 to {items}"
            )
        for name, grid in self.grids.items():
            deepest = max(api.values_of(grid.axes.depth))
            layers = 2 * deepest * items * max(items, self.hidden)
            api.refuse_beyond_memory(
                f"grids.{name}: {grid.simulations} simulations of {deepest} layers of {items} items (branches^levels), "
                f"and their modes over {self.steps} updates",
                grid.simulations * (layers + self.steps * items),
            )
            if "decoupled" in api.values_of(grid.axes.init) and self.hidden < items and deepest > 1:
                raise ValueError(
                    f"grids.{name}: init 'decoupled' gives each of {items} modes (branches^levels) its own direction "
                    f"in hidden layers of {self.hidden} units; allowed: hidden of {items} or more"
                )
        return self
