"""The claims of document 003, a tutorial on deep linear networks that learn the features of items in a tree."""

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.documents.hierarchy.claims.bonus import bonus
from workflow.deepnets.documents.hierarchy.claims.data import data
from workflow.deepnets.documents.hierarchy.claims.errata import errata
from workflow.deepnets.documents.hierarchy.claims.illusions import illusions
from workflow.deepnets.documents.hierarchy.claims.modes import modes
from workflow.deepnets.documents.hierarchy.claims.network import network
from workflow.deepnets.documents.hierarchy.claims.representations import representations

TABLES = ("hierarchy", "regression")


def ledger() -> list[Claim | Erratum]:
    """Return what document 003 states, in its order, and its errata."""
    return [*data(), *network(), *modes(), *representations(), *illusions(), *bonus(), *errata()]
