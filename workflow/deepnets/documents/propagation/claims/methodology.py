"""The claims of document 002's slides up to "Results": definitions, set-ups, and the limit of infinite width."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Mean
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import difference, difference_of_means, reduced, setting
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.propagation.claims.pictures import BN_FF, HISTOGRAMS, VANILLA
from workflow.deepnets.documents.propagation.criteria import (
    EACH,
    HIGH_PROBABILITY,
    MUCH_LESS_THAN_1,
    NOT_NEGLIGIBLE,
    ROUNDING,
    with_slack,
)
from workflow.deepnets.documents.propagation.measures import (
    Net,
    at,
    change_of,
    furthest_from_1,
    log,
    log10,
    net,
    over_layers,
    recorded,
    runs_of,
    sensitivity_grown,
    share_within,
    squared_scatter,
)

_CONVOLUTIONAL = net("narrow", "feedforward", "none", (3, 64, 8, 200))
_BLOCKS = ["vanilla", "bn_ff", "bn_res"]


def methodology() -> list[Claim]:
    """The slides up to "Results"."""
    return [
        as_set(
            "three_set_ups",
            '"Propagation"',
            "There are three set-ups of linear layers and ReLU: vanilla nets, feedforward nets with batch "
            "normalisation, and resnets with it.",
            3,
            _set_ups,
        ),
        *(
            Claim(
                name=f"small_noise_is_linear_in_{name}",
                place='"Propagation"',
                kind="bound",
                statement=(
                    "A small noise passes linearly: a thousandth of the images' standard deviation, through the first "
                    f"{layer} layers of {words}."
                ),
                measure=_of_first_simulations(chosen, "finite_noise_error", layer),
                rule=Every(greatest=MUCH_LESS_THAN_1),
                because="What it becomes differs from the linear noise by a tenth at most, which is “≪ 1” here.",
            )
            for name, chosen, layer, words in (
                ("vanilla_nets", VANILLA, 5, "vanilla nets"),
                ("feedforward_nets", BN_FF, 10, "feedforward nets with batch normalisation"),
            )
        ),
        Claim(
            name="infinite_width_breaks_down_with_depth",
            place='"Related work (II)", "Further Notation and Assumption (II)"',
            figure="vanilla_histograms",
            kind="trend",
            statement=(
                "The limit of infinite width breaks down in deep feedforward nets: the logarithm of the signal's mean "
                "square, a constant there, scatters over nets, and more at layer 200 than at layer 50."
            ),
            measure=difference(
                squared_scatter(HISTOGRAMS, change_of("log_nu2_signal"), 200),
                squared_scatter(HISTOGRAMS, change_of("log_nu2_signal"), 50),
            ),
            rule=Mean(least=0),
            because="The difference of the two variances, further from 0 than chance over simulations explains.",
        ),
        Claim(
            name="infinite_width_holds_at_given_depth",
            place='"Related work (II)"',
            kind="ordering",
            statement="For a given depth that limit is approached by wide nets: 512 channels scatter less than 128.",
            measure=difference_of_means(
                squared_scatter(HISTOGRAMS, change_of("log_nu2_signal"), 200),
                squared_scatter(VANILLA, change_of("log_nu2_signal"), 200),
            ),
            rule=Mean(least=0),
            because="The difference of the variances at layer 200, with the uncertainties of both.",
        ),
        Claim(
            name="both_operators",
            place='"Contributions", 1',
            kind="bound",
            statement="The methodology serves convolutional nets too: 1 ≲ δχ ≲ √2 in convolutional vanilla nets.",
            printed="1, √2",
            measure=share_within((_CONVOLUTIONAL,), recorded("delta_chi"), *with_slack(1, np.sqrt(2))),
            rule=Every(least=HIGH_PROBABILITY),
            because="As the document defines “≲”: up to a factor of 1 ± 0.1, in 95 of 100 layers and simulations.",
        ),
        Claim(
            name="rank_is_at_least_1",
            place='"Data Randomness (II)"',
            figure="vanilla",
            kind="bound",
            statement="The effective rank is at least 1.",
            printed="≥ 1",
            measure=over_layers(VANILLA, recorded("effective_rank_signal"), np.min),
            rule=Every(least=1 - 1e-6),
            because="A theorem; the largest eigenvalue is computed to a relative 10⁻⁶.",
        ),
        Claim(
            name="rank_of_a_line",
            place='"Data Randomness (II)"',
            kind="formula",
            statement="The effective rank of points on a line is 1.",
            printed="1",
            measure=_rank_of_points(np.outer(np.arange(5.0) ** 2, [3.0, -1.0, 2.0])),
            rule=Every(1 - 1e-12, 1 + 1e-12),
            because="The formula, of five points, in float64.",
        ),
        Claim(
            name="rank_of_a_plane",
            place='"Data Randomness (II)"',
            kind="formula",
            statement="The effective rank of points that lie isotropically in a plane is 2.",
            printed="2",
            measure=_rank_of_points(_ring(8) @ np.array([[1.0, 2, 2], [2, 1, -2]]) / 3),
            rule=Every(2 - 1e-12, 2 + 1e-12),
            because="The formula, of eight points on a circle in three dimensions, in float64.",
        ),
        Claim(
            name="sensitivity_is_a_ratio_of_snrs",
            place='"Data Randomness (II)"',
            kind="formula",
            statement="χ is the root of the ratio of the signal-to-noise ratios at the input and at a layer.",
            measure=over_layers(BN_FF, _sensitivity_over_snrs, furthest_from_1),
            rule=Every(1 - 1e-4, 1 + 1e-4),
            because=f"{ROUNDING} Of all layers the one furthest from it, between the first linear layer and there.",
        ),
        Claim(
            name="rank_of_one_hot_targets",
            place='"Data Randomness (III)"',
            kind="formula",
            statement="One-hot targets of equally frequent classes have an effective rank of their number minus 1.",
            printed="number of classes minus 1",
            measure=_rank_of_points(np.eye(10)),
            rule=Every(9 - 1e-12, 9 + 1e-12),
            because="The formula, of the targets of ten classes, in float64.",
        ),
        Claim(
            name="rank_of_one_hot_targets_of_mnist",
            place='"Data Randomness (III)"',
            kind="number",
            statement="That is typical: MNIST's targets, whose ten classes differ in frequency, have it too.",
            printed="number of classes minus 1",
            measure=reduced(at(VANILLA, recorded("effective_rank_labels"), 0), np.nanmean),
            rule=Every(8.5, 9.5),
            because="“Typically equal” is for a rank, which is no whole number, to round to 9.",
            needs_full_mnist=True,
        ),
        Claim(
            name="sensitivity_explodes_by_definition",
            place='"Data Randomness (III)"',
            figure="batch_normalized_feedforward",
            kind="bound",
            statement="There is a γ > 0 with χ ≥ exp(γl) at all layers, in feedforward nets with batch normalisation.",
            printed="exp(γ l)",
            measure=over_layers(BN_FF, _rate_of_sensitivity, np.min),
            rule=Every(least=np.log1p(NOT_NEGLIGIBLE)),
            because=f"γ = ln 1.05, four orders of magnitude over 200 layers. {EACH}",
        ),
        Claim(
            name="any_corruption_drowns_the_signal",
            place='"Data Randomness (III)"',
            figure="exploding_sensitivity",
            kind="bound",
            statement="Any corruption of the input then drowns the signal, even that of rounding it to float32.",
            measure=at(BN_FF, log10(recorded("chi")), -1),
            rule=Every(least=7),
            because="Rounding has the relative size 10⁻⁷; at χ = 10⁷ its image is as large as the signal.",
        ),
        as_set(
            "weights_of_he",
            '"Model Parameters Randomness (I)"',
            "Weights are initialised following He et al. (2015): the fan-in times their variance is 2.",
            2,
            _setting_of_three("gain"),
            printed="He et al. (2015)",
        ),
        as_set(
            "biases_are_0",
            '"Model Parameters Randomness (I)"',
            "Biases are initialised with 0.",
            0,
            _setting_of_three("bias"),
        ),
        as_set(
            "normalisation_starts_without_scale_and_shift",
            '"Model Parameters Randomness (I)"',
            "Batch normalisation is initialised with scales of 1 and shifts of 0.",
            1,
            lambda evidence: np.array([_inits(evidence) == ["normal"]], dtype=float),
            printed="1, 0",
            because="Whether all nets of the three set-ups have the init that draws no scale and no shift.",
        ),
    ]


def _setting_of_three(name: str) -> Measure:
    """Measure the values of an axis in the grids of the three set-ups."""
    return setting("propagation", name, block=_BLOCKS)


def _of_first_simulations(chosen: Net, metric: str, layer: int) -> Measure:
    """Measure what the first simulation of each seed alone records."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = at(chosen, recorded(metric), layer)(evidence)
        return values[~np.isnan(values)]

    return measured


