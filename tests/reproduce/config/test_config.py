import math
import re
from copy import deepcopy
from functools import reduce
from operator import getitem

import pytest

from config_schema import SCHEMA, cases, parts_of
from conftest import default_config
from reproduce.config.check import resolve
from reproduce.errors import UserError


def changed(config, path, value):
    """Set a value of a config at a path (a.b, or its parts) and return the config; Ellipsis deletes it."""
    *parents, last = path.split(".") if isinstance(path, str) else path
    block = reduce(getitem, parents, config)
    if value is ...:
        del block[last]
    else:
        block[last] = value
    return config


def faults_of(config, check=resolve):
    with pytest.raises(UserError) as error:
        check(config)
    return str(error.value).splitlines()


def wrong_values(value, fragment):
    """Yield values that a fragment of the schema does not allow. value: an allowed one."""
    one, *others = cases(fragment)
    several = next((each for each in (one, *others) if each.get("type") == "array"), {})
    if {"type": "null"} not in others:
        yield None
    yield from {
        "object": (3, []),
        "array": (3, {}),
        "integer": (1.5, True, "3", {}),
        "number": (True, "1e-4", math.nan, {}),
        "boolean": (1, "yes", {}),
        "string": (3, {}),
    }[one["type"]]
    beyond = {"minimum": -1, "maximum": 1, "exclusiveMinimum": 0, "exclusiveMaximum": 0}
    yield from (one[bound] + more for bound, more in beyond.items() if bound in one)
    yield from (2 * max(texts) for texts in [one.get("enum") or [one.get("const", 0)]] if max(texts))
    if "pattern" in one:
        yield from (text for text in ("", "a\0b", "a b\n") if not re.fullmatch(one["pattern"], text))
    if "maxLength" in one:
        yield "a" * (one["maxLength"] + 1)
    if "minItems" in several:
        yield []
    if "uniqueItems" in several and value != []:
        yield [value[0] if isinstance(value, list) else value] * 2


def violations(value, fragment, path=()):
    """Yield (path, wrong value) for a value of the config and all below it; Ellipsis for a key that is missing."""
    if path:
        yield from ((path, wrong) for wrong in wrong_values(value, fragment))
    if isinstance(value, dict) and cases(fragment)[0].get("additionalProperties") is False:
        yield (*path, "nonsense"), 1
        required = cases(fragment)[0]["properties"].items()
        yield from (((*path, key), ...) for key, part in required if key in value and "default" not in part)
    for key, below, part in parts_of(value, fragment):
        yield from violations(below, part, (*path, key))


PARTS = [("only",), ("data",), *(("experiments", name) for name in default_config()["experiments"])]


@pytest.mark.parametrize("part", PARTS, ids=".".join)
def test_each_violation_of_the_model_is_one_line_with_path_value_and_what_is_allowed(part):
    config = default_config()
    name = part[1] if part[0] == "experiments" else "regression"
    # Defaults are written into the grids, of which one is enough.
    block = resolve(config)[name]
    config["experiments"] = {name: block | {"grids": dict([*block["grids"].items()][:1])}}
    config["only"] = [name]
    found = [(path, wrong) for path, wrong in violations(config, SCHEMA) if path[: len(part)] == part]
    assert len(found) > 5
    for path, wrong in found:
        edited = changed(deepcopy(config), path, wrong)
        (line,) = faults_of(edited)
        place = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
        assert line.startswith(f"config: {place.removeprefix('.')}: "), (path, wrong)
        unnamed = isinstance(wrong, dict) or wrong is ... or path[-1] == "nonsense"
        assert unnamed or repr(wrong) in line, (line, wrong)
        assert re.search("should|missing|allowed", line), line


LINEAR = "experiments.classifier.grids.linear"
NETS = "experiments.propagation.grids"
SHARK = "experiments.hierarchy.grids.shark.data"
COMPLETION = "experiments.matrix_completion"
SPECTRA = "experiments.spectra.grids"
MODES = "experiments.mode_dynamics"
RATES = "experiments.balancedness.grids.rates.axes.learning_rate"
# Values that contradict other keys, that need an array beyond memory, or that give too many or too few updates.
CONTRADICTIONS = [
    ("data.whitened.images", 100),
    ("experiments.regression.samples", 2),
    (f"{NETS}.normalized_convolutional.axes.width", [64, 36]),
    (SHARK, {"draw": 0, "illusory_item": 0}),
    (f"{SHARK}.added_feature", [1, -1]),
    (f"{SHARK}.illusory_item", 8),
    (f"{COMPLETION}.defaults.axes.rank", 101),
    (f"{COMPLETION}.size", 40),
    (f"{MODES}.recorded_modes", [3, 33]),
    (f"{MODES}.hidden", 31),
    ("experiments.hierarchy.levels", 30),
    ("experiments.hierarchy.features", 10**9),
    ("experiments.classifier.samples", 10**8),
    ("experiments.regression.samples", 10**9),
    (f"{COMPLETION}.size", 30_000),
    (f"{MODES}.features", 10**8),
    (f"{MODES}.steps", 10**7),
    ("experiments.phase_portrait.steps", 10**9),
    (f"{SPECTRA}.products.realizations", 10**8),
    ("experiments.largest_rate.grids.linear.axes.width", 30_000),
    ("experiments.learning_time.grids.gaussian.axes.width", 20_000),
    (f"{NETS}.widths.axes.width", 30_000),
    (RATES, [0.1, 1e-12]),
    (RATES, 20),
]


