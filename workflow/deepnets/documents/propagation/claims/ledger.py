"""The claims of document 002, "On the Inductive Bias of Various Architectures of Deep ReLU Nets"."""

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.documents.propagation.claims.conclusions import conclusions
from workflow.deepnets.documents.propagation.claims.errata import errata
from workflow.deepnets.documents.propagation.claims.methodology import methodology
from workflow.deepnets.documents.propagation.claims.other_nets import other_nets
from workflow.deepnets.documents.propagation.claims.pictures import pictured
from workflow.deepnets.documents.propagation.claims.results import results

TABLES = ("propagation",)


def ledger() -> list[Claim | Erratum]:
    """Return what document 002 states, in its order, then what its pictures show, and its errata."""
    return [*methodology(), *results(), *other_nets(), *conclusions(), *pictured(), *errata()]
