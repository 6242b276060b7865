from reproduce import api

# Our choice: the best rate times the largest eigenvalue of the Hessian at the optimum. The paper states only that this
# product is constant (eq. 42). Gradient descent becomes unstable at 2.
BEST_RATE = 1.9
# Figure 5: the images that the paper trains on, and their classes.
IMAGES, CLASSES = 50_000, 10
# Appendix C: the layers of the nets of Figures 4 and 6A.
LAYERS = (3, 5, 8, 10, 14, 20, 28, 36, 44, 54, 64, 74, 84, 94, 100)
# Figure 6C: the width of the bins, and, for each number of factors, the percentage of eigenvalues in the bin at the
# origin.
BIN_WIDTH = 0.1
SHARES_AT_ORIGIN = {5: 32, 100: 94}
# Figure 6B, C: the numbers of matrices in a product, and the number of products in each histogram.
FACTORS = (1, 5, 100)
PRODUCTS_OF_A_HISTOGRAM = 500
# Figure 7.
GAINS = (0.9, 0.95, 1, 1.05, 1.1)
# Figure 8, right.
LAYERS_OF_FIGURE_8 = 30
# The width of the nets and matrices of Figures 4, 6, 7 and 8.
UNITS = 1000

# The paper's own sizes (figures 4 and 6 to 8, appendix C), where the config may have smaller nets.
SIZES = (
    ("learning_time", {"block": ["depths", "larger_start", "six_layers"]}, {"width": (1000, "units")}),
    ("spectra", {"block": ["jacobians", "variances"]}, {"size": (1000, "units")}),
    ("spectra", {"block": "products", "init": "gaussian"}, {"size": (1000, "units")}),
)
# Figure 2: eight units of time.
PLANE = api.Selection("phase_portrait", depth=2, init="given", singular_value=1, learning_rate=0.002, steps=4000)
# Figure 3, caption.
_TREE = api.Selection(
    "mode_dynamics",
    **{"levels": 5, "branches": 2, "flip_probability": 0.1, "features": 1000, "hidden": 32},
    **{"learning_rate": 0.5e-3, "initial_strength": 1e-6, "depth": 2},
)
RANDOM_TREE = _TREE.but(block="small_random", init="normal")
LINEAR_TREE, TANH_TREE = (RANDOM_TREE.but(activation=name) for name in ("linear", "tanh"))
DECOUPLED_TREE = _TREE.but(block="decoupled", init="decoupled", activation="linear")
# Not in the paper.
MNIST_MODES = api.Selection(
    "mnist_modes", block="small", init="orthogonal", scale=0.001, hidden=32, learning_rate=0.1, depth=2
)
# max_steps: the limits in the config and in configs/paper_size.yaml. In runs with lower limits, nets do not learn.
_LEARNED = api.Selection("learning_time", threshold=0.01, max_steps=[1700, 20_000])
# Figures 4 and 6A, at all depths. These runs may have any width, because only configs/paper_size.yaml contains the
# paper's 1,000. Claims refuse runs of several widths.
DEPTHS = _LEARNED.but(block="depths", depth=[layers - 1 for layers in LAYERS])
ORTHOGONAL_NETS, PRETRAINED_NETS, GAUSSIAN_NETS = (
    DEPTHS.but(init=init) for init in ("orthogonal", "pretrained", "gaussian")
)
# A seed draws only rotations, and rotations do not change the results.
DECOUPLED = DEPTHS.but(
    rates={"lowest": 0.125, "highest": 2, "count": 17, "lag": None}, init="decoupled", initial_strength=0.001
)
LARGER_START = DECOUPLED.but(block="larger_start", initial_strength=0.01, depth=[2, 99])
# Section 3: "about 6 layers".
SIX_LAYERS = DEPTHS.but(block="six_layers", depth=5)
# Figure 5. A depth is the number of matrices.
CURVES = _LEARNED.but(block="learning_curves", depth=4, width=200, deviation=0.01)
INPUTS = api.Selection("input_correlations", depth=1, init="none", images=IMAGES)
# Figure 6B, C.
PRODUCTS = api.Selection("spectra", block="products", gain=1, activation="linear")
GAUSSIAN = PRODUCTS.but(init="gaussian")
MEAN_LOGS = GAUSSIAN.but(block="mean_logs", depth=100, size=[10, 50])
# Figures 7 and 8.
_TANH = api.Selection("spectra", init="orthogonal", activation="tanh", depth=100)
JACOBIANS = _TANH.but(block="jacobians", input_variances=[[1]])
VARIANCES = _TANH.but(block="variances")


def with_layers(selection: api.Selection, layers: int) -> api.Selection:
    """Return the runs with this number of layers. The config counts matrices, one fewer than layers."""
    return selection.but(depth=layers - 1)
