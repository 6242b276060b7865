"""The claims of Saxe, McClelland and Ganguli 2013 (arXiv 1312.6120), the paper that document 001 tests."""

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.documents.saxe_2013.claims.errata import errata
from deepnets.documents.saxe_2013.claims.initial_weights import initial_weights
from deepnets.documents.saxe_2013.claims.learning_times import learning_times
from deepnets.documents.saxe_2013.claims.modes import modes
from deepnets.documents.saxe_2013.claims.products import products
from deepnets.documents.saxe_2013.claims.settings import settings
from deepnets.documents.saxe_2013.claims.tanh_nets import tanh_nets

TABLES = ("learning_time", "input_correlations", "phase_portrait", "mode_dynamics", "mnist_modes", "spectra")

# The number of numbers that the paper prints. Figure 2: τ, s. Figure 3: items, features, levels, flip probability, the
# shown modes (one list), rate, hidden units, strength, simulations. Section 2: layers from, to, hidden units, rates,
# lowest, highest, strength. Appendix C: number of depths, 13 depths besides 3 and 100, inputs, outputs, images,
# threshold. Figure 5 and appendix F: layers, hidden units, deviation. Section 3: layers of applications, radii of
# circle and disc, singular values. Figure 6: size of the orthogonal matrix, N, realizations, values in a histogram,
# numbers of factors (three), bin, two shares. Section 4: layers, N, critical gain, five gains, variance “beyond 1”.
# Appendix G: gain, layers, N, last layers.
_PRINTED = 2 + 9 + 7 + (1 + 13 + 4) + 3 + 4 + 10 + 9 + 4


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the claims of the paper and its errata."""
    return [
        _coverage(),
        *settings(),
        *modes(),
        *learning_times(),
        *initial_weights(),
        *products(),
        *tanh_nets(),
        *errata(),
    ]


def _coverage() -> Coverage:
    return Coverage(
        printed=_PRINTED,
        left_out={
            "τ = 1 (Figure 2)": "the unit of time",
            "modes 1, 2, 3, 5, 12, 18 and 31 (Figure 3)": "a choice of curves",
            "784 inputs (appendix C)": "the pixels of MNIST",
            "10 outputs (appendix C)": "the classes of MNIST",
            "100 by 100 (Figure 6A, right)": "one example matrix; an orthogonal matrix of any size is an isometry",
            "5 · 10⁵ singular values (Figure 6B)": "500 times 1,000; both numbers are counted",
        },
    )
