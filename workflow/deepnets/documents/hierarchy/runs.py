from reproduce import api

# Section 4 and exercise 4: the values of the added feature for the eight items.
HAS_BONES, CANNOT_SPEAK = [-1, 1, 1, 1, -1, -1, -1, -1], [1, 1, 1, -1, 1, 1, 1, 1]
# Section 4: the animals "all have bones", before one of them loses the feature.
OF_ANIMALS = [1, 1, 1, 1, -1, -1, -1, -1]
# Interactive Demo 1: the ends of the sliders of η and γ.
RATES, SCALES = (1.0, 200.0), (1e-15, 10.0)
# The document's tolerance for differences of weights: the atol of its last print.
TOLERANCE = 0.01
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

# Read off picture W1D2_Tutorial3_42_0: number of drops → loss after them; drop → epoch at which it is halfway.
LOSS_AFTER_DROPS = {1: 0.689, 2: 0.503, 3: 0.2515}
TIMES_OF_DROPS = {0: 91.4, 1: 113.1, 2: 135.9, 3: 184.5}
# Read off pictures W1D2_Tutorial3_54_0, _79_0 and _84_0: level of the tree → final singular value as a share of the
# first mode's, and half time. The pictures draw singular values one epoch too early (modes_are_one_update_ahead).
SHARES_OF_LEVELS = {
    "main": {1: 0.772, 2: 0.637, 3: 0.450},
    "shark": {1: 0.795, 2: 0.643, 3: 0.456},
    "parrot": {1: 0.792, 2: 0.643, 3: 0.461},
}
HALF_TIMES = {
    "main": {0: 92.2, 1: 116.0, 2: 136.0, 3: 188.0},
    "shark": {0: 94.0, 1: 114.1, 2: 137.4, 3: 186.2},
    "parrot": {0: 93.7, 1: 114.2, 2: 138.0, 3: 186.0},
}
# Read off pictures W1D2_Tutorial3_79_0 and _84_0: number of drops of the loss → prediction after them; a value through
# which the prediction rises, with the epoch; and the epoch at which it falls through −0.5.
PREDICTION_AFTER_DROPS = {"shark": {1: -0.25, 2: 0.50, 3: 0.01}, "parrot": {1: 0.755, 2: 0.521, 3: 0.0215}}
RISES = {"shark": (0.125, 113.7), "parrot": (0.375, 94.2)}
FALLS = {"shark": 184.2, "parrot": 184.2}
# Pictures W1D2_Tutorial3_76_0 and _82_0, 1 for yes: nine sampled features and the added one of each item.
DATA = {
    "shark": (
        "0000110000",
        "0110010011",
        "0101110001",
        "1100010011",
        "0110111100",
        "0110110100",
        "0100010100",
        "0100010100",
    ),
    "parrot": (
        "0001111001",
        "0100111001",
        "0000111011",
        "0011011010",
        "1111011011",
        "1100111011",
        "1000011001",
        "1001110101",
    ),
}
# Read off picture W1D2_Tutorial3_107_0: epoch → loss of the network without a hidden layer.
LOSS_WITHOUT_HIDDEN_LAYER = {0: 1.04, 20: 0.377, 50: 0.082, 100: 0.0064}
