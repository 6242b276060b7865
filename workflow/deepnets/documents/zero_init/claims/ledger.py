"""The claims of document 004, a notebook on ZerO initialisation, and of the figure that its authors published."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import at_step, difference, extreme, final, setting
from workflow.deepnets.claims.rows import rows_of
from workflow.deepnets.claims.settings import as_set, of_paper_size, run_with
from workflow.deepnets.documents.zero_init.claims.errata import errata
from workflow.deepnets.documents.zero_init.claims.inits import inits, not_kept
from workflow.deepnets.documents.zero_init.claims.print import printed
from workflow.deepnets.documents.zero_init.runs import (
    BLOCKS,
    EPOCH,
    PIXELS,
    RANKS,
    RIGHT,
    TRAINING,
    UPDATES,
    WITH_BIASES,
)

TABLES = ("zero_init",)
_WIDTHS = (256, 512, 1024, 2048)
# The authors' own notebook, of which pictures are left: no biases, 20 epochs, each last logged behind its update 901.
_AUTHORS = {**TRAINING, **RANKS, "depth": 4, "bias": 0, "seed": 1}
_FIRST_EPOCH, _LAST_EPOCH = 901, 19 * UPDATES + 901
# Half the width of a line, in ranks: of the left picture, and of the right one, whose scale is coarser.
_LEFT_LINE, _RIGHT_LINE = 4.0, 10.0
_BOUND = "The document says “always”: no record of any seed may be above the bound."
_READ_OFF = (
    "The order of the images is the authors' (seed 1). The picture can be read to half the width of a line; three "
    "times that leaves room for what rounding does to a rank."
)


def ledger() -> list[Claim | Erratum]:
    """Return what document 004 states, in its order, what its authors' pictures show, and its errata."""
    return [*_settings(), *inits(), *_left(), *printed(), *_right(), *_pictures(), *errata()]


def _settings() -> list[Claim]:
    """ "Model", "Measurements" and "Training Pipeline on MNIST"."""
    model, pipeline, namespace = '"Model"', '"Training Pipeline on MNIST"', '"Figure 3 (left)", printed Namespace'
    return [
        _setting("layers", model, "The network has 4 layers of weights.", 4, "depth"),
        _setting("biases", model, "Biases start from 0.01.", 0.01, "bias"),
        _setting("rank_tolerance", '"Measurements"', "Singular values above 0.0001 count.", 1e-4, "rank_tolerance"),
        _setting("batch", namespace, "A batch has 64 images.", 64, "batch"),
        _setting("learning_rate", namespace, "SGD takes the rate 0.1.", 0.1, "learning_rate"),
        _setting("updates", namespace, "Training takes 1 epoch: 60,000 / 64, that is 938 updates.", UPDATES, "steps"),
        _setting("rate_falls_every_12_epochs", pipeline, "The rate falls every 12 epochs.", 12, "decay.epochs"),
        _setting("rate_falls_to_0_7", namespace, "It falls to 0.7 of what it was.", 0.7, "decay.factor"),
        _setting("log_interval", namespace, "Every 50th batch is logged.", 50, "record_every"),
        run_with("seed", namespace, "The seed is 1.", 1, "zero_init", "seed", **EPOCH),
        as_set(
            "test_batch",
            namespace,
            "Images are tested 1000 at a time.",
            1000,
            not_kept("means over the test set do not depend on it, and no result holds it"),
        ),
    ]


