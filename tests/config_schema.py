"""The JSON schema of the model of the config, whose parts tests walk."""

from collections.abc import Iterator

from reproduce.config.check import config_model

SCHEMA = config_model().model_json_schema()


def cases(fragment: dict) -> list[dict]:
    """Return the fragments of the schema one of which a value must fit, without references."""
    found = fragment.get("anyOf") or fragment.get("oneOf") or [fragment]
    return [SCHEMA["$defs"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in found]


def parts_of(value: object, fragment: dict) -> Iterator[tuple[str | int, object, dict]]:
    """Yield (key, value, fragment of the schema) for each value of a mapping, and for the first of a list."""
    for case in cases(fragment):
        if isinstance(value, dict) and case.get("type") == "object":
            fragments = case.get("properties", {})
            yield from ((key, each, fragments.get(key, case["additionalProperties"])) for key, each in value.items())
        if value and isinstance(value, list) and case.get("type") == "array":
            yield 0, value[0], case["items"]
