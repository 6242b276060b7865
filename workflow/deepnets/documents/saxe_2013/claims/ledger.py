"""The claims of Saxe, McClelland and Ganguli 2013 (arXiv 1312.6120), the paper that document 001 tests."""

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.saxe_2013.claims.learning_times import learning_times
from workflow.deepnets.documents.saxe_2013.claims.modes import modes
from workflow.deepnets.documents.saxe_2013.claims.random_nets import random_nets
from workflow.deepnets.documents.saxe_2013.claims.settings import settings

TABLES = ("learning_time", "input_correlations", "phase_portrait", "mode_dynamics", "mnist_modes", "spectra")


def ledger() -> list[Claim | Erratum]:
    """Return what the paper sets and states, in its order, and its one erratum."""
    return [*settings(), *modes(), *learning_times(), *random_nets(), _erratum()]


def _erratum() -> Erratum:
    return Section("Appendix A, eqs. 23 to 26").erratum(
        "half_of_the_singular_value",
        "The closed form for unequal layers has s where 2s belongs: its modes would end at half of s.",
        "With a = √c₀ cosh(θ/2) and b = √c₀ sinh(θ/2), eq. 8 is τ θ′ = 2s − c₀ sinh θ, and ab = (c₀/2) sinh θ. "
        "The claims learning_ends_where_ab_is_s and unequal_layers judge runs by the corrected form.",
    )
