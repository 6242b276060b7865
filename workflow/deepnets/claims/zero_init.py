"""The claims of document 004, a notebook on ZerO initialisation, and of the figure that its authors published."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims._claim import Claim, Erratum, Measure
from workflow.deepnets.claims._evidence import Evidence, NotTestableError, axes_of
from workflow.deepnets.claims._measures import at_step, difference, extreme, final, setting
from workflow.deepnets.claims._rules import Every, Is, Near, Printed, Rule
from workflow.deepnets.claims._zero_init_numbers import NET, TEST_COUNT, TEST_IMAGES, TEST_LOSS

DOCUMENT = "004-zero"
TABLES = ("zero_init",)
_PIXELS, _CLASSES, _UPDATES = 784, 10, 938
# The settings that the document's code names.
_TRAINING = {"batch": 64, "learning_rate": 0.1, "decay": {"epochs": 12, "factor": 0.7}}
_RANKS = {"record_every": 50, "rank_tolerance": 1e-4}
_BLOCKS = {"block": ["widths", "inits"]}
_NET = {"depth": NET["depth"], "bias": NET["bias"]}
_EPOCH = {**_TRAINING, **_NET, "steps": _UPDATES}
# Its printed net: the first of the left figure.
_QUOTED = {**_EPOCH, **NET, "seed": 1}
_WIDTHS = (256, 512, 1024, 2048)
_RIGHT = 1024
# The authors' own notebook, of which pictures are left: no biases, 20 epochs, each last logged behind its update 901.
_AUTHORS = {**_TRAINING, **_RANKS, "depth": 4, "bias": 0, "seed": 1}
_FIRST_EPOCH, _LAST_EPOCH = 901, 19 * _UPDATES + 901
# Half the width of a line, in ranks: of the left picture, and of the right one, whose scale is coarser.
_LEFT_LINE, _RIGHT_LINE = 4.0, 10.0
# torch prints three rows and columns at each end of a matrix, of shape (out, in); the last three columns are alike.
_CORNER = 6
# Row of the print → its first three cells and the fourth; the document breaks off in the last row.
_PRINTED_CELLS = {
    0: (1.1448e00, -7.5209e-03, -6.2786e-06, -2.4932e-04),
    1: (-1.6591e-02, 1.1818e00, -6.2500e-06, 1.1423e-03),
    2: (-3.7327e-05, -6.4429e-04, 9.9996e-01, -4.0734e-05),
    3: (2.1381e-04, 7.8031e-04, 1.0636e-10, 1.2327e-05),
    4: (5.3667e-04, 8.4930e-04, 3.0437e-11, 1.3962e-05),
    5: (4.9626e-04, 1.4102e-03),
}
# What rounding alone does: standard deviations over 15 runs of the printed net that took the images of each batch in
# another order, which changes nothing but the order of float32 sums.
_ROUNDING_OF_CELLS = {
    0: (2.65e-03, 6.72e-04, 7.87e-12, 7.93e-06),
    1: (3.42e-04, 5.84e-04, 6.23e-12, 9.32e-06),
    2: (6.61e-09, 2.44e-05, 0.0, 4.23e-07),
    3: (4.16e-05, 2.38e-05, 1.29e-14, 1.04e-07),
    4: (2.92e-05, 6.33e-05, 3.63e-14, 2.83e-07),
    5: (9.13e-05, 7.29e-05),
}
_ROUNDING_OF_LOSS, _ROUNDING_OF_COUNT = 0.00106, 3.8

_AS_CODED = "A setting is the document's or it is not."
_DEFINED = "A definition holds for every run, to the last digit of float32."
_REPLAYED = (
    "Init and order of the images are the document's, so that only rounding differs. Fifteen runs with the images of a "
    "batch in another order show what rounding does in 938 updates; both sides have that error."
)
_BOUND = "The document says “always”: no record of any seed may be above the bound."
_READ_OFF = (
    "The order of the images is the authors' (seed 1). The picture can be read to half the width of a line; three "
    "times that leaves room for what rounding does to a rank."
)


def ledger() -> list[Claim | Erratum]:
    """Return what document 004 states, in its order, what its authors' pictures show, and its errata."""
    return [*_settings(), *_inits(), *_left(), *_printed(), *_right(), *_pictures(), *_errata()]


