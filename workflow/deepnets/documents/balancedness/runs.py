from reproduce import api

# Three learning rates, each for the same training time.
LINEAR = api.Selection(
    "balancedness", depth=3, init="gaussian", learning_rate=[0.002, 0.004, 0.008], activation="linear"
)
RELU = LINEAR.but(activation="relu")
# Nets of two layers with one weight each, at two learning rates. With imbalance 0, both weights start equal.
MODE = api.Selection("unequal_layers", depth=2, init="unequal", learning_rate=[0.001, 0.002])
IMBALANCES = MODE.but(imbalance=[0, 0.1, 1, 5])
SLOW = IMBALANCES.but(learning_rate=0.001)
LAZY = SLOW.but(imbalance=5)
