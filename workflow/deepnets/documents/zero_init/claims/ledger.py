"""The claims of document 004, a notebook on ZerO initialisation, and of the figure that its authors published."""

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.measures import difference, extreme, final
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.data.mnist import PIXELS
from workflow.deepnets.documents.zero_init.claims.errata import errata
from workflow.deepnets.documents.zero_init.claims.model import model
from workflow.deepnets.documents.zero_init.claims.pictures import pictures
from workflow.deepnets.documents.zero_init.claims.printed_output import printed_output
from workflow.deepnets.documents.zero_init.measures import not_recorded
from workflow.deepnets.documents.zero_init.runs import (
    BOTH_FIGURES,
    EPOCH,
    LEFT_OUT,
    PARTIAL,
    RANKS,
    RIGHT,
    SHOWN,
    TRAINING,
    WITH_BIASES,
)

TABLES = ("zero_init",)


def ledger() -> list[Claim | Erratum]:
    """Return what document 004 states, in its order, what its authors' pictures show, and its errata."""
    return [*_settings(), *model(), *_left(), *printed_output(), *_right(), *pictures(), *errata()]


def _settings() -> list[Claim]:
    """ "Model", "Measurements" and "Training Pipeline on MNIST"."""
    nets, measurements = Section('"Model"'), Section('"Measurements"')
    pipeline, namespace = Section('"Training Pipeline on MNIST"'), Section('"Figure 3 (left)", printed Namespace')
    return [
        *nets.settings(
            "zero_init",
            BOTH_FIGURES,
            {
                "depth": ("layers", "The network has {} layers of weights."),
                "bias": ("biases", "Biases start from {}."),
            },
        ),
        *measurements.settings(
            "zero_init", BOTH_FIGURES, {"rank_tolerance": ("rank_tolerance", "Singular values above {} count.")}
        ),
        *namespace.settings(
            "zero_init",
            BOTH_FIGURES,
            {
                "batch": ("batch", "A batch has {} images."),
                "learning_rate": ("learning_rate", "SGD takes the rate {}."),
                "steps": ("updates", "Training takes 1 epoch: 60,000 / 64, that is {} updates."),
            },
        ),
        *pipeline.settings(
            "zero_init",
            BOTH_FIGURES,
            {"decay.epochs": ("rate_falls_every_12_epochs", "The rate falls every {} epochs.")},
        ),
        *namespace.settings(
            "zero_init",
            BOTH_FIGURES,
            {
                "decay.factor": ("rate_falls_to_0_7", "It falls to {} of what it was."),
                "record_every": ("log_interval", "Every {}th batch is logged."),
            },
        ),
        namespace.run_with("seed", "The seed is {}.", "zero_init", "seed", {**EPOCH, "seed": 1}),
        namespace.setting(
            "test_batch",
            "Images are tested {} at a time.",
            not_recorded("means over the test set do not depend on it, and no result holds it"),
            Is(1000),
        ),
    ]


def _left() -> list[Claim]:
    """ "Figure 3 (left)", its text and its code."""
    left = Section('"Figure 3 (left)"', "figure_3_left")
    theorem = Section('"Verification of Theorem 1"', "figure_3_left_without_bias", needs_full_mnist=True)
    wide: Runs = {**TRAINING, **WITH_BIASES, "width": 2048}
    return [
        *(
            left.at("code").run_with(f"width_{width}", "One net has n_h = {}.", "zero_init", "width", runs)
            for width, runs in PARTIAL.items()
        ),
        *(
            left.at("code that is commented out").run_with(
                f"{init}_at_2048", f"{name} runs at n_h = {{}}.", "zero_init", "width", {**wide, "init": init}
            )
            for init, name in LEFT_OUT.items()
        ),
        *(
            left.with_full_mnist().bound(
                f"rank_below_784_at_{width}",
                f"From the partial identity at n_h = {width}, the rank always stays below the 784 inputs.",
                extreme("zero_init", "rank", pick="max", **runs, **RANKS),
                Every(greatest=PIXELS - 1),
                because="The document says “always”: no record of any seed may be above the bound.",
                printed="784",
            )
            for width, runs in PARTIAL.items()
        ),
        theorem.bound(
            "theorem_1",
            "Theorem 1: without biases, partial identities hold the rank of a wider net at 784 or below.",
            extreme(
                "zero_init",
                "rank",
                pick="max",
                **TRAINING,
                **RANKS,
                bias=0,
                width=[1024, 2048],
                init="partial_identity",
            ),
            Every(greatest=PIXELS),
            because="A theorem allows no exception; narrower nets would say nothing, their rank is at most n_h.",
            printed="784",
        ),
    ]


def _right() -> list[Claim]:
    """ "Figure 3 (right)", its text and its code."""
    right = Section('"Figure 3 (right)"', "figure_3_right")
    left_out = right.at("code that is commented out").with_figure("figure_3_right_all_inits")
    trained = right.with_full_mnist()
    nets: Runs = {**EPOCH, **RANKS, "width": RIGHT}
    zero, partial, random = (
        final("zero_init", "rank", **nets, init=init) for init in ("zero", "partial_identity", "random")
    )
    return [
        *(
            section.run_with(
                f"{init}_at_1024",
                f"A net starts from {name} at n_h = {{}}.",
                "zero_init",
                "width",
                {**EPOCH, "width": RIGHT, "init": init},
            )
            for section, inits in ((right.at("code"), SHOWN), (left_out, LEFT_OUT))
            for init, name in inits.items()
        ),
        trained.bound(
            "zero_exceeds_784",
            "With the Hadamard matrix, the rank becomes greater than the 784 inputs during training.",
            extreme("zero_init", "rank", pick="max", **nets, init="zero"),
            Every(least=PIXELS + 1),
            because="“Can be greater”, in the document's one epoch: each seed is to show it.",
            printed="784",
        ),
        trained.ordering(
            "zero_has_more_rank_than_partial_identity",
            "The Hadamard matrix frees the rank that the partial identity is held back from.",
            difference(zero, partial),
            Every(least=1),
            because="Ranks are whole numbers and the seeds paired: each is to show it.",
        ),
        trained.ordering(
            "random_has_more_rank_than_zero",
            "Random weights have a higher rank than ZerO.",
            difference(random, zero),
            Every(least=1),
            because="As for ZerO and the partial identity.",
        ),
    ]
