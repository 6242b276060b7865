"""Models of the config's blocks: data sets, and the grids, axes and defaults that all experiments share."""

from copy import copy
from typing import Annotated, Any, Generic, TypeVar, get_args

from annotated_types import BaseMetadata
from pydantic import BaseModel, ConfigDict, Field, Tag, create_model
from pydantic.fields import FieldInfo

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

    # Else pydantic would refuse a bound on values of an axis before `__pydantic_init_subclass__` moves it.
    model_config = ConfigDict(defer_build=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        """Let `Axis[Positive] = Field(le=0.9)` bound each value: of an axis that is a list, too."""
        for name, field in cls.model_fields.items():
            bounds = [each for each in field.metadata if isinstance(each, BaseMetadata)]
            if bounds and (cases := get_args(field.annotation)):
                kind: Any = cases[0].__origin__
                own = [each for each in cases[0].__metadata__ if not isinstance(each, Tag)]
                value: Any = Annotated[(kind, *own, *bounds)]
                axis: Any = Axis[value]
                described = Field(description=field.description)
                cls.model_fields[name] = FieldInfo.from_annotated_attribute(axis, described)

    depth: Axis[Size] = Field(description="Number of weight matrices.")
    seeds: OneOrSeveral[SeedCount, Seed] = Field(description="A count of seeds, or a list of them.")


OwnAxes = TypeVar("OwnAxes", bound=Axes)


class Grid(Block, Generic[OwnAxes]):
    """A grid. An experiment adds the settings that differ between its grids."""

    axes: OwnAxes = Field(description="One value or a list of values for each axis.")


OwnGrid = TypeVar("OwnGrid", bound=Grid)


class Experiment(Block, Generic[OwnGrid]):
    """The block of an experiment, with its defaults written into its grids; it adds settings that all grids share.

    An experiment whose runs may be large also estimates what a run needs in addition to what every job requests, from
    the axes and settings of the run.
    """

    grids: dict[str, OwnGrid] = Field(description="Named grids; each spans the product of its axes. null drops a grid.")

    @staticmethod
    def megabytes(run: dict) -> float:
        """Return the memory of a run's arrays in MB."""
        return 0

    @staticmethod
    def minutes(run: dict) -> float:
        """Return a time that a run does not exceed. Runs of a minute or more start first, and share no allocation."""
        return 0


def written_model(settings: type[Experiment]) -> type[Block]:
    """Return the model of an experiment's block as written: a grid may omit what `defaults` contain."""
    fields: dict[str, Any] = {name: (field.annotation, field) for name, field in settings.model_fields.items()}
    _, written = fields["grids"]
    _, grid = get_args(written.annotation)
    part: Any = _optional(grid)
    fields["defaults"] = (
        part,
        Field(None, description="Axes and settings of all grids; a grid overrides them key by key."),
    )
    fields["grids"] = (dict[str, part | None], Field(min_length=1, description=written.description))
    return create_model(settings.__name__, __base__=Block, __doc__=settings.__doc__, **fields)


def _optional(block: type[Block]) -> type[Block]:
    """Return the model of a block in which every key is optional, at any depth."""
    fields: dict[str, Any] = {}
    for name, field in block.model_fields.items():
        field, kind = copy(field), field.annotation
        field.default = None
        fields[name] = (_optional(kind) if isinstance(kind, type) and issubclass(kind, Block) else kind, field)
    return create_model(block.__name__, __base__=Block, __doc__=block.__doc__, **fields)
