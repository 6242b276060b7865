"""The runs that the paper describes: the settings by which a claim or a figure selects our runs."""

from deepnets.documents.saxe_2013.printed import IMAGES, LAYERS
from deepnets.tables.rows import Runs

# Figure 2: eight units of time.
PLANE: Runs = {"depth": 2, "init": "given", "singular_value": 1, "learning_rate": 0.002, "steps": 4000}
# Figure 3, caption.
TREE: Runs = {
    "levels": 5,
    "branches": 2,
    "flip_probability": 0.1,
    "features": 1000,
    "hidden": 32,
    "learning_rate": 0.5e-3,
    "initial_strength": 1e-6,
    "depth": 2,
}
RANDOM_TREE: Runs = {**TREE, "block": "small_random", "init": "normal"}
DECOUPLED_TREE: Runs = {**TREE, "block": "decoupled", "init": "decoupled", "activation": "linear"}
# Not in the paper.
MNIST_MODES: Runs = {
    "block": "small",
    "init": "orthogonal",
    "scale": 0.001,
    "hidden": 32,
    "learning_rate": 0.1,
    "depth": 2,
}
# max_steps: the limits in the config and in configs/paper_size.yaml. In runs with lower limits, nets do not learn.
LEARNED: Runs = {"threshold": 0.01, "max_steps": [1700, 20_000]}
# Figures 4 and 6A, at all depths. These runs may have any width, because only configs/paper_size.yaml contains the
# paper's 1,000. Claims refuse runs of several widths.
DEPTHS: Runs = {**LEARNED, "block": "depths", "depth": [layers - 1 for layers in LAYERS]}
RATES: Runs = {"rates": {"lowest": 0.125, "highest": 2, "count": 17, "lag": None}}
# One seed is enough, because a seed draws only rotations, and rotations do not change the results.
DECOUPLED: Runs = {**DEPTHS, **RATES, "init": "decoupled", "initial_strength": 0.001, "seed": 0}
# Figure 5. A depth is the number of matrices.
CURVES: Runs = {**LEARNED, "block": "learning_curves", "depth": 4, "width": 200, "deviation": 0.01}
INPUTS: Runs = {"depth": 1, "init": "none", "images": IMAGES}
# Figure 6B, C.
LINEAR: Runs = {"gain": 1, "activation": "linear"}
PRODUCTS: Runs = {"block": "products", "init": "gaussian"}
GAUSSIAN: Runs = {**LINEAR, **PRODUCTS}
# One seed is enough, because products are isometries for all seeds.
ORTHOGONAL: Runs = {**GAUSSIAN, "init": "orthogonal", "seed": 0}
MEAN_LOGS: Runs = {**GAUSSIAN, "block": "mean_logs", "depth": 100, "size": [10, 50]}
# Figures 7 and 8.
TANH: Runs = {"init": "orthogonal", "activation": "tanh"}
DEEP_TANH: Runs = {**TANH, "depth": 100}
JACOBIANS: Runs = {**DEEP_TANH, "block": "jacobians", "input_variances": [[1]]}
VARIANCES: Runs = {**DEEP_TANH, "block": "variances"}
