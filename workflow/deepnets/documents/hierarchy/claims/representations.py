"""The claims of document 003, section 3, on narrow nets and on representations in the hidden layer."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.hierarchy.measures import singular_values
from deepnets.documents.hierarchy.measures.plateaus import cosine_on_plateau
from deepnets.documents.hierarchy.measures.representations import (
    distance_from_cosines,
    least_similarity_eigenvalue,
    overlap_of_modes,
)
from deepnets.documents.hierarchy.runs import CANARY, FROM_SMALL, GOLDFISH, MAIN, ROSE, TUNA

# Contrasts between the eight items.
_ANIMALS_AND_PLANTS, _FISH_AND_BIRDS = (1, 1, 1, 1, -1, -1, -1, -1), (1, 1, -1, -1, 0, 0, 0, 0)
# Split of the tree, counted from the root → an item that it separates from the goldfish.
_PARTED = {1: ("rose", ROSE), 2: ("canary", CANARY), 3: ("tuna", TUNA)}


def representation_claims() -> list[Claim]:
    """Return the claims of "Section 3: Representational Similarity Analysis (RSA)"."""
    section = Section('"Section 3: Representational Similarity Analysis (RSA)"')
    similarities = section.with_figure("rsm_over_epochs")
    return [
        section.with_figure("half_times")
        .of("range of the last four over their distance from the others")
        .bound(
            "last_four_are_a_group",
            "The last four narrow networks converge almost simultaneously, and have the smallest singular values.",
            *combine_parts(
                {
                    "half times": (singular_values.scatter_of_last_half_times(**MAIN), Every(0, 0.2)),
                    "singular values": (singular_values.scatter_of_last_singular_values(**MAIN), Every(0, 0.2)),
                }
            ),
            because="“Almost”: the range is at most a fifth of the wait before them, or of the gap above them.",
            revised="for half times a bound of 0 was missing: four modes that come before others would have passed.",
        ),
        similarities.of("share of a contrast between items in hidden modes").bound(
            "modes_part_groups",
            "The document's hypothesis: a narrow network with a larger mode learns the difference between animals and "
            "plants, and one with a smaller mode the difference between fish and birds.",
            *combine_parts(
                {
                    "animals and plants in the second mode": (
                        overlap_of_modes((_ANIMALS_AND_PLANTS,), (1,), **MAIN),
                        Every(least=0.9),
                    ),
                    "fish and birds in the next two": (
                        overlap_of_modes((_FISH_AND_BIRDS,), (2, 3), **MAIN),
                        Every(least=0.9),
                    ),
                }
            ),
            because=(
                "The modes must contain nine tenths of the contrast, in each run. The third and the fourth mode have "
                "almost equal singular values and count together."
            ),
        ),
        similarities.of("cosine of the hidden activities of the goldfish and another item").ordering(
            "representations_go_from_coarse_to_fine",
            "The network learns representations in a sequence, from coarse to fine, and no look-up table: it first "
            "separates animals from plants, then fish from birds, then single items.",
            *combine_parts(_coarse_to_fine_parts()),
            because=(
                "On the plateau before the drop that separates two items, they are alike: their cosine is 0.9 or more. "
                "On the plateau after it, they are separate: 0.5 or less. In a look-up table all cosines are 0."
            ),
            main="representational similarity is one of the four objectives, and the topic of section 3 is “sequential "
            "structured learning of representations”",
        ),
        section.identity(
            "dot_product_is_cosine",
            "The dot product is also called cosine similarity.",
            distance_from_cosines(**MAIN),
            Every(greatest=0.01),
            quantity="largest difference of a dot product and its cosine",
            because="If a dot product were a cosine, the two would agree within 0.01.",
            explanation=(
                "It does not hold. A dot product is a cosine only between vectors of length 1, and hidden activities "
                "have other lengths. The document's analysis uses dot products throughout and does not depend on the "
                "name."
            ),
        ),
        section.at("eq. 25").identity(
            "similarity_is_a_gram_matrix",
            "The similarity matrix is H Hᵀ: it has no negative eigenvalue.",
            least_similarity_eigenvalue(**MAIN),
            Every(least=-1e-6),
            quantity="least eigenvalue divided by the largest",
            because="Rounding in float32 may change an eigenvalue of 0 by about 10⁻⁷ of the largest.",
        ),
        section.of("range of half times, updates")
        .with_figure("zero_depth_loss")
        .bound(
            "no_representations_without_a_hidden_layer",
            "Without a hidden layer a network learns no representations, even from an extremely small init.",
            singular_values.scatter_of_shallow_times(**FROM_SMALL),
            Every(greatest=1),
            because=(
                "There must be no stages: all singular values reach half of their final values within one update, in "
                "each run."
            ),
        ),
    ]


def _coarse_to_fine_parts() -> dict:
    parts = {}
    for level, (name, item) in _PARTED.items():
        for drops, criterion in ((level, Every(least=0.9)), (level + 1, Every(greatest=0.5))):
            after = f"after drop {drops}"
            parts[f"{name} {after}"] = (cosine_on_plateau(drops, GOLDFISH, item, **MAIN), criterion)
    return parts
