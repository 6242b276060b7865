"""The kinds of values that settings take."""

from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticKnownError

T, One, Each = TypeVar("T"), TypeVar("One"), TypeVar("Each")


def _distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("holds a value twice; allowed: each value once")
    return values


def _integer(value: object) -> object:
    if type(value) is not int:
        raise PydanticKnownError("int_type")
    return value


def _how_many(value: object) -> str:
    return "several" if isinstance(value, list) else "one"


Count = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
Name = Annotated[str, Field(pattern="^[a-z0-9_]+$")]
# NumPy's older generator, which replays documents, takes no larger one.
Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
# A larger number is most likely a seed that lacks its brackets.
SeedCount = Annotated[int, Field(ge=1, le=1_000_000)]
# Integers of a Literal: by themselves they are equal to True and 1.0.
Integer = Annotated[T, BeforeValidator(_integer)]
Distinct = Annotated[list[T], AfterValidator(_distinct), Field(json_schema_extra={"uniqueItems": True})]
OneOrSeveral = Annotated[
    Annotated[One, Tag("one")] | Annotated[Distinct[Each], Field(min_length=1), Tag("several")],
    Discriminator(_how_many),
]
Axis = OneOrSeveral[T, T]