def _settings() -> list[Claim]:
    """ "Model", "Measurements" and "Training Pipeline on MNIST"."""
    model, pipeline, namespace = '"Model"', '"Training Pipeline on MNIST"', '"Figure 3 (left)", printed Namespace'
    return [
        _setting("layers", model, "The network has 4 layers of weights.", 4, "depth"),
        _setting("biases", model, "Biases start from 0.01.", 0.01, "bias"),
        _setting("rank_tolerance", '"Measurements"', "Singular values above 0.0001 count.", 1e-4, "rank_tolerance"),
        _setting("batch", namespace, "A batch has 64 images.", 64, "batch"),
        _setting("learning_rate", namespace, "SGD takes the rate 0.1.", 0.1, "learning_rate"),
        _setting("updates", namespace, "Training takes 1 epoch: 60,000 / 64, that is 938 updates.", _UPDATES, "steps"),
        _setting("rate_falls_every_12_epochs", pipeline, "The rate falls every 12 epochs.", 12, "decay.epochs"),
        _setting("rate_falls_to_0_7", namespace, "It falls to 0.7 of what it was.", 0.7, "decay.factor"),
        _setting("log_interval", namespace, "Every 50th batch is logged.", 50, "record_every"),
        _run_with("seed", namespace, "The seed is 1.", 1, "seed", **_EPOCH, seed=1),
        Claim(
            name="test_batch",
            place=namespace,
            kind="setting",
            statement="Images are tested 1000 at a time.",
            printed="1000",
            measure=_not_kept("means over the test set do not depend on it, and no result holds it"),
            rule=Is(1000),
            because=_AS_CODED,
        ),
    ]