def _left() -> list[Claim]:
    """ "Figure 3 (left)", its text and its code."""
    place = '"Figure 3 (left)"'
    return [
        *(
            run_with(
                f"width_{width}",
                f"{place}, code",
                f"One net has n_h = {width}.",
                width,
                "zero_init",
                "width",
                figure="figure_3_left",
                **_partial(width),
            )
            for width in _WIDTHS
        ),
        *(
            run_with(
                f"{init}_at_2048",
                f"{place}, code that is commented out",
                f"{name} runs at n_h = 2048.",
                2048,
                "zero_init",
                "width",
                figure="figure_3_left",
                **{**TRAINING, **WITH_BIASES, "width": 2048, "init": init},
            )
            for init, name in (("one", "OnE"), ("spray", "Spray"))
        ),
        *(
            Claim(
                name=f"rank_below_784_at_{width}",
                place=place,
                figure="figure_3_left",
                kind="bound",
                statement=f"From the partial identity at n_h = {width}, the rank always stays below the 784 inputs.",
                printed="784",
                measure=extreme("zero_init", "rank", pick="max", **_partial(width), **RANKS),
                rule=Every(greatest=PIXELS - 1),
                because=_BOUND,
                needs_full_mnist=True,
            )
            for width in _WIDTHS
        ),
        Claim(
            name="theorem_1",
            place='"Verification of Theorem 1"',
            figure="figure_3_left_without_bias",
            kind="bound",
            statement="Theorem 1: without biases, partial identities hold the rank of a wider net at 784 or below.",
            printed="784",
            measure=extreme(
                "zero_init",
                "rank",
                pick="max",
                **TRAINING,
                **RANKS,
                bias=0,
                width=[1024, 2048],
                init="partial_identity",
            ),
            rule=Every(greatest=PIXELS),
            because="A theorem allows no exception; narrower nets would say nothing, their rank is at most n_h.",
            needs_full_mnist=True,
        ),
    ]


def _right() -> list[Claim]:
    """ "Figure 3 (right)", its text and its code."""
    place = '"Figure 3 (right)"'
    nets = {**EPOCH, **RANKS, "width": RIGHT}
    ends = {init: final("zero_init", "rank", **nets, init=init) for init in ("zero", "partial_identity", "random")}
    return [
        *(
            run_with(
                f"{init}_at_1024",
                f"{place}, code{' that is commented out' if init in ('one', 'spray') else ''}",
                f"A net starts from {name} at n_h = 1024.",
                RIGHT,
                "zero_init",
                "width",
                figure="figure_3_right_all_inits" if init in ("one", "spray") else "figure_3_right",
                **{**EPOCH, "width": RIGHT, "init": init},
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
            figure="figure_3_right",
            kind="bound",
            statement="With the Hadamard matrix, the rank becomes greater than the 784 inputs during training.",
            printed="784",
            measure=extreme("zero_init", "rank", pick="max", **nets, init="zero"),
            rule=Every(least=PIXELS + 1),
            because="“Can be greater”, in the document's one epoch: each seed is to show it.",
            needs_full_mnist=True,
        ),
        Claim(
            name="zero_has_more_rank_than_partial_identity",
            place=place,
            figure="figure_3_right",
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
            figure="figure_3_right",
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
                figure=f"figure_3_{'left' if place == left else 'right'}_without_bias",
                kind="number",
                statement=f"{'ZerO' if init == 'zero' else 'The partial identity'} at n_h = {net['width']}, without "
                f"biases, has rank {value} {words}.",
                printed=f"{value} (read off)",
                measure=of_paper_size(at_step("zero_init", "rank", step, **_AUTHORS, **net)),
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
            figure="figure_3_left_without_bias",
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
            figure="figure_3_left_without_bias",
            kind="bound",
            statement="Beyond the 784 inputs width makes no difference: one line hides the other.",
            measure=of_paper_size(_width_beyond_inputs),
            rule=Every(greatest=2 * _LEFT_LINE),
            because="Hidden is what differs by less than the width of a line, 8 ranks, at each log.",
            needs_full_mnist=True,
        ),
        Claim(
            name="random_keeps_full_rank",
            place=right,
            figure="figure_3_right_without_bias",
            kind="bound",
            statement="The line of the random init is flat at n_h, from the first log to the last.",
            printed="2048 (read off)",
            measure=_least_share_of_full_rank,
            rule=Every(0.99, 1),
            because="The line is 20 ranks thick, 1 % of 2048; measured is the least rank over n_h, also at n_h = 1024.",
            needs_full_mnist=True,
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str) -> Claim:
    """A claim that the config runs what the document's code does, in both figures."""
    return as_set(name, place, statement, value, setting("zero_init", key, **BLOCKS))


def _partial(width: int) -> dict[str, object]:
    return {**EPOCH, "width": width, "init": "partial_identity"}


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
        ranks.append(rows_of(runs, "rank").groupby("step")["value"].first())
    return ranks[0].sub(ranks[1]).abs().to_numpy()


def _least_share_of_full_rank(evidence: Evidence) -> np.ndarray:
    runs = evidence.runs("zero_init", **_AUTHORS, init="random", width=[RIGHT, 2048])
    least = rows_of(runs, "rank").groupby("width")["value"].min()
    return least.to_numpy() / least.index.to_numpy()
