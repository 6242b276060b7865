"""The claims of document 003, section 1, on the bumps of the loss and on the sliders."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Includes, Is
from deepnets.claims.old_measures import at_step, final, setting
from deepnets.claims.section import Section
from deepnets.documents.hierarchy.claims.readings import read_heights, read_times
from deepnets.documents.hierarchy.measures import plateaus
from deepnets.documents.hierarchy.printed import LOSS_AFTER_DROPS, RATES, SCALES, TIMES_OF_DROPS
from deepnets.documents.hierarchy.runs import LARGE_SCALES, MAIN, SLIDERS, ZERO_DEPTH


def bump_claims() -> list[Claim]:
    """Return the claims of "Interactive Demo 1" on its picture of the loss and on its sliders."""
    return [*_picture_claims(), *_slider_claims()]


def _picture_claims() -> list[Claim]:
    picture = Section('"Interactive Demo 1", picture W1D2_Tutorial3_42_0', "training_loss")
    first = {**MAIN, "seed": 2021}
    without = Section('"Interactive Demo 1", Think!; "Demonstration: Linear Regression vs. DLNN"', "zero_depth_loss")
    return [
        picture.of("drops of the loss").number(
            "loss_has_bumps",
            "The loss falls in four drops, with plateaus between them.",
            plateaus.count_of_drops(**MAIN),
            Is(4),
            because=(
                "We count the drops of each run. A drop is a series of updates, each of which lowers the loss by at "
                "least a tenth of the largest decrease."
            ),
            printed="{} (counted)",
            main="what these “bumps” mean is the question of section 1, which the other sections answer",
        ),
        read_heights(
            picture.of("mean squared error"),
            "losses_on_plateaus",
            "The loss starts at 1, stays at 0.689, 0.503 and 0.2515 after one, two and three drops, and ends at 0.",
            {
                "at the start": (at_step("hierarchy", "train_loss", 0, **first), 1.0),
                **{
                    f"after drop {number}": (plateaus.on_plateau(number, "train_loss", **first), loss)
                    for number, loss in LOSS_AFTER_DROPS.items()
                },
                "at the end": (final("hierarchy", "train_loss", **first), 0.0),
            },
        ),
        read_times(
            picture,
            "times_of_drops",
            "The four drops of the loss are halfway at epochs 91.4, 113.1, 135.9 and 184.5.",
            {
                f"drop {level + 1}": (plateaus.time_of_drop(level, **MAIN), epoch, level)
                for level, epoch in TIMES_OF_DROPS.items()
            },
            runs=MAIN,
        ),
        without.of("drops of the loss").number(
            "no_bumps_without_a_hidden_layer",
            "Without a hidden layer the loss falls in a single drop: both networks arrive at the same results, but "
            "through very different paths.",
            plateaus.count_of_drops(**ZERO_DEPTH),
            Is(1),
            because="We count the drops of each run as those of the deep network (loss_has_bumps).",
            printed="{} (counted)",
        ),
    ]


def _slider_claims() -> list[Claim]:
    demo = Section('"Interactive Demo 1"', "sweep_loss")
    (least_rate, greatest_rate), (least_scale, greatest_scale) = RATES, SCALES
    rates, scales = (setting("hierarchy", axis, block="sliders") for axis in ("learning_rate", "scale"))
    return [
        demo.setting("least_rate", "The slider of η starts at {}.", rates, Includes(least_rate)),
        demo.setting("least_scale", "The slider of γ starts at 10⁻¹⁵.", scales, Includes(least_scale)),
        demo.setting("greatest_rate", "The slider of η ends at {}.", rates, Includes(greatest_rate)),
        demo.setting("greatest_scale", "The slider of γ ends at {}.", scales, Includes(greatest_scale)),
        Section('"Section 3: Representational Similarity Analysis (RSA)", widget', "larger_scale").setting(
            "least_rate_of_section_3",
            "The slider of η in section 3 starts at {}.",
            setting("hierarchy", "learning_rate", block="larger_scale"),
            Includes(20),
        ),
        demo.at("Think!")
        .of("unstable settings of the sliders")
        .bound(
            "sliders_are_stable",
            "All η and γ within the sliders are stable, also those with the fastest convergence.",
            plateaus.unstable_settings(RATES, SCALES, **SLIDERS),
            Is(0),
            because=(
                "The task is to find the fastest “yet stable” convergence. A setting is unstable if an update raises "
                "the loss by more than a millionth of its initial value, or if the loss diverges."
            ),
        ),
        demo.at("Think!")
        .of("drops of the loss")
        .bound(
            "large_scale_has_no_bumps",
            "A large γ removes the bumps: at η = 100 the loss has fewer than four drops.",
            plateaus.count_of_drops(**LARGE_SCALES),
            Every(greatest=3),
            because=(
                "The document asks whether another η can “recover” the bumps, so they must have disappeared. We judge "
                "only this, for γ = 1 and above, with one run for each γ."
            ),
        ),
    ]
