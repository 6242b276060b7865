"""The measures of the claims of document 002 on tables of nets; other nets are not testable."""

import numpy as np
import pytest
from propagation_table import AXES, table
from propagation_table import net as any_net

from deepnets.claims.criteria import NOT_TESTABLE
from deepnets.documents.propagation import measures
from deepnets.documents.propagation.printed import READINGS
from deepnets.documents.propagation.quantities import (
    CHI,
    INCREMENT,
    LOG_CHI,
    change_of,
    exponent_bound,
    product_of_bounds,
    unit_exponents,
    values_of,
)
from deepnets.documents.propagation.runs import (
    VANILLA,
    WITH_PATHOLOGY,
    WITHOUT_PATHOLOGY,
)
from deepnets.jobs.judge import row_of
from deepnets.tables.rows import NotRecordedError
from deepnets.tables.selection import NotTestableError
from evidence import Claims, of_one_grid


def net(metrics, **axes):
    """Return the rows of one net, by default with 3 × 3 convolutions."""
    return any_net(metrics, **{"kernel": 3, **axes})


def evidence(*nets):
    return of_one_grid("propagation", table(*nets), AXES, {})


def evidence_of_net(metrics, **axes):
    return evidence(net(metrics, **axes))


def test_a_claim_uses_the_first_size_that_was_run():
    small, large = net({"chi": {0: [1.0]}}, batch=8), net({"chi": {0: [2.0]}}, batch=64)
    for nets, value in ([(small,), 1], [(small, large), 2]):
        assert measures.at_layer(VANILLA, CHI, 0)(evidence(*nets)).tolist() == [value]
    with pytest.raises(NotTestableError, match="width 512"):
        measures.at_layer(VANILLA, CHI, 0)(evidence_of_net({"chi": {0: [1.0]}}, width=64))


def test_simulations_that_end_early_count_as_missing():
    found = evidence_of_net({"chi": {0: [1.0], 4: [2.0]}, "diverged": {0: [1.0] * 2}})
    np.testing.assert_array_equal(measures.at_layer(VANILLA, CHI, -1)(found), [2, np.nan])
    np.testing.assert_array_equal(measures.over_layers(VANILLA, CHI, np.min)(found), [2, np.nan])
    assert measures.share_within(VANILLA, CHI, 1, 3)(found).tolist() == [1, 0]


def test_a_layer_or_metric_that_is_not_recorded_is_not_testable():
    found = evidence_of_net({"chi": {0: [1.0], 4: [2.0]}})
    with pytest.raises(NotTestableError, match="layer 3"):
        measures.at_layer(VANILLA, CHI, 3)(found)
    with pytest.raises(NotRecordedError, match="no delta_chi"):
        measures.at_layer(VANILLA, INCREMENT, 4)(found)


def test_means_over_neighbouring_layers_are_compared_with_a_bound():
    chi = {layer: [value, 2 * value] for layer, value in enumerate((9.0, 1.0, 3.0, 5.0, 1.0))}
    found = evidence_of_net({"chi": chi})
    assert measures.over_bound(VANILLA, CHI, 2, layers=2)(found).tolist() == [1, 2]
    assert measures.over_bound(VANILLA, CHI, 2, layers=2, upper=True)(found).tolist() == [2, 4]
    # Net with fewer layers: the mean over all of them.
    assert measures.over_bound(VANILLA, CHI, 1)(found).tolist() == [2.5, 5]
    ended = evidence_of_net({"chi": {1: [1.0, 1.0], 2: [1.0]}})
    np.testing.assert_array_equal(measures.over_bound(VANILLA, CHI, 1)(ended), [1, np.nan])


def test_growth_is_per_layer_of_each_half():
    found = evidence_of_net({"log_nu2_signal": {0: [0.0, 0.0], 5: [10.0, 5.0], 10: [11.0, -5.0]}})
    halves = [measures.growth(VANILLA, values_of("log_nu2_signal"), half=half)(found).tolist() for half in (1, 2)]
    assert halves == [[2, 1], [pytest.approx(0.2), -2]]


