"""Wrong configs are refused before any job; the error names the key's path and what is allowed."""

import math

import pytest
import yaml

from reproduce.config.check import resolve
from reproduce.config.plan import Plan
from reproduce.errors import UserError


def changed(config, path, value):
    *parents, last = path.split(".")
    block = config
    for key in parents:
        block = block[key]
    block[last] = value
    return config


LINEAR = "experiments.classifier.grids.linear"
RATES = "experiments.balancedness.grids.rates.axes"
AXES = f"{LINEAR}.axes"
KERNEL = "experiments.propagation.grids.bn_ff.axes.kernel"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "data.mnist.sourse",
            "auto",
            r"data.mnist: 'sourse' is not a known key \(did you mean 'source'\?\); allowed: directory",
        ),
        (
            "data.mnist.source",
            "web",
            r"data\.mnist\.source: 'web' is not known; allowed: auto, directory, download, embedded",
        ),
        ("data.mnist.mirrors", [], r"data\.mnist\.mirrors: is empty; allowed: 1 or more values"),
        (f"{AXES}.lerning_rate", 1, r"linear\.axes: 'lerning_rate' is not a known key \(did you mean 'learning_rate'"),
        (f"{AXES}.depth", 0, r"linear\.axes\.depth: 0 is too small; allowed: 1 or more"),
        (f"{AXES}.depth", [1, 0], r"linear\.axes\.depth\[1\]: 0 is too small"),
        (f"{AXES}.depth", 1.5, r"linear\.axes\.depth: 1\.5 is number; allowed: integer"),
        (f"{AXES}.seeds", -1, r"linear\.axes\.seeds: -1 is too small; allowed: 1 or more"),
        (f"{AXES}.seeds", [0, -2], r"linear\.axes\.seeds\[1\]: -2 is too small; allowed: 0 or more"),
        (f"{AXES}.init", "xavier", r"init: 'xavier' is not known \(did you mean 'xavier_normal'\?\); allowed: zeros, "),
        (f"{AXES}.scale", "1e-4", r"scale: '1e-4' is text; allowed: number \(YAML reads .* write 0\.0001\)"),
        (f"{AXES}.depth", [2, 2], r"axes\.depth: \[2, 2\] holds a value twice"),
        ("experiments.clasifier", {}, r"experiments: 'clasifier' is not a known key \(did you mean 'classifier'"),
        ("experiments.classifier.grids", {}, r"experiments\.classifier\.grids: is empty"),
        ("data.whitened.images", None, r"data\.whitened\.images: None is null; allowed: integer"),
        ("data.whitened.images", 70000, r"data\.whitened\.images: 70000 is too large; allowed: 60000 or less$"),
        ("experiments.zero_init.batch", 70000, r"zero_init\.batch: 70000 is too large; allowed: 60000 or less$"),
        ("data.mnist.directory", 3, r"data\.mnist\.directory: 3 is integer; allowed: text, null"),
        (
            "data.mnist.mirrors",
            ["ftp://a/"],
            r"data\.mnist\.mirrors\[0\]: 'ftp://a/' does not fit; allowed: addresses that begin with https://",
        ),
        ("experiments.classifier", 3, r"experiments\.classifier: 3 is integer; allowed: a mapping, null"),
        ("experiments", None, r"experiments: None is null; allowed: a mapping$"),
        (f"{AXES}.target_loss", 0, r"target_loss: 0 is too small; allowed: more than 0$"),
        (f"{AXES}.target_loss", math.nan, r"target_loss: nan is not finite; allowed: finite numbers"),
        ("experiments.hierarchy.flip_probability", 1.5, r"flip_probability: 1\.5 is too large; allowed: 1 or less$"),
        ("experiments.regression.samples", 2, "2 samples of 3 inputs, .*; allowed: at least as many samples as inputs"),
        (f"{AXES}.scale", [1, 1.0], r"axes\.scale: \[1, 1\.0\] holds a value twice; allowed: each value once"),
        (f"{AXES}.scale", "inf", r"axes\.scale: 'inf' is text; allowed: number$"),
        (f"{AXES}.scale", {"from": 1}, r"axes\.scale: \{'from': 1\} is a mapping; allowed: number$"),
        (
            f"{AXES}.block",
            "linear\n",
            r"axes\.block: 'linear\\n' does not fit; allowed: small letters, digits and underscores",
        ),
        (f"{AXES}.init", "zeros\n", r"init: 'zeros\\n' is not known \(did you mean 'zeros'\?\); allowed: zeros, xav"),
        (f"{AXES}.seeds", 3.0, r"axes\.seeds: 3\.0 is number; allowed: integer \(write 3\)$"),
        (f"{AXES}.seeds", [0, 1.0], r"axes\.seeds\[1\]: 1\.0 is number; allowed: integer \(write 1\)$"),
        (f"{AXES}.seeds", True, r"axes\.seeds: True is boolean; allowed: integer$"),
        (f"{AXES}.seeds", 20240101, r"axes\.seeds: 20240101 is too large; allowed: 1000000 or less$"),
        (f"{AXES}.seeds", [2**32], r"axes\.seeds\[0\]: 4294967296 is too large; allowed: 4294967295 or less$"),
        (f"{AXES}.depth", "3", r"axes\.depth: '3' is text; allowed: integer \(YAML reads 3 as text; write 3\)"),
        (f"{LINEAR}.record_data", 1, r"linear\.record_data: 1 is integer; allowed: boolean$"),
        (f"{LINEAR}.replay.depths", 1, r"linear\.replay\.depths: 1 is integer; allowed: a list$"),
        (AXES, {}, r"axes: 'depth', 'block', 'learning_rate' missing; required: depth, init, seeds, block, data"),
        (KERNEL, [3, 4], r"axes\.kernel\[1\]: 4 is not known; allowed: 1, 3, 5, 7$"),
        (
            "experiments.hierarchy.grids.plain.data",
            {"draw": 0, "illusory_item": 0},
            r"grids\.plain\.data: has only one of added_feature and illusory_item; allowed: both or neither",
        ),
    ],
)
def test_the_error_for_a_wrong_value_names_the_key(config, path, value, message):
    with pytest.raises(UserError, match=message):
        Plan(changed(config, path, value))


