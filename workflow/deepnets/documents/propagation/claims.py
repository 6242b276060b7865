import numpy as np
import pandas as pd

from deepnets.documents.propagation import measures, printed, runs
from deepnets.documents.propagation.diagnosis import EXPLODING, LINE, POINT
from deepnets.documents.propagation.quantities import (
    CHI,
    DELTA_BN,
    DELTA_RELU,
    DELTA_RELU_OF_BRANCH,
    INCREMENT,
    LOG_CHI,
    RANK,
    Bound,
    Quantity,
    change_of,
    excess_rank,
    exponent_bound,
    log,
    log10,
    product_of_bounds,
    relative_sensitivity,
    share_of_variance,
    unit_exponents,
    values_of,
)
from deepnets.theory.sensitivity import INCREMENT_BOUNDS
from reproduce import api

TABLES = ("propagation",)
# The document defines “≲” with this: "≪ 1".
_MUCH_LESS_THAN_1 = 0.1
# A growth of 5 % per layer is not negligible: over 200 layers it amounts to four orders of magnitude.
_NOT_NEGLIGIBLE = 0.05
# If ln χ grows by this much per layer or less, χ does not explode: by a factor of e over 100 layers. Between this limit
# and EXPLODING, the depth is too small to decide.
_NOT_EXPLODING = float(np.log1p(0.01))
# The limit between few and many directions: the geometric mean of the last effective ranks in the pictures.
_FEW = round((printed.READINGS["rank"][200].value * printed.READINGS["branch_rank"][500].value) ** 0.5, 1)
# An effective rank tends to 1 if its distance from 1 falls at least by half in 100 layers, half of the depth.
_HALVED = -float(np.log(2)) / 100
_TAILS, _ABSOLUTE = values_of("mu4_signal"), values_of("nu1_abs_signal")
_VANILLA = {"convolutions": runs.VANILLA, "fully connected": runs.CONNECTED_VANILLA}
_RESNETS = {"convolutions": runs.BN_RES, "fully connected": runs.CONNECTED_BN_RES}
# The curves of the pictures by their names in READINGS: the symbol on the curve, our quantity, and its kind.
_CURVES: dict[str, tuple[str, Quantity, str]] = {
    "vanilla_increment": ("δχ", INCREMENT, "growth per layer"),
    "vanilla_rank": ("effective rank", RANK, "effective rank"),
    "relu_increment": ("δ_φχ", DELTA_RELU, "growth per layer"),
    "bn_increment": ("δ_BNχ", DELTA_BN, "growth per layer"),
    "increment": ("δχ", INCREMENT, "growth per layer"),
    "crossing": ("crossing", CHI, "place in depth"),
    "sensitivity": ("log₁₀ χ", log10(CHI), "exponent"),
    "rank": ("effective rank", RANK, "effective rank"),
    "tails": ("ln μ₄", log(_TAILS), "logarithm of a moment"),
    "absolute_moment": ("ν₁ of the absolute signal", _ABSOLUTE, "moment"),
    "branch_increment": ("δχ", values_of("delta_chi_layer"), "growth per layer"),
    "branch_relu_increment": ("δ_φχ", DELTA_RELU_OF_BRANCH, "growth per layer"),
    "branch_bn_increment": ("δ_BNχ", values_of("delta_chi_bn"), "growth per layer"),
    "resnet_sensitivity": ("χ", CHI, "moment"),
    "branch_rank": ("effective rank", values_of("effective_rank_signal_branch"), "effective rank"),
    "branch_tails": ("μ₄", _TAILS, "moment"),
    "branch_absolute_moment": ("ν₁ of the absolute signal", _ABSOLUTE, "moment"),
}


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    lower, upper = INCREMENT_BOUNDS
    small, alike = api.Between(greatest=_MUCH_LESS_THAN_1), api.Between(0.5, 2)
    few, many = api.Between(greatest=_FEW, of="effective rank"), api.Between(least=_FEW, of="effective rank")
    moment, residual = change_of("log_nu2_signal"), values_of("linear_residual")
    exploding = api.Between(least=EXPLODING)
    on_a_line, on_a_point = api.Between(greatest=LINE, of="effective rank"), api.Between(greatest=POINT)
    forward, residual_nets = (
        {norm: net.but(norm=norm) for norm in runs.NORMS} for net in (runs.NORMALIZED_FF, runs.NORMALIZED_RES)
    )
    rates = {norm: measures.growth(net, LOG_CHI, half=2) for norm, net in forward.items()}
    powers = {norm: measures.preference_for_power(net) for norm, net in residual_nets.items()}
    return api.Decisions(
        {
            "infinite_width_breaks_down_with_depth": measures.squared_scatter(runs.HISTOGRAMS, moment, 200)
            - measures.squared_scatter(runs.HISTOGRAMS, moment, 50)
            > 0,
            "infinite_width_holds_at_given_depth": api.difference_of_means(
                measures.log_variance(runs.HISTOGRAMS, moment, 200),
                measures.log_variance(runs.VANILLA, moment, 200),
            )
            > 0,
            "both_operators": {
                f"{name}, {end}": test
                for name, net in _VANILLA.items()
                for end, test in _within_bounds(net, INCREMENT, lower, upper).items()
            },
            "small_noise_is_linear": {
                "vanilla, layer 5": (measures.at_layer(runs.VANILLA, _finite_noise_error, 5), small),
                "feedforward with batch norm, layer 10": (
                    measures.at_layer(runs.BN_FF, _finite_noise_error, 10),
                    small,
                ),
            },
            "rank_of_one_hot_targets_of_mnist": api.reduce_values(
                measures.at_layer(runs.VANILLA, values_of("effective_rank_labels"), 0), np.nanmean
            ).near(9, "effective rank"),
            "pathology_prevents_training": api.not_testable(
                "no experiment trains these nets; the slides cite other works for this statement"
            )
            > 0,
            "histograms_of_signal": _centres(moment, printed.SIGNAL_HISTOGRAMS, printed.SIGNAL_READING),
            "histograms_of_noise": _centres(
                change_of("log_mu2_noise"), printed.NOISE_HISTOGRAMS, printed.NOISE_READING
            ),
            "vanilla_increment_is_within_bounds": _within_bounds(runs.CONNECTED_VANILLA, INCREMENT, lower, upper),
            "no_third_possibility": {
                name: measures.pathology(net, "line", "noise") > 1 for name, net in _VANILLA.items()
            },
            "vanilla_signal_is_one_dimensional": {
                name: measures.fitted_growth(net, log(excess_rank)) < _HALVED for name, net in _VANILLA.items()
            },
            "vanilla_signal_is_on_a_semi_line": measures.cosine_with_mean(runs.VANILLA) > 0.9,
            "vanilla_sensitivity_is_subexponential": _slowing(runs.VANILLA) > 0,
            "vanilla_layers_become_linear": measures.slope_against_depth(runs.VANILLA, log(residual)) < 0,
            "vanilla_layers_are_linear_arbitrarily_well": measures.at_layer(runs.VANILLA, residual, -1) < 0.01,
            "possibility_2_is_observed": {
                name: measures.growth(net, LOG_CHI, half=2) < _NOT_EXPLODING for name, net in _VANILLA.items()
            },
            "vanilla_increments": _read_off(runs.VANILLA, "vanilla_increment"),
            "vanilla_ranks": _read_off(runs.VANILLA, "vanilla_rank"),
            "vanilla_increments_fully_connected": _read_off(runs.CONNECTED_VANILLA, "vanilla_increment"),
            "vanilla_ranks_fully_connected": _read_off(runs.CONNECTED_VANILLA, "vanilla_rank"),
            "bn_increment_is_within_bounds": _within_bounds(runs.CONNECTED_BN_FF, DELTA_BN, lower),
            "relu_increment_is_within_bounds": _within_bounds(runs.CONNECTED_BN_FF, DELTA_RELU, lower, upper),
            "few_directions_make_bn_matter": measures.mean_where(runs.BN_FF, DELTA_BN, RANK, 1, _FEW)
            > 1 + _NOT_NEGLIGIBLE,
            # Twice the fourth moment of a normal variable.
            "thin_tails_make_relu_matter": measures.mean_where(runs.BN_FF, DELTA_RELU, _TAILS, 0, 6)
            > 1 + _NOT_NEGLIGIBLE,
            "few_directions_are_left": (measures.at_layer(runs.BN_FF, RANK, -1), few),
            "sensitivity_explodes": {
                "least ln χ / l of all layers": (
                    measures.over_layers(runs.BN_FF, _rate_of_sensitivity, np.min),
                    exploding,
                ),
                "growth over the second half": (measures.growth(runs.BN_FF, LOG_CHI, half=2), exploding),
            },
            # The relative size of the rounding errors of float32 is 10⁻⁷.
            "any_corruption_drowns_the_signal": measures.at_layer(runs.BN_FF, log10(CHI), -1) > 7,
            "feedforward_increments": _read_off(runs.BN_FF, "relu_increment", "bn_increment", "increment", "crossing"),
            "feedforward_sensitivity": _read_off(runs.BN_FF, "sensitivity"),
            "feedforward_ranks": _read_off(runs.BN_FF, "rank"),
            "feedforward_moments": _read_off(runs.BN_FF, "tails", "absolute_moment"),
            "feedforward_increments_fully_connected": _read_off(
                runs.CONNECTED_BN_FF, "relu_increment", "bn_increment", "increment", "crossing"
            ),
            "feedforward_sensitivity_fully_connected": _read_off(runs.CONNECTED_BN_FF, "sensitivity"),
            "feedforward_ranks_fully_connected": _read_off(runs.CONNECTED_BN_FF, "rank"),
            "feedforward_moments_fully_connected": _read_off(runs.CONNECTED_BN_FF, "tails", "absolute_moment"),
            "residual_branch_is_diluted": measures.slope_against_depth(
                runs.BN_RES, log(values_of("variance_share_branch"))
            ).near(-1, "exponent"),
            "unit_increment_is_within_bounds": _within_bounds(
                runs.CONNECTED_BN_RES,
                unit_exponents,
                exponent_bound(min),
                exponent_bound(max),
                of="exponent",
                layers=30,
            ),
            "unit_sensitivity_is_within_bounds": _within_bounds(
                runs.CONNECTED_BN_RES, relative_sensitivity, product_of_bounds(min), product_of_bounds(max)
            ),
            "resnets_grow_as_a_power": measures.preference_for_power(runs.BN_RES) > 0,
            "feedforward_nets_grow_exponentially": measures.preference_for_power(runs.BN_FF) < 0,
            "many_directions_are_left": {
                name: (measures.at_layer(net, values_of("effective_rank_signal_branch"), -1), many)
                for name, net in _RESNETS.items()
            },
            "power_law_fits_perfectly": {
                name: measures.distance_from_power_law(net).between(
                    greatest=printed.READINGS["resnet_sensitivity"][500].line, of="moment"
                )
                for name, net in _RESNETS.items()
            },
            "branch_increments": _read_off(
                runs.BN_RES, "branch_increment", "branch_relu_increment", "branch_bn_increment"
            ),
            "resnet_sensitivity": _read_off(runs.BN_RES, "resnet_sensitivity"),
            "branch_ranks": _read_off(runs.BN_RES, "branch_rank"),
            "branch_moments": _read_off(runs.BN_RES, "branch_tails", "branch_absolute_moment"),
            "branch_increments_fully_connected": _read_off(
                runs.CONNECTED_BN_RES, "branch_increment", "branch_relu_increment", "branch_bn_increment"
            ),
            "resnet_sensitivity_fully_connected": _read_off(runs.CONNECTED_BN_RES, "resnet_sensitivity"),
            "branch_ranks_fully_connected": _read_off(runs.CONNECTED_BN_RES, "branch_rank"),
            "branch_moments_fully_connected": _read_off(
                runs.CONNECTED_BN_RES, "branch_tails", "branch_absolute_moment"
            ),
            "other_vanilla_nets_are_on_a_point": {
                "uniform": (measures.at_layer(runs.UNIFORM_POINT, share_of_variance, -1), on_a_point),
                "tanh": (measures.at_layer(runs.ORDERED, share_of_variance, -1), on_a_point),
            },
            "other_vanilla_nets_are_on_a_line": (measures.at_layer(runs.UNIFORM_LINE, RANK, -1), on_a_line),
            "other_nets_explode": {
                "chaotic phase": (measures.growth(runs.CHAOTIC, LOG_CHI, half=2), exploding),
                "batch norm, uniform": (measures.growth(runs.UNIFORM_FF, LOG_CHI, half=2), exploding),
                "batch norm, tanh": (measures.growth(runs.TANH_FF, LOG_CHI, half=2), exploding),
            },
            "other_resnets_grow_as_a_power": {
                "uniform": measures.preference_for_power(runs.UNIFORM_RES) > 0,
                "tanh": measures.preference_for_power(runs.TANH_RES) > 0,
            },
            "all_cases_are_equivalent": {
                **{name: measures.pathology(net) > 1 for name, net in runs.WITH_PATHOLOGY.items()},
                **{name: measures.pathology(net) < 1 for name, net in runs.WITHOUT_PATHOLOGY.items()},
            },
            "instance_norm_explodes": (rates["instance"], exploding),
            "instance_norm_grows_like_batch_norm": (api.ratio_of_means(rates["instance"], rates["batch"]), alike),
            "instance_norm_keeps_directions_like_batch_norm": (
                api.ratio_of_means(*(measures.at_layer(forward[norm], RANK, -1) for norm in ("instance", "batch"))),
                alike,
            ),
            "layer_norm_is_on_a_point": (measures.at_layer(runs.LAYER_NORM, share_of_variance, -1), on_a_point),
            "group_norm_lies_in_between": {
                "group minus layer": api.difference_of_means(rates["group"], rates["layer"]) > 0,
                "instance minus group": api.difference_of_means(rates["instance"], rates["group"]) > 0,
            },
            "normalized_resnets_grow_as_a_power": {norm: power > 0 for norm, power in powers.items()},
            "normalized_resnets_are_logarithmic_versions": {
                norm: api.difference_of_means(power, measures.preference_for_power(forward[norm])) > 0
                for norm, power in powers.items()
            },
            "activations_explode": (
                measures.growth(runs.UNNORMALIZED_RES, values_of("log_nu2_signal"), half=2),
                exploding,
            ),
            "unnormalised_resnets_are_on_a_line": (measures.at_layer(runs.UNNORMALIZED_RES, RANK, -1), on_a_line),
            "relu_is_a_bernoulli_vector": measures.over_layers(runs.VANILLA, values_of("active_share"), np.mean).near(
                0.5, "share"
            ),
            "only_resnets_are_well_behaved": {
                "vanilla": measures.pathology(runs.VANILLA) > 1,
                "feedforward with batch norm": measures.pathology(runs.BN_FF) > 1,
                "resnet with batch norm": measures.greatest_pathology(runs.BN_RES) < 1,
            },
            "resnets_counter_multiplicativity": _slowing(runs.BN_RES) > 0,
            "nets_are_noise_amplifiers": measures.least_on_average(
                *(measures.over_layers(net, CHI, np.min) for net in runs.RELU_NETS)
            ).between(least=1 / (1 + _MUCH_LESS_THAN_1), of="moment"),
            "identity_mappings_are_sensitive": api.not_testable("no experiment perturbs images to change their labels")
            > 0,
            "gap_of_expressivity": {
                "feedforward minus vanilla": api.difference_of_means(
                    measures.growth(runs.BN_FF, LOG_CHI, half=2), measures.growth(runs.VANILLA, LOG_CHI, half=2)
                )
                > _NOT_NEGLIGIBLE,
                "vanilla": measures.growth(runs.VANILLA, LOG_CHI, half=2) < _NOT_EXPLODING,
            },
            "gap_after_training": api.not_testable(
                "no experiment trains these nets, and the slides show no trained nets"
            )
            > 0,
        },
        settings=(
            *(net.only("block", "arch", "norm") for net in (runs.VANILLA, runs.BN_FF, runs.BN_RES)),
            runs.VANILLA.only(*runs.STANDARD).but(block=["vanilla", "bn_ff", "bn_res"]),
        ),
    )


