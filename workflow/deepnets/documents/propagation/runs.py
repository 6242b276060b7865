from reproduce import api

# The authors' own data and sizes: of their paper for the first four blocks, of their code for the others.
SIZES = (
    ("propagation", {}, {"data": "CIFAR-10"}),
    ("propagation", {"block": ["vanilla", "bn_ff", "bn_res"]}, {"batch": (64, "images")}),
    ("propagation", {"block": "vanilla_histograms"}, {"batch": (1024, "images")}),
    ("propagation", {"block": ["normalized_feedforward", "normalized_resnets"]}, {"batch": (64, "images")}),
    (
        "propagation",
        {"block": ["bn_ff", "bn_res", "normalized_feedforward", "normalized_resnets", "uniform", "tanh"]},
        {"width": (512, "channels")},
    ),
)
STANDARD = {"dataset": "cifar10", "activation": "relu", "init": "normal", "gain": 2, "bias": 0}

# The slides give no sizes. According to the authors' code, the pictures show 3 × 3 convolutions with 512 channels on
# CIFAR-10, with batches of 64 images; those of the histograms have 128 channels and 1,024 images. Our sizes are the
# second of two: smaller batches of images, each with 256 points, or fewer channels where the signal needs many images.
VANILLA = api.Selection(
    "propagation",
    **{"block": "vanilla", "arch": "feedforward", "norm": "none"},
    **STANDARD,
    **{"kernel": 3, "width": 512, "batch": [64, 8], "depth": 200},
)
BN_FF = VANILLA.but(block="bn_ff", norm="batch", width=[512, 128], batch=64)
BN_RES = VANILLA.but(block="bn_res", arch="residual", norm="batch", width=[512, 256], batch=[64, 16], depth=500)
# Not in the document: smaller ones on photographs and on digits.
PHOTOGRAPHS = BN_RES.but(block="data_sets", width=64, batch=16, depth=10)
DIGITS = PHOTOGRAPHS.but(dataset="mnist")
HISTOGRAMS = VANILLA.but(block="vanilla_histograms", width=128, batch=[1024, 2])

# The fully connected nets with which the authors compare their convolutions.
CONNECTED_VANILLA = VANILLA.but(block="fully_connected", kernel=1, batch=64)
CONNECTED_BN_FF = CONNECTED_VANILLA.but(norm="batch", batch=512)
CONNECTED_BN_RES = CONNECTED_VANILLA.but(arch="residual", norm="batch", depth=500)

# "Other Initialization / Activation"
UNIFORM_LINE = CONNECTED_VANILLA.but(block="uniform", init="hyperball")
UNIFORM_POINT = UNIFORM_LINE.but(gain=1.5, bias=0.5, depth=50)
UNIFORM_FF = UNIFORM_LINE.but(norm="batch", batch=128, depth=100)
UNIFORM_RES = UNIFORM_FF.but(arch="residual")
CHAOTIC = CONNECTED_VANILLA.but(block="tanh", activation="tanh", gain=3)
ORDERED = CHAOTIC.but(gain=1, bias=0.3, depth=50)
TANH_FF = CHAOTIC.but(norm="batch", gain=1, batch=128, depth=100)
TANH_RES = TANH_FF.but(arch="residual")
# Vanilla, feedforward and residual nets in their standard version, with the uniform initialisation, and with tanh; all
# are fully connected. According to the document, only the residual nets have no pathology.
WITH_PATHOLOGY = {
    "vanilla": CONNECTED_VANILLA,
    "vanilla, uniform, biases": UNIFORM_POINT,
    "vanilla, uniform": UNIFORM_LINE,
    "vanilla, tanh, ordered": ORDERED,
    "vanilla, tanh, chaotic": CHAOTIC,
    "feedforward": CONNECTED_BN_FF,
    "feedforward, uniform": UNIFORM_FF,
    "feedforward, tanh": TANH_FF,
}
WITHOUT_PATHOLOGY = {"resnet": CONNECTED_BN_RES, "resnet, uniform": UNIFORM_RES, "resnet, tanh": TANH_RES}

# "Other Architectures"
NORMS = ["batch", "instance", "group", "layer"]
LAYER_NORM = CONNECTED_VANILLA.but(block="layer_norm", norm="layer")
UNNORMALIZED_RES = CONNECTED_VANILLA.but(block="unnormalized_resnets", arch="residual", depth=100)
NORMALIZED_FF = VANILLA.but(block="normalized_feedforward", norm=NORMS, width=[512, 64], batch=[64, 8])
NORMALIZED_RES = NORMALIZED_FF.but(block="normalized_resnets", arch="residual", batch=[64, 4], depth=100)

# All set-ups of ReLU nets.
RELU_NETS = (
    *(VANILLA, BN_FF, BN_RES, CONNECTED_VANILLA, CONNECTED_BN_FF, CONNECTED_BN_RES),
    *(HISTOGRAMS, UNIFORM_LINE, UNIFORM_POINT, UNIFORM_FF, UNIFORM_RES),
    *(VANILLA.but(block="widths", width=width, batch=8) for width in (64, 128)),
    *(LAYER_NORM, UNNORMALIZED_RES, *(net.but(norm=norm) for net in (NORMALIZED_FF, NORMALIZED_RES) for norm in NORMS)),
)


def in_one_size(net: api.Selection, table: api.Table) -> api.Selection:
    """Return the net with the first of its sizes that the config contains: the document's, or else ours."""
    axes = [axis for axis in ("width", "batch") if isinstance(net[axis], list)]
    pairs = zip(*(net[axis] for axis in axes), strict=True)
    sizes = [net.but(**dict(zip(axes, pair, strict=True))) for pair in pairs] or [net]
    # A figure also draws nets that differ from the document's in other axes.
    there = [size for size in sizes if size.seeds(table)] or [
        size for size in sizes if size.only("block", *axes).matches(table).any()
    ]
    return [*there, sizes[-1]][0]
