import math

import pytest
import yaml
from pydantic import BaseModel, Field, ValidationError

from reproduce.config.check import resolve
from reproduce.config.faults import lines_of
from reproduce.config.plan import Plan
from reproduce.errors import UserError


def changed(config, path, value):
    *parents, last = path.split(".")
    block = config
    for key in parents:
        block = block[key]
    block[last] = value
    return config


MNIST, WHITENED = "data.mnist", "data.whitened"
LINEAR = "experiments.classifier.grids.linear"
AXES = f"{LINEAR}.axes"
NETS = "experiments.propagation.grids"
SHARK = "experiments.hierarchy.grids.shark.data"
COMPLETION = "experiments.matrix_completion"
PRODUCTS = "experiments.spectra.grids.products"
RATES = "experiments.balancedness.grids.rates.axes.learning_rate"
MODES = "experiments.mode_dynamics"
TIMES = "experiments.learning_time.grids.gaussian"

# One for each kind of fault, and for each type of field.
FAULTS = [
    (f"{MNIST}.sourse", "auto", r"data\.mnist: 'sourse' is not a known key \(did you mean 'source'\?\); allowed: dir"),
    (f"{MNIST}.source", "web", r"data\.mnist\.source: 'web' is not known; allowed: auto, directory, download, index,"),
    (f"{MNIST}.mirrors", [], r"data\.mnist\.mirrors: is empty; allowed: 1 or more values"),
    (f"{MNIST}.mirrors", ["ftp://a/"], r"mirrors\[0\]: 'ftp://a/' does not fit; allowed: addresses that .* end with /"),
    (f"{MNIST}.mirrors", ["http://a b/"], r"data\.mnist\.mirrors\[0\]: 'http://a b/' does not fit"),
    (f"{MNIST}.directory", 3, r"data\.mnist\.directory: 3 is integer; allowed: text, null"),
    (f"{MNIST}.directory", "a\0b", r"data\.mnist\.directory: 'a\\x00b' does not fit; allowed: the path of a folder"),
    (f"{WHITENED}.images", None, r"data\.whitened\.images: None is null; allowed: integer"),
    (f"{WHITENED}.images", 70000, r"data\.whitened\.images: 70000 is too large; allowed: 60000 or less$"),
    ("experiments.zero_init.batch", 70000, r"zero_init\.batch: 70000 is too large; allowed: 60000 or less$"),
    ("experiments", None, r"experiments: None is null; allowed: a mapping$"),
    ("experiments.classifier", 3, r"experiments\.classifier: 3 is integer; allowed: a mapping, null"),
    ("experiments.classifier.grids", {}, r"experiments\.classifier\.grids: is empty; allowed: 1 or more entries"),
    (AXES, {}, r"axes: 'depth', 'block', 'learning_rate' missing; required: depth, seeds, block, data"),
    (f"{AXES}.lerning_rate", 1, r"linear\.axes: 'lerning_rate' is not a known key \(did you mean 'learning_rate'"),
    (f"{AXES}.init", "xavier", r"init: 'xavier' is not known \(did you mean 'xavier_normal'\?\); allowed: zeros, "),
    (f"{AXES}.block", "linear\n", r"block: 'linear\\n' does not fit; allowed: small letters, digits and underscores"),
    (f"{AXES}.block", "a" * 300, r"axes\.block: 'a+' is too long; allowed: 100 letters or less$"),
    (f"{AXES}.depth", [1, 0], r"linear\.axes\.depth\[1\]: 0 is too small; allowed: 1 or more$"),
    (f"{AXES}.depth", 1.5, r"linear\.axes\.depth: 1\.5 is number; allowed: integer$"),
    (f"{AXES}.depth", "3", r"axes\.depth: '3' is text; allowed: integer \(YAML reads 3 as text; write 3\)"),
    (f"{AXES}.scale", "inf", r"axes\.scale: 'inf' is text; allowed: number$"),
    (f"{AXES}.scale", {"from": 1}, r"axes\.scale: \{'from': 1\} is a mapping; allowed: number$"),
    (f"{AXES}.scale", [1, 1.0], r"axes\.scale: \[1, 1\.0\] holds a value twice; allowed: each value once"),
    (f"{AXES}.target_loss", 0, r"target_loss: 0 is too small; allowed: more than 0$"),
    (f"{AXES}.target_loss", math.nan, r"target_loss: nan is not finite; allowed: finite numbers"),
    (f"{AXES}.seeds", -1, r"linear\.axes\.seeds: -1 is too small; allowed: 1 or more"),
    (f"{AXES}.seeds", [0, -2], r"linear\.axes\.seeds\[1\]: -2 is too small; allowed: 0 or more"),
    (f"{AXES}.seeds", [0, 1.0], r"axes\.seeds\[1\]: 1\.0 is number; allowed: integer \(write 1\)$"),
    (f"{AXES}.seeds", True, r"axes\.seeds: True is boolean; allowed: integer$"),
    (f"{AXES}.seeds", 20240101, r"axes\.seeds: 20240101 is too large; allowed: 1000000 or less$"),
    (f"{AXES}.seeds", [2**32], r"axes\.seeds\[0\]: 4294967296 is too large; allowed: 4294967295 or less$"),
    (f"{LINEAR}.record_data", 1, r"linear\.record_data: 1 is integer; allowed: boolean$"),
    (f"{LINEAR}.replay.depths", 1, r"linear\.replay\.depths: 1 is integer; allowed: a list$"),
    (f"{NETS}.bn_ff.axes.kernel", [3, 4], r"axes\.kernel\[1\]: 4 is not known; allowed: 1, 3, 5, 7$"),
    (f"{PRODUCTS}.record", ["spectra"], r"record\[0\]: 'spectra' is not known \(did you mean 'spectrum'\?\); al"),
    ("experiments.unequal_layers.initial_strength", 2, r"strength: 2 is too large; allowed: less than 0\.9$"),
]
# One for each pair of keys that may contradict each other.
CONTRADICTIONS = [
    (f"{WHITENED}.images", 100, "data.whitened: holds 100 components of 100 images; allowed: fewer components"),
    ("experiments.regression.samples", 2, "2 samples of 3 inputs, .*; allowed: at least as many samples as inputs"),
    (f"{NETS}.normalized_convolutional.axes.width", [64, 36], r"grids\.norm.*: norm 'group' has 8 groups of 36 chan"),
    ("experiments.propagation.groups", 7, r"norm 'group' has 7 groups of 64 channels; allowed: widths that 7 div"),
    (SHARK, {"draw": 0, "illusory_item": 0}, "has only one of added_feature and illusory_item; allowed: both or nei"),
    (f"{SHARK}.added_feature", [1, -1], r"hierarchy: grids\.shark\.data: added_feature has 2 values for 8 items"),
    (f"{SHARK}.illusory_item", 8, r"illusory_item 8 is not one of 8 items \(branches\^levels\); allowed: 0 to 7$"),
    (f"{COMPLETION}.defaults.axes.rank", 101, r"_1\.axes: rank 101 of a matrix of 100 rows; allowed: 1 to 100$"),
    (f"{COMPLETION}.size", 40, r"2000 entries of a matrix of 40 rows and columns; allowed: 1 to 1600$"),
    ("experiments.mnist_modes.hidden", 9, r"mnist_modes: hidden 9 is less than the number of classes; allowed"),
    (f"{MODES}.recorded_modes", [3, 33], r"has mode 33 of 32 items \(branches\^levels\); allowed: 1 to 32$"),
    (f"{MODES}.hidden", 31, r"grids\.decoupled: init 'decoupled' gives each of 32 modes .* of 31 units; allowed: hidd"),
]
# One for each array of a run, and for each number of updates.
TOO_LARGE = [
    ("experiments.hierarchy.levels", 30, r"hierarchy: needs a tree of 1073741824 items .* allowed: 1e\+09 or"),
    ("experiments.hierarchy.features", 10**9, r"a tree of 8 items .* with 1000000000 features, an array of 8\.0e"),
    ("experiments.classifier.samples", 10**8, r"needs 200000000 samples of 10 numbers, an array of 2\.0e\+09"),
    ("experiments.regression.samples", 10**9, "needs 1000000000 samples of 3 variables"),
    (f"{COMPLETION}.size", 30_000, r"needs 2 factors of 30000 rows and columns, an array of 1\.8e\+09"),
    (f"{MODES}.features", 10**8, r"mode_dynamics: needs a tree of 32 items .* with 100000000"),
    (f"{MODES}.steps", 10**7, r"mode_dynamics: needs grids\.small_random: 25 simulations of 2"),
    ("experiments.phase_portrait.steps", 10**9, r"phase_portrait: needs 9 starts over 1000000000 updates"),
    (f"{PRODUCTS}.realizations", 10**8, r"products: 100 values of a spectrum of 100000000 nets, an array of"),
    ("experiments.spectra.grids.variances.realizations", 10**7, "variances of 10 inputs after 100 layers of 10000000"),
    ("experiments.spectra.grids.mean_logs.realizations", 10**8, "a mean log singular value after each of 100 layers"),
    ("experiments.largest_rate.grids.linear.axes.width", 30_000, r"64 layers of 30000 units for a batch of 1, an"),
    (f"{TIMES}.axes.width", 20_000, r"learning_time: needs .*20000 × 20000"),
    (RATES, [0.1, 1e-12], r"balancedness: duration 10 is 1e\+13 updates at the learning_rate 1e-"),
    (RATES, 20, r"duration 10 is 0\.5 updates at the learning_rate 20; allowed: 1 to 1e\+09 up"),
]