def _within_bounds(
    net: api.Selection,
    quantity: Quantity,
    lower: float | Bound,
    upper: float | Bound | None = None,
    *,
    of: str = "growth per layer",
    layers: int = 10,
) -> dict[str, api.Tested]:
    """Return the test that a quantity lies above a lower bound and, if given, below an upper one.

    of: the kind of quantity; “≲” allows a difference that does not matter to it. layers: as in `over_bound`.
    """
    slack = api.DIFFERENCES[of].at(1)
    tests: dict[str, api.Tested] = {"lower bound": measures.over_bound(net, quantity, lower, layers=layers) > 1 - slack}
    if upper is not None:
        above = measures.over_bound(net, quantity, upper, upper=True, layers=layers)
        tests["upper bound"] = above < 1 + slack
    return tests


def _read_off(net: api.Selection, *names: str) -> dict[str, api.Tested]:
    """Return the test of a net by the numbers of some curves of a picture, at the layers of READINGS.

    A picture shows means over 1,000 simulations. At a single layer, growth differs between simulations by more than
    matters, but the mean curves are flat at the end, so that we take the mean over the last layers.
    """
    tests: dict[str, api.Tested] = {}
    for name in names:
        symbol, quantity, kind = _CURVES[name]
        for layer, reading in printed.READINGS[name].items():
            value = reading.fully_connected if net["kernel"] == 1 else reading.value
            near = api.Near(value, of=kind, reading=reading.line)
            if layer is None:
                tests[symbol] = measures.crossing(net, DELTA_RELU, DELTA_BN), near
            elif layer == net["depth"]:
                last = (
                    measures.at_end(net, quantity)
                    if kind == "growth per layer"
                    else measures.at_layer(net, quantity, -1)
                )
                tests[f"{symbol}, layer {layer}"] = last, near
            else:
                tests[f"{symbol}, layer {layer}"] = measures.at_layer(net, quantity, layer), near
    return tests


def _centres(quantity: Quantity, centres: dict[int, float], reading: float) -> dict[str, api.Tested]:
    """Return the test by the centres of histograms. centres: by layer; reading: the uncertainty of reading them off."""
    return {
        f"layer {layer}": measures.at_layer(runs.HISTOGRAMS, quantity, layer).near(
            value, "logarithm of a moment", reading=reading
        )
        for layer, value in centres.items()
    }


def _slowing(net: api.Selection) -> api.Measure:
    """Measure how much more ln χ grows per layer over the first half of the depth than over the second."""
    return measures.growth(net, LOG_CHI, half=1) - measures.growth(net, LOG_CHI, half=2)


def _finite_noise_error(net: pd.DataFrame) -> pd.DataFrame:
    """Return the error of the linear approximation, which only the first simulation of each seed records."""
    return api.by_simulation(api.require_rows(net, "finite_noise_error"))


def _rate_of_sensitivity(net: pd.DataFrame) -> pd.DataFrame:
    logs = LOG_CHI(net).loc[1:]
    return logs.div(logs.index.to_numpy(), axis=0)
