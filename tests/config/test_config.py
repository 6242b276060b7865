"""Bad configs are refused before any job, naming the key's path and what is allowed."""

import json
import math
import re

import jsonschema
import pytest
import yaml
from conftest import ROOT
from hypothesis import example, given
from hypothesis import strategies as st

from workflow.deepnets.config.check import axis_types, check, schema
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError


def changed(config, path, value):
    *parents, last = path.split(".")
    block = config
    for key in parents:
        block = block[key]
    block[last] = value
    return config


DEFAULT = json.dumps(yaml.safe_load((ROOT / "config.yaml").read_text()))
LINEAR = "experiments.classifier.grids.linear"
KERNEL = "experiments.propagation.grids.bn_ff.axes.kernel"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("mnist.sourse", "auto", r"mnist: 'sourse' is not a known key \(did you mean 'source'\?\); allowed: directory"),
        ("mnist.source", "web", r"mnist\.source: 'web' is not known; allowed: auto, directory, download, embedded"),
        ("mnist.mirrors", [], r"mnist\.mirrors: is empty; allowed: 1 or more values"),
        (
            f"{LINEAR}.lerning_rate",
            1,
            r"grids\.linear: 'lerning_rate' is not a known key \(did you mean 'learning_rate'",
        ),
        (f"{LINEAR}.axes.depth", 0, r"linear\.axes\.depth: 0 is too small; allowed: 1 or more"),
        (f"{LINEAR}.axes.depth", [1, 0], r"linear\.axes\.depth\[1\]: 0 is too small"),
        (f"{LINEAR}.axes.depth", 1.5, r"linear\.axes\.depth: 1\.5 is number; allowed: integer"),
        (f"{LINEAR}.axes.depth", [], r"linear\.axes\.depth: is empty"),
        (f"{LINEAR}.axes.seeds", -1, r"linear\.axes\.seeds: -1 is too small; allowed: 1 or more"),
        (f"{LINEAR}.axes.seeds", [0, -2], r"linear\.axes\.seeds\[1\]: -2 is too small; allowed: 0 or more"),
        (f"{LINEAR}.axes.init", "xavier", r"linear\.axes\.init: 'xavier' is not known; allowed: zeros, xavier_normal"),
        (
            f"{LINEAR}.axes.scale",
            "1e-4",
            r"axes\.scale: '1e-4' is text; allowed: number \(YAML reads .* write 0\.0001\)",
        ),
        (f"{LINEAR}.axes.scale", "1e-12", r"write 1\.0e-12\)"),
        (f"{LINEAR}.axes.depth", [2, 2], r"axes\.depth: \[2, 2\] holds a value twice"),
        ("experiments.clasifier", {}, r"experiments: 'clasifier' is not a known key \(did you mean 'classifier'"),
        ("experiments.classifier.grids", {}, r"experiments\.classifier\.grids: is empty"),
        ("experiments", {}, r"experiments: is empty"),
        ("whitening.images", None, r"whitening\.images: None is null; allowed: integer"),
        ("whitening.images", 70000, r"whitening\.images: 70000 is too large; allowed: 60000 or less$"),
        ("experiments.zero_init.batch", 70000, r"zero_init\.batch: 70000 is too large; allowed: 60000 or less$"),
        ("mnist.directory", 3, r"mnist\.directory: 3 is integer; allowed: text, null"),
        ("mnist.mirrors", ["ftp://a/"], r"mnist\.mirrors\[0\]: 'ftp://a/' does not fit; allowed: \^https"),
        ("experiments.classifier", 3, r"experiments\.classifier: 3 is integer; allowed: a mapping, null"),
        ("experiments", None, r"experiments: None is null; allowed: a mapping$"),
        ("experiments.classifier.target_loss", 0, r"target_loss: 0 is too small; allowed: more than 0$"),
        ("experiments.classifier.target_loss", math.nan, r"target_loss: nan is not finite; allowed: finite numbers"),
        ("experiments.classifier.target_loss", True, r"target_loss: True is boolean; allowed: number$"),
        ("experiments.classifier.target_loss", "much", r"target_loss: 'much' is text; allowed: number$"),
        ("experiments.classifier.max_steps", math.nan, r"max_steps: nan is number; allowed: integer$"),
        ("experiments.hierarchy.flip_probability", 1.5, r"flip_probability: 1\.5 is too large; allowed: 1 or less$"),
        (
            "experiments.regression.samples",
            2,
            r"regression: .* holds 2 samples of 3 inputs, .*; allowed: at least as many",
        ),
        (f"{LINEAR}.axes.scale", [1, math.inf], r"axes\.scale\[1\]: inf is not finite"),
        (f"{LINEAR}.axes.scale", [1, 1.0], r"axes\.scale: \[1, 1\.0\] holds a value twice; allowed: each value once"),
        (f"{LINEAR}.axes.scale", "inf", r"axes\.scale: 'inf' is text; allowed: number$"),
        (f"{LINEAR}.axes.scale", {"from": 1}, r"axes\.scale: \{'from': 1\} is a mapping; allowed: number$"),
        (f"{LINEAR}.axes.block", "linear\n", r"axes\.block: 'linear\\n' does not fit; allowed: \^\[a-z0-9_\]\+\$"),
        (f"{LINEAR}.axes.init", "zeros\n", r"axes\.init: 'zeros\\n' is not known; allowed: zeros, xavier_normal"),
        (f"{LINEAR}.axes.init", [["zeros"]], r"axes\.init\[0\]: \['zeros'\] is not known"),
        (f"{LINEAR}.axes.seeds", 3.0, r"axes\.seeds: 3\.0 is number; allowed: integer \(write 3\)$"),
        (f"{LINEAR}.axes.seeds", [0, 1.0], r"axes\.seeds\[1\]: 1\.0 is number; allowed: integer \(write 1\)$"),
        (f"{LINEAR}.axes.seeds", True, r"axes\.seeds: True is boolean; allowed: integer$"),
        (f"{LINEAR}.axes.seeds", 20240101, r"axes\.seeds: 20240101 is too large; allowed: 1000000 or less$"),
        (f"{LINEAR}.axes.seeds", 10**9, r"axes\.seeds: 1000000000 is too large; allowed: 1000000 or less$"),
        (f"{LINEAR}.axes.seeds", [2**32], r"axes\.seeds\[0\]: 4294967296 is too large; allowed: 4294967295 or less$"),
        (f"{LINEAR}.axes.depth", "3", r"axes\.depth: '3' is text; allowed: integer \(YAML reads 3 as text; write 3\)"),
        (f"{LINEAR}.axes.depth", "3.5", r"axes\.depth: '3\.5' is text; allowed: integer$"),
        (f"{LINEAR}.axes.depth", [2, True], r"axes\.depth\[1\]: True is boolean; allowed: integer$"),
        (f"{LINEAR}.record_data", 1, r"linear\.record_data: 1 is integer; allowed: boolean$"),
        (f"{LINEAR}.replay.depths", 1, r"linear\.replay\.depths: 1 is integer; allowed: a list$"),
        (f"{LINEAR}.replay.depths", [1, 1], r"replay\.depths: \[1, 1\] holds a value twice"),
        (
            f"{LINEAR}.axes",
            {},
            r"linear\.axes: 'depth', 'init', 'seeds', 'block', 'scale', 'rank' missing; required: d",
        ),
        (f"{KERNEL}", True, r"axes\.kernel: True is boolean; allowed: integer$"),
        (f"{KERNEL}", 3.0, r"axes\.kernel: 3\.0 is number; allowed: integer \(write 3\)$"),
        (f"{KERNEL}", [3, 4], r"axes\.kernel\[1\]: 4 is not known; allowed: 1, 3, 5, 7$"),
        (
            "experiments.hierarchy.grids.plain.data",
            {"draw": 0, "illusory_item": 0},
            r"grids\.plain\.data: .* holds one of added_feature and illusory_item; allowed: both or neither",
        ),
    ],
)
def test_fault_is_named(config, path, value, message):
    with pytest.raises(UserError, match=message):
        Plan(changed(config, path, value))


