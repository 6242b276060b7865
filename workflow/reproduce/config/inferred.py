"""Settings of an experiment without `settings.py`: what a value may be follows from its values in config.yaml."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from reproduce.config.blocks import Axes, Block, Experiment, Grid
from reproduce.config.fields import Axis, Count, Natural, NonNegative, Positive, values_of

_SAID = "Its values in config.yaml determine what it may be."


def inferred_settings(block: Mapping) -> type[Experiment]:
    """Return the model of a block whose defaults are written into its grids."""
    grids = [grid for grid in block.get("grids", {}).values() if isinstance(grid, Mapping)]
    values: dict[str, list] = {}
    for grid in grids:
        for name, axis in grid.get("axes", {}).items():
            values.setdefault(name, []).extend(values_of(axis))
    own: Any = {}
    # The axes that all experiments have say themselves what is allowed.
    for name in values.keys() - Axes.model_fields.keys():
        kind: Any = _kind_of(values[name])
        own[name] = (Axis[kind], Field(description=_SAID))
    of_axes: Any = create_model("Axes", __base__=Axes, **own)
    of_grids: Any = create_model("Grid", __base__=Grid[of_axes], **_fields(grids, "axes"))
    return create_model("Settings", __base__=Experiment[of_grids], __doc__=_SAID, **_fields([block], "grids"))


def _fields(blocks: Sequence[Mapping], besides: str = "") -> Any:
    """Return the fields of a mapping that occurs once or several times, for `create_model`."""
    names = sorted({name for block in blocks for name in block} - {besides})
    kinds = {name: _kind_of([block[name] for block in blocks if name in block]) for name in names}
    return {name: (kind, Field(description=_SAID)) for name, kind in kinds.items()}


def _kind_of(values: Sequence[Any]) -> Any:
    """Return the type that some values of one setting have: numbers keep their sign, and texts are those given.

    From values of different kinds, and from none, nothing follows: any value is allowed.
    """
    kinds = set(map(type, values))
    if kinds == {bool}:
        return bool
    if kinds == {str}:
        return Literal.__getitem__(tuple(sorted(set(values))))
    if kinds == {int}:
        return Count if min(values) > 0 else Natural if min(values) == 0 else int
    if kinds in ({float}, {int, float}):
        return Positive if min(values) > 0 else NonNegative if min(values) == 0 else float
    if kinds == {list}:
        inside: Any = _kind_of([each for value in values for each in value])
        return Annotated[list[inside], Field(min_length=1)]
    return create_model("Mapping", __base__=Block, **_fields(values)) if kinds == {dict} else Any