VANILLA = "experiments.propagation.grids.vanilla.axes"
NORMS = "experiments.propagation.grids.normalized_convolutional.axes"
SPECTRA = "experiments.spectra.grids"
PRODUCTS = f"{SPECTRA}.products"
SHARK = "experiments.hierarchy.grids.shark.data"
COMPLETION = "experiments.matrix_completion"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("data.whitened.images", 100, "data.whitened: holds 100 components of 100 images; allowed: fewer components"),
        (f"{NORMS}.width", [64, 36], r"propagation: grids\.normalized_.*: norm 'group' has 8 groups of 36 channels"),
        ("experiments.propagation.groups", 7, r"norm 'group' has 7 groups of 64 channels; allowed: widths that 7 div"),
        (f"{SHARK}.added_feature", [1, -1], r"hierarchy: grids\.shark\.data: added_feature has 2 values for 8 items"),
        ("experiments.hierarchy.branches", 3, r"added_feature has 8 values for 27 items \(branches\^levels\); allowed"),
        (
            f"{COMPLETION}.defaults.axes.rank",
            101,
            r"grids\.dynamics_depth_1\.axes: rank 101 of a matrix of 100 rows; allowed: 1 to 100$",
        ),
        (
            f"{COMPLETION}.grids.entries_depth_2.axes.entries",
            [3000, 10001],
            r"grids\.entries_depth_2\.axes: 10001 entries of a matrix of 100 rows and columns; allowed: 1 to 10000$",
        ),
        (f"{COMPLETION}.size", 40, r"2000 entries of a matrix of 40 rows and columns; allowed: 1 to 1600$"),
        ("experiments.mnist_modes.hidden", 9, r"mnist_modes: hidden 9 is less than the number of classes; allowed"),
        ("experiments.mode_dynamics.recorded_modes", [3, 33], r"has mode 33 of 32 items \(branches\^levels\)"),
        ("experiments.mode_dynamics.levels", 4, r"recorded_modes has mode 31 of 16 items .*; allowed: 1 to 16$"),
        (
            "experiments.mode_dynamics.hidden",
            31,
            r"mode_dynamics: grids\.decoupled: init 'decoupled' gives each of 32 modes .* of 31 units; allowed: hidden",
        ),
        (f"{SHARK}.illusory_item", 8, r"illusory_item 8 is not one of 8 items \(branches\^levels\); allowed: 0 to 7$"),
    ],
)
def test_the_error_for_contradicting_keys_names_them(config, path, value, message):
    with pytest.raises(UserError, match=message):
        Plan(changed(config, path, value))