def test_missing_key_is_named(config):
    del config["experiments"]["classifier"]["grids"]["linear"]["learning_rate"]
    with pytest.raises(UserError, match=r"grids\.linear: 'learning_rate' missing; required: axes, learning_rate"):
        check(config)


@pytest.mark.parametrize("axis", ["depth", "init", "seeds"])
def test_an_axis_that_every_point_has_is_named_where_it_is_missing(config, axis):
    del config["experiments"]["regression"]["grids"]["exercise"]["axes"][axis]
    with pytest.raises(UserError, match=rf"grids\.exercise\.axes: '{axis}' missing; required: depth, init, seeds$"):
        Plan(config)


@pytest.mark.parametrize(("key", "kind"), [(1, "integer"), (True, "boolean"), (None, "null")])
def test_a_key_that_is_no_text_is_named(config, key, kind):
    blocks = [config, config["mnist"], config["experiments"], config["experiments"]["regression"]["grids"]]
    for block in blocks:
        block[key] = None
    with pytest.raises(UserError) as told:
        check(config)
    places = ["(top level)", "experiments.regression.grids", "experiments", "mnist"]
    assert str(told.value).splitlines() == [
        f"config: {place}: {key!r} is {kind}; allowed as a key: text (write it in quotes)" for place in places
    ]


