"""The claims of document 004, section "Model": the initial matrices, at the widths of its figures."""

import numpy as np

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Is
from deepnets.claims.old_measures import at_step
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init import measures
from deepnets.documents.zero_init.printed import CORNER
from deepnets.documents.zero_init.runs import BEFORE_TRAINING, RIGHT

_ONES = Every(1 - 1e-5, 1 + 1e-5)
_AT_256: Runs = {**BEFORE_TRAINING[256], "init": "partial_identity"}
_ZERO: Runs = {**BEFORE_TRAINING[RIGHT], "init": "zero"}
_FIRST_SEED: Runs = {**BEFORE_TRAINING[RIGHT], "seed": 1}
_SPRAY: Runs = {**_FIRST_SEED, "init": "spray"}


def model() -> list[Claim]:
    """Return the claims on the definitions of the initialisers and on the matrices printed before training."""
    return [*_partial_identity(), *_zero(), *_claim_left_out_inits(), *_random(), _residual()]


def _partial_identity() -> list[Claim]:
    partial = Section('"Model", Identity_Init_on_matrix')
    output = Section('"Figure 3 (left)", printed output')
    return [
        partial.identity(
            "partial_identity_preserves_inputs",
            "A partial identity preserves as many inputs as possible: it has min(m, n) ones in each layer, and all its "
            "singular values are 1.",
            *combine_parts(
                {
                    "singular values": (measures.singular_values("partial_identity"), _ONES),
                    "ones": (measures.norms_over_partial_identity("partial_identity"), _ONES),
                }
            ),
            quantity="singular values, and the squared norm divided by min(m, n)",
            because=(
                "We measure the largest and smallest singular value of the second matrix, and the squared norm of "
                "each layer, which is its number of ones."
            ),
        ),
        output.identity(
            "printed_shapes",
            "The weight matrices are 784 × 784, 256 × 784, 256 × 256 and 10 × 256.",
            measures.norms_over_partial_identity("partial_identity", width=256),
            _ONES,
            quantity="squared norm of a matrix divided by the smaller side of its shape",
            because="The squared norm of a partial identity equals the smaller side of its shape.",
        ),
        output.identity(
            "matrices_before_training",
            "Before training, the printed cells of the first and second weight matrix are ones on the diagonal and "
            "zeros elsewhere.",
            *combine_parts(
                {
                    "first": (measures.farthest_cell("first", 0, np.eye(CORNER), **_AT_256), Is(0)),
                    "second": (measures.farthest_cell("second", 0, measures.partial_corner(), **_AT_256), Is(0)),
                }
            ),
            quantity="largest difference from the printed cells",
            because="Float32 represents ones and zeros exactly: no cell may differ.",
        ),
    ]


def _zero() -> list[Claim]:
    zero = Section('"Model", ZerO_Init_on_matrix')
    corner = measures.hadamard_corner(PIXELS, RIGHT)
    return [
        zero.identity(
            "hadamard_matrix",
            "For a layer that widens to 1024 units, ZerO returns a corner of a Hadamard matrix, divided by 2⁵ "
            "(Algorithm 1); its columns are orthonormal.",
            *combine_parts(
                {
                    "cells": (measures.farthest_cell("second", 0, corner, **_ZERO), Is(0)),
                    "singular values": (measures.singular_values("zero"), _ONES),
                }
            ),
            quantity="largest difference of cells; singular values",
            because=(
                "Cells are ±1/32, which float32 represents exactly. We measure the 36 recorded cells, and the "
                "largest and smallest singular value."
            ),
        ),
        zero.identity(
            "zero_is_identity_elsewhere",
            "For layers that do not widen, ZerO returns a partial identity.",
            measures.norms_over_partial_identity("zero"),
            _ONES,
            quantity="squared norm divided by the squared norm of a partial identity",
            because=(
                "We measure all layers, since the Hadamard corner has the same squared norm as a partial identity, 784."
            ),
        ),
    ]


def _claim_left_out_inits() -> list[Claim]:
    one, spray = Section('"Model", OnE_Init_on_matrix'), Section('"Model", Spray_Init_on_matrix')
    return [
        one.identity(
            "one_copies_an_input_per_unit",
            "OnE connects each unit to one input: a padded unit to a random input, every other unit to its own.",
            measures.norm_ratios("one", [n_out for _, n_out in measures.layer_shapes(RIGHT)], seed=1),
            _ONES,
            quantity="squared norm divided by the number of units",
            because="The squared norm of a layer is its number of ones, and each unit has one.",
        ),
        spray.identity(
            "spray_is_one_inverted",
            "In Spray, weights are zero where OnE's are one, and 1/(n − 1) elsewhere.",
            *combine_parts(
                {
                    "squared norms": (
                        measures.norm_ratios(
                            "spray", [n_out / (n_in - 1) for n_in, n_out in measures.layer_shapes(RIGHT)], seed=1
                        ),
                        _ONES,
                    ),
                    "cells": (
                        measures.farthest_cell("second", 0, measures.spray_corner(), rows=3, **_SPRAY),
                        Every(greatest=1e-9),
                    ),
                }
            ),
            quantity="squared norm divided by its expected value; largest difference of cells",
            because=(
                "Of the m·n cells, m are zero and the others 1/(n − 1): the squared norm is m / (n − 1). We compare "
                "the cells of the first three rows, which are not random; float32 rounds 1/783 by less than 1e-10."
            ),
        ),
    ]


def _random() -> list[Claim]:
    return [
        Section('"Model", MLP').identity(
            "random_is_kaiming",
            "“Random” draws normal weights of variance 2/n (Kaiming).",
            measures.deviations_from_kaiming,
            Every(-4, 4),
            quantity="squared norm minus its expected value, in standard deviations",
            because="The squared norm of an m × n layer has a standard deviation of √(2/mn) times its expected value.",
        )
    ]


def _residual() -> Claim:
    section = Section('"Training Pipeline on MNIST", comment "residual component"', "figure_3_right_all_inits")
    inits = {"partial_identity": "partial identity", "zero": "ZerO", "one": "OnE"}
    return section.identity(
        "residual_starts_at_0",
        "With partial identity, ZerO and OnE, the square third matrix W₃ starts as the identity: W₃ − I has rank 0.",
        *combine_parts(
            {name: (at_step("zero_init", "rank", 0, **_FIRST_SEED, init=init), Is(0)) for init, name in inits.items()}
        ),
        quantity="rank of W₃ − I at the start",
        because="Float32 represents ones and zeros exactly.",
    )
