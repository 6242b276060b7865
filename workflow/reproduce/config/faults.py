"""Error messages about what a user wrote, which name the key, the value and what is allowed."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from reproduce.errors import suggest

# What a key of an experiment is, and where it is written.
_PLACES = {"a setting": (), "a setting of each grid": ("grids",), "an axis": ("grids", "axes")}
_AS_AXIS = ". To compare its values in one table, make it an axis of all grids in config.yaml"


def lines_of(error: ValidationError, model: type[BaseModel], content: Mapping, source: str) -> list[str]:
    """Return one sorted line per fault, `SOURCE: a.b[0].c: VALUE: what is allowed`.

    model: what refused the content; source: what the content is, or the file that contains it
    """
    lines = set()
    for fault in error.errors(include_url=False):
        # Parts in brackets are no keys: the cases of a union, and pydantic's mark of a key that is no text.
        path = [part for part in fault["loc"] if not str(part).startswith("[")]
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in _written_path(path, content))
        lines.add(f"{source}: {''.join(parts).removeprefix('.')}: {_text_of(fault, path, model)}")
    return sorted(lines)


def _written_path(path: list, content: Mapping) -> list:
    """Return where a value stands: what a grid takes from the defaults of its experiment stands there."""
    inherited = [*path[:2], "defaults", *path[4:]]
    from_defaults = path[2:3] == ["grids"] and not _contains(content, path) and _contains(content, inherited)
    return inherited if from_defaults else path


def _contains(content: Mapping, path: Sequence) -> bool:
    try:
        reduce(getitem, path, content)
    except (LookupError, TypeError):
        return False
    return True


def _text_of(fault: ErrorDetails, path: Sequence, model: type[BaseModel]) -> str:
    """Return pydantic's message with the value, and with a name that the user may have meant."""
    kind, value, text, context = fault["type"], fault["input"], fault["msg"], fault.get("ctx", {})
    if kind == "extra_forbidden":
        name, known = str(path[-1]), _known_keys(model, path[:-1])
        for place, below in _PLACES.items() if path[0] == "experiments" and len(path) > 2 else ():
            if name in _known_keys(model, [*path[:2], *below]):
                return f"is {place} of {path[1]}; allowed here: {', '.join(known)}{_AS_AXIS * (place != 'an axis')}"
        return f"is not a known key{suggest(name, known)}; allowed: {', '.join(known)}"
    if kind == "missing":
        elsewhere = ", or below `defaults` for all grids" if "grids" in path else ""
        return f"is missing{suggest(str(path[-1]), value)}; write it there{elsewhere}"
    if kind == "value_error":
        text = str(context["error"])
    elif kind == "literal_error":
        text += suggest(str(value), context["expected"].replace(" or ", ", ").replace("'", "").split(", "))
    elif kind == "too_short":
        text = f"should contain {context['min_length']} or more values"
    elif path[-1] == "seeds" and kind == "int_type":
        text = "should be a number of seeds, such as 10 for 0 to 9, or a list of them, such as [0, 1, 2]"
    elif kind in ("int_type", "float_type") and isinstance(value, str):
        text += "; YAML reads a number without quotes: 1000, or 1.0e-12 with a point before the exponent"
    elif kind in ("model_type", "dict_type"):
        text = "should be keys with values"
    # A fault of a whole mapping names the keys that conflict.
    return text if isinstance(value, Mapping) else f"{value!r}: {text}"


def _known_keys(model: Any, path: Sequence) -> list[str]:
    """Return the keys that a mapping may have. path: of the mapping in what the model describes."""
    for part in path:
        # The names of grids are no fields: each has the model that the field `grids` contains.
        if field := _fields_of(model).get(part):
            model = model_in(field.annotation)
    return sorted(_fields_of(model))


def _fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_in(kind: Any) -> Any:
    """Return the first model that a type contains, such as M in `dict[str, M | None]`."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next(filter(None, map(model_in, get_args(kind))), None)
