"""The claims of document 002, "On the Inductive Bias of Various Architectures of Deep ReLU Nets"."""

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.documents.propagation.claims.conclusions import conclusions
from deepnets.documents.propagation.claims.errata import errata
from deepnets.documents.propagation.claims.methodology import methodology
from deepnets.documents.propagation.claims.other_nets import other_nets
from deepnets.documents.propagation.claims.pictures import pictures
from deepnets.documents.propagation.claims.results import results

TABLES = ("propagation",)


# The slides print 17 numbers: the ranks ≥ 1, 1, 2 and classes minus 1; three set-ups; initial biases of 0, scales of 1
# and shifts of 0; two possibilities of vanilla nets; the bounds 1 and √2 of δχ, 1 of δ_BNχ, 1 and √2 of δ_φχ, and
# (1 + 2τ/(l + 1))^½; the share 1/(l + 1); χ ≳ 1. We read 24 more numbers off the curves in their pictures, and four
# centres of histograms.
_COVERAGE = Coverage(printed=45)


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the claims of document 002 in its order, then those of its pictures, then its errata."""
    return [_COVERAGE, *methodology(), *results(), *other_nets(), *conclusions(), *pictures(), *errata()]