def test_the_preference_for_a_power_law_is_negative_for_exponentials():
    layers = np.arange(1, 41)
    wobble = 1 + 0.01 * (-1.0) ** layers
    chi = {unit: [unit**0.7 * off, np.exp(0.1 * unit) * off] for unit, off in zip(layers.tolist(), wobble, strict=True)}
    power, exponential = measures.preference_for_power(VANILLA)(evidence_of_net({"chi": chi}))
    assert power > 1
    assert exponential < -1


def test_the_bounds_of_a_unit_have_the_least_and_the_greatest_exponent():
    # For the means of the two units, τ = (δ⁴ − 1)/2 is 1 and 1.5.
    layer = {1: [3**0.25, 3**0.25], 3: [4**0.25, 4**0.25]}
    runs = table(net({"delta_chi_layer": layer, "delta_chi": {1: [1.0, 2.0], 3: [1.0, 2.0]}}))
    for pick, exponent in ((min, 1.0), (max, 1.5)):
        at_unit = [np.sqrt(1 + 2 * exponent / (unit + 1)) for unit in (1, 2, 3)]
        assert exponent_bound(pick)(runs).tolist() == pytest.approx([exponent] * 2)
        assert product_of_bounds(pick)(runs).tolist() == pytest.approx([at_unit[0], np.prod(at_unit)])
    # δχ² = 1 + 2τ/(l + 1)
    assert unit_exponents(runs).to_numpy().tolist() == [[0, 3], [0, 6]]


def test_the_distance_of_a_power_law_from_itself_is_zero():
    # The branches have τ = 2, and χ is 5 l² in one net, interpolated linearly between recorded units.
    layer = {unit: [5**0.25] * 2 for unit in range(1, 5)}
    found = evidence_of_net({"delta_chi_layer": layer, "chi": {1: [5.0] * 2, 2: [20.0] * 2, 3: [45, 51], 4: [80, 82]}})
    factor = (5 * 1 + 20 * 4 + 51 * 9 + 82 * 16) / (1 + 16 + 81 + 256)
    assert measures.distance_from_power_law(VANILLA)(found) == pytest.approx([0, 51 - 9 * factor], abs=1e-12)


def test_slopes_are_relative_to_the_logarithm_of_depth():
    share = {unit: [1 / (unit + 1), 3 / (unit + 1) ** 2] for unit in (1, 4, 9)}
    slopes = measures.slope_against_depth(VANILLA, LOG_CHI)(evidence_of_net({"chi": share}))
    assert slopes == pytest.approx([-1, -2])


def test_means_are_taken_where_a_different_metric_is_in_a_range():
    metrics = {"delta_chi": {1: [1.1, 1.2], 2: [1.3, 1.4]}, "chi": {1: [2.0, 5.0], 2: [3.0, 2.0]}}
    found = measures.mean_where(VANILLA, INCREMENT, CHI, 2, 3)(evidence_of_net(metrics))
    assert found == pytest.approx([1.2, 1.4])
    with pytest.raises(NotTestableError, match="condition"):
        measures.mean_where(VANILLA, INCREMENT, CHI, 6, 7)(evidence_of_net(metrics))


def test_the_first_crossing_is_interpolated():
    falling = {"delta_chi": {2: [1.4, 1.2], 6: [1.2, 1.0]}, "chi": {2: [1.1, 1.1], 6: [1.3, 1.1]}}
    assert measures.crossing(VANILLA, INCREMENT, CHI)(evidence_of_net(falling)) == pytest.approx([5, 4])
    assert np.isnan(measures.crossing(VANILLA, CHI, INCREMENT)(evidence_of_net(falling))).all()


def test_the_mean_of_squared_scatter_is_the_variance():
    found = evidence_of_net({"log_nu2_signal": {0: [1.0, 2.0, 3.0], 5: [2.0, 5.0, 11.0]}})
    scatter = measures.squared_scatter(VANILLA, change_of("log_nu2_signal"), 5)(found)
    assert scatter.mean() == pytest.approx(np.var([1, 3, 8], ddof=1))
    two = evidence_of_net({"log_nu2_signal": {0: [1.0, 2.0], 5: [2.0, 5.0]}})
    assert measures.squared_scatter(VANILLA, change_of("log_nu2_signal"), 5)(two).tolist() == [2, 2]


def row(name, found):
    return row_of(Claims("propagation")[name], found, "full")


