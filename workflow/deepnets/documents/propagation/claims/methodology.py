"""Claims of document 002's slides up to "Results": definitions, set-ups, and the limit of infinite width."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Includes, Is, Mean
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import (
    as_measure,
    difference,
    difference_of_means,
    not_testable,
    reduce_values,
    setting,
)
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.propagation.criteria import (
    HIGH_PROBABILITY,
    ROUNDING,
    with_slack,
)
from deepnets.documents.propagation.measures import (
    at_layer,
    furthest_from_1,
    over_layers,
    rows_of_net,
    share_within,
    squared_scatter,
)
from deepnets.documents.propagation.quantities import (
    INCREMENT,
    RANK,
    change_of,
    relative_sensitivity,
    values_of,
)
from deepnets.documents.propagation.runs import (
    BN_FF,
    CONNECTED_VANILLA,
    HISTOGRAMS,
    SET_UPS,
    STANDARD,
    VANILLA,
    Net,
)
from deepnets.theory.sensitivity import INCREMENT_BOUNDS

_ALL_THREE: Runs = {"block": list(SET_UPS), **STANDARD}


def methodology() -> list[Claim]:
    """Return the claims of the slides up to "Results", in their order."""
    return [*_propagation(), *_infinite_width(), *_rank_and_sensitivity(), *_pathologies(), *_parameters()]


def _propagation() -> list[Claim]:
    slides = Section('"Propagation"')
    return [
        slides.setting(
            "three_set_ups",
            "The slides consider three set-ups of linear layers and ReLU: vanilla nets, feedforward nets with batch "
            "normalisation, and resnets with batch normalisation.",
            _count_set_ups,
            Is(len(SET_UPS)),
        ),
        slides.bound(
            "small_noise_is_linear",
            "The first layers act linearly on a small noise, here of a thousandth of the images' standard deviation.",
            *combine_parts(
                {
                    f"{words}, layer {layer}": (
                        _recorded_values(net, "finite_noise_error", layer),
                        Every(0, 0.5),
                    )
                    for words, net, layer in (("vanilla", VANILLA, 5), ("feedforward with batch norm", BN_FF, 10))
                }
            ),
            because=(
                "The slides do not say how small. If the error of the linear approximation is below half of the noise, "
                "it explains more than it misses."
            ),
            quantity="error of the linear approximation, as a share of the noise",
            revised="the limit was a tenth, which no slide names and which feedforward nets miss at layer 10 (0.166)",
        ),
    ]


def _infinite_width() -> list[Claim]:
    moment = change_of("log_nu2_signal")
    both = Section('"Related work (II)", "Further Notation and Assumption (II)"', "vanilla_histograms")
    return [
        both.trend(
            "infinite_width_breaks_down_with_depth",
            "The limit of infinite width breaks down in deep feedforward nets: ln of the signal's mean square, "
            "constant in this limit, varies between nets, and more at layer 200 than at layer 50.",
            difference(squared_scatter(HISTOGRAMS, moment, 200), squared_scatter(HISTOGRAMS, moment, 50)),
            Mean(least=0),
            because="The variance at layer 200 exceeds that at layer 50 by more than chance over simulations explains.",
            quantity="variance over nets of ln(mean square), layer 200 minus layer 50",
        ),
        Section('"Related work (II)"').ordering(
            "infinite_width_holds_at_given_depth",
            "At a given depth, wide nets approach the limit of infinite width: ln of the signal's mean square varies "
            "less between nets of 512 channels than between nets of 128.",
            difference_of_means(squared_scatter(HISTOGRAMS, moment, 200), squared_scatter(VANILLA, moment, 200)),
            Mean(least=0),
            because="The variance at layer 200 is larger with 128 channels; the uncertainties of both count.",
            quantity="variance over nets of ln(mean square) at layer 200, 128 channels minus 512",
        ),
        Section('"Contributions", 1').bound(
            "both_operators",
            "The methodology covers both operators: 1 ≲ δχ ≲ √2 in convolutional and in fully connected vanilla nets.",
            share_within((VANILLA, CONNECTED_VANILLA), INCREMENT, *with_slack(*INCREMENT_BOUNDS)),
            Every(least=HIGH_PROBABILITY),
            because="“≲” as in the document: up to a factor of 1 ± 0.1, in 95 of 100 layers and simulations.",
            quantity="share of layers and simulations within the bounds 1 and √2",
        ),
    ]


def _rank_and_sensitivity() -> list[Claim]:
    slides = Section('"Data Randomness (II)"')
    return [
        slides.with_figure("vanilla").identity(
            "rank_is_at_least_1",
            "The effective rank is at least 1.",
            over_layers(VANILLA, RANK, np.min),
            Every(least=1 - 1e-6),
            quantity="effective rank of the signal, all layers",
            because="A theorem. The relative error of the computed largest eigenvalue is 10⁻⁶.",
            printed="≥ 1",
        ),
        slides.identity(
            "rank_of_a_line",
            "The effective rank of points on a line is 1.",
            _rank_of_points(np.outer(np.arange(5.0) ** 2, [3.0, -1.0, 2.0])),
            Every(1 - 1e-12, 1 + 1e-12),
            quantity="effective rank",
            because="We evaluate the formula for five points in float64.",
            printed="1",
        ),
        slides.identity(
            "rank_of_a_plane",
            "The effective rank of points that lie isotropically in a plane is 2.",
            _rank_of_points(_points_on_circle(8) @ np.array([[1.0, 2, 2], [2, 1, -2]]) / 3),
            Every(2 - 1e-12, 2 + 1e-12),
            quantity="effective rank",
            because="We evaluate the formula for eight points on a circle in three dimensions, in float64.",
            printed="2",
        ),
        slides.identity(
            "sensitivity_is_a_ratio_of_snrs",
            "χ is the square root of the signal-to-noise ratio at the input divided by that at a layer.",
            over_layers(BN_FF, _sensitivity_over_snrs, furthest_from_1),
            Every(1 - 1e-4, 1 + 1e-4),
            quantity="χ divided by the square root of the ratio of both signal-to-noise ratios",
            because=f"{ROUNDING} We compare each layer with the first linear layer, and judge the largest deviation.",
        ),
    ]


def _pathologies() -> list[Claim]:
    slides = Section('"Data Randomness (III)"')
    return [
        slides.identity(
            "rank_of_one_hot_targets",
            "If all classes are equally frequent, the effective rank of one-hot targets is the number of classes "
            "minus 1.",
            _rank_of_points(np.eye(10)),
            Every(9 - 1e-12, 9 + 1e-12),
            quantity="effective rank of the targets of ten equally frequent classes",
            because="We evaluate the formula for the targets of ten classes in float64.",
            printed="number of classes minus 1: 9",
        ),
        slides.with_full_mnist().number(
            "rank_of_one_hot_targets_of_mnist",
            "The effective rank of one-hot targets, here those of MNIST, is typically the number of classes minus 1.",
            reduce_values(at_layer(VANILLA, values_of("effective_rank_labels"), 0), np.nanmean),
            Every(8.5, 9.5),
            because="An effective rank need not be an integer. “Typically equal” means here that it rounds to 9.",
            quantity="effective rank of MNIST's targets",
            printed="number of classes minus 1: 9",
            explanation=(
                "Our nets or data differ. MNIST's ten classes differ in frequency, which lowers the effective rank of "
                "the targets from 9 to 8.1. It still holds that a one-dimensional signal is incompatible with them."
            ),
        ),
        slides.bound(
            "pathology_prevents_training",
            "If a net is likely pathological at initialisation, it likely does not train normally; good properties at "
            "initialisation predict performance after training.",
            not_testable("no experiment trains these nets; the slides cite other works for this statement"),
            Every(least=0),
            because="A test would train nets with and without pathology, and compare their test accuracies.",
            quantity="difference of test accuracies, percentage points",
        ),
    ]


def _parameters() -> list[Claim]:
    slides = Section('"Model Parameters Randomness (I)"')
    return [
        slides.setting(
            "weights_of_he",
            "Weights are initialised following He et al. (2015): the fan-in times their variance is {}.",
            setting("propagation", "gain", block=_ALL_THREE["block"]),
            Includes(_ALL_THREE["gain"]),
            quantity="fan-in times variance",
            printed="He et al. (2015)",
        ),
        *slides.settings("propagation", _ALL_THREE, {"bias": ("biases_are_0", "Biases are initialised with {}.")}),
        slides.setting(
            "normalisation_starts_without_scale_and_shift",
            "Batch normalisation is initialised with scales of 1 and shifts of 0.",
            _has_standard_init,
            Is(1),
            because="The config contains the initialisation that draws no scales and no shifts.",
            quantity="whether scales start at 1 and shifts at 0 (1: yes)",
            printed="",
        ),
    ]


def _count_set_ups(evidence: Evidence) -> np.ndarray:
    """Return the number of blocks with the slides' architecture, normalisation and activation."""
    as_stated = [
        all(
            value in evidence.settings("propagation", axis, block=block)
            for axis, value in (("arch", arch), ("norm", norm), ("activation", STANDARD["activation"]))
        )
        for block, (arch, norm) in SET_UPS.items()
    ]
    return np.array([sum(as_stated)], dtype=float)


