"""The runs that the claims are about."""

from deepnets.tables.rows import Runs

# `balancedness`: three learning rates, each for the same training time.
DESCENT: Runs = {"depth": 3, "init": "gaussian", "learning_rate": [0.002, 0.004, 0.008]}
LINEAR: Runs = {**DESCENT, "activation": "linear"}
RELU: Runs = {**DESCENT, "activation": "relu"}
# What a figure shows first.
NETS: Runs = {**DESCENT, "activation": ["linear", "relu"]}
# `unequal_layers`: two learning rates; an imbalance of 0 is that of equal layers.
MODE: Runs = {"depth": 2, "init": "unequal", "learning_rate": [0.001, 0.002]}
IMBALANCES: Runs = {**MODE, "imbalance": [0, 0.1, 1, 5]}
LAZY: Runs = {"depth": 2, "init": "unequal", "learning_rate": 0.001, "imbalance": 5}