@pytest.mark.parametrize(("path", "value", "message"), [*FAULTS, *CONTRADICTIONS, *TOO_LARGE])
def test_the_error_for_a_wrong_value_names_the_key_and_what_is_allowed(config, path, value, message):
    with pytest.raises(UserError, match=message):
        Plan(changed(config, path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{NETS}.vanilla.axes.width", [1, 30_000]),
        (f"{NETS}.fully_connected_bn_ff.axes.kernel", 3),
        # Groups must divide only the channels of grouped nets.
        (f"{NETS}.normalized_convolutional.axes.norm", ["batch", "layer"]),
        (f"{NETS}.normalized_convolutional.axes.width", 8),
    ],
)
def test_values_that_only_some_nets_could_not_have_are_allowed(config, path, value):
    Plan(changed(changed(config, "experiments.propagation.groups", 8), path, value))


def test_a_fault_that_has_no_words_here_has_those_of_pydantic():
    class Block(BaseModel):
        size: int = Field(multiple_of=4)

    with pytest.raises(ValidationError) as error:
        Block(size=3)
    (line,) = lines_of(error.value, {"size": 3}, Block.model_json_schema())
    assert line == "config: size: 3: Input should be a multiple of 4"


def test_wide_convolutions_of_all_images_are_refused(config):
    grid = config["experiments"]["propagation"]["grids"]["widths"]["axes"]
    grid |= {"batch": [8, 60_000], "width": [64, 128], "kernel": [1, 3]}
    with pytest.raises(UserError, match=r"grids\.widths: 60000 images in 128 channels of 196 positions, signal"):
        Plan(config)


