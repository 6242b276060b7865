"""The setting claims of document 004: training, and the nets of its figures."""

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Criterion, Includes
from deepnets.claims.old_measures import setting
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.zero_init.measures import values_in_config, with_width
from deepnets.documents.zero_init.runs import (
    BOTH_FIGURES,
    EPOCH,
    LEFT_OUT,
    PARTIAL,
    RIGHT,
    RIGHT_FIGURE,
    SHOWN,
    TRAINING,
    WITH_BIASES,
)


def settings() -> list[Claim]:
    """Return the setting claims on training and on the nets of both figures."""
    return [*_training(), *_nets()]


def _training() -> list[Claim]:
    nets, measurements = Section('"Model"'), Section('"Measurements"')
    namespace = Section('"Figure 3 (left)", printed Namespace')
    blocks = BOTH_FIGURES["block"]
    return [
        *nets.settings(
            "zero_init",
            BOTH_FIGURES,
            {
                "depth": ("layers", "The network has {} layers of weights."),
                "bias": ("biases", "All biases start from {}."),
            },
        ),
        *measurements.settings(
            "zero_init",
            BOTH_FIGURES,
            {"rank_tolerance": ("rank_tolerance", "The rank is the number of singular values above {}.")},
        ),
        *namespace.settings(
            "zero_init",
            BOTH_FIGURES,
            {
                "batch": ("batch", "A batch has {} images."),
                "learning_rate": ("learning_rate", "The learning rate of SGD is {}."),
                "steps": ("updates", "Training takes 1 epoch, 60,000 / 64 = {} updates."),
                "record_every": ("log_interval", "Every {}th batch is logged."),
            },
        ),
        Section('"Training Pipeline on MNIST"').setting(
            "rate_decay",
            "The learning rate falls to 0.7 of its value every 12 epochs.",
            *combine_parts(
                {
                    "epochs": (setting("zero_init", "decay.epochs", block=blocks), Includes(12)),
                    "factor": (setting("zero_init", "decay.factor", block=blocks), Includes(0.7)),
                }
            ),
        ),
        namespace.run_with("seed", "The seed is {}.", "zero_init", "seed", {**EPOCH, "seed": 1}),
    ]


def _nets() -> list[Claim]:
    left, right = Section('"Figure 3 (left)"', "figure_3_left"), Section('"Figure 3 (right)"', "figure_3_right")
    return [
        left.at("code").setting(
            "widths",
            "The left figure shows nets with n_h = {}.",
            *combine_parts(
                {
                    f"n_h = {width}": (values_in_config("width", **runs), Includes(width))
                    for width, runs in PARTIAL.items()
                }
            ),
        ),
        left.at("code that is commented out").setting(
            "inits_left_out_at_2048",
            "The left figure's code also names OnE and Spray at n_h = 2048.",
            *combine_parts({name: _includes_2048(init) for init, name in LEFT_OUT.items()}),
        ),
        right.at("code").setting(
            "inits",
            "The right figure shows ZerO, partial identity and random weights at n_h = 1024.",
            *combine_parts({name: _includes_1024(init) for init, name in SHOWN.items()}),
        ),
        right.at("code that is commented out")
        .with_figure("figure_3_right_all_inits")
        .setting(
            "inits_left_out",
            "The right figure's code also names OnE and Spray at n_h = 1024.",
            *combine_parts({name: _includes_1024(init) for init, name in LEFT_OUT.items()}),
        ),
    ]


def _includes_1024(init: str) -> tuple[Measure, Criterion]:
    return values_in_config("width", **RIGHT_FIGURE, init=init), Includes(RIGHT)


def _includes_2048(init: str) -> tuple[Measure, Criterion]:
    nets = {**TRAINING, **WITH_BIASES}
    at_2048 = values_in_config("width", **nets, width=2048, block="widths", init=init)
    return with_width(2048, at_2048, **nets, init=list(LEFT_OUT)), Includes(2048)
