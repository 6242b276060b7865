"""The claims of document 000, "The explanation", from the near-zero initialisation to the end."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near, OneMoreDraw
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import (
    as_measure,
    at_step,
    difference,
    difference_of_means,
    final,
    ratio,
    setting,
    updates,
)
from workflow.deepnets.claims.section import READ_OFF, Runs, Section
from workflow.deepnets.documents.classifier.printed import ACCURACIES, STANDARD_ERRORS
from workflow.deepnets.documents.classifier.runs import (
    DEPTHS,
    LARGE_SCALE,
    LINEAR,
    NEAR_ZERO,
    STANDARD_SCALE,
    accuracy,
    rate_of,
    replayed_accuracy,
)
from workflow.deepnets.tables.estimates import fit_line
from workflow.deepnets.tables.matrices import by_run
from workflow.deepnets.tables.rows import require_rows


def scales() -> list[Claim]:
    """ "The explanation", from the near-zero initialisation to the end."""
    explanation = Section('"The explanation"')
    return [
        *_near_zero(explanation.with_figure("singular_values_near_zero")),
        explanation.bound(
            "optimisation_terminates",
            "The optimisation ends because it fits the training data.",
            final("classifier", "train_loss", **NEAR_ZERO),
            Every(greatest=0.01),
            because="Each repetition is to end below the target, not at the largest number of updates.",
        ),
        *_large_scale(explanation.with_figure("accuracy_by_variant")),
        *_standard_scale(explanation.with_figure("singular_values_standard_scale")),
        explanation.at("last paragraph").trend(
            "depth_strengthens_the_bias",
            "More depth strengthens the bias to low rank: the third singular value falls behind the first.",
            _slope_of_third_to_first,
            Mean(greatest=0),
            because="The slope, over depths 2 to 6, of the logarithm of their final ratio, one for each repetition.",
        ),
    ]


def _near_zero(section: Section) -> list[Claim]:
    picture = section.at("figure dln_classifier_singular_small")
    return [
        *rate_of(section, "Outputs scaled by 10⁻⁴ take the rate {}.", NEAR_ZERO),
        replayed_accuracy(
            section.with_figure("accuracy_by_variant"),
            "Three layers scaled by 10⁻⁴ are right on {} %.",
            NEAR_ZERO,
            printed="ca {}%",
        ),
        *_pictured(picture, NEAR_ZERO, end=1610, first=173, second=149),
        picture.ordering(
            "modes_come_one_by_one",
            "The singular values show up one by one: the second later than the first.",
            difference(_appearance(1), _appearance(0)),
            Every(least=10),
            because=(
                "Each repetition is to show it: a gap of one interval between records at least. A value shows up where "
                "it first reaches a hundredth of the first's end."
            ),
            revised=(
                "at first a value showed up at half of its own end, which moves as long as training lasts; then a gap "
                "of 100 updates was asked for, of which the document says nothing"
            ),
        ),
        picture.bound(
            "two_modes_fit_the_data",
            "Behind the second singular value the optimisation ends, and the third stays near 10⁻⁴.",
            final("classifier", "singular_value", index=2, **NEAR_ZERO),
            Every(greatest=1e-3),
            because="“Around the initialization magnitude” allows a factor of ten, in each repetition.",
            printed="10^-4",
        ),
        picture.bound(
            "remaining_modes_stay_small",
            "The fifth singular value, the last in the picture, stays near 10⁻⁴.",
            final("classifier", "singular_value", index=4, **NEAR_ZERO),
            Every(greatest=1e-3),
            because="As for the third.",
            printed="10^-4",
        ),
    ]


def _large_scale(section: Section) -> list[Claim]:
    linear, mean, error = ACCURACIES["linear"], ACCURACIES["large_scale"], STANDARD_ERRORS["large_scale"]
    return [
        *rate_of(section, "Outputs scaled by 10³ take the rate {}.", LARGE_SCALE),
        section.number(
            "large_scale_accuracy",
            f"Three layers scaled by 10³ are right on {{}} ± {error:g} %.",
            accuracy(LARGE_SCALE),
            Near(mean, error=error),
            because=(
                "At this scale training is chaotic: rounding decides the path. The random numbers are the document's, "
                "and the number need not be; the two means are compared with both standard errors."
            ),
            printed=f"{{}}% with standard deviation {error:g}%",
        ),
        section.bound(
            "large_scale_is_like_one_layer",
            "That is around the accuracy of one layer.",
            difference(accuracy(LARGE_SCALE), accuracy(LINEAR)),
            Mean(least=-10, greatest=10),
            because=(
                f"“Around”: nearer to one layer ({linear:g} %) than to three at the usual scale, 17 points above it."
            ),
        ),
        section.ordering(
            "scale_removes_the_bias",
            "A larger scale takes most of the advantage of depth away.",
            difference_of_means(accuracy(DEPTHS[3]), accuracy(LARGE_SCALE)),
            Mean(least=0),
            because="Three layers are to be clearly worse at scale 10³ than at scale 1.",
        ),
    ]


def _standard_scale(section: Section) -> list[Claim]:
    picture = Section("figure dln_classifier_singular_normal", section.figure)
    return [
        picture.setting(
            "rate_of_standard_scale",
            "The last picture is that of the original 3 layer model.",
            setting("classifier", "learning_rate", block="standard_scale"),
            Is(0.03),
        ),
        *_pictured(picture, STANDARD_SCALE, end=1350, first=77.4, second=73.3),
        section.bound(
            "final_size_100",
            "The final matrix has singular values around 100.",
            final("classifier", "singular_value", **STANDARD_SCALE),
            Every(least=100 / 3, greatest=300),
            because="“Around size 100” is an order of magnitude: each repetition is within a factor of three.",
            printed="100",
        ),
        section.bound(
            "initial_size_1",
            "At the start they are around 1.",
            at_step("classifier", "singular_value", 0, **STANDARD_SCALE),
            Every(least=1 / 3, greatest=10 / 3),
            because="Again an order of magnitude, of the largest singular value.",
            printed="1",
        ),
    ]


def _pictured(section: Section, runs: Runs, *, end: float, first: float, second: float) -> list[Claim]:
    """Claims on what a picture of singular values shows of one repetition, read off: its last update, and its ends."""
    values = [final("classifier", "singular_value", index=index, **runs) for index in (0, 1)]
    shown = {
        "last_update": ("The picture ends behind about {} updates.", end, updates("classifier", "train_loss", **runs)),
        "first_value": ("The first singular value ends at about {} in the picture.", first, values[0]),
        "second_value": ("The second singular value ends at about {} in the picture.", second, values[1]),
    }
    because = "The picture is of one repetition; which one, the document does not say."
    return [
        section.number(
            f"{name}_of_{runs['block']}", statement, measure, OneMoreDraw(value), because=because, printed=READ_OFF
        )
        for name, (statement, value, measure) in shown.items()
    ]


@as_measure
def _appearance(evidence: Evidence, mode: int) -> np.ndarray:
    """Measure the first recorded update at which a singular value is a hundredth of the largest at the end."""
    runs = evidence.runs("classifier", **NEAR_ZERO)
    values, first = (by_run(require_rows(runs, "singular_value", index=index)) for index in (mode, 0))
    return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)


def _slope_of_third_to_first(evidence: Evidence) -> np.ndarray:
    ratios = []
    nets = {depth: runs for depth, runs in DEPTHS.items() if depth > 1}
    for runs in nets.values():
        first, third = (final("classifier", "singular_value", index=index, **runs) for index in (0, 2))
        ratios.append(np.log(ratio(third, first)(evidence)))
    return fit_line(list(nets), np.array(ratios))[0]
