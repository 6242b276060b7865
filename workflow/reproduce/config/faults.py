"""Error messages about a config, which name the key, the value and what is allowed."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reproduce.errors import suggest

# Kind of an error, as pydantic calls it → what is wrong with the value, and what is allowed. The braces are filled in
# from pydantic's context.
_TYPES = {"int_type": "integer", "float_type": "number", "bool_type": "boolean", "string_type": "text"}
_TYPES |= {"list_type": "a list", "dict_type": "a mapping", "model_type": "a mapping"}
_WORDS = {
    "greater_than_equal": ("is too small", "{ge} or more"),
    "greater_than": ("is too small", "more than {gt}"),
    "less_than_equal": ("is too large", "{le} or less"),
    "less_than": ("is too large", "less than {lt}"),
    "finite_number": ("is not finite", "finite numbers"),
    "string_too_long": ("is too long", "{max_length} letters or less"),
}
# The patterns of fields, in words.
_PATTERNS = {
    r"^https?://[^\s/]\S*/$": "addresses that begin with https:// or http:// and end with /",
    "^[a-z0-9_]+$": "small letters, digits and underscores",
    r"^[^\x00]+$": "the path of a folder",
}
_KINDS = {bool: "boolean", str: "text", int: "integer", float: "number", list: "a list", type(None): "null"}


def lines_of(error: ValidationError, config: Mapping, schema: dict, place: str = "") -> list[str]:
    """Return one sorted line per fault, `config: PATH: what is wrong; allowed: …`.

    config: the validated mapping, which is the whole config or the block at `place` (a.b)
    schema: its JSON schema, without references
    """
    lines = set()
    for fault in error.errors(include_url=False):
        parts, kind = fault["loc"], fault["type"]
        if parts and parts[-1] == "[key]":
            parts, kind = parts[:-1], "invalid_key"
        # pydantic writes a key as text even if it reports that the key is not text.
        key = fault["input"] if kind == "invalid_key" else parts[-1] if parts else ""
        # An unknown or missing key is a fault of the mapping that contains it.
        around = kind in ("missing", "extra_forbidden", "invalid_key")
        path, value, fragment = _locate(parts[:-1] if around else parts, config, schema)
        text = _fault_of_key(kind, key, value, fragment) if around else _fault_of_value(fault, fragment)
        lines.add(f"config: {_format_path([*filter(None, [place]), *path])}: {text}")
    return sorted(lines)


def _fault_of_key(kind: str, key: object, block: Mapping, fragment: dict) -> str:
    if kind == "invalid_key":
        return f"{key!r} is {_kind_of(key)}; allowed as a key: text (write it in quotes)"
    described = next(variant for variant in _variants(fragment) if "properties" in variant)
    if kind == "missing":
        missing = [name for name in described["required"] if name not in block]
        return f"{', '.join(map(repr, missing))} missing; required: {', '.join(described['required'])}"
    allowed = sorted(described["properties"])
    return f"{key!r} is not a known key{suggest(str(key), allowed)}; allowed: {', '.join(allowed)}"


def _fault_of_value(fault: ErrorDetails, fragment: dict) -> str:
    kind, value, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind in _TYPES:
        null = ", null" if {"type": "null"} in _variants(fragment) else ""
        return f"{value!r} is {_kind_of(value)}; allowed: {_TYPES[kind]}{null}{_hint(value, _TYPES[kind])}"
    if kind in _WORDS:
        wrong, allowed = _WORDS[kind]
        limits = {name: int(limit) if limit == int(limit) else limit for name, limit in context.items()}
        return f"{value!r} {wrong}; allowed: {allowed.format(**limits)}"
    match kind:
        case "literal_error":
            # pydantic writes: 'a', 'b' or 'c'.
            allowed = context["expected"].replace(" or ", ", ").replace("'", "")
            return f"{value!r} is not known{suggest(str(value), allowed.split(', '))}; allowed: {allowed}"
        case "string_pattern_mismatch":
            return f"{value!r} does not fit; allowed: {_PATTERNS.get(context['pattern'], context['pattern'])}"
        case "too_short":
            things = "entries" if isinstance(value, Mapping) else "values"
            return f"is empty; allowed: {context['min_length']} or more {things}"
        case "value_error":
            # For a whole block, the message names the conflicting keys.
            return f"{context['error']}" if isinstance(value, Mapping) else f"{value!r} {context['error']}"
        case _:
            return f"{value!r}: {fault['msg']}"


def _locate(place: Sequence[str | int], config: Mapping, schema: dict) -> tuple[list[str | int], Any, dict]:
    """Return pydantic's place as a path in the config, with the value and the schema's fragment there."""
    path: list[str | int] = []
    value: Any = config
    for part in place:
        # pydantic adds the name of a union's case to the path.
        if isinstance(part, str) and ("oneOf" in schema or not isinstance(value, Mapping)):
            continue
        path.append(part)
        value = value[part]
        below = (_schema_below(variant, part) for variant in _variants(schema))
        schema = next((fragment for fragment in below if isinstance(fragment, dict)), {})
    return path, value, schema


def _schema_below(fragment: dict, part: str | int) -> object:
    if isinstance(part, int):
        return fragment.get("items")
    return fragment.get("properties", {}).get(part, fragment.get("additionalProperties"))


def _variants(fragment: dict) -> Iterator[dict]:
    yield fragment
    yield from fragment.get("anyOf", ())
    yield from fragment.get("oneOf", ())


def _format_path(path: Sequence[str | int]) -> str:
    """Write a path as a.b[0].c."""
    written = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return written.lstrip(".") or "(top level)"


def _kind_of(value: object) -> str:
    return "a mapping" if isinstance(value, Mapping) else _KINDS.get(type(value), type(value).__name__)


def _hint(value: object, wanted: str) -> str:
    """Return how to write a number that YAML reads as text, or an integer that it reads as a float."""
    try:
        number = float(value) if isinstance(value, str | float) and wanted in ("integer", "number") else math.nan
    except ValueError:
        return ""
    if not math.isfinite(number) or (wanted == "integer" and not float(number).is_integer()):
        return ""
    # YAML 1.1 reads 1e-12 as text, but 1.0e-12 as a number.
    written = int(number) if wanted == "integer" else yaml.safe_dump(number).split()[0]
    return f" (YAML reads {value} as text; write {written})" if isinstance(value, str) else f" (write {written})"
