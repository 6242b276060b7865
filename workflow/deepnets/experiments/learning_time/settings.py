from typing import Annotated, Literal

from pydantic import Field, model_validator

from deepnets.data.mnist import CLASSES
from reproduce import api

# Nets with any other init are reduced to a few directions before training.
_IRREDUCIBLE = {"gaussian", "small_gaussian"}


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The part of the paper that the runs reproduce; figures select runs by this name."
    )
    depth: api.Axis[Annotated[int, Field(ge=2, le=api.LARGEST_SIZE)]] = Field(
        description="Number of weight matrices; the paper counts layers, N_l = depth + 1 ≥ 3."
    )
    init: api.Init[Literal["decoupled", "orthogonal", "gaussian", "small_gaussian", "pretrained"]]
    width: api.Axis[Annotated[int, Field(ge=CLASSES, le=api.LARGEST_SIZE)]] = Field(
        description=f"Width of the hidden layers, at least the {CLASSES} classes."
    )


class _Rates(api.Block):
    lowest: api.Positive = Field(description="The lowest rate, as a multiple of the best rate of theory at this depth.")
    highest: api.Positive = Field(description="The highest rate, as a multiple of the same best rate.")
    count: int = Field(ge=2, le=1000, description="Number of rates, evenly spaced in their logarithm.")
    lag: Annotated[float, Field(gt=1)] | None = Field(
        description="A rate that is slower than the leading rate by more than this factor is given up; null: never."
    )

    @model_validator(mode="after")
    def _check_order(self) -> "_Rates":
        if self.lowest >= self.highest:
            raise ValueError(f"lowest {self.lowest} is not below highest {self.highest}; allowed: lowest below highest")
        return self


class _Grid(api.Grid[_Axes]):
    rates: _Rates = Field(description="The learning rates that a run tries; the run's result is the fastest rate.")
    initial_strength: api.Positive = Field(description="Initial strength u0 of every mode in a decoupled net.")


class _Pretraining(api.Block):
    learning_rate: api.Positive = Field(description="Step of gradient descent of an autoencoder.")
    max_steps: api.Count = Field(description="Largest number of pretraining updates of a layer.")


class Settings(api.Experiment[_Grid]):
    """Saxe, McClelland & Ganguli 2013, learning times of deep linear nets on whitened MNIST."""

    threshold: float = Field(
        gt=0, lt=1, description="A net has learned when at most this share of the learnable error is left."
    )
    hold: api.Natural = Field(description="Updates for which the error must stay below the threshold.")
    max_steps: api.Count = Field(description="Largest number of updates of a run.")
    deviation: api.Positive = Field(
        description="Standard deviation of the weights of small_gaussian, and of the weights before pretraining."
    )
    pretraining: _Pretraining = Field(description="Greedy pretraining, layer by layer, as autoencoders.")

    @staticmethod
    def megabytes(run: dict) -> float:
        """Return the memory of the weights: in float32 one net and one more for each rate, or one in float64."""
        nets = run["rates"]["count"] + 1 if run["init"] in _IRREDUCIBLE else 2
        return 4e-6 * nets * run["depth"] * run["width"] ** 2

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates at two rates, as others soon diverge or lag; 1.4e-9 s a weight, measured."""
        nets = 2 * run["max_steps"] if run["init"] in _IRREDUCIBLE else 0
        return nets * run["depth"] * run["width"] ** 2 * 1.4e-9 / 60

    @model_validator(mode="after")
    def _check_memory(self) -> "Settings":
        for name, grid in self.grids.items():
            depth, width = max(api.values_of(grid.axes.depth)), max(api.values_of(grid.axes.width))
            nets = grid.rates.count if _IRREDUCIBLE & {*api.values_of(grid.axes.init)} else 1
            api.refuse_beyond_memory(
                f"grids.{name}: {nets} nets (rates.count) of {depth} matrices, {width} × {width}",
                nets * depth * width**2,
            )
            api.refuse_beyond_memory(
                f"grids.{name}: errors of {self.max_steps} updates at {grid.rates.count} rates",
                grid.rates.count * self.max_steps,
            )
        return self
