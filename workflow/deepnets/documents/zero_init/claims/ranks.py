"""The claims of document 004, section "Verification of Theorem 1": ranks of W₃ − I, by width and by initialisation."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every
from deepnets.claims.old_measures import difference, extreme, final
from deepnets.claims.section import Section, combine_parts
from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init.measures import highest_rank_without_biases
from deepnets.documents.zero_init.runs import PARTIAL, RANKS, RIGHT, RIGHT_FIGURE

# Nets that are not wider than the input test nothing: the rank of their third matrix is at most n_h < 784.
_WIDER_THAN_INPUT = (1024, 2048)
# A rank that is constrained by a bound reaches at least this share of the bound.
_NEARLY = 0.9


def ranks() -> list[Claim]:
    """Return the claims on ranks in "Figure 3 (left)" and "Figure 3 (right)"."""
    return [*_claim_left_panel(), *_claim_right_panel()]


def _claim_left_panel() -> list[Claim]:
    left = Section('"Figure 3 (left)"', "figure_3_left", needs_full_mnist=True, quantity="highest rank of W₃ − I")
    theorem = Section(
        '"Verification of Theorem 1"',
        "figure_3_left_without_bias",
        needs_full_mnist=True,
        quantity="highest rank of W₃ − I",
    )
    nets = {f"n_h = {width}": {**PARTIAL[width], **RANKS} for width in _WIDER_THAN_INPUT}
    return [
        left.bound(
            "rank_below_784",
            "With partial identity at n_h = 1024 and 2048, the rank of W₃ − I is always below the input dimension 784.",
            *combine_parts(
                {
                    name: (extreme("zero_init", "rank", pick="max", **runs), Every(greatest=PIXELS - 1))
                    for name, runs in nets.items()
                }
            ),
            because=(
                "The document says “always” and “no matter what the width is”: we judge the highest recorded rank of "
                "each seed, at both widths above 784."
            ),
            main="the section on the left figure begins with this statement",
            printed="below 784",
        ),
        left.of("rank of W₃ − I after one epoch").bound(
            "input_dimension_constrains_rank",
            "With partial identity at n_h = 1024 and 2048, the input dimension 784 constrains the rank of W₃ − I.",
            *combine_parts(
                {
                    name: (final("zero_init", "rank", **runs), Every(_NEARLY * PIXELS, PIXELS + 1))
                    for name, runs in nets.items()
                }
            ),
            because=(
                "The document says “rank constraints” and draws a line at 784. If a bound constrains the rank, the "
                "rank nearly reaches the bound: after one epoch, it must be between nine tenths of 784 and 785, the "
                "bound with biases."
            ),
            explanation=(
                "It does not hold. After one epoch, the rank is near 500 at both widths; after 20 epochs, in the "
                "authors' picture, it is 572. The rank stays low, as the document says, but these nets do not show "
                "that the input dimension is the reason."
            ),
            printed="784",
        ),
        theorem.with_replayed_draws().bound(
            "theorem_1",
            "Theorem 1: with partial identity and without biases, the rank of W₃ − I in a trained net of n_h = 1024 is "
            "at most 784.",
            highest_rank_without_biases(1024, "partial_identity"),
            Every(greatest=PIXELS),
            because="A theorem has no exceptions. Nets that are not wider than the input cannot test this theorem.",
            main="the title of the section is “Verification of Theorem 1”",
            printed="at most 784",
        ),
    ]


def _claim_right_panel() -> list[Claim]:
    right = Section('"Figure 3 (right)"', "figure_3_right", needs_full_mnist=True)
    nets = {**RIGHT_FIGURE, **RANKS}
    zero, partial, random = (
        final("zero_init", "rank", **nets, init=init) for init in ("zero", "partial_identity", "random")
    )
    return [
        right.of("rank of W₃ − I").bound(
            "zero_exceeds_784",
            "With a Hadamard matrix in the layer that widens, the rank of W₃ − I becomes greater than the input "
            "dimension 784 during training.",
            zero,
            Every(PIXELS + 1, RIGHT),
            because="We judge the rank at the end of the document's one epoch. It can be at most n_h = 1024.",
            main="the section on the right figure ends with this statement",
            printed="greater than 784",
            revised=(
                "The highest of 21 recorded ranks was judged, and pure noise also exceeds the bound; now the last "
                "recorded rank is judged."
            ),
        ),
        right.of("rank of W₃ − I divided by n_h").bound(
            "no_constraint_is_left",
            "With a Hadamard matrix, no constraint on the rank of W₃ − I is left: the rank can become n_h = 1024.",
            final("zero_init", "rank", factor=1 / RIGHT, **nets, init="zero"),
            Every(0.99, 1),
            because=(
                "Without any constraint, the rank becomes n_h, as it does with random weights. We allow one per "
                "cent, the width of a line in the authors' picture."
            ),
            main="the section's title says that the Hadamard transform breaks the degeneracy",
            explanation=(
                "It does not hold. After one epoch, the rank is 795 of 1,024 and still grows; in the authors' "
                "picture, it levels off at 1,075 of 2,048 after 20 epochs. The rank exceeds the bound of Theorem 1, "
                "but nothing shows that no constraint at all is left."
            ),
        ),
        right.of("difference of ranks of W₃ − I").ordering(
            "random_above_zero_above_partial_identity",
            "After one epoch, the rank of W₃ − I is higher with random weights than with ZerO, and higher with ZerO "
            "than with partial identity.",
            *combine_parts(
                {
                    "ZerO − partial identity": (difference(zero, partial), Every(least=1)),
                    "random − ZerO": (difference(random, zero), Every(least=1)),
                }
            ),
            because="Ranks are integers, and we compare inits seed by seed: each seed must have this order.",
        ),
    ]
