"""The parts of a config: blocks, and the kinds of values that settings take."""

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticKnownError

T = TypeVar("T")
One = TypeVar("One")
Each = TypeVar("Each")


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


def _check_distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("holds a value twice; allowed: each value once")
    return values


def _check_integer(value: object) -> object:
    if type(value) is not int:
        raise PydanticKnownError("int_type")
    return value


def values_of(axis: Any) -> list[Any]:
    """Return the values of an axis as a list, also if it has a single value."""
    return axis if isinstance(axis, list) else [axis]


def _how_many(value: object) -> str:
    return "[several]" if isinstance(value, list) else "[one]"


# Upper bounds catch slips: no run can take more updates, and no memory can hold a larger square matrix.
_MOST = 10**9
Whole = Annotated[int, Field(ge=-_MOST, le=_MOST)]
Count = Annotated[int, Field(ge=1, le=_MOST)]
Natural = Annotated[int, Field(ge=0, le=_MOST)]
Size = Annotated[int, Field(ge=1, le=30_000)]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
# Names become folders, whose names may have 255 letters on most systems.
Name = Annotated[str, Field(pattern="^[a-z0-9_]+$", max_length=100)]
# NumPy's older generator, with which runs replay documents, allows no larger seed.
Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
# A larger number is most likely a seed without its brackets.
SeedCount = Annotated[int, Field(ge=1, le=1_000_000)]
# Integers of a Literal, which would otherwise accept True and 1.0.
Integer = Annotated[T, BeforeValidator(_check_integer)]
Distinct = Annotated[list[T], AfterValidator(_check_distinct), Field(json_schema_extra={"uniqueItems": True})]
OneOrSeveral = Annotated[
    Annotated[One, Tag("[one]")] | Annotated[Distinct[Each], Field(min_length=1), Tag("[several]")],
    Discriminator(_how_many),
]
Axis = OneOrSeveral[T, T]
