"""The settings of an experiment: config.yaml determines which there are and of what kind; `limits.py` narrows them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from reproduce.config.fields import Axis, Block, Name, OneOrSeveral, Seed, SeedCount, Size, Whole, values_of
from reproduce.errors import suggest


def inferred_model(block: Mapping, limits: Mapping[str, Any]) -> type[Block]:
    """Return the model of a block of config.yaml, whose defaults are written into its grids.

    limits: name of a setting, an axis or a key within a setting → a bound (pydantic's Field), or the whole type
    raises: ValueError if the block lacks one of these, or contains a setting that its grids contain too
    """
    grids = [grid for grid in _mapping(block.get("grids")).values() if isinstance(grid, Mapping)]
    names = set(_names_in(block))
    if missing := [name for name in limits if name not in names]:
        raise ValueError(f"{missing[0]!r} is missing{suggest(missing[0], names)}; a run reads it")
    if twice := [name for name in block for grid in grids if name in grid]:
        raise ValueError(
            f"{twice[0]!r} stands beside the grids and in one of them; move the first below `defaults`, from which "
            "each grid takes what it lacks"
        )
    # Any name may be given to a part of a document, so that configs can add one.
    limits = {"block": Name, **limits}
    values: dict[str, list] = {"depth": []}
    for grid in grids:
        for name, axis in _mapping(grid.get("axes")).items():
            values.setdefault(name, []).extend(values_of(axis))
    kinds: Any = {name: _kind_of(name, each, limits) for name, each in values.items()}
    axes: Any = {name: (Axis[kind], ...) for name, kind in kinds.items()}
    axes["seeds"] = (OneOrSeveral[SeedCount, Seed], ...)
    of_axes: Any = create_model("Axes", __base__=Block, **axes)
    of_grids: Any = create_model("Grid", __base__=Block, **_fields(grids, limits), axes=(of_axes, ...))
    return create_model(
        "Settings",
        __base__=Block,
        **_fields([block], limits),
        grids=(Annotated[dict[str, of_grids | None], Field(min_length=1)], ...),
        # with_defaults drops grids that are null, and writes these into the others, unless they are malformed.
        defaults=(dict, None),
    )


def _mapping(part: Any) -> Mapping:
    """Return a part of a config, which is empty if it is malformed: the model refuses it in words."""
    return part if isinstance(part, Mapping) else {}


def _names_in(part: Any) -> Iterator[str]:
    """Yield all keys of a part of a config, at any depth."""
    for name, each in _mapping(part).items():
        yield name
        yield from _names_in(each)


def _fields(mappings: Sequence[Mapping], limits: Mapping[str, Any], *, optional: bool = False) -> Any:
    """Return the fields of a mapping that occurs once or several times, for `create_model`.

    optional: whether a key that one of them lacks may be missing
    """
    found: dict[str, list] = {}
    for mapping in mappings:
        for name in mapping.keys() - {"axes", "grids", "defaults"}:
            found.setdefault(name, []).append(mapping[name])
    lacking = {name for name, values in found.items() if len(values) < len(mappings)} if optional else set()
    return {name: (_kind_of(name, each, limits), None if name in lacking else ...) for name, each in found.items()}


def _kind_of(name: str, values: Sequence[Any], limits: Mapping[str, Any]) -> Any:
    """Return the type of a setting: what its limit says, or the type of its values; a text is one of those given."""
    limit = limits.get(name)
    if limit is not None and not isinstance(limit, FieldInfo):
        return limit
    kind: Any = Size if name == "depth" else _inferred(values, limits)
    return kind if limit is None else Annotated[kind, limit]


def _inferred(values: Sequence[Any], limits: Mapping[str, Any]) -> Any:
    """Return the type that some values have. From values of different types, and from none, any follows."""
    kinds = set(map(type, values))
    if kinds == {bool}:
        return bool
    if kinds == {str}:
        return Literal.__getitem__(tuple(sorted(set(values))))
    if kinds == {int}:
        return Whole
    if kinds in ({float}, {int, float}):
        return float
    if kinds == {list}:
        inside: Any = _inferred([each for value in values for each in value], limits)
        return Annotated[list[inside], Field(min_length=0 if [] in values else 1)]
    return create_model("Mapping", __base__=Block, **_fields(values, limits, optional=True)) if kinds == {dict} else Any