@pytest.mark.parametrize(("path", "value"), [(f"{NORMS}.norm", ["batch", "layer"]), (f"{NORMS}.width", 8)])
def test_groups_must_divide_only_the_channels_of_grouped_nets(config, path, value):
    Plan(changed(changed(config, "experiments.propagation.groups", 8), path, value))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("experiments.hierarchy.levels", 30, r"hierarchy: needs a tree of 1073741824 items .* allowed: 1e\+09 or"),
        ("experiments.hierarchy.features", 10**9, r"a tree of 8 items .* with 1000000000 features, an array of 8\.0e"),
        ("experiments.classifier.samples", 10**8, r"needs 200000000 samples of 10 numbers, an array of 2\.0e\+09"),
        ("experiments.regression.samples", 10**9, "needs 1000000000 samples of 3 variables"),
        (f"{COMPLETION}.size", 30_000, r"needs 2 factors of 30000 rows and columns, an array of 1\.8e\+09"),
        (f"{COMPLETION}.grids.dynamics_depth_1.records", 1, r"records: 1 is too small; allowed: 2 or more$"),
        ("experiments.mode_dynamics.features", 10**8, r"mode_dynamics: needs a tree of 32 items .* with 100000000"),
        ("experiments.mode_dynamics.steps", 10**7, r"mode_dynamics: needs grids\.small_random: 25 simulations of 2"),
        ("experiments.phase_portrait.steps", 10**9, r"phase_portrait: needs 9 starts over 1000000000 updates"),
        (f"{VANILLA}.width", [1, 30_000], None),
        (f"{VANILLA}.kernel", [1, 3], None),
        ("experiments.propagation.grids.bn_ff.axes.width", 2**19, "width: 524288 is too large; allowed: 30000 or"),
        ("experiments.propagation.grids.fully_connected_bn_ff.axes.kernel", 3, None),
        ("experiments.zero_init.rank_tolerance", 1e300, "rank_tolerance: 1e\\+300 is too large; allowed: 1000000"),
        ("experiments.regression.weight_bound", 10**20, "weight_bound: 100000000000000000000 is too large; allowed: 1"),
        (f"{PRODUCTS}.realizations", 10**8, r"products: 100 values of a spectrum of 100000000 nets, an array of"),
        (f"{PRODUCTS}.axes.size", [1, 40_000], r"axes\.size\[1\]: 40000 is too large; allowed: 30000 or less$"),
        (f"{PRODUCTS}.input_variances", [], r"products\.input_variances: is empty; allowed: 1 or more values"),
        (f"{PRODUCTS}.record", ["spectra"], r"record\[0\]: 'spectra' is not known \(did you mean 'spectrum'\?\); al"),
        (f"{SPECTRA}.variances.realizations", 10**7, "the variances of 10 inputs after 100 layers of 10000000 nets"),
        (f"{SPECTRA}.mean_logs.realizations", 10**8, "a mean log singular value after each of 100 layers of 1000000"),
        (f"{AXES}.block", "a" * 300, r"axes\.block: 'a+' has 300 letters; allowed: 100 or less$"),
        (
            "experiments.largest_rate.grids.linear.axes.width",
            30_000,
            r"needs 64 layers of 30000 units for a batch of 1, an",
        ),
        ("experiments.largest_rate.grids.relu.axes.depth", 2, r"axes\.depth: 2 is too small; allowed: 4 or more$"),
        (f"{RATES}.depth", 1, r"axes\.depth: 1 is too small; allowed: 2 or more$"),
        (
            f"{RATES}.learning_rate",
            [0.1, 1e-12],
            r"balancedness: duration 10 is 1e\+13 updates at the learning_rate 1e-",
        ),
        (f"{RATES}.learning_rate", 20, r"duration 10 is 0\.5 updates at the learning_rate 20; allowed: 1 to 1e\+09 up"),
        (
            "experiments.unequal_layers.initial_strength",
            2,
            r"initial_strength: 2 is too large; allowed: less than 0\.9$",
        ),
        ("experiments.unequal_layers.grids.imbalances.axes.depth", 3, r"axes\.depth: 3 is not known; allowed: 2$"),
        (
            "data.mnist.directory",
            "a\0b",
            r"data\.mnist\.directory: 'a\\x00b' does not fit; allowed: the path of",
        ),
        ("data.mnist.mirrors", ["http://a b/"], r"data\.mnist\.mirrors\[0\]: 'http://a b/' does not fit"),
    ],
)
def test_runs_that_exceed_any_machine_are_refused(config, path, value, message):
    config = changed(config, path, value)
    if message is None:
        Plan(config)
        return
    with pytest.raises(UserError, match=message):
        Plan(config)


