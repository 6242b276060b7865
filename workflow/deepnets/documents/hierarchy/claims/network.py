"""The claims of document 003, sections 0 and 1, on the network, its training, and the bumps of its loss."""

from collections.abc import Callable

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near
from workflow.deepnets.claims.measures import at_step, difference, final, reduced, setting, slope, updates
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.hierarchy.claims.readings import read_height, read_time
from workflow.deepnets.documents.hierarchy.measures import plateaus
from workflow.deepnets.documents.hierarchy.measures.features import spread_at_5000
from workflow.deepnets.documents.hierarchy.printed import LOSS_AFTER_DROPS, TIMES_OF_DROPS
from workflow.deepnets.documents.hierarchy.runs import DEPTHS, LARGE_SCALES, MAIN, TREE, ZERO_DEPTH


def network() -> list[Claim]:
    """Return the claims on the network and its init, on the picture of its loss, and on the sliders."""
    return [*_trained(), *_initialized(), *_slow(), *_bumps(), *_sliders()]


def _trained() -> list[Claim]:
    """Return the claims on the settings of "Interactive Demo 1", and on what is recorded."""
    train = Section('"Section 0: Prelude", train')
    return [
        *Section('"Interactive Demo 1: Training the deep LNN"', "training_loss").settings(
            "hierarchy",
            MAIN,
            {
                "depth": ("one_hidden_layer", "The network has one hidden layer: two weight matrices."),
                "hidden": ("hidden_units", "It has {} hidden units."),
                "learning_rate": ("learning_rate", "The learning rate is {}."),
                "scale": ("scale", "The initialisation scale γ is 10⁻¹²."),
                "steps": ("epochs", "Training takes {} epochs."),
            },
        ),
        train.setting(
            "recorded_at_every_iteration",
            "Singular values are recorded at each of {} updates.",
            updates("hierarchy", "singular_value", **MAIN),
            Is(MAIN["steps"]),
            because="The last record of every run is that of the last update.",
            printed="executed and recorded at every iteration",
        ),
        train.setting(
            "similarity_at_every_iteration",
            "Similarities are recorded at every iteration.",
            setting("hierarchy", "record_rsm_every", block="main"),
            Is(1),
        ),
    ]


def _initialized() -> list[Claim]:
    """Return the claims of "Coding Exercise 0"."""
    equation = Section('"Coding Exercise 0: Re-initialization", eq. 22')
    sizes = [(8, TREE["hidden"]), (TREE["hidden"], TREE["features"])]
    return [
        *(
            equation.identity(
                f"initial_spread_of_layer_{layer + 1}",
                f"Weights of layer {layer + 1} start with the standard deviation γ √(1/(n_in + n_out)).",
                final(
                    "hierarchy", "initial_deviation", index=layer, factor=np.sqrt(n_in + n_out) / MAIN["scale"], **MAIN
                ),
                Near(1.0),
                because=(
                    "In units of the formula it is 1, but for the scatter of a sample, which the standard error holds."
                ),
            )
            for layer, (n_in, n_out) in enumerate(sizes)
        ),
        Section('"Helper functions", test_initializer_ex').number(
            "spread_that_the_test_expects",
            "With 5000 inputs, 5000 hidden units and γ = 1, the first layer's standard deviation is {}.",
            spread_at_5000(**MAIN),
            Near(0.01, error=1e-5, errors=1),
            because=(
                "The test's own tolerance; our initialiser's factor on standard normals is compared, without a draw."
            ),
            printed="{}, to 1e-5",
        ),
    ]


def _slow() -> list[Claim]:
    """Return the claims on depth of section 1."""
    section = Section('"Section 1: Deep Linear Neural Nets"')
    return [
        section.ordering(
            "deep_is_slower",
            "Depth slows down learning: at the document's own rates, a hidden layer halves the loss later than none.",
            difference(plateaus.updates_to_loss(0.5, **MAIN), plateaus.updates_to_loss(0.5, **ZERO_DEPTH)),
            Every(least=0),
            because=(
                "Each run with a hidden layer, at rate 100, is compared with that of its seed without, at rate 1000."
            ),
        ),
        section.trend(
            "deeper_is_slower_at_one_rate",
            "Depth slows down learning: at one rate and scale, the loss after 250 updates grows with depth.",
            slope("hierarchy", "train_loss", over="depth", **DEPTHS),
            Mean(least=0),
            because=(
                "The document compares no depths here; at a rate at which all are stable, the slope of the final loss "
                "against 1 to 4 weight matrices, one for each seed, is to be clearly positive."
            ),
        ),
    ]