def _inits() -> list[Claim]:
    """ "Model": what the initialisers return, at the widths of the figures."""
    place = '"Model"'
    zero, partial, one, spray = (f"{place}, {name}_Init_on_matrix" for name in ("ZerO", "Identity", "OnE", "Spray"))
    return [
        _formula(
            "hadamard_cells",
            zero,
            "Where a layer widens to 1024, ZerO's matrix is a corner of a Hadamard matrix over 2⁵ (Algorithm 1).",
            _farthest("second", 0, _hadamard_corner(_PIXELS, _RIGHT), init="zero", width=_RIGHT),
            Is(0),
            "Its cells are ±1/32, which float32 holds exactly: the largest difference of the 36 recorded cells is 0.",
        ),
        _formula(
            "hadamard_keeps_norms",
            zero,
            "The factor 2^(−k/2) makes its columns orthonormal: all its singular values are 1.",
            _singular_values("zero"),
            Every(1 - 1e-5, 1 + 1e-5),
            "The largest and the least of each run; float32 holds all cells exactly.",
        ),
        _formula(
            "zero_is_identity_elsewhere",
            zero,
            "Where a layer does not widen, ZerO is the partial identity: all squared norms are those of it.",
            _norms("zero", [min(pair) for pair in _shapes(_RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm of a partial identity is its number of ones; of the Hadamard corner it is 784 as well.",
        ),
        _formula(
            "partial_identity_keeps_inputs",
            partial,
            "The partial identity preserves as many inputs as possible: its singular values are 1.",
            _singular_values("partial_identity"),
            Every(1 - 1e-5, 1 + 1e-5),
            "The least of min(m, n) singular values is 1 where all inputs that fit are kept.",
        ),
        _formula(
            "partial_identity_counts_ones",
            partial,
            "It has min(m, n) ones in each layer.",
            _norms("partial_identity", [min(pair) for pair in _shapes(_RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm counts ones: measured is its ratio to min(m, n), layer by layer.",
        ),
        _formula(
            "one_copies_an_input_per_unit",
            one,
            "OnE gives each unit one input: a padded unit that of a random column, the others their own.",
            _norms("one", [n_out for _, n_out in _shapes(_RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm counts ones: as many as units, in each layer.",
        ),
        _formula(
            "spray_inverts_one",
            spray,
            "Spray has zeros where OnE has ones, and 1/(n − 1) elsewhere.",
            _norms("spray", [n_out / (n_in - 1) for n_in, n_out in _shapes(_RIGHT)]),
            Every(1 - 1e-5, 1 + 1e-5),
            "Of m·n cells m are zero, so that the squared norm is m / (n − 1), to what float32 makes of the cells.",
        ),
        _formula(
            "spray_value",
            spray,
            "Where OnE's diagonal is, Spray's second matrix is 0; what follows it in a row is 1/783.",
            _farthest("second", 0, _spray_corner(), rows=3, init="spray", width=_RIGHT),
            Every(greatest=1e-9),
            "Only padded rows are random; float32 rounds 1/783 by less than 1e-10.",
        ),
        _formula(
            "random_is_kaiming",
            f"{place}, MLP",
            "“Random” draws normals of variance 2/n (Kaiming).",
            _deviations_from_kaiming(),
            Every(-4, 4),
            "Squared norms of all layers in units of their standard deviation, √(2/mn) of the mean.",
        ),
        *(
            _formula(
                f"rank_of_{init}_starts_at_0",
                '"Training Pipeline on MNIST", comment "residual component"',
                f"The square third layer of {init} starts as the identity, so that its residual has rank 0.",
                at_step("zero_init", "rank", 0, **_NET, init=init),
                Is(0),
                _DEFINED,
            )
            for init in ("partial_identity", "zero", "one")
        ),
        Claim(
            name="optimizer_is_plain_sgd",
            place='"Training Pipeline on MNIST", Optimizer',
            kind="setting",
            statement="The optimizer takes the gradient times the rate, without momentum.",
            measure=_not_kept("the experiment knows no other; the replayed test loss and the printed cells test it"),
            rule=Is(0),
            because=_AS_CODED,
        ),
    ]


def _left() -> list[Claim]:
    """ "Figure 3 (left)", its text and its code."""
    place = '"Figure 3 (left)"'
    return [
        *(
            _run_with(
                f"width_{width}", f"{place}, code", f"One net has n_h = {width}.", width, "width", **_partial(width)
            )
            for width in _WIDTHS
        ),
        *(
            _run_with(
                f"{init}_at_2048",
                f"{place}, code that is commented out",
                f"{name} runs at n_h = 2048.",
                2048,
                "width",
                **{**_TRAINING, **_NET, "width": 2048, "init": init},
            )
            for init, name in (("one", "OnE"), ("spray", "Spray"))
        ),
        *(
            Claim(
                name=f"rank_below_784_at_{width}",
                place=place,
                kind="bound",
                statement=f"From the partial identity at n_h = {width}, the rank always stays below the 784 inputs.",
                printed="784",
                measure=extreme("zero_init", "rank", pick="max", **_partial(width), **_RANKS),
                rule=Every(greatest=_PIXELS - 1),
                because=_BOUND,
                needs_full_mnist=True,
            )
            for width in _WIDTHS
        ),
        Claim(
            name="theorem_1",
            place='"Verification of Theorem 1"',
            kind="bound",
            statement="Theorem 1: without biases, partial identities hold the rank of a wider net at 784 or below.",
            printed="784",
            measure=extreme(
                "zero_init",
                "rank",
                pick="max",
                **_TRAINING,
                **_RANKS,
                bias=0,
                width=[1024, 2048],
                init="partial_identity",
            ),
            rule=Every(greatest=_PIXELS),
            because="A theorem allows no exception; narrower nets would say nothing, their rank is at most n_h.",
            needs_full_mnist=True,
        ),
    ]


def _printed() -> list[Claim]:
    """What stands below the code of "Figure 3 (left)": of the net of n_h = 256."""
    place = '"Figure 3 (left)", printed output'
    shapes = _shapes(256)
    return [
        _formula(
            "printed_shapes",
            place,
            "The matrices are 784 × 784, 256 × 784, 256 × 256 and 10 × 256.",
            _norms("partial_identity", [min(pair) for pair in shapes], width=256),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm of a partial identity is the lesser side of its shape.",
        ),
        *(
            _formula(
                f"{matrix}_matrix_before_training",
                place,
                f"Before training, the {matrix} matrix has the printed cells: {shown}.",
                _farthest(matrix, 0, corner, **_QUOTED),
                Is(0),
                "Ones and zeros are exact.",
            )
            for matrix, corner, shown in (
                ("first", np.eye(_CORNER), "ones on the diagonal, zeros elsewhere"),
                ("second", _partial_corner(), "ones on the diagonal above, zeros elsewhere"),
            )
        ),
        Claim(
            name="test_loss",
            place=place,
            kind="number",
            statement=f"Behind an epoch the mean test loss is {TEST_LOSS}.",
            printed=f"{TEST_LOSS}",
            measure=at_step("zero_init", "test_loss", _UPDATES, **_QUOTED),
            rule=Near(TEST_LOSS, error=_two_digits(_of_both(_ROUNDING_OF_LOSS))),
            because=_REPLAYED,
            needs_full_mnist=True,
        ),
        Claim(
            name="test_count",
            place=place,
            kind="number",
            statement=f"Of {TEST_IMAGES:,} test images, {TEST_COUNT} are classified rightly.",
            printed=f"{TEST_COUNT}/{TEST_IMAGES}",
            measure=at_step("zero_init", "test_accuracy", _UPDATES, factor=TEST_IMAGES, **_QUOTED),
            rule=Near(TEST_COUNT, error=_two_digits(_of_both(_ROUNDING_OF_COUNT))),
            because=_REPLAYED,
            needs_full_mnist=True,
        ),
        Claim(
            name="test_percent",
            place=place,
            kind="number",
            statement="That is 95 %.",
            printed="95%",
            measure=at_step("zero_init", "test_accuracy", _UPDATES, factor=100, **_QUOTED),
            rule=Printed(95),
            because="A printed percentage; rounding moves a run by 0.04 of a percent.",
            needs_full_mnist=True,
        ),
        Claim(
            name="first_matrix_keeps_its_corners",
            place=place,
            kind="bound",
            statement="Training leaves the printed cells of the first matrix as they were.",
            printed="1., 0.",
            measure=_farthest("first", _UPDATES, np.eye(_CORNER), **_QUOTED),
            rule=Is(0),
            because="torch prints no decimals where all cells are whole numbers; the outermost pixels are black.",
            needs_full_mnist=True,
        ),
        *(_diagonal_cell(place, number) for number in range(3)),
        *(_row_of_cells(place, row) for row in _PRINTED_CELLS),
        Claim(
            name="last_columns_are_alike",
            place=place,
            kind="bound",
            statement="In each printed row of the second matrix, the cells of the last three inputs are the same.",
            measure=_spread_of_last_columns,
            rule=Every(greatest=1e-4),
            because="Printed alike to five digits; measured is the largest difference over the size of the cell.",
            needs_full_mnist=True,
        ),
    ]


def _diagonal_cell(place: str, number: int) -> Claim:
    value, rounding = _PRINTED_CELLS[number][number], _ROUNDING_OF_CELLS[number][number]
    return Claim(
        name=f"second_matrix_cell_{number}_{number}",
        place=place,
        kind="number",
        statement=f"Behind an epoch, cell ({number}, {number}) of the second matrix is {value:g}.",
        printed=f"{value:.4e}",
        measure=at_step("zero_init", "second_corner_weight", _UPDATES, index=number * (_CORNER + 1), **_QUOTED),
        rule=Near(value, error=_two_digits(_error_of_cell(value, rounding))),
        because=_REPLAYED + " The print has five digits.",
        needs_full_mnist=True,
    )


def _row_of_cells(place: str, row: int) -> Claim:
    # Those on the diagonal have claims of their own.
    columns = [column for column in range(len(_PRINTED_CELLS[row])) if column != row or row > 2]
    return Claim(
        name=f"second_matrix_row_{row}",
        place=place,
        kind="number",
        statement=(
            f"Behind an epoch, row {row if row < 3 else row - _CORNER + 256} of the second matrix has the printed "
            "cells off the diagonal."
        ),
        printed=", ".join(f"{_PRINTED_CELLS[row][column]:.4e}" for column in columns),
        measure=_deviation_of_row(row, columns),
        rule=Every(greatest=4),
        because=(
            "The largest difference from the print, in units of its error. "
            + _REPLAYED
            + " Of up to four cells, the farthest is within 4."
        ),
        needs_full_mnist=True,
    )


def _right() -> list[Claim]:
    """ "Figure 3 (right)", its text and its code."""
    place = '"Figure 3 (right)"'
    nets = {**_EPOCH, **_RANKS, "width": _RIGHT}
    ends = {init: final("zero_init", "rank", **nets, init=init) for init in ("zero", "partial_identity", "random")}
    return [
        *(
            _run_with(
                f"{init}_at_1024",
                f"{place}, code{' that is commented out' if init in ('one', 'spray') else ''}",
                f"A net starts from {name} at n_h = 1024.",
                _RIGHT,
                "width",
                **{**_EPOCH, "width": _RIGHT, "init": init},
            )
            for init, name in (
                ("zero", "ZerO"),
                ("partial_identity", "the partial identity"),
                ("random", "random weights"),
                ("one", "OnE"),
                ("spray", "Spray"),
            )
        ),
        Claim(
            name="zero_exceeds_784",
            place=place,
            kind="bound",
            statement="With the Hadamard matrix, the rank becomes greater than the 784 inputs during training.",
            printed="784",
            measure=extreme("zero_init", "rank", pick="max", **nets, init="zero"),
            rule=Every(least=_PIXELS + 1),
            because="“Can be greater”, in the document's one epoch: each seed is to show it.",
            needs_full_mnist=True,
        ),
        Claim(
            name="zero_has_more_rank_than_partial_identity",
            place=place,
            kind="ordering",
            statement="The Hadamard matrix frees the rank that the partial identity is held back from.",
            measure=difference(ends["zero"], ends["partial_identity"]),
            rule=Every(least=1),
            because="Ranks are whole numbers and the seeds paired: each is to show it.",
            needs_full_mnist=True,
        ),
        Claim(
            name="random_has_more_rank_than_zero",
            place=place,
            kind="ordering",
            statement="Random weights have a higher rank than ZerO.",
            measure=difference(ends["random"], ends["zero"]),
            rule=Every(least=1),
            because="As for ZerO and the partial identity.",
            needs_full_mnist=True,
        ),
    ]


def _pictures() -> list[Claim]:
    """The authors' own notebook, whose pictures are left."""
    left, right = '"Figure 3 (left)", the authors\' picture', '"Figure 3 (right)", the authors\' picture'
    partial, two_thousand = {"init": "partial_identity"}, {"width": 2048}
    shown = [
        # Place, name, which net, rank behind the first epoch, rank at the end.
        (left, "partial", {"width": 256, **partial}, 128, 154, _LEFT_LINE),
        (left, "partial", {"width": 512, **partial}, 331, 376, _LEFT_LINE),
        (left, "partial", {"width": 1024, **partial}, 502, 572, _LEFT_LINE),
        (left, "partial", {**two_thousand, **partial}, 502, 572, _LEFT_LINE),
        (right, "zero", {**two_thousand, "init": "zero"}, 833, 1075, _RIGHT_LINE),
    ]
    return [
        *(
            Claim(
                name=f"picture_of_{init}_{net['width']}_{moment}",
                place=place,
                kind="number",
                statement=f"{'ZerO' if init == 'zero' else 'The partial identity'} at n_h = {net['width']}, without "
                f"biases, has rank {value} {words}.",
                printed=f"{value} (read off)",
                measure=_of_paper_size(at_step("zero_init", "rank", step, **_AUTHORS, **net)),
                rule=Near(value, error=error),
                because=_READ_OFF,
                needs_full_mnist=True,
            )
            for place, init, net, first, last, error in shown
            for moment, words, step, value in (
                ("epoch_1", "at the last log of the first epoch", _FIRST_EPOCH, first),
                ("epoch_20", "at the last log of epoch 20", _LAST_EPOCH, last),
            )
        ),
        Claim(
            name="wider_nets_gain_more_rank",
            place=left,
            kind="trend",
            statement="Up to the 784 inputs, a wider net gains more rank.",
            measure=_gains_with_width,
            rule=Every(least=1),
            because="Lines that do not touch in the picture: behind an epoch each wider net is above the narrower.",
            needs_full_mnist=True,
        ),
        Claim(
            name="lines_of_1024_and_2048_coincide",
            place=left,
            kind="bound",
            statement="Beyond the 784 inputs width makes no difference: one line hides the other.",
            measure=_of_paper_size(_width_beyond_inputs),
            rule=Every(greatest=2 * _LEFT_LINE),
            because="Hidden is what differs by less than the width of a line, 8 ranks, at each log.",
            needs_full_mnist=True,
        ),
        Claim(
            name="random_keeps_full_rank",
            place=right,
            kind="bound",
            statement="The line of the random init is flat at n_h, from the first log to the last.",
            printed="2048 (read off)",
            measure=_least_share_of_full_rank,
            rule=Every(0.99, 1),
            because="The line is 20 ranks thick, 1 % of 2048; measured is the least rank over n_h, also at n_h = 1024.",
            needs_full_mnist=True,
        ),
    ]


def _errata() -> list[Erratum]:
    return [
        Erratum(
            name="iterations_are_mislabelled",
            place='"Figure 3 (left)" and "(right)", code',
            statement="The axis “Iterations” says 50, 100, …, 950; the ranks are those behind updates 1, 51, …, 901.",
            evidence="train logs where batch_idx % 50 == 0, behind optimizer.step(); x_axis is arange(1, 20) · 50.",
        ),
        Erratum(
            name="init_is_printed_wrongly",
            place='"Figure 3 (left)", printed output',
            statement=(
                "Each run prints “Now training init=ZerO”, whichever init it has; with --save-model each would "
                "overwrite ZerO_mnist_cnn.pt, which is no CNN either."
            ),
            evidence="args.init keeps its default; the printed matrices are a partial identity's.",
        ),
        Erratum(
            name="theorem_without_biases",
            place='"Model", "Verification of Theorem 1"',
            statement=(
                "Theorem 1 is about nets without biases. With biases from one constant, padded units are alike but not "
                "zero, and the rank may reach 785."
            ),
            evidence=(
                "Units of equal weights and biases get equal gradients, one dimension beside those of the inputs; "
                "in the tests of this workflow, nets of 12 inputs reach a rank of 13."
            ),
        ),
        Erratum(
            name="narrow_nets_prove_nothing",
            place='"Figure 3 (left)"',
            statement="That ranks stay below 784 at n_h = 256 and 512 is no training degeneracy.",
            evidence="W₃ is n_h × n_h there: no init whatever could exceed n_h.",
        ),
        Erratum(
            name="not_the_figure_of_the_paper",
            place='"Verification of Theorem 1 (Figure 3 in the paper)"',
            statement="This is not the run of Figure 3: that has no biases, 20 epochs, and n_h = 2048 on the right.",
            evidence="The authors' own notebook and its pictures, whose axis goes to 19,000 updates.",
        ),
        Erratum(
            name="accuracy_of_the_log",
            place='"Training Pipeline on MNIST", train',
            statement=(
                "The logged “Accuracy” divides by all 60,000 images, also where few have been seen: it starts near 0 % "
                "and grows with the batches, however good the net is."
            ),
            evidence="100 · correct / len(train_loader.dataset) within the loop: at last at most 57,664 / 60,000.",
        ),
        Erratum(
            name="rank_is_not_stable_rank",
            place='"Training Pipeline on MNIST", comment',
            statement="The comment says “stable rank”; the code counts singular values above 0.0001.",
            evidence="compute_rank calls matrix_rank; the stable rank is the squared norm over its largest part.",
        ),
        Erratum(
            name="hidden_layers",
            place='"Model", MLP',
            statement="“4 hidden layers” are three: the fourth matrix gives the scores.",
            evidence="l1, l2 and l3 are followed by relu, l4 by log_softmax; the text above says “4-layer”.",
        ),
        Erratum(
            name="seed_comes_too_late",
            place='"Training Pipeline on MNIST", train_model',
            statement="The seed 1 fixes the order of the images only: random, OnE and Spray inits differ each time.",
            evidence="manual_seed runs within train_model, behind MLP(…); OnE and Spray draw from default_rng().",
        ),
        Erratum(
            name="spray_prints_one",
            place='"Model", Spray_Init_on_matrix',
            statement=(
                "Spray prints “OnE-Initializing”, and “Nothing extra to be done” for layers that it then inverts like "
                "the others."
            ),
            evidence="Both prints are copies of OnE's; the inversion below them runs in every case.",
        ),
        Erratum(
            name="defaults_in_help_texts",
            place='"Training Pipeline on MNIST", train_model',
            statement="Help texts give the defaults 14 for epochs and 1.0 for the rate; they are 1 and 0.1.",
            evidence="default=1 and default=0.1 stand beside them, and the printed Namespace agrees.",
        ),
        Erratum(
            name="cuda_cannot_be_used",
            place='"Training Pipeline on MNIST", train_model',
            statement="--no-cuda cannot be switched off, so that no run uses CUDA.",
            evidence="action='store_true' with default=True: the value is True with and without the option.",
        ),
        Erratum(
            name="softmax_without_dimension",
            place='"Model", MLP',
            statement="log_softmax is called without a dimension, which torch guesses, with a warning.",
            evidence="The printed output shows the line that the warning is about.",
        ),
        Erratum(
            name="right_figure_needs_the_left",
            place='"Figure 3 (right)", code',
            statement="The cell of the right figure cannot run alone: its axis is as long as the left figure's.",
            evidence="x_axis takes len(n_h_512_rank_list_dict['l3.weight']).",
        ),
        Erratum(
            name="typing_errors",
            place='Title, "Figure 3 (right)"',
            statement="“Thereom” is theorem, “transfrom” is transform, “not exsist” is do not exist.",
            evidence="As printed.",
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str) -> Claim:
    """A claim that the config runs what the document's code does, in both figures."""
    return Claim(
        name=name,
        place=place,
        kind="setting",
        statement=statement,
        printed=f"{value:g}",
        measure=setting("zero_init", key, **_BLOCKS),
        rule=Is(value),
        because=_AS_CODED,
    )


def _run_with(name: str, place: str, statement: str, value: float, axis: str, **runs: object) -> Claim:
    """A claim on a value of an axis that has several: there is a run with it, or nothing can be tested."""
    return Claim(
        name=name,
        place=place,
        kind="setting",
        statement=statement,
        printed=f"{value}",
        measure=_of_paper_size(lambda evidence: evidence.runs("zero_init", **runs)[axis].unique().astype(float)),
        rule=Is(value),
        because="Among the values of an axis, the document's is there or not; without it nothing is tested.",
    )


def _formula(name: str, place: str, statement: str, measure: Measure, rule: Rule, because: str) -> Claim:
    return Claim(
        name=name, place=place, kind="formula", statement=statement, measure=measure, rule=rule, because=because
    )


def _partial(width: int) -> dict[str, object]:
    return {**_EPOCH, "width": width, "init": "partial_identity"}


def _not_kept(reason: str) -> Measure:
    def measured(evidence: Evidence) -> np.ndarray:
        raise NotTestableError(reason)

    return measured


def _of_paper_size(measure: Measure) -> Measure:
    """Say, where the results lack what is asked for, which config may give it."""

    def measured(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotTestableError as reason:
            raise NotTestableError(
                f"{reason}; the config of the paper's size has them, paper_size in configs"
            ) from None

    return measured


def _shapes(width: int) -> list[tuple[int, int]]:
    """Return (in, out) of each layer."""
    return [(_PIXELS, _PIXELS), (_PIXELS, width), (width, width), (width, _CLASSES)]


def _norms(init: str, expected: list[float], *, width: int = _RIGHT) -> Measure:
    """Measure the squared norm of each layer at the start over what it is to be, layer by layer."""
    layers = [
        at_step("zero_init", "squared_norm", 0, index=layer, factor=1 / norm, depth=4, init=init, width=width)
        for layer, norm in enumerate(expected)
    ]
    return lambda evidence: np.concatenate([layer(evidence) for layer in layers])


def _deviations_from_kaiming() -> Measure:
    shapes = _shapes(_RIGHT)
    ratios = _norms("random", [2 * n_out for _, n_out in shapes])
    spreads = np.array([np.sqrt(2 / (n_in * n_out)) for n_in, n_out in shapes])
    # The values of a layer stand together, one for each run.
    return lambda evidence: ((ratios(evidence).reshape(len(shapes), -1) - 1) / spreads[:, np.newaxis]).ravel()


def _singular_values(init: str) -> Measure:
    """Measure the largest and the least singular value of the second matrix at the start."""
    ends = [
        at_step("zero_init", "second_singular_value", 0, index=index, depth=4, init=init, width=_RIGHT)
        for index in (0, 1)
    ]
    return lambda evidence: np.concatenate([end(evidence) for end in ends])


def _cells(matrix: str, step: int, **wanted: object) -> Callable[[Evidence], np.ndarray]:
    """Measure the printed cells of a matrix, (runs, rows, columns); NaN where a run lacks them."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("zero_init", **wanted)
        rows = runs[(runs["metric"] == f"{matrix}_corner_weight") & (runs["step"] == step)]
        if rows.empty:
            raise NotTestableError(f"the runs recorded no cells of the {matrix} matrix at step {step}")
        every = pd.MultiIndex.from_frame(runs[axes_of(runs)].drop_duplicates())
        cells = rows.set_index([*axes_of(runs), "index"])["value"].unstack().reindex(every)
        return cells.to_numpy().reshape(-1, _CORNER, _CORNER)

    return measured


def _farthest(matrix: str, step: int, expected: np.ndarray, *, rows: int = _CORNER, **runs: object) -> Measure:
    """Measure the largest distance of a printed cell from what it is to be, in the first rows, of each run."""
    cells = _cells(matrix, step, **runs)
    return lambda evidence: np.abs(cells(evidence) - expected)[:, :rows].max(axis=(1, 2))


def _ends(size: int) -> list[int]:
    return [0, 1, 2, size - 3, size - 2, size - 1]


def _hadamard_corner(n_in: int, n_out: int) -> np.ndarray:
    """Return the printed cells of ZerO's matrix, (out, in), of Sylvester's Hadamard matrix."""
    matrix = np.ones((1, 1))
    while len(matrix) < n_out:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix[np.ix_(_ends(n_out), _ends(n_in))] / np.sqrt(len(matrix))


def _partial_corner() -> np.ndarray:
    return np.diag([1.0, 1, 1, 0, 0, 0])


def _spray_corner() -> np.ndarray:
    return (1 - _partial_corner()) / (_PIXELS - 1)


def _of_both(error: float) -> float:
    """Return the error of a difference of two values that have the same."""
    return float(np.sqrt(2) * error)


def _two_digits(error: float) -> float:
    """Round an error as one writes it."""
    return float(f"{error:.2g}")


def _error_of_cell(value: float, rounding: float) -> float:
    """Return the standard error of a difference from a cell that is printed to five digits."""
    unit = 10.0 ** (np.floor(np.log10(abs(value))) - 4)
    return float(np.hypot(_of_both(rounding), unit / np.sqrt(12)))


def _deviation_of_row(row: int, columns: list[int]) -> Measure:
    """Measure how far the farthest of these cells of a printed row is from its print, in units of the error."""
    cells = _cells("second", _UPDATES, **_QUOTED)
    printed = np.array([_PRINTED_CELLS[row][column] for column in columns])
    errors = np.array(
        [_error_of_cell(_PRINTED_CELLS[row][column], _ROUNDING_OF_CELLS[row][column]) for column in columns]
    )
    return lambda evidence: (np.abs(cells(evidence)[:, row, columns] - printed) / errors).max(axis=1)


def _spread_of_last_columns(evidence: Evidence) -> np.ndarray:
    last = _cells("second", _UPDATES, **_QUOTED)(evidence)[:, :, 3:]
    return (np.ptp(last, axis=2) / np.abs(last).max(axis=2)).max(axis=1)


def _gains_with_width(evidence: Evidence) -> np.ndarray:
    ranks = [
        at_step("zero_init", "rank", _FIRST_EPOCH, **_AUTHORS, width=width, init="partial_identity")(evidence)
        for width in (256, 512, 1024)
    ]
    return np.diff(ranks, axis=0).ravel()


def _width_beyond_inputs(evidence: Evidence) -> np.ndarray:
    """Measure how far the ranks at n_h = 1024 and at 2048 are apart, at each log."""
    ranks = []
    for width in (1024, 2048):
        runs = evidence.runs("zero_init", **_AUTHORS, width=width, init="partial_identity")
        ranks.append(runs[runs["metric"] == "rank"].groupby("step")["value"].first())
    return ranks[0].sub(ranks[1]).abs().to_numpy()


def _least_share_of_full_rank(evidence: Evidence) -> np.ndarray:
    runs = evidence.runs("zero_init", **_AUTHORS, init="random", width=[_RIGHT, 2048])
    least = runs[runs["metric"] == "rank"].groupby("width")["value"].min()
    return least.to_numpy() / least.index.to_numpy()
