"""The claims of document 000, "The explanation", from the near-zero initialisation on."""

from functools import partial

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Mean, Near
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import at_step, difference, difference_of_means, final, ratio, updates
from deepnets.claims.section import READ_OFF, Runs, Section, combine_parts
from deepnets.documents.classifier.claims.replayed_accuracies import replayed_accuracy
from deepnets.documents.classifier.measures import (
    ACCURACY,
    POINTS,
    accuracy,
    appearance,
    least_second_over_first,
    root_mean_square_at_start,
    slopes_against_depth,
    third_over_first,
)
from deepnets.documents.classifier.printed import ACCURACIES, STANDARD_ERRORS
from deepnets.documents.classifier.runs import DEPTHS, LARGE_SCALE, LINEAR, NEAR_ZERO, STANDARD_SCALE

# How exactly we can read the pictures of singular values: errors in updates, and in singular values.
_UPDATES, _VALUES = 10, 1
_FIRST = "The picture shows the first repetition, which we replay. Only our reading of the picture is uncertain."
_FITTED = "We inferred the learning rate 0.1 from the number of updates (rate_of_the_last_figure)."


def scale_claims() -> list[Claim]:
    """Return the claims of "The explanation", from the near-zero initialisation on."""
    own = Section('"The explanation"')
    explanation = own.with_replayed_draws()
    return [
        *_near_zero_claims(explanation.with_figure("singular_values_near_zero")),
        # At scale 10³, rounding errors change the course of training: equal random numbers do not give equal results.
        *_large_scale_claims(own.with_figure("accuracy_by_variant")),
        *_standard_scale_claims(explanation.with_figure("singular_values_standard_scale")),
        explanation.at("last paragraph").trend(
            "depth_strengthens_the_bias",
            "Increasing the depth strengthens the bias to low rank: the third singular value decreases relative to the "
            "first.",
            slopes_against_depth(
                {depth: _log_of_third_over_first(runs) for depth, runs in DEPTHS.items() if depth > 1}
            ),
            Mean(greatest=0),
            because=(
                "For each repetition, we fit a line to the logarithm of this ratio after training, against depths 2 to "
                "6."
            ),
            quantity="ln(third / first singular value) per layer",
            main="it is the summary in the last paragraph",
        ),
    ]


def _near_zero_claims(section: Section) -> list[Claim]:
    picture = section.at("figure dln_classifier_singular_small")
    around_the_start = Every(0, 1e-3)
    return [
        replayed_accuracy(
            section.with_figure("accuracy_by_variant"),
            "With three layers scaled by 10⁻⁴, test accuracy is about {} %.",
            NEAR_ZERO,
            printed="ca {}%",
        ),
        _picture_claim(picture, "near_zero_picture", "scaled by 10⁻⁴", NEAR_ZERO, end=1610, first=173, second=149),
        picture.ordering(
            "modes_come_one_by_one",
            "From a start near zero, the singular values appear one by one: the second appears later than the first.",
            difference(appearance(NEAR_ZERO, 1), appearance(NEAR_ZERO, 0)),
            Every(least=10),
            because=(
                "A singular value appears when it first reaches 1 % of the largest final singular value. In each "
                "repetition, the second must appear later by 10 updates, the interval between two records."
            ),
            quantity="appearance of the second singular value minus that of the first, updates",
            main="the text explains the whole effect by this order: “we see what is going on”",
            revised=(
                "at first, a value appeared when it reached half of its own final value, which depends on the length "
                "of training; then a gap of 100 updates was required, although the document states no such gap"
            ),
        ),
        picture.bound(
            "a_phase_of_rank_1_comes_first",
            "From a start near zero, all singular values except the first are negligible for a while: training "
            "searches through matrices of rank 1.",
            least_second_over_first(NEAR_ZERO),
            Every(0, 0.05),
            because=(
                "“Negligible”: at some time after the first singular value appeared, the second must be at most 5 % of "
                "the first."
            ),
            quantity="smallest ratio of the second to the first singular value, after the first appeared",
        ),
        picture.bound(
            "two_modes_fit_the_data",
            "From a start near zero, training ends after the second singular value has appeared, and the remaining "
            "singular values stay around the initial size of 10⁻⁴.",
            *combine_parts(
                {
                    "third": (final("classifier", "singular_value", index=2, **NEAR_ZERO), around_the_start),
                    "fifth": (final("classifier", "singular_value", index=4, **NEAR_ZERO), around_the_start),
                }
            ),
            because="“Around 10⁻⁴”: at most 10⁻³, in each repetition.",
            quantity="final singular value",
            printed="10^-4",
            main="the statement explains why a start near zero gives rank 2",
            revised=(
                "one claim combines the earlier claims on the third and on the fifth singular value, and has the lower "
                "bound 0"
            ),
            explanation=(
                "The document contradicts itself. The third singular value ends above 10⁻³ in most repetitions, and at "
                "0.39 in the repetition of the document's own picture. The fifth stays near 10⁻⁴. It still holds that "
                "two modes fit the data: the third singular value is at most 1.2 % of the second."
            ),
        ),
    ]