def _has_standard_init(evidence: Evidence) -> np.ndarray:
    inits = evidence.settings("propagation", "init", block=_ALL_THREE["block"])
    return np.array([STANDARD["init"] in inits], dtype=float)


@as_measure
def _recorded_values(evidence: Evidence, net: Net, metric: str, layer: int) -> np.ndarray:
    """Measure a metric that only the first simulation of each seed records."""
    values = at_layer(net, values_of(metric), layer)(evidence)
    return values[~np.isnan(values)]


@as_measure
def _rank_of_points(evidence: Evidence, points: np.ndarray) -> np.ndarray:
    """Measure Σλ / max λ for the covariance of points of shape (points, dimensions)."""
    # Without runs of this net, the claim is not testable.
    rows_of_net(evidence, VANILLA)
    eigenvalues = np.linalg.eigvalsh(np.cov(points, rowvar=False))
    return np.array([eigenvalues.sum() / eigenvalues.max()])


def _points_on_circle(count: int) -> np.ndarray:
    angles = 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _sensitivity_over_snrs(net: pd.DataFrame) -> pd.DataFrame:
    noise_to_signal = change_of("log_mu2_noise")(net) - change_of("log_mu2_signal")(net)
    return relative_sensitivity(net) / np.exp(noise_to_signal / 2)
