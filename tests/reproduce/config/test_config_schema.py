"""The JSON schema that editors use to complete and check a config."""

import json
import re
from functools import reduce
from operator import getitem

import jsonschema
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import default_config
from reproduce.config.check import axis_types, resolve, schema
from reproduce.errors import UserError


def variants(fragment):
    """Yield a fragment of the schema and its alternatives."""
    yield fragment
    yield from fragment.get("anyOf", [])
    yield from fragment.get("oneOf", [])


def descriptions(fragment, path=""):
    """Yield each property of the schema, and whether it has a description."""
    for variant in variants(fragment):
        for key, part in variant.get("properties", {}).items():
            yield f"{path}.{key}", "description" in part
            yield from descriptions(part, f"{path}.{key}")
        if isinstance(variant.get("additionalProperties"), dict):
            yield from descriptions(variant["additionalProperties"], f"{path}.*")


def closed(fragment):
    """Yield for each mapping of the schema whether other keys are forbidden."""
    for variant in variants(fragment):
        if "properties" in variant:
            yield variant.get("additionalProperties") is False
        for part in [*variant.get("properties", {}).values(), variant.get("additionalProperties")]:
            if isinstance(part, dict):
                yield from closed(part)


def test_the_schema_is_closed_and_describes_every_key():
    described = dict(descriptions(schema()))
    assert {".data.mnist.source", ".experiments.classifier.grids.*.replay.depths"} <= described.keys()
    assert [path for path in described if not described[path]] == []
    mappings = list(closed(schema()))
    assert len(mappings) > 20
    assert all(mappings)


def test_the_schema_is_one_and_promises_no_defaults():
    jsonschema.Draft202012Validator.check_schema(schema())
    assert re.findall('"(?:default|title)": [^{,]+', json.dumps(schema())) == ['"title": "config.yaml"']


def test_axes_in_the_schema_have_the_type_of_one_value():
    types = {"depth": "integer", "init": "string", "seed": "integer"}
    assert axis_types("regression") == types
    types |= {"block": "string"} | dict.fromkeys(("data_seed", "rank"), "integer")
    assert axis_types("classifier") == types | dict.fromkeys(("learning_rate", "scale", "target_loss"), "number")


LINEAR = "experiments.classifier.grids.linear"
PLACES = ["only", "data.mnist.source", "data.whitened.components", f"{LINEAR}.axes"]
PLACES += [f"{LINEAR}.axes.{axis}" for axis in ("depth", "init", "scale", "block", "seeds")]
PLACES += [f"experiments.{place}" for place in ("classifier", "regression.grids", "hierarchy.flip_probability")]
PLACES += [f"experiments.classifier.defaults{place}" for place in ("", ".axes.scale")]
PLACES += [f"experiments.propagation.grids.bn_ff.{place}" for place in ("axes.kernel", "cloud_depths")]
VALUES = st.sampled_from([None, True, -1, 0, 1, 2, 3, 0.5, 1.5, "", "a", "zeros", "auto", "1", {}])


@example(place="experiments", value={})
@example(place="only", value=[])
@example(place=f"{LINEAR}.axes", value={})
@example(place=f"{LINEAR}.axes.depth", value=[2, 2])
@example(place="data.mnist.mirrors", value=["https://a.org/"])
@given(place=st.sampled_from(PLACES), value=VALUES | st.lists(VALUES, max_size=3))
def test_the_schema_and_the_check_agree(place, value):
    config = default_config()
    *parents, last = place.split(".")
    reduce(getitem, parents, config)[last] = value
    faults = []
    try:
        resolve(config)
    except UserError as error:
        faults = str(error).splitlines()
    # A grid may omit keys that the defaults have, so only the check can find missing keys.
    missing = [re.search(r"grids\..* missing; required", fault) for fault in faults]
    assert jsonschema.Draft202012Validator(schema()).is_valid(config) == all(missing)
