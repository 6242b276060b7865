"""Settings of an experiment without `settings.py`: what a value may be follows from its values in config.yaml."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from reproduce.config.blocks import Axes, Block, Experiment, Grid
from reproduce.config.fields import Axis, Count, Natural, NonNegative, Positive, values_of
from reproduce.errors import UserError

# All experiments have these axes, which say themselves what is allowed.
_SHARED = Axes.model_fields.keys()
_NAME = re.compile("[a-z0-9_]+")
_SAID = "Its values in config.yaml determine what it may be."


def inferred_settings(block: Mapping, place: str) -> type[Experiment]:
    """Return the model of a block whose defaults are written into its grids. place: of the block, for messages.

    Raises UserError, with the place, for a value from which nothing follows.
    """
    grids = [grid for grid in block["grids"].values() if isinstance(grid, Mapping)]
    axes: dict[str, list] = {}
    for grid in grids:
        for name, values in grid.get("axes", {}).items():
            axes.setdefault(name, []).extend(values_of(values))
    own: Any = {}
    for name in axes.keys() - _SHARED:
        where = f"{place}: axis {name}"
        kind: Any = _kind_of(axes[name], where)
        if wrong := [value for value in axes[name] if isinstance(value, str) and not _NAME.fullmatch(value)]:
            raise UserError(f"{where}: {wrong[0]!r} names folders; allowed: small letters, digits and underscores")
        own[name] = (Axis[kind], Field(description=_SAID))
    of_axes: Any = create_model("Axes", __base__=Axes, **own)
    written = _fields([{name: value for name, value in grid.items() if name != "axes"} for grid in grids], place)
    of_grids: Any = create_model("Grid", __base__=Grid[of_axes], **written)
    shared = _fields([{name: value for name, value in block.items() if name != "grids"}], place)
    return create_model("Settings", __base__=Experiment[of_grids], __doc__=_SAID, **shared)


def _fields(blocks: list[dict], place: str) -> Any:
    """Return the fields of a mapping that occurs once or several times, for `create_model`."""
    names = sorted({name for block in blocks for name in block})
    values = {name: [block[name] for block in blocks if name in block] for name in names}
    return {name: (_kind_of(found, f"{place}.{name}"), Field(description=_SAID)) for name, found in values.items()}


def _kind_of(values: list, place: str) -> Any:
    """Return the type that some values of one setting have: numbers keep their sign, and texts are those given."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return bool
    if kinds == {str}:
        return Literal.__getitem__(tuple(sorted(set(values))))
    if kinds == {int}:
        return (
            Count if min(values) > 0 else Natural if min(values) == 0 else Annotated[int, Field(ge=-(10**9), le=10**9)]
        )
    if kinds and kinds <= {int, float}:
        return Positive if min(values) > 0 else NonNegative if min(values) == 0 else float
    if kinds == {list} and any(values):
        inside: Any = _kind_of([each for value in values for each in value], f"{place}[…]")
        return Annotated[list[inside], Field(min_length=1)]
    if kinds == {dict}:
        return create_model(place, __base__=Block, **_fields(values, place))
    raise UserError(
        f"{place}: {_listed(values)} tells no type; give it values of one kind (numbers, texts, booleans, lists or "
        "mappings), or write settings.py"
    )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(repr, values)) or "no value"
