"""Settings of `beyond_edge`."""

from typing import Annotated, Literal

from pydantic import Field

from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[Annotated[int, Field(ge=2, le=100)]] = Field(description="Number of layers.")
    init: api.Init[Literal["unequal"]]
    strength: api.Axis[api.Positive] = Field(description="Largest entry of the target.")
    ratio: api.Axis[Annotated[float, Field(gt=0, le=1)]] = Field(description="Next entry of the target / this one.")
    departure: api.Axis[api.NonNegative] = Field(description="Deviation of the noise on the initial weights.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Deep linear nets at learning rates below and beyond the edge of stability."""

    scale: api.Positive = Field(description="Mean of the initial weights, as a share of equal layers at the minimum.")
    spread: Annotated[float, Field(ge=0, le=1)] = Field(description="How much an initial weight may differ from it.")
    updates: Annotated[int, Field(ge=100)] = Field(description="Updates at each rate.")
    largest_rate: Annotated[int, Field(ge=1, le=1000)] = Field(description="Largest learning rate, % of the edge.")
