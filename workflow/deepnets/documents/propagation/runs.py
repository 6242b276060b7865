"""The runs of the nets that document 002 describes."""

from typing import Any

from deepnets.tables.rows import Runs

# The runs of a net, in each size that may stand for the document's net. The document's own size is first.
Net = tuple[Runs, ...]

STANDARD: Runs = {"activation": "relu", "init": "normal", "gain": 2, "bias": 0}
# The three set-ups of the slides, by block: architecture and normalisation.
SET_UPS = {
    "vanilla": ("feedforward", "none"),
    "bn_ff": ("feedforward", "batch"),
    "bn_res": ("residual", "batch"),
}


def define_net(block: str, arch: str, norm: str, *sizes: tuple[int, int, int, int], **axes: Any) -> Net:
    """Return the runs of a net. sizes: (kernel, channels, images, depth); axes: axes that differ from STANDARD."""
    return tuple(
        {
            **STANDARD,
            **{"block": block, "arch": arch, "norm": norm},
            **{"kernel": kernel, "width": width, "batch": batch, "depth": depth},
            **axes,
        }
        for kernel, width, batch, depth in sizes
    )


# The slides give no sizes. Their pictures show 3 × 3 convolutions on CIFAR-10, with batches of 64 images, and of 1,024
# for the histograms. Our batches have fewer images, each with 196 points.
HISTOGRAMS = define_net("vanilla_histograms", "feedforward", "none", (3, 128, 1024, 200), (3, 128, 2, 200))
VANILLA = define_net("vanilla", *SET_UPS["vanilla"], (3, 512, 64, 200), (3, 512, 8, 200))
BN_FF = define_net("bn_ff", *SET_UPS["bn_ff"], (3, 512, 64, 200), (3, 512, 16, 200))
BN_RES = define_net("bn_res", *SET_UPS["bn_res"], (3, 512, 64, 500), (3, 512, 4, 500))

# The fully connected nets with which the authors compare their convolutions.
CONNECTED_VANILLA = define_net("fully_connected", *SET_UPS["vanilla"], (1, 512, 64, 200))
CONNECTED_BN_FF = define_net("fully_connected", *SET_UPS["bn_ff"], (1, 512, 512, 200))
CONNECTED_BN_RES = define_net("fully_connected", *SET_UPS["bn_res"], (1, 512, 64, 500))

# "Other Initialization / Activation"
UNIFORM_POINT = define_net("uniform", "feedforward", "none", (1, 512, 64, 50), init="hyperball", gain=1.5, bias=0.5)
UNIFORM_LINE = define_net("uniform", "feedforward", "none", (1, 512, 64, 200), init="hyperball")
UNIFORM_FF = define_net("uniform", "feedforward", "batch", (1, 256, 128, 100), init="hyperball")
UNIFORM_RES = define_net("uniform", "residual", "batch", (1, 256, 128, 100), init="hyperball")
ORDERED = define_net("tanh", "feedforward", "none", (1, 512, 64, 50), activation="tanh", gain=1, bias=0.3)
CHAOTIC = define_net("tanh", "feedforward", "none", (1, 512, 64, 200), activation="tanh", gain=3)
TANH_FF = define_net("tanh", "feedforward", "batch", (1, 256, 128, 100), activation="tanh", gain=1)
TANH_RES = define_net("tanh", "residual", "batch", (1, 256, 128, 100), activation="tanh", gain=1)

# "Other Architectures"
NORMS = ("batch", "instance", "group", "layer")
LAYER_NORM = define_net("layer_norm", "feedforward", "layer", (1, 512, 64, 200))
UNNORMALIZED_RES = define_net("unnormalized_resnets", "residual", "none", (1, 512, 64, 100))
NORMALIZED_FF = {norm: define_net("normalized_feedforward", "feedforward", norm, (3, 64, 8, 200)) for norm in NORMS}
NORMALIZED_RES = {norm: define_net("normalized_resnets", "residual", norm, (3, 64, 4, 100)) for norm in NORMS}
