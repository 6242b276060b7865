"""The claims of document 004, "Model": what its initialisers return, at the widths of its figures."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.measures import at_step
from workflow.deepnets.claims.section import Section
from workflow.deepnets.data.mnist import PIXELS
from workflow.deepnets.documents.zero_init import measures
from workflow.deepnets.documents.zero_init.runs import RIGHT, WITH_BIASES


def model() -> list[Claim]:
    """Return the claims on initialisers and, at the end, on the optimiser."""
    of_model = Section('"Model"')
    zero, partial, one, spray = (of_model.at(f"{name}_Init_on_matrix") for name in ("ZerO", "Identity", "OnE", "Spray"))
    residual = Section('"Training Pipeline on MNIST", comment "residual component"', "figure_3_right_all_inits")
    ones = Every(1 - 1e-5, 1 + 1e-5)
    return [
        zero.identity(
            "hadamard_cells",
            "Where a layer widens to 1024, ZerO's matrix is a corner of a Hadamard matrix over 2⁵ (Algorithm 1).",
            measures.farthest_cell("second", 0, measures.hadamard_corner(PIXELS, RIGHT), init="zero", width=RIGHT),
            Is(0),
            because=(
                "Its cells are ±1/32, which float32 holds exactly: the largest difference of the 36 recorded cells is "
                "0."
            ),
        ),
        zero.identity(
            "hadamard_keeps_norms",
            "The factor 2^(−k/2) makes its columns orthonormal: all its singular values are 1.",
            measures.singular_values("zero"),
            ones,
            because="The largest and the least of each run; float32 holds all cells exactly.",
        ),
        zero.identity(
            "zero_is_identity_elsewhere",
            "Where a layer does not widen, ZerO is the partial identity: all squared norms are those of it.",
            measures.counts_of_ones("zero"),
            ones,
            because=(
                "The squared norm of a partial identity is its number of ones; of the Hadamard corner it is 784 as "
                "well."
            ),
        ),
        partial.identity(
            "partial_identity_keeps_inputs",
            "The partial identity preserves as many inputs as possible: its singular values are 1.",
            measures.singular_values("partial_identity"),
            ones,
            because="The least of min(m, n) singular values is 1 where all inputs that fit are kept.",
        ),
        partial.identity(
            "partial_identity_counts_ones",
            "It has min(m, n) ones in each layer.",
            measures.counts_of_ones("partial_identity"),
            ones,
            because="The squared norm counts ones: measured is its ratio to min(m, n), layer by layer.",
        ),
        one.identity(
            "one_copies_an_input_per_unit",
            "OnE gives each unit one input: a padded unit that of a random column, the others their own.",
            measures.norms("one", [n_out for _, n_out in measures.shapes(RIGHT)]),
            ones,
            because="The squared norm counts ones: as many as units, in each layer.",
        ),
        spray.identity(
            "spray_inverts_one",
            "Spray has zeros where OnE has ones, and 1/(n − 1) elsewhere.",
            measures.norms("spray", [n_out / (n_in - 1) for n_in, n_out in measures.shapes(RIGHT)]),
            ones,
            because=(
                "Of m·n cells m are zero, so that the squared norm is m / (n − 1), to what float32 makes of the cells."
            ),
        ),
        spray.identity(
            "spray_value",
            "Where OnE's diagonal is, Spray's second matrix is 0; what follows it in a row is 1/783.",
            measures.farthest_cell("second", 0, measures.spray_corner(), rows=3, init="spray", width=RIGHT),
            Every(greatest=1e-9),
            because="Only padded rows are random; float32 rounds 1/783 by less than 1e-10.",
        ),
        of_model.at("MLP").identity(
            "random_is_kaiming",
            "“Random” draws normals of variance 2/n (Kaiming).",
            measures.deviations_from_kaiming,
            Every(-4, 4),
            because="Squared norms of all layers in units of their standard deviation, √(2/mn) of the mean.",
        ),
        *(
            residual.identity(
                f"rank_of_{init}_starts_at_0",
                f"The square third layer of {init} starts as the identity, so that its residual has rank 0.",
                at_step("zero_init", "rank", 0, **WITH_BIASES, init=init),
                Is(0),
                because="A definition holds for every run, to the last digit of float32.",
            )
            for init in ("partial_identity", "zero", "one")
        ),
        Section('"Training Pipeline on MNIST", Optimizer').setting(
            "optimizer_is_plain_sgd",
            "The optimizer takes the gradient times the rate, without momentum.",
            measures.not_recorded(
                "the experiment knows no other; the replayed test loss and the printed cells test it"
            ),
            Is(0),
            printed="",
        ),
    ]
