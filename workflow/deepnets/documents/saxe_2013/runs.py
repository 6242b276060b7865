from deepnets.documents.saxe_2013.printed import IMAGES, LAYERS
from reproduce import api

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
