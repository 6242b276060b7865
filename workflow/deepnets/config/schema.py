"""What a config may say: the check against the schema, in messages that name the key and what is allowed."""

import difflib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import jsonschema
import yaml

from workflow.deepnets.errors import UserError

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.schema.yaml"


@cache
def schema() -> dict:
    """Return the JSON schema of config.yaml."""
    return yaml.safe_load(SCHEMA.read_text())


def check(config: Mapping) -> None:
    """Raise UserError, one line per fault, unless the config fits the schema."""
    errors = jsonschema.Draft202012Validator(schema()).iter_errors(config)
    faults = [f"config: {_where(error.absolute_path)}: {_fault(error)}" for error in errors]
    if faults:
        raise UserError("\n".join(sorted(faults)))


def axis_types(experiment: str) -> dict[str, str]:
    """Return the JSON type of each axis of an experiment: integer, number, string or boolean."""
    grids = schema()["properties"]["experiments"]["properties"][experiment]["properties"]["grids"]
    axes = grids["additionalProperties"]["properties"]["axes"]["properties"]
    return {"seed" if axis == "seeds" else axis: fragment["else"]["type"] for axis, fragment in axes.items()}


def _where(path: Iterable[str | int]) -> str:
    """Write a path as a.b[0].c."""
    written = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return written.lstrip(".") or "(top level)"


def _fault(error: jsonschema.ValidationError) -> str:
    value, limit = error.instance, error.validator_value
    match error.validator:
        case "additionalProperties":
            allowed = sorted(error.schema.get("properties", {}))
            return "; ".join(_unknown(key, allowed) for key in value if key not in allowed)
        case "required":
            missing = [key for key in limit if key not in value]
            return f"{', '.join(map(repr, missing))} missing; required: {', '.join(limit)}"
        case "enum":
            return f"{value!r} is not known; allowed: {', '.join(map(str, limit))}"
        case "type":
            types = limit if isinstance(limit, list) else [limit]
            return f"{value!r} is {_type_of(value)}; allowed: {', '.join(types)}{_hint(value, types)}"
        case "minimum":
            return f"{value!r} is too small; allowed: {limit} or more"
        case "maximum":
            return f"{value!r} is too large; allowed: {limit} or less"
        case "exclusiveMinimum":
            return f"{value!r} is too small; allowed: more than {limit}"
        case "minItems" | "minProperties":
            return f"is empty; allowed: {limit} or more {'entries' if isinstance(value, Mapping) else 'values'}"
        case "uniqueItems":
            return f"{value!r} holds a value twice; allowed: each value once"
        case _:
            return error.message


def _unknown(key: object, allowed: list[str]) -> str:
    close = difflib.get_close_matches(str(key), allowed, n=1)
    meant = f" (did you mean {close[0]!r}?)" if close else ""
    return f"{key!r} is not a known key{meant}; allowed: {', '.join(allowed)}"


def _type_of(value: object) -> str:
    names = {bool: "boolean", str: "text", int: "integer", float: "number", list: "a list", type(None): "null"}
    return names.get(type(value), "a mapping")


def _hint(value: object, types: list[str]) -> str:
    if not isinstance(value, str) or not {"integer", "number"} & set(types):
        return ""
    try:
        number = repr(float(value))
    except ValueError:
        return ""
    # YAML 1.1 takes 1e-12 for text: it wants the point.
    return f" (YAML reads {value} as text; write {number if '.' in number else number.replace('e', '.0e')})"
