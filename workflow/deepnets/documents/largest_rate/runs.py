"""The runs that the claims are about."""

from deepnets.tables.rows import Runs

RELU: Runs = {"activation": "relu", "init": "gaussian", "width": 256, "batch": 16}
RELU_ONE_IMAGE: Runs = {**RELU, "batch": 1}
RELU_NARROW: Runs = {**RELU_ONE_IMAGE, "width": 128}
GAUSSIAN: Runs = {"activation": "linear", "init": "gaussian", "width": 128, "batch": 1}
ORTHOGONAL: Runs = {**GAUSSIAN, "init": "orthogonal"}
