"""Bad configs are refused before any job, naming the key's path and what is allowed."""

import pytest
import yaml

from workflow.deepnets.config.plan import Plan
from workflow.deepnets.config.schema import check, schema
from workflow.deepnets.errors import UserError


def changed(config, path, value):
    *parents, last = path.split(".")
    block = config
    for key in parents:
        block = block[key]
    block[last] = value
    return config


LINEAR = "experiments.classifier.grids.linear"


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
    ],
)
def test_fault_is_named(config, path, value, message):
    with pytest.raises(UserError, match=message):
        Plan(changed(config, path, value))


def test_missing_key_is_named(config):
    del config["experiments"]["classifier"]["grids"]["linear"]["learning_rate"]
    with pytest.raises(UserError, match=r"grids\.linear: 'learning_rate' missing; required: axes, learning_rate"):
        check(config)


def test_all_faults_are_told_at_once(config):
    changed(config, "mnist.source", "web")
    changed(config, f"{LINEAR}.axes.depth", 0)
    with pytest.raises(UserError) as error:
        check(config)
    assert len(str(error.value).splitlines()) == 2


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


def descriptions(fragment, path=""):
    """Yield each property of the schema with whether it is described."""
    for key, part in fragment.get("properties", {}).items():
        yield f"{path}.{key}", "description" in part
        yield from descriptions(part, f"{path}.{key}")
    if isinstance(fragment.get("additionalProperties"), dict):
        yield from descriptions(fragment["additionalProperties"], f"{path}.*")


def closed(fragment):
    """Yield whether each mapping of the schema names all its keys."""
    if "properties" in fragment:
        yield fragment.get("additionalProperties") is False
    for part in [*fragment.get("properties", {}).values(), fragment.get("additionalProperties")]:
        if isinstance(part, dict):
            yield from closed(part)


def test_the_schema_is_closed_and_describes_every_key():
    assert [path for path, described in descriptions(schema()) if not described] == []
    assert all(closed(schema()))


def test_the_default_config_is_valid(config):
    check(config)


def test_numbers_that_yaml_takes_for_text_are_written_as_advised():
    assert yaml.safe_load("1.0e-12") == 1e-12
    assert yaml.safe_load("1e-12") == "1e-12"
