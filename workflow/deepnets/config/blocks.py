"""What the blocks of all experiments share: grids, and the axes that every point has."""

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from workflow.deepnets.config.fields import Axis, Name, OneOrSeveral, Seed, SeedCount, Size, T

Init = Annotated[Axis[T], Field(description="Initialisation of the weight matrices.")]


class Block(BaseModel):
    """A mapping of the config: all its keys are known, and their values of exactly the type that is asked for."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Axes(Block):
    """The axes of a grid; an experiment says which values `init` takes, and adds axes of its own."""

    depth: Axis[Size] = Field(description="Number of weight matrices.")
    init: Init[Name]
    seeds: OneOrSeveral[SeedCount, Seed] = Field(description="A count of seeds, or a list of them.")


OwnAxes = TypeVar("OwnAxes", bound=Axes)


class Grid(Block, Generic[OwnAxes]):
    """A grid; an experiment adds the settings that differ between its grids."""

    axes: OwnAxes = Field(description="One value or a list of values for each axis.")


OwnGrid = TypeVar("OwnGrid", bound=Grid)


class Experiment(Block, Generic[OwnGrid]):
    """An experiment's block of the config; an experiment adds the settings that its grids share."""

    grids: dict[str, OwnGrid | None] = Field(
        min_length=1, description="Named grids; each spans the product of its axes. null drops a grid."
    )
