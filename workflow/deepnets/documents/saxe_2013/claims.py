import math

import numpy as np
import pandas as pd

from deepnets.documents.saxe_2013 import measures, runs
from reproduce import api

TABLES = ("learning_time", "input_correlations", "phase_portrait", "mode_dynamics", "mnist_modes", "spectra")
# The ratio of neighbouring rates: 17 rates cover a factor of 16.
_BETWEEN_RATES = 2**0.25
# The paper states its law of the best rate “for large N”. We test the law from this number of layers on.
_MANY_LAYERS = 10
# The largest error of an exponent fitted between 10 and 100 layers, if the rates at both ends are wrong by one step.
_RESOLUTION = 2 * math.log(_BETWEEN_RATES) / math.log(runs.LAYERS[-1] / _MANY_LAYERS)
# Ours are around theory's best rate.
_PRINTED_RATES = {"lowest": 1e-7, "highest": 1e-4, "count": 20}


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    plane, tree, linear_tree, tanh_tree = runs.PLANE, runs.DECOUPLED_TREE, runs.LINEAR_TREE, runs.TANH_TREE
    linear, tanh = measures.mean_delay(linear_tree), measures.mean_delay(tanh_tree)
    many_layers = runs.DECOUPLED.but(depth=[layers - 1 for layers in runs.LAYERS if layers >= _MANY_LAYERS])
    deep = runs.with_layers(runs.DECOUPLED, 100)
    # Learning times by the number of layers. A net that has not learned in time gives a lower bound.
    decoupled, orthogonal, pretrained, at_most_gaussian = (
        _by_layers(nets) for nets in (runs.DECOUPLED, runs.ORTHOGONAL_NETS, runs.PRETRAINED_NETS, runs.GAUSSIAN_NETS)
    )
    gaussian = _time_or_end(runs.with_layers(runs.GAUSSIAN_NETS, 100))
    delay, later = ((each[100] - each[3]) for each in (decoupled, _by_layers(runs.LARGER_START)))
    from_small, after_pretraining = runs.CURVES.but(init="small_gaussian"), runs.CURVES.but(init="pretrained")
    pretrained_time = _time(after_pretraining)
    # Layers are pretrained one after another, so their updates add up.
    gain = _time_or_end(from_small) / (pretrained_time + api.total(after_pretraining, "pretraining_updates"))
    of_modes, of_pixels = (
        measures.correlation_off_diagonal(runs.INPUTS, metric=f"{each}_correlation") for each in ("mode", "pixel")
    )
    products = {count: runs.GAUSSIAN.but(depth=count) for count in runs.FACTORS}
    kurtosis = {count: measures.kurtoses(each) for count, each in products.items()}
    near_0 = {
        count: measures.of_each_net(each, function=lambda values: (values < runs.BIN_WIDTH / 2).mean())
        for count, each in products.items()
    }
    jacobians = {gain: runs.JACOBIANS.but(gain=gain) for gain in runs.GAINS}
    near_1 = {gain: _share_near_1(each) for gain, each in jacobians.items()}
    # Pairs of (more factors, fewer factors), for neighbouring panels of Figure 6B.
    steps = {f"{more} factors over {fewer}": (more, fewer) for fewer, more in ((1, 5), (5, 100))}
    fixed_point = api.family(
        "gain", (1.05, 1.1, 1.25, 1.5, 2), lambda gain: measures.ratio_to_fixed_point(runs.VARIANCES.but(gain=gain))
    )
    return api.Decisions(
        {
            "learning_ends_at_the_optimum": measures.distance_from_the_optimum(linear_tree).every(0, 0.01),
            "hyperbola_is_conserved": measures.in_plane(
                plane, function=lambda a, b: np.abs(a**2 - b**2 - (a[0] ** 2 - b[0] ** 2)).max(axis=0)
            ).every(greatest=0.02),
            "ends_of_learning": {
                "distance of ab from s": measures.in_plane(
                    plane, function=lambda a, b: np.abs(a[-1] * b[-1] - 1)[a[0] != -b[0]]
                ).every(greatest=0.01),
                "distance from 0": measures.in_plane(
                    plane, function=lambda a, b: np.hypot(a[-1], b[-1])[a[0] == -b[0]]
                ).every(greatest=0.01),
            },
            "balanced_half_times": measures.delays_in_steps(tree).every(0, 1),
            "time_is_inverse_in_strength": measures.exponent_of_times(linear_tree).near(-1, "exponent"),
            "plateaus_and_transitions": {
                "linear": measures.rise(linear_tree).between(0, 1),
                "tanh": measures.rise(tanh_tree).between(0, 1),
            },
            "small_random_starts_follow_theory": {
                "linear": linear.between(-0.1, 0.1),
                "tanh": tanh.between(-0.25, 0.25),
            },
            "competition_and_saturation_delay": {
                "linear nets against theory": linear > 0,
                "tanh against linear nets": tanh - linear > 0,
            },
            "mnist_half_times_follow_theory": {
                "eq. 11": measures.furthest_half_time(runs.MNIST_MODES, theory="theory_half_time") < 0.1,
                "eq. 26, from each net's own start": measures.furthest_half_time(
                    runs.MNIST_MODES, theory="predicted_half_time"
                )
                < 0.1,
            },
            "continuous_time_at_any_depth": (
                _time(runs.DECOUPLED) - api.final(runs.DECOUPLED, "theory_learning_time")
            ).every(-3, 3),
            "limit_of_infinite_depth": (_time(deep) / api.final(deep, "limit_learning_time")).between(0.75, 1.05),
            "times_saturate": (((decoupled[100] - decoupled[74]) / 26) / ((decoupled[5] - decoupled[3]) / 2)).between(
                0, 0.1
            ),
            "delay_is_inverse_in_the_start": (delay / later).between(8, 12.5),
            "best_rate_is_inverse_in_curvature": api.reduce_values(
                api.final(runs.DECOUPLED, "best_learning_rate")
                / api.at_step(runs.DECOUPLED, "theory_best_learning_rate", 0),
                lambda ratios: ratios.max() / ratios.min(),
            ).between(1 / (1.01 * _BETWEEN_RATES), 1.01 * _BETWEEN_RATES),
            "best_rate_is_inverse_in_layers": measures.exponent_over_layers(
                many_layers, metric="best_learning_rate"
            ).between(-1 - _RESOLUTION, -1 + _RESOLUTION),
            "orthogonal_is_flat": _is_flat(orthogonal[100] / orthogonal[28]),
            "pretrained_is_flat": _is_flat(pretrained[100] / pretrained[28]),
            "times_from_3_layers": {
                "orthogonal": _is_flat(orthogonal[100] / orthogonal[3]),
                "pretrained": _is_flat(pretrained[100] / pretrained[3]),
            },
            "orthogonal_is_as_fast_as_pretrained": measures.mean_ratio(
                runs.ORTHOGONAL_NETS, runs.PRETRAINED_NETS
            ).between(1 / _BETWEEN_RATES, _BETWEEN_RATES),
            "pretrained_is_faster_than_a_small_start": measures.largest_ratio(
                runs.PRETRAINED_NETS.but(depth=[layers - 1 for layers in runs.LAYERS if layers > 3]), runs.DECOUPLED
            )
            < 1,
            "small_start_is_faster_at_3_layers": pretrained[3] / decoupled[3] > 1,
            "gaussian_grows": gaussian / at_most_gaussian[10] > 1.5,
            "gap_is_modest_at_6_layers": (
                _time_or_end(runs.SIX_LAYERS.but(init="gaussian")) / _time(runs.SIX_LAYERS.but(init="orthogonal"))
            ).between(1, 2),
            "gap_is_magnified_by_depth": (gaussian / orthogonal[100]) / (at_most_gaussian[5] / orthogonal[5]) > 1.5,
            "pretraining_speeds_learning": _time_or_end(from_small) - pretrained_time > 0,
            # The number of whole steps between rates.
            "pretraining_pays": gain.apply(lambda ratios: np.trunc(np.log(ratios) / np.log(_BETWEEN_RATES))) > 0,
            "consistency_condition": {"modes": of_modes < 0.25, "pixels over modes": of_pixels / of_modes > 1.5},
            "laws_of_random_matrices": {
                "singular values of one matrix": measures.distance_from_singular_value_law(products[1]).every(
                    greatest=3
                ),
                "singular values of products of five": measures.distance_from_singular_value_law(products[5]).every(
                    greatest=3
                ),
                "eigenvalues of one matrix": measures.distance_from_the_disc(products[1]).every(greatest=1),
            },
            "products_preserve_norms_on_average": {
                f"factors: {count}": measures.of_each_net(
                    products[count], function=lambda values: (values**2).mean()
                ).between(0.9, 1.1)
                for count in (1, 5)
            },
            "most_singular_values_vanish": {
                **{
                    name: api.difference_of_means(near_0[more], near_0[fewer]) > 0.1
                    for name, (more, fewer) in steps.items()
                },
                "100 factors": near_0[100] > 0.9,
            },
            "large_singular_values_remain": api.ratio_of_means(_largest(products[100]), _largest(products[1])) > 2,
            "spectra_become_kurtotic": {
                name: (kurtosis[more] / kurtosis[fewer]).between(least=1.5, of="moment")
                for name, (more, fewer) in steps.items()
            },
            "shares_at_origin": {
                f"{count} factors": measures.share_at_origin(products[count]).near(share, "share of images, %", 0.5)
                for count, share in runs.SHARES_AT_ORIGIN.items()
            },
            "gradients_vanish_below_1": {
                f"gain {gain}": _largest(jacobians[gain]).every(greatest=gain**100) for gain in (0.9, 0.95)
            },
            "isometry_at_the_edge_of_chaos": {
                "share of singular values from 0.1 to 10": near_1[1] > 0.1,
                "largest singular value": _largest(jacobians[1]).between(0.1, 10),
            },
            "isometry_with_large_inputs": _need_runs(
                # Variances “far beyond 1”.
                _share_near_1(jacobians[1].but(input_variances=[[4], [10], [100]])),
                "needs Jacobians at inputs with a large variance, and no config contains such inputs",
            )
            > 0.1,
            "larger_gains_are_safer": 0.5 * ((near_1[1.05] - near_1[0.95]) + (near_1[1.1] - near_1[0.9])) > 0.1,
            "anisotropy_is_mild_above_1": {
                "gain 1.1 over gain 1": _spread(jacobians[1.1]) / _spread(jacobians[1]) > 1.5,
                "Gaussian products over gain 1.1": api.ratio_of_means(_spread(products[100]), _spread(jacobians[1.1]))
                > 2,
            },
            "variance_map": measures.ratio_to_map(runs.VARIANCES.but(gain=1)).near(1, "moment"),
            "variance_goes_to_its_fixed_point": fixed_point.near(1, "moment"),
            "variance_dies_below_1": measures.last_variances(runs.VARIANCES.but(gain=0.8)).every(greatest=1e-6),
        },
        settings=(
            runs.RANDOM_TREE,
            runs.DECOUPLED.only("block", "init", "depth", "initial_strength").but(
                width=runs.UNITS, rates=_PRINTED_RATES
            ),
            runs.CURVES.only("block", "depth", "width", "deviation"),
            runs.INPUTS,
            runs.PRODUCTS.only("block").but(
                depth=list(runs.FACTORS), size=runs.UNITS, realizations=runs.PRODUCTS_OF_A_HISTOGRAM
            ),
            runs.JACOBIANS.only("block", "depth").but(gain=list(runs.GAINS), size=runs.UNITS),
            runs.VARIANCES.only("block").but(depth=runs.LAYERS_OF_FIGURE_8, size=runs.UNITS),
        ),
    )


