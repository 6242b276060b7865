from reproduce import api

# Document 000, on the document's own points.
_DEEP = api.Selection("classifier", class_rank=2, target_loss=0.01, data_seed=0, rank=0, init="xavier_normal", scale=1)
RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
BY_DEPTH = {depth: _DEEP.but(block="depths", depth=depth, learning_rate=rate) for depth, rate in RATES.items()}
# The same nets on our own draws of the points; one layer starts at zero.
ON_OTHER_DATA = {
    depth: BY_DEPTH[depth].but(block="data_sets", data_seed=api.EVERY, init=init)
    for depth, init in ((1, "zeros"), (6, "xavier_normal"))
}
RANK_2 = _DEEP.but(block="rank_2", depth=2, learning_rate=1, rank=2)
BY_SCALE = {
    "near zero": _DEEP.but(block="near_zero", depth=3, scale=1e-4, learning_rate=100),
    "standard": _DEEP.but(block="standard_scale", depth=3, learning_rate=0.1),
    "times 1000": _DEEP.but(block="large_scale", depth=3, scale=1000, learning_rate=0.001),
}
CLASSIFIERS = (*BY_DEPTH.values(), RANK_2, *BY_SCALE.values())
# All runs of these blocks; others train the same nets with different learning rates and thresholds.
ALL_CLASSIFIERS = api.Selection("classifier", block=list(dict.fromkeys(each["block"] for each in CLASSIFIERS)))
DATA_SETS = api.Selection("classifier", block="data_sets", class_rank=2)

# Arora et al. 2019.
COMPLETION = api.Selection("matrix_completion", block="completion", init="gaussian", rank=5, entries=2000)

# Saxe et al. 2013: nets of 2 to 99 matrices.
SAXE = api.Selection("learning_time", block="depths")

# Document 003. The grid `depth_and_scale` is ours. At the largest learning rate of the grid `sliders`, nets of
# every scale learn before their runs end.
DEPTH_AND_SCALE = api.Selection("hierarchy", block="depth_and_scale", learning_rate=10)
SLIDERS = api.Selection("hierarchy", block="sliders", depth=2, learning_rate=200)

# The modes of MNIST: the initial weights of document 001, and smaller ones.
MNIST = api.Selection("mnist_modes", depth=2, init="row_normalized")

# Document 002.
_NET = api.Selection("propagation", block="vanilla", arch="feedforward", norm="none", width=512, depth=200)
SET_UPS = {
    "vanilla": _NET,
    "batch norm": _NET.but(block="bn_ff", norm="batch", width=[512, 128]),
    "batch norm resnet": _NET.but(block="bn_res", arch="residual", norm="batch", width=[512, 256], depth=500),
}
# Products of 100 random matrices (Saxe et al. 2013), and the products that a figure compares with nets.
PRODUCTS = api.Selection("spectra", block="mean_logs", activation="linear", gain=1, size=50, depth=100)
DRAWN_PRODUCTS = api.Selection("spectra", block="products", init="gaussian", activation="linear", size=100)

# Tanh nets of 100 layers (Saxe et al. 2013).
JACOBIANS = api.Selection("spectra", block="jacobians", init="orthogonal", activation="tanh", size=150, depth=100)

# Document 004, 1,024 hidden units.
STARTS = api.Selection("zero_init", block="inits", width=1024, bias=0.01)

# Small initial weights, as the net that the page trains can have.
SMALL_MNIST = api.Selection(
    "mnist_modes", block="small", depth=2, init="orthogonal", scale=0.001, hidden=32, learning_rate=0.1
)

# Rates up to the edge of stability and beyond: beyond-edge, and Saxe et al. 2013.
EDGE = api.Selection(
    "beyond_edge", depth=[2, 3, 4], strength=[0.2, 0.5, 1], ratio=0.9, departure=0, basis="diagonal", scale=0.7
)
DECOUPLED = SAXE.but(depth=api.EVERY, init="decoupled", width=1000)

# One mode of two layers: with unequal layers; at the end of a linear neuron (Kunin et al. 2024); in wide nets (Tu et al.
# 2024); from small weights (a tutorial).
UNEQUAL = api.Selection("unequal_layers", depth=2, init="unequal", imbalance=[0.1, 1, 5], learning_rate=0.001)
NEURON = api.Selection("one_neuron", depth=2, data="whitened", imbalance=[1, 2, 4])
WIDE = api.Selection("mixed_dynamics", depth=2, block="nets", size=200, learning_rate=0.02)
SMALL = api.Selection("saddle_to_saddle", depth=2, init="gaussian", width=6, learning_rate=0.002)