def test_unknown_and_missing_keys_of_one_mapping_are_told(config):
    config["whitening"] = {"image": 1, "component": 1}
    with pytest.raises(UserError) as told:
        check(config)
    assert str(told.value).splitlines() == [
        "config: whitening: 'component' is not a known key (did you mean 'components'?); allowed: components, images",
        "config: whitening: 'image' is not a known key (did you mean 'images'?); allowed: components, images",
        "config: whitening: 'images', 'components' missing; required: images, components",
    ]


def test_all_faults_are_told_at_once(config):
    changed(config, "mnist.source", "web")
    changed(config, f"{LINEAR}.axes.depth", 0)
    with pytest.raises(UserError) as error:
        check(config)
    assert [line.split(": ")[1] for line in str(error.value).splitlines()] == [f"{LINEAR}.axes.depth", "mnist.source"]


def test_equal_points_in_two_grids_are_refused(config):
    grids = config["experiments"]["classifier"]["grids"]
    grids["again"] = grids["two_layers"]
    with pytest.raises(
        UserError, match=r"classifier\.grids: 'two_layers' and 'again' hold one point \(experiment classifier"
    ):
        Plan(config)


def test_dropping_every_grid_leaves_nothing_to_do(config):
    for grid in config["experiments"]["classifier"]["grids"]:
        config["experiments"]["classifier"]["grids"][grid] = None
    with pytest.raises(UserError, match=r"experiments\.classifier\.grids: every grid is null"):
        Plan(config)


def variants(fragment):
    """Yield a fragment of the schema and what it may be instead."""
    yield fragment
    yield from fragment.get("anyOf", [])
    yield from fragment.get("oneOf", [])


def descriptions(fragment, path=""):
    """Yield each property of the schema with whether it is described."""
    for variant in variants(fragment):
        for key, part in variant.get("properties", {}).items():
            yield f"{path}.{key}", "description" in part
            yield from descriptions(part, f"{path}.{key}")
        if isinstance(variant.get("additionalProperties"), dict):
            yield from descriptions(variant["additionalProperties"], f"{path}.*")


def closed(fragment):
    """Yield whether each mapping of the schema names all its keys."""
    for variant in variants(fragment):
        if "properties" in variant:
            yield variant.get("additionalProperties") is False
        for part in [*variant.get("properties", {}).values(), variant.get("additionalProperties")]:
            if isinstance(part, dict):
                yield from closed(part)


def test_the_schema_is_closed_and_describes_every_key():
    described = dict(descriptions(schema()))
    assert {".mnist.source", ".experiments.classifier.grids.*.replay.depths"} <= described.keys()
    assert [path for path in described if not described[path]] == []
    mappings = list(closed(schema()))
    assert len(mappings) > 20
    assert all(mappings)


def test_the_default_config_is_valid(config):
    check(config)


def test_numbers_that_yaml_takes_for_text_are_written_as_advised(config):
    assert yaml.safe_load("1e-12") == "1e-12"
    with pytest.raises(UserError) as error:
        check(changed(config, f"{LINEAR}.axes.scale", "1e-12"))
    (advised,) = re.findall(r"write ([^)]+)\)", str(error.value))
    assert yaml.safe_load(advised) == 1e-12


def test_the_schema_is_one_and_promises_no_defaults():
    jsonschema.Draft202012Validator.check_schema(schema())
    assert '"default":' not in json.dumps(schema())


def test_the_types_of_axes_are_those_of_one_value():
    types = {"depth": "integer", "init": "string", "seed": "integer"}
    assert axis_types("regression") == types
    assert axis_types("classifier") == {**types, "block": "string", "rank": "integer", "scale": "number"}


PLACES = [
    "mnist.source",
    "whitening.images",
    "experiments.classifier",
    "experiments.regression.grids",
    f"{LINEAR}.axes",
]
PLACES += [f"{LINEAR}.axes.{axis}" for axis in ("depth", "init", "scale", "block", "seeds")]
PLACES += [KERNEL, "experiments.hierarchy.flip_probability", "experiments.propagation.grids.bn_ff.cloud_depths"]
VALUES = st.sampled_from([None, True, -1, 0, 1, 2, 3, 0.5, 1.5, "", "a", "zeros", "auto", "1", {}])


@example(place="experiments", value={})
@example(place=f"{LINEAR}.axes.depth", value=[2, 2])
@example(place="mnist.mirrors", value=["https://a.org/"])
@given(place=st.sampled_from(PLACES), value=VALUES | st.lists(VALUES, max_size=3))
def test_editors_and_the_check_agree(place, value):
    config = changed(json.loads(DEFAULT), place, value)
    try:
        check(config)
        accepted = True
    except UserError:
        accepted = False
    assert jsonschema.Draft202012Validator(schema()).is_valid(config) == accepted