@pytest.mark.parametrize(
    "path",
    ["experiments.zero_init.batch", f"{NETS}.vanilla.axes.batch", "experiments.largest_rate.grids.linear.axes.batch"],
)
def test_a_batch_larger_than_the_data_set_is_refused(config, path):
    Plan(changed(config, path, 4001))
    config["data"]["mnist"]["source"] = "embedded"
    with pytest.raises(UserError, match=rf"{path}: 4001 is too large; allowed: 4000 or less$"):
        Plan(config)
    Plan(changed(config, path, 4000))


def test_all_faults_are_reported_together_each_once(config):
    changed(config, f"{MNIST}.source", "web")
    changed(config, f"{AXES}.depth", 0)
    config["data"]["whitened"] = {"image": 1, "component": 1}
    # The last one is a mapping with any keys.
    blocks = [config, config["data"]["mnist"], config["experiments"], config["experiments"]["regression"]["grids"]]
    for key, block in zip((1, True, None, 1), blocks, strict=True):
        block[key] = None
    with pytest.raises(UserError) as error:
        resolve(config)
    allowed = "allowed as a key: text (write it in quotes)"
    known = "'components'?); allowed: components, images", "'images'?); allowed: components, images"
    assert [line.removeprefix("config: ") for line in str(error.value).splitlines()] == [
        f"(top level): 1 is integer; {allowed}",
        "data.mnist.source: 'web' is not known; allowed: auto, directory, download, index, embedded",
        f"data.mnist: True is boolean; {allowed}",
        f"data.whitened: 'component' is not a known key (did you mean {known[0]}",
        f"data.whitened: 'image' is not a known key (did you mean {known[1]}",
        "data.whitened: 'images', 'components' missing; required: images, components",
        f"{AXES}.depth: 0 is too small; allowed: 1 or more",
        f"experiments.regression.grids: 1 is integer; {allowed}",
        f"experiments: None is null; {allowed}",
    ]


def test_keys_that_are_missing_after_the_defaults_are_named_at_their_grids(config):
    for axis in ("depth", "init", "seeds"):
        del config["experiments"]["regression"]["grids"]["exercise"]["axes"][axis]
    del config["experiments"]["matrix_completion"]["grids"]["entries_depth_1"]["steps"]
    missing = r"grids\.exercise\.axes: 'depth', 'seeds', 'init' missing; required: depth, seeds, init\n"
    with pytest.raises(UserError, match=missing) as told:
        Plan(config)
    assert "grids.entries_depth_1: 'steps' missing; required: axes, learning_rate, st" in str(told.value)


def test_a_config_without_experiments_or_grids_is_refused(config):
    blocks = config["experiments"]
    config["experiments"] = dict.fromkeys(blocks)
    with pytest.raises(UserError, match=r"^config: experiments: every experiment is null; allowed: 1 or more that are"):
        resolve(config)
    config["experiments"] = blocks
    blocks["classifier"]["grids"] = dict.fromkeys(blocks["classifier"]["grids"])
    with pytest.raises(UserError, match=r"experiments\.classifier\.grids: every grid is null"):
        Plan(config)


@pytest.mark.parametrize(("text", "advice"), [("1e-12", "1.0e-12"), ("1e-4", "0.0001")])
def test_numbers_that_yaml_takes_for_text_are_written_as_advised(config, text, advice):
    with pytest.raises(UserError, match=rf"number \(YAML reads {text} as text; write {advice}\)$"):
        resolve(changed(config, f"{AXES}.scale", yaml.safe_load(text)))
    assert yaml.safe_load(advice) == float(text)
