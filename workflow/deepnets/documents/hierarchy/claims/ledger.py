"""The claims of document 003, a tutorial on deep linear networks that learn the features of items in a tree."""

from workflow.deepnets.claims.claim import Claim, Coverage, Erratum
from workflow.deepnets.documents.hierarchy.claims.bonus import bonus
from workflow.deepnets.documents.hierarchy.claims.bumps import bumps
from workflow.deepnets.documents.hierarchy.claims.data import data
from workflow.deepnets.documents.hierarchy.claims.errata import errata
from workflow.deepnets.documents.hierarchy.claims.illusions import illusions
from workflow.deepnets.documents.hierarchy.claims.modes import modes
from workflow.deepnets.documents.hierarchy.claims.network import network
from workflow.deepnets.documents.hierarchy.claims.representations import representations

TABLES = ("hierarchy", "regression")

# A number counts once, where the document first sets or states it; a shape, a list or a table is one number. Layouts of
# pictures do not count. In code and text: settings of the tree 5, plot_tree_data 2, γ 1, tests of exercises 8, seed 1,
# printed dimensions 3, hidden units, η and epochs 3, sliders 6, section 3's "8" and "last four" 2, section 4's "4
# animals", "second mode", and item and feature of shark and parrot 6, the regression 5, and of the last demonstration
# the rate and the tolerance.
_IN_CODE_AND_TEXT = 44
# Cells of two pictures 2, drops 1, losses 5, times of drops 4, modes 7, shark 13, parrot 13, zero-depth losses 4.
_IN_PICTURES = 49
_TESTS_THE_READER = "a test of the reader's own function, on random inputs"
_COVERAGE = Coverage(
    printed=_IN_CODE_AND_TEXT + _IN_PICTURES,
    left_out={
        "8, 30, 100 (test_net_svd_ex)": _TESTS_THE_READER,
        "10⁻⁶ (test_net_svd_ex)": _TESTS_THE_READER,
        "7, 17 (test_net_rsm_ex)": _TESTS_THE_READER,
        "10⁻⁶ (test_net_rsm_ex)": _TESTS_THE_READER,
        "10 to 241, at first 61 (section 3, slider of epochs)": "which similarity matrix is shown; all are recorded",
    },
)


def ledger() -> list[Coverage | Claim | Erratum]:
    """Return what document 003 states, in its order, its errata, and how many of its numbers they quote."""
    return [
        _COVERAGE,
        *data(),
        *network(),
        *bumps(),
        *modes(),
        *representations(),
        *illusions(),
        *bonus(),
        *errata(),
    ]
