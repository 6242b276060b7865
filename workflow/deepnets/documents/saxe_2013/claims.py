import math

import numpy as np

from deepnets.documents.saxe_2013 import printed, runs
from deepnets.documents.saxe_2013.measures import learning_times as times
from deepnets.documents.saxe_2013.measures import modes
from deepnets.documents.saxe_2013.measures import random_nets as nets
from reproduce import api

TABLES = ("learning_time", "input_correlations", "phase_portrait", "mode_dynamics", "mnist_modes", "spectra")
# Our criterion for times that do not depend on depth: they grow by less than a half.
_FLAT = api.Between(1 / 1.5, 1.5, of="number of updates")
# The ratio of neighbouring rates: 17 rates cover a factor of 16.
_BETWEEN_RATES = 2**0.25
# The paper states its law of the best rate “for large N”. We test the law from this number of layers on.
_MANY_LAYERS = 10
# The largest error of an exponent fitted between 10 and 100 layers, if the rates at both ends are wrong by one step.
_RESOLUTION = 2 * math.log(_BETWEEN_RATES) / math.log(printed.LAYERS[-1] / _MANY_LAYERS)
# A second initial strength, ten times as large.
_STRONGER = 0.01
# Ours are around theory's best rate.
_PRINTED_RATES = {"lowest": 1e-7, "highest": 1e-4, "count": 20}
# Pairs of (more factors, fewer factors), for neighbouring panels of Figure 6B.
_STEPS = tuple(zip(printed.FACTORS[1:], printed.FACTORS, strict=False))
# The config's gains above the critical gain 1. For these gains, the variance does not go to 0.
_ABOVE_1 = (1.05, 1.1, 1.25, 1.5, 2)
# Input variances “far beyond 1”.
_LARGE = [[4], [10], [100]]


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    near = api.Every(greatest=0.01)
    deep = runs.with_layers(runs.DECOUPLED, 100)
    many_layers = runs.DECOUPLED.but(depth=[layers - 1 for layers in printed.LAYERS if layers >= _MANY_LAYERS])
    linear, tanh = modes.mean_delays(runs.LINEAR_TREE), modes.mean_delays(runs.TANH_TREE)
    from_small, after_pretraining = runs.CURVES.but(init="small_gaussian"), runs.CURVES.but(init="pretrained")
    of_modes, of_pixels = (times.correlation_off_diagonal(f"{each}_correlation") for each in ("mode", "pixel"))
    return api.Decisions(
        {
            "learning_ends_at_the_optimum": (
                api.measure(modes.distances_from_the_optimum, runs.LINEAR_TREE),
                api.Every(0, 0.01),
            ),
            "hyperbola_is_conserved": (
                modes.apply_in_plane(modes.largest_change_of_hyperbola),
                api.Every(greatest=0.02),
            ),
            "ends_of_learning": {
                "distance of ab from s": (
                    modes.apply_in_plane(lambda a, b: np.abs(a[-1] * b[-1] - 1)[a[0] != -b[0]]),
                    near,
                ),
                "distance from 0": (modes.apply_in_plane(lambda a, b: np.hypot(a[-1], b[-1])[a[0] == -b[0]]), near),
            },
            "balanced_half_times": (modes.delays_in_steps(), api.Every(0, 1)),
            "time_is_inverse_in_strength": (modes.exponents_of_times(), api.Near(-1, of="exponent")),
            "plateaus_and_transitions": {
                "linear": (api.measure(modes.rises, runs.LINEAR_TREE), api.Between(0, 1)),
                "tanh": (api.measure(modes.rises, runs.TANH_TREE), api.Between(0, 1)),
            },
            "small_random_starts_follow_theory": {
                "linear": (linear, api.Between(-0.1, 0.1)),
                "tanh": (tanh, api.Between(-0.25, 0.25)),
            },
            "competition_and_saturation_delay": {
                "linear nets against theory": (linear, api.ABOVE_0),
                "tanh against linear nets": (tanh - linear, api.ABOVE_0),
            },
            "mnist_half_times_follow_theory": {
                name: (modes.furthest_half_times(theory), api.Between(greatest=0.1))
                for name, theory in (
                    ("eq. 11", "theory_half_time"),
                    ("eq. 26, from each net's own start", "predicted_half_time"),
                )
            },
            "continuous_time_at_any_depth": (
                times.time_of(runs.DECOUPLED) - api.final(runs.DECOUPLED, "theory_learning_time"),
                api.Every(-3, 3),
            ),
            "limit_of_infinite_depth": (
                times.time_of(deep) / api.final(deep, "limit_learning_time"),
                api.Between(0.75, 1.05),
            ),
            "times_saturate": (
                times.slope_between(74, 100, runs.DECOUPLED) / times.slope_between(3, 5, runs.DECOUPLED),
                api.Between(0, 0.1),
            ),
            "delay_is_inverse_in_the_start": (
                times.need_runs(
                    _delay(runs.DECOUPLED) / _delay(runs.DECOUPLED.but(initial_strength=_STRONGER)),
                    f"also needs decoupled nets with the initial strength {_STRONGER}; no config contains such nets",
                ),
                api.Between(8, 12.5),
            ),
            "best_rate_is_inverse_in_curvature": (
                api.reduce_values(
                    api.final(runs.DECOUPLED, "best_learning_rate")
                    / api.at_step(runs.DECOUPLED, "theory_best_learning_rate", 0),
                    lambda ratios: ratios.max() / ratios.min(),
                ),
                api.Between(1 / (1.01 * _BETWEEN_RATES), 1.01 * _BETWEEN_RATES),
            ),
            "best_rate_is_inverse_in_layers": (
                times.exponent_over_layers("best_learning_rate", many_layers),
                api.Between(-1 - _RESOLUTION, -1 + _RESOLUTION),
            ),
            "orthogonal_is_flat": (times.time_ratio(28, 100, runs.ORTHOGONAL_NETS), _FLAT),
            "pretrained_is_flat": (times.time_ratio(28, 100, runs.PRETRAINED_NETS), _FLAT),
            "times_from_3_layers": {
                "orthogonal": (times.time_ratio(3, 100, runs.ORTHOGONAL_NETS), _FLAT),
                "pretrained": (times.time_ratio(3, 100, runs.PRETRAINED_NETS), _FLAT),
            },
            "orthogonal_is_as_fast_as_pretrained": (
                times.mean_over_depths(runs.ORTHOGONAL_NETS, runs.PRETRAINED_NETS),
                api.Between(1 / _BETWEEN_RATES, _BETWEEN_RATES),
            ),
            "pretrained_is_faster_than_a_small_start": (times.largest_over_decoupled(), api.Between(greatest=1)),
            "gaussian_grows": (
                times.time_or_end(runs.with_layers(runs.GAUSSIAN_NETS, 100))
                / times.time_of(runs.with_layers(runs.GAUSSIAN_NETS, 10)),
                api.Between(least=1.5),
            ),
            "gap_is_modest_at_6_layers": {
                f"{layers} layers": (times.gap(layers), api.Between(1, 2)) for layers in (5, 8)
            },
            "gap_is_magnified_by_depth": (
                times.gap(100)
                / (
                    times.time_of(runs.with_layers(runs.GAUSSIAN_NETS, 5))
                    / times.time_of(runs.with_layers(runs.ORTHOGONAL_NETS, 5))
                ),
                api.Between(least=1.5),
            ),
            "pretraining_speeds_learning": (
                times.time_or_end(from_small) - times.time_of(after_pretraining),
                api.ABOVE_0,
            ),
            "pretraining_pays": (times.gain_in_steps(from_small, after_pretraining, _BETWEEN_RATES), api.ABOVE_0),
            "consistency_condition": {
                "modes": (of_modes, api.Between(greatest=0.25)),
                "pixels over modes": (of_pixels / of_modes, api.Between(least=1.5)),
            },
            "laws_of_random_matrices": {
                "singular values of one matrix": (nets.distances_from_singular_value_law(1), api.Every(greatest=3)),
                "singular values of products of five": (
                    nets.distances_from_singular_value_law(5),
                    api.Every(greatest=3),
                ),
                "eigenvalues of one matrix": (
                    api.measure(nets.distances_from_the_disc, runs.GAUSSIAN.but(depth=1)),
                    api.Every(greatest=1),
                ),
            },
            "products_preserve_norms_on_average": {
                f"factors: {count}": (nets.mean_squares(count), api.Between(0.9, 1.1))
                for count in printed.FACTORS
                if count < 100
            },
            "most_singular_values_vanish": {
                **{
                    f"{more} factors over {fewer}": (
                        api.difference_of_means(nets.shares_near_0(more), nets.shares_near_0(fewer)),
                        api.Between(least=0.1),
                    )
                    for more, fewer in _STEPS
                },
                "100 factors": (nets.shares_near_0(100), api.Between(least=0.9)),
            },
            "large_singular_values_remain": (
                api.ratio_of_means(
                    nets.largest_singular_values(runs.GAUSSIAN.but(depth=100)),
                    nets.largest_singular_values(runs.GAUSSIAN.but(depth=1)),
                ),
                api.Between(least=2),
            ),
            "spectra_become_kurtotic": {
                f"{more} factors over {fewer}": (
                    nets.kurtoses(more) / nets.kurtoses(fewer),
                    api.Between(least=1.5, of="moment"),
                )
                for more, fewer in _STEPS
            },
            "shares_at_origin": {
                f"{count} factors": (
                    nets.shares_at_origin(count),
                    api.Near(share, of="share of images, %", reading=0.5),
                )
                for count, share in printed.SHARES_AT_ORIGIN.items()
            },
            "gradients_vanish_below_1": {
                f"gain {gain}": (
                    nets.largest_singular_values(runs.JACOBIANS.but(gain=gain)),
                    api.Every(greatest=gain**100),
                )
                for gain in (0.9, 0.95)
            },
            "isometry_at_the_edge_of_chaos": {
                "share of singular values from 0.1 to 10": (
                    nets.shares_near_1(runs.JACOBIANS.but(gain=1)),
                    api.Between(least=0.1),
                ),
                "largest singular value": (
                    nets.largest_singular_values(runs.JACOBIANS.but(gain=1)),
                    api.Between(0.1, 10),
                ),
            },
            "isometry_with_large_inputs": (
                times.need_runs(
                    nets.shares_near_1(runs.JACOBIANS.but(gain=1, input_variances=_LARGE)),
                    "needs Jacobians at inputs with a large variance, and no config contains such inputs",
                ),
                api.Between(least=0.1),
            ),
            "larger_gains_are_safer": (_compare_gains((1.05, 0.95), (1.1, 0.9)), api.Between(least=0.1)),
            "anisotropy_is_mild_above_1": {
                "gain 1.1 over gain 1": (
                    nets.spreads(runs.JACOBIANS.but(gain=1.1)) / nets.spreads(runs.JACOBIANS.but(gain=1)),
                    api.Between(least=1.5),
                ),
                "Gaussian products over gain 1.1": (
                    api.ratio_of_means(
                        nets.spreads(runs.GAUSSIAN.but(depth=100)), nets.spreads(runs.JACOBIANS.but(gain=1.1))
                    ),
                    api.Between(least=2),
                ),
            },
            "variance_map": (api.measure(nets.ratios_to_map, runs.VARIANCES.but(gain=1)), api.Near(1, of="moment")),
            "variance_goes_to_its_fixed_point": {
                f"gain {gain:g}": (nets.ratios_to_fixed_point(gain), api.Near(1, of="moment")) for gain in _ABOVE_1
            },
            "variance_dies_below_1": (nets.last_variances(runs.VARIANCES.but(gain=0.8)), api.Every(greatest=1e-6)),
        },
        settings=(
            runs.RANDOM_TREE,
            runs.DECOUPLED.only("block", "init", "depth", "initial_strength").but(
                width=printed.UNITS, rates=_PRINTED_RATES
            ),
            runs.CURVES.only("block", "depth", "width", "deviation"),
            runs.INPUTS,
            runs.PRODUCTS.only("block").but(
                depth=list(printed.FACTORS), size=printed.UNITS, realizations=printed.PRODUCTS_OF_A_HISTOGRAM
            ),
            runs.JACOBIANS.only("block", "depth").but(gain=list(printed.GAINS), size=printed.UNITS),
            runs.VARIANCES.only("block").but(depth=printed.LAYERS_OF_FIGURE_8, size=printed.UNITS),
        ),
    )


def _delay(selection: api.Selection) -> api.Measure:
    """Measure the learning time at 100 layers minus that at 3 layers, in updates."""
    return times.time_of(runs.with_layers(selection, 100)) - times.time_of(runs.with_layers(selection, 3))


def _compare_gains(first: tuple[float, float], second: tuple[float, float]) -> api.Measure:
    """Measure the share of singular values from 0.1 to 10 at one gain, minus that at another, in the mean over two pairs."""
    gained, more = (
        nets.shares_near_1(runs.JACOBIANS.but(gain=above)) - nets.shares_near_1(runs.JACOBIANS.but(gain=below))
        for above, below in (first, second)
    )
    return 0.5 * (gained + more)
