"""The claims of document 003, a tutorial on deep linear networks that learn features of a tree."""

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.documents.hierarchy.claims.bonus import bonus_claims
from deepnets.documents.hierarchy.claims.bumps import bump_claims
from deepnets.documents.hierarchy.claims.data import data_claims
from deepnets.documents.hierarchy.claims.errata import errata
from deepnets.documents.hierarchy.claims.illusions import illusion_claims
from deepnets.documents.hierarchy.claims.modes import mode_claims
from deepnets.documents.hierarchy.claims.network import network_claims
from deepnets.documents.hierarchy.claims.representations import representation_claims

TABLES = ("hierarchy", "regression")

# We count each number once; a shape, a list or a table is one number; layouts of pictures do not count. Code and text:
# settings of the tree 5, plot_tree_data 2, γ 1, tests of exercises 8, seed 1, printed dimensions 3, hidden units, η and
# epochs 3, sliders 6, section 3's "8" and "last four" 2, section 4's "4 animals", "second mode", and item and feature
# of shark and parrot 6, regression 5, rate and tolerance of the last demonstration 2.
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
        "10 to 241, at first 61 (section 3, slider of epochs)": "it only selects a similarity matrix; all are recorded",
    },
)


def ledger() -> list[Coverage | Claim | Erratum]:
    """Return the coverage, the claims of document 003 in its order, and its errata."""
    return [
        _COVERAGE,
        *data_claims(),
        *network_claims(),
        *bump_claims(),
        *mode_claims(),
        *representation_claims(),
        *illusion_claims(),
        *bonus_claims(),
        *errata(),
    ]