def _time(nets: api.Selection) -> api.Measure:
    return api.final(nets, "learning_time")


def _time_or_end(nets: api.Selection) -> api.Measure:
    return api.time_or_end(nets, "learning_time")


def _by_layers(nets: api.Selection) -> dict[int, api.Measure]:
    return {layers: _time(runs.with_layers(nets, layers)) for layers in runs.LAYERS}


def _is_flat(growth: api.Measure) -> api.Tested:
    """Test that times do not depend on depth: they grow by less than a half, which is our criterion."""
    return growth.between(1 / 1.5, 1.5, of="number of updates")


def _need_runs(values: api.Measure, reason: str) -> api.Measure:
    """Return the same measure; without its runs, the reason says which runs it needs."""

    def compute(tables: api.Tables) -> np.ndarray:
        try:
            return values(tables)
        except api.NotTestableError:
            raise api.NotTestableError(reason) from None

    return api.Measure(compute, *values.selections)


def _share_near_1(nets: api.Selection) -> api.Measure:
    return measures.of_each_net(nets, function=lambda values: values.between(0.1, 10).mean())


def _largest(nets: api.Selection) -> api.Measure:
    return measures.of_each_net(nets, function=pd.Series.max)


def _spread(nets: api.Selection) -> api.Measure:
    return measures.of_each_net(nets, function=lambda values: values.std(ddof=0), metric="log_singular_value")
