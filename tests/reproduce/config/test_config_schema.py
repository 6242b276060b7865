from functools import reduce
from operator import getitem

import jsonschema
from hypothesis import example, given
from hypothesis import strategies as st

from config_schema import SCHEMA
from conftest import default_config
from reproduce.config.check import axis_types, resolve
from reproduce.errors import UserError


def test_the_schema_is_closed_and_describes_every_key():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    models = [part for part in SCHEMA["$defs"].values() if part["type"] == "object"]
    assert len(models) > 20 and all(model["additionalProperties"] is False for model in models)
    keys = [(name, part) for model in models for name, part in model["properties"].items()]
    assert [name for name, part in keys if not {"description", "$ref"} & part.keys()] == []


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
    # A grid may omit keys that the defaults have, so only the check finds missing keys.
    missing = [fault.endswith(": Field required") for fault in faults]
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(config) == all(missing)