@pytest.mark.parametrize(("path", "value"), CONTRADICTIONS)
def test_a_contradiction_names_its_block_and_what_is_allowed(config, planned, path, value):
    (line,) = faults_of(changed(config, path, value), planned)
    block = ".".join(path.split(".")[:2])
    assert line.startswith(f"config: {block}") and "allowed: " in line


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{NETS}.vanilla.axes.width", [1, 5000]),
        (f"{NETS}.fully_connected_vanilla.axes.kernel", 3),
        # Groups must divide only the channels of grouped nets.
        (f"{NETS}.normalized_convolutional.axes.norm", ["batch", "layer"]),
        (f"{NETS}.normalized_convolutional.axes.width", 8),
    ],
)
def test_values_that_only_some_nets_could_not_have_are_allowed(config, planned, path, value):
    planned(changed(changed(config, "experiments.propagation.groups", 8), path, value))


@pytest.mark.parametrize("path", ["experiments.zero_init.batch", "experiments.largest_rate.grids.linear.axes.batch"])
def test_a_batch_larger_than_the_data_set_is_refused(config, path):
    resolve(changed(config, path, 4001))
    config["data"]["mnist"]["source"] = "embedded"
    assert faults_of(config) == [f"config: {path}: 4001: Input should be less than or equal to 4000"]
    resolve(changed(config, path, 4000))


def test_all_faults_are_reported_together_with_names_that_may_be_meant(config):
    changed(config, f"{LINEAR}.axes.init", "xavier")
    changed(config, f"{LINEAR}.axes.scale", "1e-12")
    config["data"]["whitened"] = {"image": 1, "components": 1}
    assert [line.removeprefix("config: ") for line in faults_of(config)] == [
        "data.whitened.image: is not a known key (did you mean 'images'?); allowed: components, images",
        "data.whitened.images: is missing (did you mean 'image'?); write it there",
        f"{LINEAR}.axes.init: 'xavier': Input should be 'zeros' or 'xavier_normal' (did you mean 'xavier_normal'?)",
        f"{LINEAR}.axes.scale: '1e-12': Input should be a valid number; YAML reads a number without quotes: 1000, or "
        "1.0e-12 with a point before the exponent",
    ]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("hierarchy.grids.plain.axes.steps", "is a setting of hierarchy; allowed here: .*make it an axis of all grids"),
        ("hierarchy.grids.plain.axes.data", "is a setting of each grid of hierarchy; "),
        ("hierarchy.scale", "is an axis of hierarchy; allowed here: "),
        ("hierarchy.grids.plain.colour", "is not a known key; allowed: "),
    ],
)
def test_a_key_in_another_place_of_its_experiment_says_what_it_is(config, path, told):
    (line,) = faults_of(changed(config, f"experiments.{path}", 1))
    assert re.match(f"config: experiments.{path}: {told}", line), line


def test_a_mistyped_grid_and_one_of_too_many_runs_are_refused_at_once(config, planned):
    for path, value, told in (
        ("plian", None, ": 'plian' is no grid of hierarchy in config.yaml .did you mean 'plain'"),
        ("plain.axes.scale", [1 + n for n in range(20_000)], ".plain: 200,000 runs .20,000 of scale × 10 of seeds"),
        ("plain.axes.seeds", 1_000_000, ".plain: 1,000,000 runs .1,000,000 of seeds.; allowed: 100,000$"),
    ):
        with pytest.raises(UserError, match=f"^config: experiments.hierarchy.grids{told}"):
            planned(changed(deepcopy(config), f"experiments.hierarchy.grids.{path}", value))


@pytest.mark.parametrize(
    "path",
    [
        *("classifier.max_steps", "hierarchy.steps", "hierarchy.defaults.data.draw", "mnist_dynamics.steps"),
        *("matrix_completion.grids.completion_depth_1.steps", "propagation.grids.widths.simulations"),
        *("largest_rate.simulations", "zero_init.steps"),
    ],
)
def test_a_run_of_days_is_refused_with_their_number(config, planned, path):
    experiment = path.partition(".")[0]
    with pytest.raises(UserError, match=r"may take [\de+.]+ days .*; allowed: 1 day"):
        planned(changed({**config, "only": [experiment]}, f"experiments.{path}", 10**9))


def test_a_config_without_experiments_or_grids_is_refused(config):
    blocks = config["experiments"]
    config["experiments"] = dict.fromkeys(blocks)
    assert faults_of(config) == ["config: experiments: every experiment is null; allowed: 1 or more that are not"]
    config["experiments"] = blocks
    blocks["classifier"]["grids"] = dict.fromkeys(blocks["classifier"]["grids"])
    (line,) = faults_of(config)
    assert line.startswith("config: experiments.classifier.grids: ")
