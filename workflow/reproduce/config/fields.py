"""The kinds of values that settings take."""

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticKnownError

# Largest number of values in an array of a run: 8 GB in float64.
_MOST_NUMBERS = 10**9
# No run can take more updates.
_MOST_UPDATES = 10**9
T = TypeVar("T")
One = TypeVar("One")
Each = TypeVar("Each")


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


def refuse_beyond_memory(what: str, numbers: int) -> None:
    """Raise ValueError for an array that is too large for memory."""
    if numbers > _MOST_NUMBERS:
        raise ValueError(f"needs {what}, an array of {numbers:.1e} numbers; allowed: {_MOST_NUMBERS:.0e} or less")


def check_updates(duration: float, rates: float | list[float]) -> None:
    """Raise ValueError for a learning rate at which a training time has no update, or more than a run can take."""
    for rate in values_of(rates):
        updates = duration / rate
        if not 1 <= updates <= _MOST_UPDATES:
            raise ValueError(
                f"duration {duration:g} is {updates:.3g} updates at the learning_rate {rate:g}; allowed: 1 to "
                f"{_MOST_UPDATES:.0e} updates"
            )


def minutes_of_updates(updates: float, layers: int, samples: int, inputs: int, outputs: int) -> float:
    """Return the time of updates of a net on one core: 20 µs a layer, and 0.1 ns a multiply-add in three products."""
    return updates * layers * (2e-5 + 3e-10 * samples * inputs * outputs) / 60


def _how_many(value: object) -> str:
    return "[several]" if isinstance(value, list) else "[one]"


# Upper bounds catch slips: no run can take more steps, and no memory can hold a larger square matrix.
Count = Annotated[int, Field(ge=1, le=_MOST_UPDATES)]
Natural = Annotated[int, Field(ge=0, le=_MOST_UPDATES)]
LARGEST_SIZE = 30_000
Size = Annotated[int, Field(ge=1, le=LARGEST_SIZE)]
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
