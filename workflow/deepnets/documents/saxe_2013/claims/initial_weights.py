"""Claims on the effect of initial weights on the learning times of deep linear nets on MNIST."""

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Mean
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure, difference, ratio, total
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.claims.measures import (
    EXPERIMENT,
    measure_time,
    measure_time_or_end,
    read_by_depth,
    with_layers,
)
from deepnets.documents.saxe_2013.correlations import correlation_coefficients, off_diagonal
from deepnets.documents.saxe_2013.runs import CURVES, DECOUPLED, DEPTHS, INPUTS

_ORTHOGONAL, _PRETRAINED, _GAUSSIAN = ({**DEPTHS, "init": init} for init in ("orthogonal", "pretrained", "gaussian"))
_UNLEARNED = "For nets that have not learned when their runs end, we use the run's last update as the learning time"
# Our criterion for times that do not depend on depth: they grow by less than a half.
_FLAT = Mean(1 / 1.5, 1.5)


def initial_weights() -> list[Claim]:
    """Return the claims on orthogonal, pretrained and Gaussian weights, then on pretraining and its condition."""
    return [*_claim_flat_times(), *_claim_gaussian(), *_claim_pretraining(), _claim_inputs()]


def _claim_flat_times() -> list[Claim]:
    section = Section("Section 3, Figure 6A, left", "learning_times").of(
        "learning time at 100 layers divided by learning time at 28 layers"
    )
    because = (
        "With 3.6 times as many layers, times must grow by less than a half. The claim times_from_3_layers is about "
        "fewer layers: nets of three layers need only ten updates, and tried rates differ by a fifth."
    )
    revised = (
        "the exponent was fitted from 3 layers on; there times start at ten updates, and nearly all of the increase "
        "is below 28 layers; a separate claim is now about this range"
    )
    return [
        section.trend(
            "orthogonal_is_flat",
            "From 28 to 100 layers, learning times of orthogonal nets grow by less than a half.",
            _time_ratio(28, 100, _ORTHOGONAL),
            _FLAT,
            because=because,
            revised=revised,
        ),
        section.trend(
            "pretrained_is_flat",
            "From 28 to 100 layers, learning times of pretrained nets grow by less than a half.",
            _time_ratio(28, 100, _PRETRAINED),
            _FLAT,
            because=because,
            revised=revised,
            explanation=(
                "Chance may explain it. In our three seeds, nets of 100 layers take 1.2 to 1.4 times as long as nets "
                "of 28. This does not exclude a growth by a half. It still holds that times grow far less than for "
                "Gaussian nets, which do not learn in 1,700 updates."
            ),
        ),
        section.of("learning time at 100 layers divided by learning time at 3 layers").trend(
            "times_from_3_layers",
            "From 3 to 100 layers, learning times of orthogonal and of pretrained nets do not depend on depth.",
            *combine_parts(
                {
                    "orthogonal": (_time_ratio(3, 100, _ORTHOGONAL), _FLAT),
                    "pretrained": (_time_ratio(3, 100, _PRETRAINED), _FLAT),
                }
            ),
            because="Times must grow by less than a half between the smallest and the largest depth of the figure.",
            main="the abstract states “depth independent learning times”",
            explanation=(
                "It does not hold. Our nets learn in 9 to 11 updates at 3 layers, in 33 to 39 at 28 layers and in 40 "
                "to 51 at 100 layers. The deepest nets take four to five times as long as nets of 3 layers; nearly "
                "all of the increase is below 28 layers (orthogonal_is_flat). It still holds that depth costs only a "
                "small delay: Gaussian nets need 11 updates at 3 layers and more than 1,700 at 100 layers."
            ),
        ),
        section.of("learning time of orthogonal nets divided by learning time of pretrained nets").ordering(
            "orthogonal_is_as_fast_as_pretrained",
            "Learning times of orthogonal and of pretrained nets are indistinguishable at each depth.",
            ratio(measure_time(_ORTHOGONAL), measure_time(_PRETRAINED)),
            Every(0.75, 1.25),
            because=(
                "At each depth and seed, the two times may differ by 25 %, because neighbouring rates differ by 20 % "
                "and the times are only a few updates."
            ),
        ),
        section.of("learning time of pretrained nets divided by learning time of decoupled nets").ordering(
            "pretrained_is_faster_than_a_small_start",
            "Pretrained nets learn faster than the decoupled nets of Figure 4, whose modes start with a strength of "
            "0.001.",
            _compare_learning_times,
            Every(0, 1),
            because="This must hold at each depth and in each seed.",
            explanation=(
                "It does not hold. At 3 layers, decoupled nets are faster: they need 7 updates, pretrained nets 10. "
                "From 5 to 100 layers, pretrained nets are two to seven times as fast as decoupled nets in each "
                "seed. The paper's reason, that modes of pretrained nets start with a strength near 1, still holds "
                "for these depths."
            ),
        ),
    ]


