from pathlib import Path

import numpy as np
import pandas as pd

from deepnets.documents.propagation import measures, runs
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
# Document 002 prints none of these numbers: we read each off its picture twice. The first reading takes the line's pixels
# in the column of a layer, or the edge of a vertex; the second fits a line to the pixels around it, takes the centres of
# dots, or the mean of a histogram's area. Pictures show convolutions on CIFAR-10, and the authors' fully connected nets.
# pixel: the height of a pixel, or its width for the crossing and the histograms.
_READINGS = Path(__file__).with_name("readings.csv")
# The document defines “≲” with this: "≪ 1".
_MUCH_LESS_THAN_1 = 0.1
# A growth of 5 % per layer is not negligible: over 200 layers it amounts to four orders of magnitude.
_NOT_NEGLIGIBLE = 0.05
# If ln χ grows by this much per layer or less, χ does not explode: by a factor of e over 100 layers. Between this limit
# and EXPLODING, the depth is too small to decide.
_NOT_EXPLODING = float(np.log1p(0.01))
# The limit between few and many directions: the geometric mean of the last effective ranks in the pictures, 2.1 and
# 15.9.
_FEW = 5.8
# An effective rank tends to 1 if its distance from 1 falls at least by half in 100 layers, half of the depth.
_HALVED = -float(np.log(2)) / 100
_RANK_OF_BRANCH = values_of("effective_rank_signal_branch")
_TAILS, _ABSOLUTE = values_of("mu4_signal"), values_of("nu1_abs_signal")
_THEORY_BN = values_of("delta_chi_bn_in_theory")
_VANILLA = {"convolutions": runs.VANILLA, "fully connected": runs.CONNECTED_VANILLA}
_RESNETS = {"convolutions": runs.BN_RES, "fully connected": runs.CONNECTED_BN_RES}
# Symbol in the pictures of layers, and in those of the first layer in a residual branch → our quantity, and its kind.
_OF_LAYERS: dict[str, tuple[Quantity, str]] = {
    "signal": (change_of("log_nu2_signal"), "logarithm of a moment"),
    "noise": (change_of("log_mu2_noise"), "logarithm of a moment"),
    "δχ": (INCREMENT, "growth per layer"),
    "δ_φχ": (DELTA_RELU, "growth per layer"),
    "δ_BNχ": (DELTA_BN, "growth per layer"),
    "log₁₀ χ": (log10(CHI), "exponent"),
    "effective rank": (excess_rank(RANK), "effective rank"),
    "ln μ₄": (log(_TAILS), "logarithm of a moment"),
    "ν₁ of the absolute signal": (_ABSOLUTE, "moment"),
}
_OF_BRANCHES: dict[str, tuple[Quantity, str]] = {
    "δχ": (values_of("delta_chi_layer"), "growth per layer"),
    "δ_φχ": (DELTA_RELU_OF_BRANCH, "growth per layer"),
    "δ_BNχ": (values_of("delta_chi_bn"), "growth per layer"),
    "χ": (CHI, "moment"),
    "effective rank": (excess_rank(_RANK_OF_BRANCH), "effective rank"),
    "μ₄": (_TAILS, "moment"),
    "ν₁ of the absolute signal": (_ABSOLUTE, "moment"),
}


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    lower, upper = INCREMENT_BOUNDS
    moment, residual = change_of("log_nu2_signal"), values_of("linear_residual")
    increments, moments = ("δ_φχ", "δ_BNχ", "δχ", "crossing"), ("ln μ₄", "ν₁ of the absolute signal")
    of_branch = "δχ", "δ_φχ", "δ_BNχ"
    moments_of_branch = "μ₄", "ν₁ of the absolute signal"
    forward, residual_nets = (
        {norm: net.but(norm=norm) for norm in runs.NORMS} for net in (runs.NORMALIZED_FF, runs.NORMALIZED_RES)
    )
    rates = {norm: _rate(net) for norm, net in forward.items()}
    powers = {norm: measures.preference_for_power(net) for norm, net in residual_nets.items()}
    last_ranks = {norm: _last(net, RANK) for norm, net in forward.items()}
    return api.Decisions(
        {
            "infinite_width_breaks_down_with_depth": measures.squared_scatter(runs.HISTOGRAMS, moment, 200)
            - measures.squared_scatter(runs.HISTOGRAMS, moment, 50)
            > 0,
            "infinite_width_holds_at_given_depth": api.difference_of_means(
                measures.log_variance(runs.HISTOGRAMS, moment, 200), measures.log_variance(runs.VANILLA, moment, 200)
            )
            > 0,
            "both_operators": {
                f"{name}, {end}": test
                for name, net in _VANILLA.items()
                for end, test in _within_bounds(net, INCREMENT, lower, upper).items()
            },
            "small_noise_is_linear": {
                "vanilla, layer 5": measures.at_layer(runs.VANILLA, _finite_noise_error, 5) < _MUCH_LESS_THAN_1,
                "feedforward with batch norm, layer 10": measures.at_layer(runs.BN_FF, _finite_noise_error, 10)
                < _MUCH_LESS_THAN_1,
            },
            "pathology_prevents_training": api.not_testable(
                "no experiment trains these nets; the slides cite other works for this statement"
            )
            > 0,
            "histograms_of_signal": _read_off(runs.HISTOGRAMS, "signal"),
            "histograms_of_noise": _read_off(runs.HISTOGRAMS, "noise"),
            "vanilla_increment_is_within_bounds": _within_bounds(runs.CONNECTED_VANILLA, INCREMENT, lower, upper),
            "no_third_possibility": {
                name: measures.pathology(net, "line", "noise") > 1 for name, net in _VANILLA.items()
            },
            "vanilla_signal_is_one_dimensional": {
                name: measures.slope(net, log(excess_rank(RANK)), start=0.1) < _HALVED for name, net in _VANILLA.items()
            },
            "vanilla_signal_is_on_a_semi_line": measures.cosine_with_mean(runs.VANILLA) > 0.9,
            "vanilla_sensitivity_is_subexponential": _slowing(runs.VANILLA) > 0,
            "vanilla_layers_become_linear": measures.slope(runs.VANILLA, log(residual), against=np.log1p) < 0,
            "vanilla_layers_are_linear_arbitrarily_well": _last(runs.VANILLA, residual) < 0.01,
            "possibility_2_is_observed": {name: _rate(net) < _NOT_EXPLODING for name, net in _VANILLA.items()},
            "vanilla_increments": _read_off(runs.VANILLA, "δχ"),
            "vanilla_ranks": _read_off(runs.VANILLA, "effective rank"),
            "vanilla_increments_fully_connected": _read_off(runs.CONNECTED_VANILLA, "δχ"),
            "vanilla_ranks_fully_connected": _read_off(runs.CONNECTED_VANILLA, "effective rank"),
            "bn_increment_is_within_bounds": _within_bounds(runs.CONNECTED_BN_FF, DELTA_BN, lower),
            "relu_increment_is_within_bounds": _within_bounds(runs.CONNECTED_BN_FF, DELTA_RELU, lower, upper),
            "few_directions_make_bn_matter": measures.mean_where(runs.BN_FF, DELTA_BN, RANK, 1, _FEW)
            > 1 + _NOT_NEGLIGIBLE,
            # Twice the fourth moment of a normal variable.
            "thin_tails_make_relu_matter": measures.mean_where(runs.BN_FF, DELTA_RELU, _TAILS, 0, 6)
            > 1 + _NOT_NEGLIGIBLE,
            "few_directions_are_left": _last(runs.BN_FF, RANK).between(greatest=_FEW, of="effective rank"),
            "sensitivity_explodes": {
                "least ln χ / l of all layers": measures.over_layers(runs.BN_FF, _rate_of_sensitivity, np.min)
                > EXPLODING,
                "growth over the second half": _rate(runs.BN_FF) > EXPLODING,
            },
            # The relative size of the rounding errors of float32 is 10⁻⁷.
            "any_corruption_drowns_the_signal": _last(runs.BN_FF, log10(CHI)) > 7,
            "feedforward_increments": _read_off(runs.BN_FF, *increments),
            "feedforward_sensitivity": _read_off(runs.BN_FF, "log₁₀ χ"),
            "feedforward_ranks": _read_off(runs.BN_FF, "effective rank"),
            "feedforward_moments": _read_off(runs.BN_FF, *moments),
            "feedforward_increments_fully_connected": _read_off(runs.CONNECTED_BN_FF, *increments),
            "feedforward_sensitivity_fully_connected": _read_off(runs.CONNECTED_BN_FF, "log₁₀ χ"),
            "feedforward_ranks_fully_connected": _read_off(runs.CONNECTED_BN_FF, "effective rank"),
            "feedforward_moments_fully_connected": _read_off(runs.CONNECTED_BN_FF, *moments),
            "the_data_decide": {
                **{
                    name: measures.at_layer(net, _over_theory, 1).near(1, "growth per layer")
                    for name, net in {"photographs": runs.PHOTOGRAPHS, "digits": runs.DIGITS}.items()
                },
                "photographs minus digits, in theory": measures.at_layer(runs.PHOTOGRAPHS, _THEORY_BN, 1)
                - measures.at_layer(runs.DIGITS, _THEORY_BN, 1)
                > 0,
            },
            "residual_branch_is_diluted": measures.slope(
                runs.BN_RES, log(values_of("variance_share_branch")), against=np.log1p
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
                name: _last(net, _RANK_OF_BRANCH).between(least=_FEW, of="effective rank")
                for name, net in _RESNETS.items()
            },
            # The width of the lines in the picture.
            "power_law_fits_perfectly": {
                name: measures.distance_from_power_law(net).between(greatest=0.9, of="moment")
                for name, net in _RESNETS.items()
            },
            "branch_increments": _read_off(runs.BN_RES, *of_branch),
            "resnet_sensitivity": _read_off(runs.BN_RES, "χ"),
            "branch_ranks": _read_off(runs.BN_RES, "effective rank"),
            "branch_moments": _read_off(runs.BN_RES, *moments_of_branch),
            "branch_increments_fully_connected": _read_off(runs.CONNECTED_BN_RES, *of_branch),
            "resnet_sensitivity_fully_connected": _read_off(runs.CONNECTED_BN_RES, "χ"),
            "branch_ranks_fully_connected": _read_off(runs.CONNECTED_BN_RES, "effective rank"),
            "branch_moments_fully_connected": _read_off(runs.CONNECTED_BN_RES, *moments_of_branch),
            "other_vanilla_nets_are_on_a_point": {
                "uniform": _last(runs.UNIFORM_POINT, share_of_variance) < POINT,
                "tanh": _last(runs.ORDERED, share_of_variance) < POINT,
            },
            "other_vanilla_nets_are_on_a_line": _is_on_a_line(runs.UNIFORM_LINE),
            "other_nets_explode": {
                "chaotic phase": _rate(runs.CHAOTIC) > EXPLODING,
                "batch norm, uniform": _rate(runs.UNIFORM_FF) > EXPLODING,
                "batch norm, tanh": _rate(runs.TANH_FF) > EXPLODING,
            },
            "other_resnets_grow_as_a_power": {
                "uniform": measures.preference_for_power(runs.UNIFORM_RES) > 0,
                "tanh": measures.preference_for_power(runs.TANH_RES) > 0,
            },
            "all_cases_are_equivalent": {
                **{name: measures.pathology(net) > 1 for name, net in runs.WITH_PATHOLOGY.items()},
                **{name: measures.pathology(net) < 1 for name, net in runs.WITHOUT_PATHOLOGY.items()},
            },
            "instance_norm_explodes": rates["instance"] > EXPLODING,
            "instance_norm_grows_like_batch_norm": api.ratio_of_means(rates["instance"], rates["batch"]).between(
                0.5, 2
            ),
            "instance_norm_keeps_directions_like_batch_norm": api.ratio_of_means(
                last_ranks["instance"], last_ranks["batch"]
            ).between(0.5, 2),
            "layer_norm_is_on_a_point": _last(runs.LAYER_NORM, share_of_variance) < POINT,
            "group_norm_lies_in_between": {
                "group minus layer": api.difference_of_means(rates["group"], rates["layer"]) > 0,
                "instance minus group": api.difference_of_means(rates["instance"], rates["group"]) > 0,
            },
            "normalized_resnets_grow_as_a_power": {norm: power > 0 for norm, power in powers.items()},
            "normalized_resnets_are_logarithmic_versions": {
                norm: api.difference_of_means(power, measures.preference_for_power(forward[norm])) > 0
                for norm, power in powers.items()
            },
            "activations_explode": measures.growth(runs.UNNORMALIZED_RES, values_of("log_nu2_signal"), half=2)
            > EXPLODING,
            "unnormalised_resnets_are_on_a_line": _is_on_a_line(runs.UNNORMALIZED_RES),
            "relu_is_a_bernoulli_vector": measures.over_layers(runs.VANILLA, values_of("active_share"), np.mean).near(
                0.5, "share"
            ),
            "only_resnets_are_well_behaved": {
                "vanilla": measures.pathology(runs.VANILLA) > 1,
                "feedforward with batch norm": measures.pathology(runs.BN_FF) > 1,
                "resnet with batch norm": measures.greatest_pathology(runs.BN_RES) < 1,
            },
            "resnets_counter_multiplicativity": _slowing(runs.BN_RES) > 0,
            "nets_are_noise_amplifiers": measures.share_amplifying(*runs.RELU_NETS) > 0.95,
            "identity_mappings_are_sensitive": api.not_testable("no experiment perturbs images to change their labels")
            > 0,
            "gap_of_expressivity": {
                "feedforward minus vanilla": api.difference_of_means(_rate(runs.BN_FF), _rate(runs.VANILLA))
                > _NOT_NEGLIGIBLE,
                "vanilla": _rate(runs.VANILLA) < _NOT_EXPLODING,
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
    tests = {"lower bound": measures.over_bound(net, quantity, lower, layers=layers) > 1 - slack}
    if upper is not None:
        tests["upper bound"] = measures.over_bound(net, quantity, upper, upper=True, layers=layers) < 1 + slack
    return tests


def _read_off(net: api.Selection, *symbols: str) -> dict[str, api.Tested]:
    """Return the test of a net by the numbers of some curves of a picture.

    The second reading is the document's number; its error is the difference from the first, but a pixel at least. A rank
    is judged by its excess over the least one, 1. A picture shows means over 1,000 simulations. At a single layer, growth
    differs between simulations by more than matters, but the mean curves are flat at the end, so that we take the mean
    over the last layers.
    """
    readings = pd.read_csv(_READINGS).set_index(["arch", "norm", "symbol"])
    column = "fully_connected" if net["kernel"] == 1 else "convolutions"
    curves = _OF_BRANCHES if net["arch"] == "residual" else _OF_LAYERS
    tests: dict[str, api.Tested] = {}
    for symbol in symbols:
        rows = readings.loc[[(net["arch"], net["norm"], symbol)]].reset_index()
        for layer, first, value, pixel in rows[["layer", column, f"{column}_again", "pixel"]].to_numpy().tolist():
            error = max(abs(first - value), pixel)
            if symbol == "crossing":
                tests[symbol] = measures.crossing(net, DELTA_RELU, DELTA_BN).near(value, "place in depth", error)
                continue
            quantity, kind = curves[symbol]
            over_end = layer == net["depth"] and kind == "growth per layer"
            measured = measures.at_end(net, quantity) if over_end else measures.at_layer(net, quantity, int(layer))
            name, least = (f"{symbol} − 1", 1) if kind == "effective rank" else (symbol, 0)
            tests[f"{name}, layer {layer:.0f}"] = measured.near(round(value - least, 6), kind, error)
    return tests


def _last(net: api.Selection, quantity: Quantity) -> api.Measure:
    return measures.at_layer(net, quantity, -1)


def _is_on_a_line(net: api.Selection) -> api.Tested:
    return _last(net, RANK).between(greatest=LINE, of="effective rank")


def _rate(net: api.Selection) -> api.Measure:
    return measures.growth(net, LOG_CHI, half=2)


def _slowing(net: api.Selection) -> api.Measure:
    return measures.growth(net, LOG_CHI, half=1) - _rate(net)


def _finite_noise_error(net: pd.DataFrame) -> pd.DataFrame:
    """Return the error of the linear approximation, which only the first simulation of each seed records."""
    return api.by_simulation(api.require_rows(net, "finite_noise_error"))


def _over_theory(net: pd.DataFrame) -> pd.DataFrame:
    return values_of("delta_chi_bn")(net) / _THEORY_BN(net)


def _rate_of_sensitivity(net: pd.DataFrame) -> pd.DataFrame:
    logs = LOG_CHI(net).loc[1:]
    return logs.div(logs.index.to_numpy(), axis=0)