def _inits(evidence: Evidence) -> list[object]:
    return evidence.settings("propagation", "init", block=_BLOCKS)


def _set_ups(evidence: Evidence) -> np.ndarray:
    """Return how many of the three blocks are of the slide's nets."""
    stated = zip(_BLOCKS, ("feedforward", "feedforward", "residual"), ("none", "batch", "batch"), strict=True)
    as_stated = [
        [evidence.settings("propagation", axis, block=block) for axis in ("arch", "norm", "activation")]
        == [[arch], [norm], ["relu"]]
        for block, arch, norm in stated
    ]
    return np.array([sum(as_stated)], dtype=float)


def _rank_of_points(points: np.ndarray) -> Measure:
    """Measure Σλ / max λ of the covariance of points, (points, dimensions)."""

    def measured(evidence: Evidence) -> np.ndarray:
        # The formula is tested beside runs that it describes.
        runs_of(evidence, VANILLA)
        eigenvalues = np.linalg.eigvalsh(np.cov(points, rowvar=False))
        return np.array([eigenvalues.sum() / eigenvalues.max()])

    return measured


def _ring(points: int) -> np.ndarray:
    angles = 2 * np.pi * np.arange(points) / points
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _sensitivity_over_snrs(runs: pd.DataFrame) -> pd.DataFrame:
    noise_to_signal = change_of("log_mu2_noise")(runs) - change_of("log_mu2_signal")(runs)
    return sensitivity_grown(runs) / np.exp(noise_to_signal / 2)


def _rate_of_sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    logs = log(recorded("chi"))(runs).loc[1:]
    return logs.div(logs.index.to_numpy(), axis=0)
