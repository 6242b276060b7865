"""The claims of document 004, "Model": what its initialisers return, at the widths of its figures."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Is, Rule
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import at_step
from workflow.deepnets.claims.settings import AS_STATED
from workflow.deepnets.documents.zero_init.claims.cells import farthest, partial_corner
from workflow.deepnets.documents.zero_init.runs import CLASSES, PIXELS, RIGHT, WITH_BIASES

_DEFINED = "A definition holds for every run, to the last digit of float32."


def inits() -> list[Claim]:
    """ "Model": what the initialisers return, at the widths of the figures."""
    place = '"Model"'
    zero, partial, one, spray = (f"{place}, {name}_Init_on_matrix" for name in ("ZerO", "Identity", "OnE", "Spray"))
    return [
        formula(
            "hadamard_cells",
            zero,
            "Where a layer widens to 1024, ZerO's matrix is a corner of a Hadamard matrix over 2⁵ (Algorithm 1).",
            farthest("second", 0, _hadamard_corner(PIXELS, RIGHT), init="zero", width=RIGHT),
            Is(0),
            "Its cells are ±1/32, which float32 holds exactly: the largest difference of the 36 recorded cells is 0.",
        ),
        formula(
            "hadamard_keeps_norms",
            zero,
            "The factor 2^(−k/2) makes its columns orthonormal: all its singular values are 1.",
            _singular_values("zero"),
            Every(1 - 1e-5, 1 + 1e-5),
            "The largest and the least of each run; float32 holds all cells exactly.",
        ),
        formula(
            "zero_is_identity_elsewhere",
            zero,
            "Where a layer does not widen, ZerO is the partial identity: all squared norms are those of it.",
            norms("zero", [min(pair) for pair in shapes(RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm of a partial identity is its number of ones; of the Hadamard corner it is 784 as well.",
        ),
        formula(
            "partial_identity_keeps_inputs",
            partial,
            "The partial identity preserves as many inputs as possible: its singular values are 1.",
            _singular_values("partial_identity"),
            Every(1 - 1e-5, 1 + 1e-5),
            "The least of min(m, n) singular values is 1 where all inputs that fit are kept.",
        ),
        formula(
            "partial_identity_counts_ones",
            partial,
            "It has min(m, n) ones in each layer.",
            norms("partial_identity", [min(pair) for pair in shapes(RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm counts ones: measured is its ratio to min(m, n), layer by layer.",
        ),
        formula(
            "one_copies_an_input_per_unit",
            one,
            "OnE gives each unit one input: a padded unit that of a random column, the others their own.",
            norms("one", [n_out for _, n_out in shapes(RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm counts ones: as many as units, in each layer.",
        ),
        formula(
            "spray_inverts_one",
            spray,
            "Spray has zeros where OnE has ones, and 1/(n − 1) elsewhere.",
            norms("spray", [n_out / (n_in - 1) for n_in, n_out in shapes(RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "Of m·n cells m are zero, so that the squared norm is m / (n − 1), to what float32 makes of the cells.",
        ),
        formula(
            "spray_value",
            spray,
            "Where OnE's diagonal is, Spray's second matrix is 0; what follows it in a row is 1/783.",
            farthest("second", 0, _spray_corner(), rows=3, init="spray", width=RIGHT),
            Every(greatest=1e-9),
            "Only padded rows are random; float32 rounds 1/783 by less than 1e-10.",
        ),
        formula(
            "random_is_kaiming",
            f"{place}, MLP",
            "“Random” draws normals of variance 2/n (Kaiming).",
            _deviations_from_kaiming(),
            Every(-4, 4),
            "Squared norms of all layers in units of their standard deviation, √(2/mn) of the mean.",
        ),
        *shown_in(
            "figure_3_right_all_inits",
            (
                formula(
                    f"rank_of_{init}_starts_at_0",
                    '"Training Pipeline on MNIST", comment "residual component"',
                    f"The square third layer of {init} starts as the identity, so that its residual has rank 0.",
                    at_step("zero_init", "rank", 0, **WITH_BIASES, init=init),
                    Is(0),
                    _DEFINED,
                )
                for init in ("partial_identity", "zero", "one")
            ),
        ),
        Claim(
            name="optimizer_is_plain_sgd",
            place='"Training Pipeline on MNIST", Optimizer',
            kind="setting",
            statement="The optimizer takes the gradient times the rate, without momentum.",
            measure=not_kept("the experiment knows no other; the replayed test loss and the printed cells test it"),
            rule=Is(0),
            because=AS_STATED,
        ),
    ]


def formula(name: str, place: str, statement: str, measure: Measure, rule: Rule, because: str) -> Claim:
    """Return a claim on a definition."""
    return Claim(
        name=name, place=place, kind="formula", statement=statement, measure=measure, rule=rule, because=because
    )


def not_kept(reason: str) -> Measure:
    """Measure nothing, for a reason."""

    def measured(evidence: Evidence) -> np.ndarray:
        raise NotTestableError(reason)

    return measured


def shapes(width: int) -> list[tuple[int, int]]:
    """Return (in, out) of each layer."""
    return [(PIXELS, PIXELS), (PIXELS, width), (width, width), (width, CLASSES)]


def norms(init: str, expected: list[float], *, width: int = RIGHT) -> Measure:
    """Measure the squared norm of each layer at the start over what it is to be, layer by layer."""
    layers = [
        at_step("zero_init", "squared_norm", 0, index=layer, factor=1 / norm, depth=4, init=init, width=width)
        for layer, norm in enumerate(expected)
    ]
    return lambda evidence: np.concatenate([layer(evidence) for layer in layers])


def _deviations_from_kaiming() -> Measure:
    of_layers = shapes(RIGHT)
    ratios = norms("random", [2 * n_out for _, n_out in of_layers])
    spreads = np.array([np.sqrt(2 / (n_in * n_out)) for n_in, n_out in of_layers])
    # The values of a layer stand together, one for each run.
    return lambda evidence: ((ratios(evidence).reshape(len(of_layers), -1) - 1) / spreads[:, np.newaxis]).ravel()


def _singular_values(init: str) -> Measure:
    """Measure the largest and the least singular value of the second matrix at the start."""
    ends = [
        at_step("zero_init", "second_singular_value", 0, index=index, depth=4, init=init, width=RIGHT)
        for index in (0, 1)
    ]
    return lambda evidence: np.concatenate([end(evidence) for end in ends])


def _ends(size: int) -> list[int]:
    return [0, 1, 2, size - 3, size - 2, size - 1]


def _hadamard_corner(n_in: int, n_out: int) -> np.ndarray:
    """Return the printed cells of ZerO's matrix, (out, in), of Sylvester's Hadamard matrix."""
    matrix = np.ones((1, 1))
    while len(matrix) < n_out:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix[np.ix_(_ends(n_out), _ends(n_in))] / np.sqrt(len(matrix))


def _spray_corner() -> np.ndarray:
    return (1 - partial_corner()) / (PIXELS - 1)
