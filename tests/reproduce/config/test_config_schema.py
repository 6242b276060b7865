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


def mappings(fragment, path=""):
    """Yield (path, fragment) of each mapping of the schema with known keys."""
    for variant in (fragment, *fragment.get("anyOf", []), *fragment.get("oneOf", [])):
        if "properties" in variant:
            yield path, variant
        below = {**variant.get("properties", {}), "*": variant.get("additionalProperties")}
        for key, part in below.items():
            if isinstance(part, dict):
                yield from mappings(part, f"{path}.{key}")


def test_the_schema_is_closed_and_describes_every_key():
    found = list(mappings(schema()))
    assert len(found) > 20 and all(fragment.get("additionalProperties") is False for _, fragment in found)
    described = {f"{path}.{key}": part for path, fragment in found for key, part in fragment["properties"].items()}
    assert {".data.mnist.source", ".experiments.classifier.grids.*.replay.depths"} <= described.keys()
    assert [path for path, part in described.items() if "description" not in part] == []


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