def _claim_gaussian() -> list[Claim]:
    section = Section("Section 3, Figure 6A, left", "learning_times").of(
        "learning time at 100 layers divided by learning time at 10 layers"
    )
    return [
        section.trend(
            "gaussian_grows",
            "With Gaussian weights, scaled to preserve norms, learning times grow with depth. We compare 10 layers "
            "with 100.",
            ratio(measure_time_or_end(with_layers(_GAUSSIAN, 100)), measure_time_or_end(with_layers(_GAUSSIAN, 10))),
            Every(least=1.5),
            because=f"Times must grow by more than a half, in each seed. {_UNLEARNED}, which is a lower bound.",
            main="the abstract states that “scaled random Gaussian initializations cannot” find fast starts",
        ),
        section.of("learning time of Gaussian nets divided by learning time of orthogonal nets").ordering(
            "gap_is_modest_at_6_layers",
            "With about 6 layers, as in large applications, Gaussian nets are only modestly slower than orthogonal "
            "nets.",
            *combine_parts({f"{layers} layers": (_gap(layers), Every(1, 2)) for layers in (5, 8)}),
            because="We take “modestly” to mean by at most a factor of two, at 5 and 8 layers, in each seed.",
            explanation=(
                "Our nets or data differ. Our Gaussian nets take 3 to 4 times as long as our orthogonal nets at 5 "
                "layers, and 8 to 11 times as long at 8 layers. Our nets have 100 hidden units instead of 1,000, and "
                "the singular values of Gaussian nets spread more if depth divided by width is larger. It still "
                "holds that the gap is smaller than in deep nets."
            ),
        ),
        section.of("gap of Gaussian to orthogonal nets at 100 layers, divided by the gap at 5 layers").trend(
            "gap_is_magnified_by_depth",
            "Depth magnifies the gap between Gaussian and orthogonal nets. We compare 5 layers with 100.",
            ratio(_gap(100), _gap(5)),
            Every(least=1.5),
            because=(
                f"The gap must grow by at least a half, in each seed. {_UNLEARNED}, which makes the gap at 100 layers "
                "a lower bound."
            ),
        ),
    ]


def _claim_pretraining() -> list[Claim]:
    section = Section("Section 3, Figure 5, right", "learning_curves").of(
        "learning time from small weights minus learning time after pretraining, in updates"
    )
    random, pretrained = ({**CURVES, "init": init} for init in ("small_gaussian", "pretrained"))
    gain = difference(measure_time_or_end(random), measure_time(pretrained))
    return [
        section.ordering(
            "pretraining_speeds_learning",
            "A net of five layers learns faster after pretraining than from small random weights.",
            gain,
            Every(least=1),
            because=(
                "The difference must be at least one update in each seed, with each net at its best rate. "
                f"{_UNLEARNED}."
            ),
            main="the abstract names “faster convergence from greedy unsupervised pretraining”",
        ),
        section.ordering(
            "pretraining_pays",
            "A pretrained net learns faster than a net from small random weights, even if the updates of the "
            "pretraining are counted.",
            # Layers are pretrained one after another, so their updates add up.
            difference(gain, total(EXPERIMENT, "pretraining_updates", **pretrained)),
            Every(least=1),
            because=(
                "This must hold in each seed; an update of the pretraining counts as much as an update of the whole "
                "net. The difference found is one update, 69 instead of 70. This is less than we can resolve, since "
                "tried rates differ by a fifth; and the rate of the pretraining is our choice."
            ),
        ),
    ]


def _claim_inputs() -> Claim:
    section = Section("Section 3, eq. 18, Figure 5, left and centre", "consistency_of_inputs", needs_full_mnist=True)
    modes, pixels = (_off_diagonal(metric) for metric in ("mode_correlation", "pixel_correlation"))
    return section.bound(
        "consistency_condition",
        "MNIST satisfies the condition for pretraining: the inputs' correlations Σ¹¹ are nearly diagonal after a "
        "rotation to the modes of the task, but not before this rotation.",
        *combine_parts(
            {"modes": (modes, Every(greatest=0.25)), "pixels over modes": (ratio(pixels, modes), Every(least=1.5))}
        ),
        because=(
            "A correlation of 1/4 explains 1/16 of the variance, which is hardly visible in a picture. The "
            "correlation of ten neighbouring pixels must be at least 1.5 times as large as that of the modes."
        ),
        quantity=(
            "root mean square of the correlations off the diagonal, for ten modes; the same for ten pixels, divided "
            "by that for modes"
        ),
    )


def _time_ratio(shallow: int, deep: int, runs: Runs) -> Measure:
    return ratio(measure_time(with_layers(runs, deep)), measure_time(with_layers(runs, shallow)))


def _gap(layers: int) -> Measure:
    return ratio(measure_time_or_end(with_layers(_GAUSSIAN, layers)), measure_time(with_layers(_ORTHOGONAL, layers)))


def _compare_learning_times(evidence: Evidence) -> np.ndarray:
    """Return the learning times of pretrained nets divided by those of decoupled nets, at the depths of both kinds."""
    pretrained, decoupled = (read_by_depth(evidence, "learning_time", runs) for runs in (_PRETRAINED, DECOUPLED))
    both = pretrained.index.intersection(decoupled.index)
    return pretrained.loc[both].div(decoupled.loc[both].iloc[:, 0], axis=0).to_numpy().ravel()


@as_measure
def _off_diagonal(evidence: Evidence, metric: str) -> np.ndarray:
    coefficients = correlation_coefficients(evidence.runs("input_correlations", **INPUTS), metric)
    return np.array([np.sqrt(np.mean(off_diagonal(coefficients) ** 2))])
