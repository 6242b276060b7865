"""The claims of document 000, "The explanation", from the near-zero initialisation to the end."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Draw, Every, Mean, Near
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import at_step, difference, difference_of_means, final, ratio, updates
from workflow.deepnets.claims.rows import rows_of
from workflow.deepnets.documents.classifier.printed import ACCURACIES
from workflow.deepnets.documents.classifier.runs import (
    LARGE_SCALE,
    LINEAR,
    NEAR_ZERO,
    RATES,
    STANDARD_SCALE,
    accuracy_of,
    at_depth,
    rate_of,
)


def scales() -> list[Claim]:
    """ "The explanation", from the near-zero initialisation to the end."""
    place = '"The explanation"'
    small, normal = "figure dln_classifier_singular_small", "figure dln_classifier_singular_normal"
    (linear, _), (mean, error) = ACCURACIES["linear"], ACCURACIES["large_scale"]
    return [
        rate_of(
            "near_zero", place, "Outputs scaled by 10⁻⁴ take the rate 100.", 100, figure="singular_values_near_zero"
        ),
        accuracy_of("near_zero", place, "Three layers scaled by 10⁻⁴ are right on {} %.", "ca {}%", NEAR_ZERO),
        *shown_in(
            "singular_values_near_zero",
            _pictured("near_zero", f"{place}, {small}", NEAR_ZERO, end=1610, first=173, second=149),
        ),
        Claim(
            name="modes_come_one_by_one",
            place=f"{place}, {small}",
            figure="singular_values_near_zero",
            kind="ordering",
            statement="The singular values show up one by one: the second later than the first.",
            measure=difference(_appearance(1), _appearance(0)),
            rule=Every(least=10),
            because=(
                "Each repetition is to show it: a gap of one interval between records at least. A value shows up where "
                "it first reaches a hundredth of the first's end."
            ),
            revised=(
                "at first a value showed up at half of its own end, which moves as long as training lasts; then a gap "
                "of 100 updates was asked for, of which the document says nothing"
            ),
        ),
        Claim(
            name="two_modes_fit_the_data",
            place=f"{place}, {small}",
            figure="singular_values_near_zero",
            kind="bound",
            statement="Behind the second singular value the optimisation ends, and the third stays near 10⁻⁴.",
            printed="10^-4",
            measure=final("classifier", "singular_value", index=2, **NEAR_ZERO),
            rule=Every(greatest=1e-3),
            because="“Around the initialization magnitude” allows a factor of ten, in each repetition.",
        ),
        Claim(
            name="remaining_modes_stay_small",
            place=f"{place}, {small}",
            figure="singular_values_near_zero",
            kind="bound",
            statement="The fifth singular value, the last in the picture, stays near 10⁻⁴.",
            printed="10^-4",
            measure=final("classifier", "singular_value", index=4, **NEAR_ZERO),
            rule=Every(greatest=1e-3),
            because="As for the third.",
        ),
        Claim(
            name="optimisation_terminates",
            place=place,
            kind="bound",
            statement="The optimisation ends because it fits the training data.",
            measure=final("classifier", "train_loss", **NEAR_ZERO),
            rule=Every(greatest=0.01),
            because="Each repetition is to end below the target, not at the largest number of updates.",
        ),
        rate_of(
            "large_scale", place, "Outputs scaled by 10³ take the rate 0.001.", 0.001, figure="accuracy_by_variant"
        ),
        Claim(
            name="large_scale_accuracy",
            place=place,
            figure="accuracy_by_variant",
            kind="number",
            statement=f"Three layers scaled by 10³ are right on {mean:g} ± {error:g} %.",
            printed=f"{mean:g}% with standard deviation {error:g}%",
            measure=final("classifier", "test_accuracy", factor=100, **LARGE_SCALE),
            rule=Near(mean, error=error),
            because=(
                "At this scale training is chaotic: rounding decides the path. The random numbers are the document's, "
                "and the number need not be; the two means are compared with both standard errors."
            ),
        ),
        Claim(
            name="large_scale_is_like_one_layer",
            place=place,
            figure="accuracy_by_variant",
            kind="bound",
            statement="That is around the accuracy of one layer.",
            measure=difference(
                final("classifier", "test_accuracy", factor=100, **LARGE_SCALE),
                final("classifier", "test_accuracy", factor=100, **LINEAR),
            ),
            rule=Mean(least=-10, greatest=10),
            because=(
                f"“Around”: nearer to one layer ({linear:g} %) than to three at the usual scale, 17 points above it."
            ),
        ),
        Claim(
            name="scale_removes_the_bias",
            place=place,
            figure="accuracy_by_variant",
            kind="ordering",
            statement="A larger scale takes most of the advantage of depth away.",
            measure=difference_of_means(
                final("classifier", "test_accuracy", factor=100, **at_depth(3)),
                final("classifier", "test_accuracy", factor=100, **LARGE_SCALE),
            ),
            rule=Mean(least=0),
            because="Three layers are to be clearly worse at scale 10³ than at scale 1.",
        ),
        rate_of(
            "standard_scale",
            normal,
            "The last picture is that of the original 3 layer model.",
            0.03,
            figure="singular_values_standard_scale",
        ),
        *shown_in(
            "singular_values_standard_scale",
            _pictured("standard_scale", normal, STANDARD_SCALE, end=1350, first=77.4, second=73.3),
        ),
        Claim(
            name="final_size_100",
            place=place,
            figure="singular_values_standard_scale",
            kind="bound",
            statement="The final matrix has singular values around 100.",
            printed="100",
            measure=final("classifier", "singular_value", **STANDARD_SCALE),
            rule=Every(least=100 / 3, greatest=300),
            because="“Around size 100” is an order of magnitude: each repetition is within a factor of three.",
        ),
        Claim(
            name="initial_size_1",
            place=place,
            figure="singular_values_standard_scale",
            kind="bound",
            statement="At the start they are around 1.",
            printed="1",
            measure=at_step("classifier", "singular_value", 0, **STANDARD_SCALE),
            rule=Every(least=1 / 3, greatest=10 / 3),
            because="Again an order of magnitude, of the largest singular value.",
        ),
        Claim(
            name="depth_strengthens_the_bias",
            place='"The explanation", last paragraph',
            kind="trend",
            statement="More depth strengthens the bias to low rank: the third singular value falls behind the first.",
            measure=_slope_of_third_to_first,
            rule=Mean(greatest=0),
            because="The slope, over depths 2 to 6, of the logarithm of their final ratio, one for each repetition.",
        ),
    ]


def _pictured(
    block: str, place: str, runs: dict[str, object], *, end: float, first: float, second: float
) -> list[Claim]:
    """Claims on what a picture of singular values shows of one repetition, read off: its last update, and its ends."""
    values = [final("classifier", "singular_value", index=index, **runs) for index in (0, 1)]
    shown = {
        "last_update": ("The picture ends behind {} updates.", end, updates("classifier", "train_loss", **runs)),
        "first_value": ("The first singular value ends at {} in the picture.", first, values[0]),
        "second_value": ("The second singular value ends at {} in the picture.", second, values[1]),
    }
    return [
        Claim(
            name=f"{name}_of_{block}",
            place=place,
            kind="number",
            statement=statement.format(f"about {value:g}"),
            printed=f"{value:g} (read off)",
            measure=measure,
            rule=Draw(value),
            because="The picture is of one repetition; which one, the document does not say.",
        )
        for name, (statement, value, measure) in shown.items()
    ]


def _appearance(mode: int) -> Measure:
    """Measure the first recorded update at which a singular value is a hundredth of the largest at the end."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("classifier", **NEAR_ZERO)
        rows = rows_of(runs, "singular_value")
        values, first = (
            rows[rows["index"] == each].pivot_table(index="step", columns="seed", values="value") for each in (mode, 0)
        )
        return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)

    return measured


def _slope_of_third_to_first(evidence: Evidence) -> np.ndarray:
    ratios = []
    depths = [depth for depth in RATES if depth > 1]
    for depth in depths:
        first, third = (final("classifier", "singular_value", index=index, **at_depth(depth)) for index in (0, 2))
        ratios.append(np.log(ratio(third, first)(evidence)))
    return np.polyfit(depths, np.array(ratios), 1)[0]
