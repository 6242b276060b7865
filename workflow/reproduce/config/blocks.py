"""Models of the config's blocks: data sets, and the grids, axes and defaults that all experiments share."""

from collections.abc import Mapping
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reproduce.config.fields import Axis, OneOrSeveral, Seed, SeedCount, Size, T

Init = Annotated[Axis[T], Field(description="Initialisation of the weight matrices.")]


class Block(BaseModel):
    """A mapping of the config with known keys only, and with values of exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class DatasetSettings(Block):
    """The block of a data set, which adds the settings that its function `make` takes."""

    def contents(self) -> tuple[str, ...]:
        """Return what the data set may record as reduced (see `Record`), if only its content counts.

        Without any, the settings count: if they change, the data set is made again.
        """
        return ()

    def check(self) -> None:
        """Raise UserError if the data set cannot be made on this machine; called before the first job."""


class Axes(Block):
    """The axes of a grid; an experiment adds its own."""

    depth: Axis[Size] = Field(description="Number of weight matrices.")
    seeds: OneOrSeveral[SeedCount, Seed] = Field(description="A count of seeds, or a list of them.")


OwnAxes = TypeVar("OwnAxes", bound=Axes)


class Grid(Block, Generic[OwnAxes]):
    """A grid. An experiment adds the settings that differ between its grids."""

    axes: OwnAxes = Field(description="One value or a list of values for each axis.")


OwnGrid = TypeVar("OwnGrid", bound=Grid)


class Experiment(Block, Generic[OwnGrid]):
    """The block of an experiment; it adds settings that all grids share.

    An experiment whose runs may be large also estimates what a run needs in addition to what every job requests, from
    the axes and settings of the run.
    """

    grids: dict[str, OwnGrid] = Field(
        min_length=1, description="Named grids; each spans the product of its axes. null drops a grid."
    )
    defaults: OwnGrid | None = Field(
        None, description="Axes and settings of all grids; a grid overrides them key by key."
    )

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, block: Any) -> Any:
        return with_defaults(block)

    @staticmethod
    def megabytes(run: dict) -> float:
        """Return the memory of a run's arrays in MB."""
        return 0

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of a run in minutes, or somewhat more; a config with a run of more than a day is refused.

        By default, a guess: the greatest whole number counts the updates of a small net, of 50 µs a layer.
        Runs of a minute or more start first, and share no allocation.
        """
        counts = (value for name, value in run.items() if type(value) is int and name != "seed")
        return max(counts, default=0) * run["depth"] * 5e-5 / 60


def with_defaults(block: Any) -> Any:
    """Return an experiment's block with its defaults written into its grids, without the grids that are null.

    Malformed parts stay as they are.
    """
    if not (isinstance(block, Mapping) and isinstance(defaults := block.get("defaults", {}), Mapping)):
        return block
    without = {name: value for name, value in block.items() if name != "defaults"}
    if isinstance(grids := block.get("grids"), Mapping):
        without["grids"] = {name: _merge(defaults, grid) for name, grid in grids.items() if grid is not None}
    return without


def _merge(below: Any, above: Any) -> Any:
    """Merge two mappings at any depth; any other value of `above` replaces one of `below`."""
    if not (isinstance(below, Mapping) and isinstance(above, Mapping)):
        return above
    return {**below, **above, **{key: _merge(below[key], above[key]) for key in below.keys() & above.keys()}}
