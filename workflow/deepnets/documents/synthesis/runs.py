"""The runs that the synthesis compares, by experiment: the documents' own settings."""

from deepnets.tables.rows import Runs

# Document 000, on the document's own points.
_POINTS: Runs = {"target_loss": 0.01, "data_seed": 0, "rank": 0}
_DEEP: Runs = {**_POINTS, "init": "xavier_normal", "scale": 1}
RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
BY_DEPTH: dict[int, Runs] = {
    depth: {**_DEEP, "block": "depths", "depth": depth, "learning_rate": rate} for depth, rate in RATES.items()
}
RANK_2: Runs = {**_DEEP, "block": "rank_2", "depth": 2, "learning_rate": 1, "rank": 2}
_THREE_LAYERS: Runs = {**_DEEP, "depth": 3}
BY_SCALE: dict[str, Runs] = {
    "near zero": {**_THREE_LAYERS, "block": "near_zero", "scale": 1e-4, "learning_rate": 100},
    "standard": {**_THREE_LAYERS, "block": "standard_scale", "learning_rate": 0.1},
    "times 1000": {**_THREE_LAYERS, "block": "large_scale", "scale": 1000, "learning_rate": 0.001},
}
CLASSIFIERS: tuple[Runs, ...] = (*BY_DEPTH.values(), RANK_2, *BY_SCALE.values())
DATA_SETS: Runs = {"block": "data_sets"}

# Arora et al. 2019.
COMPLETION: Runs = {"block": "completion", "init": "gaussian", "rank": 5, "entries": 2000}

# Saxe et al. 2013: nets of 2 to 99 matrices.
SAXE: Runs = {"block": "depths"}

# Document 003. The grid `depth_and_scale` is ours. At the largest learning rate of the grid `sliders`, nets of
# every scale learn before their runs end.
DEPTH_AND_SCALE: Runs = {"block": "depth_and_scale", "learning_rate": 10}
SLIDERS: Runs = {"block": "sliders", "depth": 2, "learning_rate": 200}

# The modes of MNIST: the initial weights of document 001, and smaller ones.
MNIST: Runs = {"depth": 2, "init": "row_normalized"}

# Document 002.
SET_UPS: dict[str, Runs] = {
    "vanilla": {"block": "vanilla", "arch": "feedforward", "norm": "none", "width": 512, "depth": 200},
    "batch norm": {"block": "bn_ff", "arch": "feedforward", "norm": "batch", "width": 512, "depth": 200},
    "batch norm resnet": {"block": "bn_res", "arch": "residual", "norm": "batch", "width": 512, "depth": 500},
}
# Products of 100 random matrices (Saxe et al. 2013), and the products that a figure compares with nets.
PRODUCTS: Runs = {"block": "mean_logs", "activation": "linear", "gain": 1, "size": 50, "depth": 100}
DRAWN_PRODUCTS: Runs = {"block": "products", "init": "gaussian", "activation": "linear", "size": 100}

# Document 004, 1,024 hidden units.
STARTS: Runs = {"block": "inits", "width": 1024, "bias": 0.01}