def _bumps() -> list[Claim]:
    """Return the claims on the picture of the loss in "Interactive Demo 1", and on what the document asks of it."""
    picture = Section('"Interactive Demo 1", picture W1D2_Tutorial3_42_0', "training_loss")
    first = {**MAIN, "seed": 2021}
    return [
        picture.number(
            "loss_has_bumps",
            "The loss falls in four drops, with plateaus between them.",
            plateaus.count_of_drops(**MAIN),
            Is(4),
            because=(
                "A count, in each run. A drop: updates that lower the loss at least a tenth as fast as the fastest "
                "does."
            ),
            printed="{} (counted)",
        ),
        read_height(
            picture, "loss_at_the_start", "The loss starts at {}.", at_step("hierarchy", "train_loss", 0, **first), 1.0
        ),
        *(
            read_height(
                picture,
                f"loss_on_plateau_{number}",
                f"Behind {number} drop{'s' * (number > 1)}, the loss stays at {{}}.",
                plateaus.on_plateau(number, "train_loss", **first),
                loss,
            )
            for number, loss in LOSS_AFTER_DROPS.items()
        ),
        read_height(picture, "loss_at_the_end", "The loss ends at {}.", final("hierarchy", "train_loss", **first), 0.0),
        *(
            read_time(
                picture,
                f"time_of_drop_{level + 1}",
                f"Drop {level + 1} of the loss is half done at epoch {{}}.",
                plateaus.time_of_drop(level, **MAIN),
                epoch,
                level=level,
                runs=MAIN,
            )
            for level, epoch in TIMES_OF_DROPS.items()
        ),
        Section('"Interactive Demo 1", Think!', "zero_depth_loss").number(
            "no_bumps_without_a_hidden_layer",
            "Bumps have not been seen before: without a hidden layer, the loss falls in one go.",
            plateaus.count_of_drops(**ZERO_DEPTH),
            Is(1),
            because="A count, in each run, by the same measure as the bumps.",
            printed="",
        ),
    ]


def _sliders() -> list[Claim]:
    """Return the claims on the sliders of "Interactive Demo 1" and of section 3, and on what they show."""
    demo = Section('"Interactive Demo 1"', "sweep_loss")
    first, questions = demo.at("widget"), demo.at("Think!")
    second = Section('"Section 3: Representational Similarity Analysis (RSA)", widget', "larger_scale")

    return [
        first.setting("least_rate", "The slider of η starts at {}.", _end("learning_rate", np.min), Is(1)),
        first.setting("least_scale", "The slider of γ starts at 10⁻¹⁵.", _end("scale", np.min), Is(1e-15)),
        first.setting("greatest_rate", "The slider of η ends at {}.", _end("learning_rate", np.max), Is(200)),
        first.setting("greatest_scale", "The slider of γ ends at {}.", _end("scale", np.max), Is(10)),
        second.setting(
            "least_rate_of_section_3",
            "Here the slider of η starts at {}.",
            _end("learning_rate", np.min, block="larger_scale"),
            Is(20),
        ),
        questions.bound(
            "large_scale_has_no_bumps",
            "A large γ takes the bumps away: at η = 100 the loss has fewer than four drops.",
            plateaus.count_of_drops(**LARGE_SCALES, learning_rate=MAIN["learning_rate"]),
            Every(greatest=3),
            because="That bumps could be “recovered” says that they are lost; γ is large from 1 on.",
        ),
        Section('"Interactive Demo 1", Think!; "Section 3", widget', "sweep_loss").bound(
            "rate_recovers_bumps",
            "With a large γ, some η of the slider recovers the four bumps (the document asks whether).",
            reduced(plateaus.count_of_drops(**LARGE_SCALES), np.max),
            Every(least=4),
            because="The document suggests it as a question; one rate with all four drops would be enough.",
        ),
    ]


def _end(axis: str, by: Callable[[np.ndarray], float], *, block: str = "sliders") -> Measure:
    """Measure the end of a slider: the least or greatest value of an axis that the config asks for in a block."""
    return reduced(setting("hierarchy", axis, block=block), by)