def _large_scale_claims(section: Section) -> list[Claim]:
    linear, mean, error = ACCURACIES["linear"], ACCURACIES["large_scale"], STANDARD_ERRORS["large_scale"]
    half = (ACCURACIES["two_layers"] - linear) / 2
    return [
        section.number(
            "large_scale_accuracy",
            f"With three layers scaled by 10³, test accuracy is {{}} ± {error:g} %.",
            accuracy(LARGE_SCALE),
            Near(mean, error=error, precision=6),
            revised="a maximum tolerance was added; without it, even pure noise would have reproduced the number",
            because=(
                "At this scale, rounding errors change the course of training, and equal random numbers need not give "
                "equal accuracies. The tolerance is three times the combined standard error of the two means. A "
                "tolerance of more than 6 points would not distinguish one layer from three."
            ),
            printed=f"{{}}% with standard deviation {error:g}%",
            quantity=ACCURACY,
        ),
        section.bound(
            "large_scale_is_like_one_layer",
            "With three layers scaled by 10³, test accuracy is around that of one layer.",
            difference(accuracy(LARGE_SCALE), accuracy(LINEAR)),
            Mean(least=-half, greatest=half),
            because=(
                f"“Around”: nearer to one layer ({linear:g} %) than to two layers ({ACCURACIES['two_layers']:g} %)."
            ),
            quantity=POINTS,
            revised="the limit was 10 points; two layers are within this limit too",
            explanation=(
                "Chance may explain it. The distance of our mean from one layer (3.7 points) is about that from two "
                "layers (3.6 points). The document's own 57.5 % is nearer to two layers (2.8 points) than to one (4.5 "
                "points). It still holds that most of the advantage of three layers is gone (scale_removes_the_bias)."
            ),
        ),
        section.ordering(
            "scale_removes_the_bias",
            "A scale of 10³ removes most of the implicit bias, and so most of the advantage of three layers over one.",
            difference_of_means(_mean_of_one_and_three_layers, accuracy(LARGE_SCALE)),
            Mean(least=0),
            because="“Most”: the accuracy is clearly below the mean of one layer and three layers.",
            quantity="mean accuracy of one and three layers minus the accuracy at scale 10³, percentage points",
            revised="the accuracy only had to be below that of three layers, by any amount",
        ),
    ]


def _standard_scale_claims(section: Section) -> list[Claim]:
    picture = Section("figure dln_classifier_singular_normal", section.figure).with_replayed_draws()
    first = partial(final, "classifier", "singular_value", **STANDARD_SCALE)
    return [
        _picture_claim(
            picture,
            "standard_scale_picture",
            "at standard scale",
            STANDARD_SCALE,
            end=1350,
            first=77.4,
            second=73.3,
            because=f"{_FIRST} {_FITTED}",
        ),
        section.bound(
            "final_size_100",
            "With three layers at standard scale, the final matrix has singular values around size 100.",
            *combine_parts(
                {name: (first(index=index), Every(100 / 3, 300)) for index, name in enumerate(("first", "second"))}
            ),
            revised="the second singular value was added",
            because="“Around size 100” is an order of magnitude: each repetition must be within a factor of three.",
            quantity="final singular value",
            printed="100",
        ),
        section.bound(
            "initial_size_1",
            "With three layers at standard scale, the initial matrix has singular values around size 1.",
            root_mean_square_at_start(STANDARD_SCALE),
            Every(0.5, 2),
            because=(
                "The entries of the matrix have variance 1/10, for which we expect 1. Each repetition must be within a "
                "factor of two."
            ),
            quantity="root mean square of the initial singular values",
            printed="1",
            revised="the largest singular value was judged, but the claim is on the size of all singular values",
        ),
        section.bound(
            "start_is_near_zero_in_comparison",
            "With three layers at standard scale, the initial matrix is near zero in comparison with the final one.",
            ratio(at_step("classifier", "singular_value", 0, **STANDARD_SCALE), first(index=0)),
            Every(0, 0.1),
            because=(
                "“Near-zero in comparison”: in each repetition, the initial value must be at most a tenth of the final "
                "value."
            ),
            quantity="largest singular value, initial divided by final",
        ),
    ]


def _picture_claim(
    section: Section,
    name: str,
    scale: str,
    runs: Runs,
    *,
    end: float,
    first: float,
    second: float,
    because: str = _FIRST,
) -> Claim:
    """Claim numbers read off a picture of singular values: the last update, and its first two singular values.

    scale: the scale of the three layers, as text.
    """
    shown = {**runs, "seed": 0}
    values = [final("classifier", "singular_value", index=index, **shown) for index in (0, 1)]
    return section.number(
        name,
        f"With three layers {scale}, training ends after about {end:g} updates, with the first singular value at "
        f"{first:g} and the second at {second:g}.",
        *combine_parts(
            {
                "updates": (updates("classifier", "train_loss", **shown), Near(end, error=_UPDATES, errors=1)),
                "first value": (values[0], Near(first, error=_VALUES, errors=1)),
                "second value": (values[1], Near(second, error=_VALUES, errors=1)),
            }
        ),
        because=because,
        printed=READ_OFF,
        quantity="updates, and singular values",
        revised=(
            "the tolerance was three standard deviations over ten repetitions, but the picture shows only the first "
            "repetition"
        ),
    )


def _mean_of_one_and_three_layers(evidence: Evidence) -> np.ndarray:
    """Return, for each repetition, the mean of the accuracies of one layer and of three layers, in percent."""
    return (accuracy(DEPTHS[3])(evidence) + accuracy(LINEAR)(evidence).mean()) / 2


def _log_of_third_over_first(runs: Runs) -> Measure:
    return lambda evidence: np.log(third_over_first(runs)(evidence))