def test_the_semi_line_claim_measures_cosines_with_the_mean():
    points = {"cloud_signal_1": {0: [1.0], 200: [3.0, -1.0]}, "cloud_signal_2": {0: [1.0], 200: [4.0, 0.0]}}
    found = row("vanilla_signal_is_on_a_semi_line", evidence_of_net({"chi": {0: [1.0]}, **points}))
    assert (found["value"], found["count"]) == (pytest.approx(-0.2), "1")


def test_the_error_of_linear_noise_is_judged_only_in_nets_that_recorded_it():
    metrics = {"chi": {0: [1.0, 1.0]}, "finite_noise_error": {5: [0.25]}}
    found = row("small_noise_is_linear", evidence_of_net(metrics))
    assert (found["count"], found["ours"]) == ("1", "vanilla, layer 5: 0.25")


def test_either_possibility_counts_for_a_vanilla_net():
    # The ranks are 1, 3 and 3, and χ grows by ln 900 and ln 9 over 100 layers. A growth by 2 % a layer is no explosion.
    lines = {"chi": {0: [1.0] * 3, 100: [1.0] * 3, 200: [1.0, 900.0, 9.0]}, "effective_rank_signal": {200: [1, 3, 3]}}
    moments = {name: {200: [0.0] * 3} for name in ("log_mu2_signal", "log_nu2_signal")}
    found = measures.pathology(VANILLA, "line", "noise")(evidence_of_net({**lines, **moments}))
    assert found == pytest.approx([1.5, np.log(900) / 100 / np.log(1.05), 0.5])


def test_scatter_is_compared_only_at_the_layers_and_widths_of_the_claim():
    axes = {"block": "vanilla_histograms", "width": 128, "batch": 2}
    # Layers next to those of the claim have a different scatter.
    moments = {0: [0.0, 0.0], 50: [1.0, 3.0], 51: [0.0, 9.0], 199: [0.0, 9.0], 200: [2.0, 8.0]}
    narrow = net({"log_nu2_signal": moments, "chi": {0: [1.0, 1.0]}}, **axes)
    found = row("infinite_width_breaks_down_with_depth", evidence(narrow))
    assert found["value"] == pytest.approx(18 - 2)
    wide = net({"log_nu2_signal": {0: [0.0, 0.0], 200: [4.0, 5.0]}, "chi": {0: [1.0, 1.0]}})
    found = row("infinite_width_holds_at_given_depth", evidence(narrow, wide))
    assert found["value"] == pytest.approx(18 - 0.5)


def test_nets_without_a_pathology_contradict_a_statement_of_one():
    behaved = {
        **{metric: {0: [value], 25: [value], 50: [value]} for metric, value in (("chi", 1), ("log_nu2_signal", 0))},
        **{"effective_rank_signal": {50: [9]}, "log_mu2_signal": {50: [0]}},
    }
    nets = [net(behaved, **described.wanted) for described in (*WITH_PATHOLOGY.values(), *WITHOUT_PATHOLOGY.values())]
    found = row("all_cases_are_equivalent", evidence(*nets))
    assert found["ours"].count(": 0.1667") == 11


def test_nets_of_a_different_width_are_not_testable():
    metrics = {"chi": {0: [1.0, 1.0], 100: [2.0, 3.0], 200: [3.0, 4.0]}, "effective_rank_signal": {200: [1.0, 1.0]}}
    found = evidence_of_net(metrics, width=100, block="mine")
    for name, claim in Claims("propagation").items():
        assert row_of(claim, found, "full")["verdict"] == NOT_TESTABLE, name


def test_fully_connected_nets_are_compared_with_the_authors_numbers():
    axes = {"block": "fully_connected", "kernel": 1, "batch": 64}
    # Half of the difference that matters to growth per layer, and more than it.
    for at_2, verdict in ((1.135, "reproduced"), (1.16, "not reproduced")):
        metrics = {"chi": {0: [1.0] * 3}, "delta_chi": {2: [at_2, at_2 + 1e-4, at_2], 200: [1.005, 1.0051, 1.005]}}
        found = row("vanilla_increments_fully_connected", evidence_of_net(metrics, **axes))
        assert (found["verdict"], READINGS["vanilla_increment"][2].fully_connected) == (verdict, 1.125)
