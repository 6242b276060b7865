"""The runs and the items of document 003."""

from deepnets.documents.hierarchy.printed import CANNOT_SPEAK, HAS_BONES, OF_ANIMALS
from deepnets.tables.rows import Runs

# The settings in the document's code.
TREE: Runs = {"levels": 3, "branches": 2, "flip_probability": 0.15, "features": 10_000, "hidden": 30, "steps": 250}
REGRESSION: Runs = {
    **{"inputs": 3, "outputs": 3, "samples": 37, "weight_bound": 10, "noise": 0.01},
    **{"depth": 1, "init": "none"},
}

_PLAIN: Runs = {**TREE, "dataset": "plain", "data": {"draw": 0}}
_DEEP: Runs = {"depth": 2, "init": "fan_sum_normal", "scale": 1e-12, "learning_rate": 100}
MAIN: Runs = {**_PLAIN, **_DEEP, "block": "main"}
# Draws of the data with a feature that is false for one animal; in BONES it is true for all four animals.
_SHARK = {"draw": 1, "added_feature": HAS_BONES, "illusory_item": 0}
_PARROT = {"draw": 2, "added_feature": CANNOT_SPEAK, "illusory_item": 3}
SHARK: Runs = {**TREE, **_DEEP, "block": "shark", "dataset": "shark", "data": _SHARK}
PARROT: Runs = {**TREE, **_DEEP, "block": "parrot", "dataset": "parrot", "data": _PARROT}
BONES: Runs = {**TREE, **_DEEP, "block": "bones", "dataset": "bones", "data": {**_SHARK, "added_feature": OF_ANIMALS}}
# Without a hidden layer: with the document's init, and from weights as small as those of the deep network.
_SHALLOW: Runs = {**_PLAIN, "depth": 1, "learning_rate": 1000}
ZERO_DEPTH: Runs = {**_SHALLOW, "block": "zero_depth", "init": "fan_in_uniform", "scale": 1}
FROM_SMALL: Runs = {**_SHALLOW, "block": "zero_depth_from_small", "init": "fan_sum_normal", "scale": 1e-12}
# Several depths at the document's own rate and scale.
DEPTHS: Runs = {**_PLAIN, **_DEEP, "block": "depths", "depth": [1, 2, 3, 4]}
# The sliders of Interactive Demo 1, and their large scales.
SLIDERS: Runs = {**_PLAIN, "block": "sliders", "depth": 2, "init": "fan_sum_normal"}
LARGE_SCALES: Runs = {**SLIDERS, "scale": [1, 10], "learning_rate": 100}

GOLDFISH, TUNA, ROBIN, CANARY, ROSE, OAK = 0, 1, 2, 3, 4, 7
