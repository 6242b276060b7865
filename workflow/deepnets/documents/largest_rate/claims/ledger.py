"""The claims of the papers on the largest learning rate, and of theory at infinite width."""

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.claims.criteria import Mean, Near
from deepnets.claims.old_measures import final, ratio
from deepnets.claims.section import Section
from deepnets.documents.largest_rate.runs import GAUSSIAN, ORTHOGONAL, RELU, RELU_NARROW, RELU_ONE_IMAGE

TABLES = ("largest_rate",)
_EXPERIMENT = "largest_rate"
_POWER = "exponent of the rate in the number of hidden layers, 2 to 64"
_STATED = (
    "Theory states the power, not its factor. A tolerance of a quarter distinguishes −3/2 from −1, the power of linear "
    "nets."
)


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return what the papers state about depth and the largest learning rate, and what theory adds."""
    jelassi = Section("Jelassi et al. 2023, abstract", "rates_by_depth", quantity=_POWER)
    saxe = Section("Saxe et al. 2013, on the learning speed of deep nets", "rates_by_depth", quantity=_POWER)
    theory = Section("Theory at infinite width", "rates_by_depth", quantity=_POWER)
    return [
        Coverage(printed=2),
        jelassi.number(
            "relu_exponent",
            "In deep ReLU nets, the largest learning rate for which one update changes the pre-activations by a "
            "bounded amount scales as the depth to the power {}.",
            final(_EXPERIMENT, "largest_rate_exponent", **RELU),
            Near(-1.5, precision=0.25),
            because=_STATED,
            main="it is the paper's result",
        ),
        jelassi.bound(
            "independent_of_width",
            "This largest rate does not depend on the width, except for the weights of the first and the last layer.",
            ratio(
                final(_EXPERIMENT, "mean_largest_rate", **RELU_ONE_IMAGE),
                final(_EXPERIMENT, "mean_largest_rate", **RELU_NARROW),
            ),
            Mean(2**-0.5, 2**0.5),
            because="A rate that fell with the width would be half as large at twice the width; within a factor of √2 "
            "it is nearer to no dependence.",
            quantity="rate at width 256 divided by that at width 128, one image, geometric mean over depths",
            explanation="Chance may explain it. The ratio is near 1, but four seeds do not distinguish it from 1/√2.",
            revised="The bounds are the first ones. First we compared nets with 8 layers, for 16 images and then for "
            "one; the ratios 0.90 and 0.99 were within noise of the lower bound. The mean over depths has less noise.",
        ),
        saxe.number(
            "stable_rate_exponent_of_linear_nets",
            "In deep linear nets with orthogonal weights, the largest stable learning rate, from the largest "
            "eigenvalue of the Hessian, scales as the depth to the power {}.",
            final(_EXPERIMENT, "stable_rate_exponent", **ORTHOGONAL),
            Near(-1, precision=0.1),
            because="The paper states the order 1/depth, without a factor; a tolerance of a tenth is near it.",
            main="it explains why learning time need not grow with the depth",
        ),
        jelassi.trend(
            "relu_exponent_of_one_image",
            "A single image is a batch: with it, the power is {} too.",
            final(_EXPERIMENT, "largest_rate_exponent", **RELU_ONE_IMAGE),
            Near(-1.5, precision=0.25),
            because=_STATED,
        ),
        theory.identity(
            "orthogonal_linear_exponent",
            "In linear nets with orthogonal weights, the rate at which one update changes the last layer by 1 scales "
            "as the depth to the power {}.",
            final(_EXPERIMENT, "largest_rate_exponent", **ORTHOGONAL),
            Near(-1, precision=0.25),
            because="Each of the L layers adds the same change. A tolerance of a quarter distinguishes −1 from −3/2.",
        ),
        theory.identity(
            "gaussian_linear_exponent",
            "In linear nets with Gaussian weights, the power between 2 and 64 layers is {}: −3/2 in the limit, as in "
            "ReLU nets.",
            final(_EXPERIMENT, "largest_rate_exponent", **GAUSSIAN),
            Near(-1.418, precision=0.2),
            because="This is the least-squares slope of √(6 / (L·(L + 1)·(2L + 1))), theory at infinite width. A "
            "tolerance of 0.2 distinguishes it from −1.",
        ),
        theory.identity(
            "stable_rate_exponent_of_relu_nets",
            "In ReLU nets, the largest rate that the Hessian allows scales as the depth to the power {}, as in linear "
            "nets: it is the hidden layers that need the power −3/2.",
            final(_EXPERIMENT, "stable_rate_exponent", **RELU_ONE_IMAGE),
            Near(-1, precision=0.25),
            because="At infinite width, each of the L layers adds the same to the eigenvalue. A tolerance of a quarter "
            "distinguishes −1 from −3/2.",
        ),
    ]
