from deepnets.documents.hierarchy.printed import CANNOT_SPEAK, HAS_BONES, OF_ANIMALS
from reproduce import api

# The settings in the document's code.
TREE = {"levels": 3, "branches": 2, "flip_probability": 0.15, "features": 10_000, "hidden": 30, "steps": 250}
REGRESSION = api.Selection(
    "regression", inputs=3, outputs=3, samples=37, weight_bound=10, noise=0.01, depth=1, init="none"
)

_DEEP = api.Selection("hierarchy", **TREE, depth=2, init="fan_sum_normal", scale=1e-12, learning_rate=100)
MAIN = _DEEP.but(block="main", dataset="plain", data={"draw": 0})
# Draws of the data with a feature that is false for one animal; in BONES it is true for all four animals.
_SHARK = {"added_feature": HAS_BONES, "draw": 1, "illusory_item": 0}
_PARROT = {"added_feature": CANNOT_SPEAK, "draw": 2, "illusory_item": 3}
SHARK = _DEEP.but(block="shark", dataset="shark", data=_SHARK)
PARROT = _DEEP.but(block="parrot", dataset="parrot", data=_PARROT)
BONES = _DEEP.but(block="bones", dataset="bones", data={**_SHARK, "added_feature": OF_ANIMALS})
# Without a hidden layer: with the document's init, and from weights as small as those of the deep network.
ZERO_DEPTH = MAIN.but(block="zero_depth", depth=1, init="fan_in_uniform", scale=1, learning_rate=1000)
FROM_SMALL = MAIN.but(block="zero_depth_from_small", depth=1, learning_rate=1000)
# Several depths at the document's own rate and scale.
DEPTHS = MAIN.but(block="depths", depth=[1, 2, 3, 4])
# The sliders of Interactive Demo 1, and their large scales.
SLIDERS = MAIN.but(block="sliders", scale=api.EVERY, learning_rate=api.EVERY)
LARGE_SCALES = SLIDERS.but(scale=[1, 10])
# Section 3 suggests larger scales and rates.
LARGER = SLIDERS.but(block="larger_scale")

GOLDFISH, TUNA, ROBIN, CANARY, ROSE, OAK = 0, 1, 2, 3, 4, 7