def test_wide_convolutions_of_all_images_are_refused(config):
    grid = config["experiments"]["propagation"]["grids"]["widths"]["axes"]
    grid |= {"batch": [8, 60_000], "width": [64, 128], "kernel": [1, 3]}
    with pytest.raises(UserError, match=r"grids\.widths: 60000 images in 128 channels of 196 positions, signal"):
        Plan(config)


@pytest.mark.parametrize(
    "path", ["experiments.zero_init.batch", f"{VANILLA}.batch", "experiments.largest_rate.grids.linear.axes.batch"]
)
def test_a_batch_larger_than_the_data_set_is_refused(config, path):
    Plan(changed(config, path, 4001))
    config["data"]["mnist"]["source"] = "embedded"
    with pytest.raises(UserError, match=rf"{path}: 4001 is too large; allowed: 4000 or less$"):
        Plan(config)
    Plan(changed(config, path, 4000))


@pytest.mark.parametrize("axis", ["depth", "init", "seeds"])
def test_the_error_for_a_missing_axis_or_key_names_it(config, axis):
    del config["experiments"]["regression"]["grids"]["exercise"]["axes"][axis]
    del config["experiments"]["matrix_completion"]["grids"]["entries_depth_1"]["steps"]
    missing = rf"grids\.exercise\.axes: '{axis}' missing; required: depth, init, seeds\n"
    with pytest.raises(UserError, match=missing) as told:
        Plan(config)
    assert "grids.entries_depth_1: 'steps' missing; required: axes, learning_rate, st" in str(told.value)


@pytest.mark.parametrize(("key", "kind"), [(1, "integer"), (True, "boolean"), (None, "null")])
def test_the_error_for_a_key_that_is_no_text_names_it(config, key, kind):
    blocks = [config, config["data"]["mnist"], config["experiments"], config["experiments"]["regression"]["grids"]]
    for block in blocks:
        block[key] = None
    with pytest.raises(UserError) as told:
        resolve(config)
    places = ["(top level)", "data.mnist", "experiments.regression.grids", "experiments"]
    assert str(told.value).splitlines() == [
        f"config: {place}: {key!r} is {kind}; allowed as a key: text (write it in quotes)" for place in places
    ]


def test_unknown_and_missing_keys_are_both_reported(config):
    config["data"]["whitened"] = {"image": 1, "component": 1}
    with pytest.raises(UserError) as told:
        resolve(config)
    assert str(told.value).splitlines() == [
        *(
            f"config: data.whitened: {key!r} is not a known key (did you mean '{key}s'?); allowed: components, images"
            for key in ("component", "image")
        ),
        "config: data.whitened: 'images', 'components' missing; required: images, components",
    ]


def test_all_faults_are_reported_together(config):
    changed(config, "data.mnist.source", "web")
    changed(config, f"{AXES}.depth", 0)
    with pytest.raises(UserError) as error:
        resolve(config)
    assert [line.split(": ")[1] for line in str(error.value).splitlines()] == ["data.mnist.source", f"{AXES}.depth"]


def test_a_config_without_experiments_or_grids_is_refused(config):
    blocks = config["experiments"]
    config["experiments"] = dict.fromkeys(blocks)
    with pytest.raises(UserError, match=r"^config: experiments: every experiment is null; allowed: 1 or more that are"):
        resolve(config)
    config["experiments"] = blocks
    blocks["classifier"]["grids"] = dict.fromkeys(blocks["classifier"]["grids"])
    with pytest.raises(UserError, match=r"experiments\.classifier\.grids: every grid is null"):
        Plan(config)


def test_numbers_that_yaml_takes_for_text_are_written_as_advised(config):
    with pytest.raises(UserError, match=r"write 1\.0e-12\)$"):
        resolve(changed(config, f"{AXES}.scale", yaml.safe_load("1e-12")))
    assert yaml.safe_load("1.0e-12") == 1e-12
