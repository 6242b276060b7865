import numpy as np
import pytest
from propagation_table import AXES, table
from propagation_table import net as any_net

from deepnets.documents.propagation import claims, measures
from deepnets.documents.propagation.quantities import (
    CHI,
    INCREMENT,
    change_of,
)
from deepnets.documents.propagation.runs import BN_FF, VANILLA
from evidence import of_one_grid
from reproduce.tables.selection import NotTestableError


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
    narrow, wide = (net({"chi": {0: [float(width)]}}, block="bn_ff", norm="batch", width=width) for width in (128, 512))
    for nets, value in ([(narrow,), 128], [(narrow, wide), 512]):
        assert measures.at_layer(BN_FF, CHI, 0)(evidence(*nets)).tolist() == [value]
    with pytest.raises(NotTestableError, match="width 512"):
        measures.at_layer(VANILLA, CHI, 0)(evidence_of_net({"chi": {0: [1.0]}}, width=64))


def test_simulations_that_end_early_count_as_missing():
    found = evidence_of_net({"chi": {0: [1.0], 4: [2.0]}, "diverged": {0: [1.0] * 2}})
    np.testing.assert_array_equal(measures.at_layer(VANILLA, CHI, -1)(found), [2, np.nan])
    np.testing.assert_array_equal(measures.over_layers(VANILLA, CHI, np.min)(found), [2, np.nan])


def test_means_over_neighbouring_layers_are_compared_with_a_bound():
    chi = {layer: [value, 2 * value] for layer, value in enumerate((9.0, 1.0, 3.0, 5.0, 1.0))}
    found = evidence_of_net({"chi": chi})
    assert measures.over_bound(VANILLA, CHI, 2, layers=2)(found).tolist() == [1, 2]
    assert measures.over_bound(VANILLA, CHI, 2, layers=2, upper=True)(found).tolist() == [2, 4]
    # Net with fewer layers: the mean over all of them.
    assert measures.over_bound(VANILLA, CHI, 1)(found).tolist() == [2.5, 5]
    ended = evidence_of_net({"chi": {1: [1.0, 1.0], 2: [1.0]}})
    np.testing.assert_array_equal(measures.over_bound(VANILLA, CHI, 1)(ended), [1, np.nan])


def test_the_last_fifth_of_the_depth_is_averaged():
    chi = {layer: [float(layer), 1.0] for layer in (0, 70, 80, 90, 100)}
    np.testing.assert_array_equal(measures.at_end(VANILLA, CHI)(evidence_of_net({"chi": chi})), [90, 1])
    chi[90] = [90.0]
    np.testing.assert_array_equal(measures.at_end(VANILLA, CHI)(evidence_of_net({"chi": chi})), [90, np.nan])


def test_a_crossing_is_interpolated():
    falling = {"delta_chi": {2: [1.4, 1.2], 6: [1.2, 1.0]}, "chi": {2: [1.1, 1.1], 6: [1.3, 1.1]}}
    assert measures.crossing(VANILLA, INCREMENT, CHI)(evidence_of_net(falling)) == pytest.approx([5, 4])
    assert np.isnan(measures.crossing(VANILLA, CHI, INCREMENT)(evidence_of_net(falling))).all()


def test_noise_does_not_move_a_crossing_to_the_start_or_to_the_end():
    # The lead is negative at layers 2 and 5 by chance in the first net, and positive at layer 7 in the second.
    leads = {1: [1, 1], 2: [-1, 1], 3: [1, 1], 4: [3, 1], 5: [-1, -2], 6: [-2, -2], 7: [-1, 1], 8: [-2, -1]}
    zero = {layer: [0.0, 0.0] for layer in leads}
    found = measures.crossing(VANILLA, INCREMENT, CHI)(evidence_of_net({"delta_chi": leads, "chi": zero}))
    assert found == pytest.approx([4.75, 4 + 1 / 3])


def test_the_logarithm_of_a_variance_has_fisher_s_error():
    found = evidence_of_net({"log_nu2_signal": {0: [1.0, 2.0, 3.0], 5: [2.0, 5.0, 11.0]}})
    variance = measures.log_variance(VANILLA, change_of("log_nu2_signal"), 5)(found)
    assert (variance.mean, variance.error) == pytest.approx((np.log(np.var([1, 3, 8], ddof=1)) + 1 / 2, 1))
    assert (variance.counts, variance.freedom) == ((3,), 2)
    with pytest.raises(NotTestableError, match="one simulation"):
        measures.log_variance(VANILLA, CHI, 0)(evidence_of_net({"chi": {0: [1.0]}}))


def test_either_possibility_counts_for_a_vanilla_net():
    # The ranks are 1, 3 and 3, and χ grows by ln 900 and ln 9 over 100 layers. A growth by 2 % a layer is no explosion.
    lines = {"chi": {0: [1.0] * 3, 100: [1.0] * 3, 200: [1.0, 900.0, 9.0]}, "effective_rank_signal": {200: [1, 3, 3]}}
    moments = {name: {200: [0.0] * 3} for name in ("log_mu2_signal", "log_nu2_signal")}
    found = measures.pathology(VANILLA, "line", "noise")(evidence_of_net({**lines, **moments}))
    assert found == pytest.approx([1.5, np.log(900) / 100 / np.log(1.05), 0.5])


def test_a_net_without_pathology_has_none_at_any_depth_from_a_tenth_of_its_own():
    # The rank of the first net is 1 at layer 100; that of the second at layer 10, which is too shallow.
    layers = {10: [9.0, 1.0], 20: [9.0, 9.0], 100: [1.0, 9.0], 200: [9.0, 9.0]}
    same = {name: {layer: [0.0] * 2 for layer in layers} for name in ("log_mu2_signal", "log_nu2_signal")}
    chi = {layer: [1.0] * 2 for layer in (0, *layers)}
    found = measures.greatest_pathology(VANILLA)(evidence_of_net({"chi": chi, "effective_rank_signal": layers, **same}))
    assert found == pytest.approx([1.5, 1.5 / 9])


def test_the_second_reading_is_the_number_and_a_rank_counts_from_1():
    tests = claims.decisions().tests
    bend, last = tests["vanilla_increments"]["δχ, layer 2"], tests["vanilla_ranks"]["effective rank − 1, layer 100"]
    assert (bend.criterion.value, bend.criterion.reading) == pytest.approx((1.130, 1.132 - 1.130))
    # Readings that differ by less than a pixel are as uncertain as a pixel.
    assert (last.criterion.value, last.criterion.reading) == pytest.approx((0.088, 0.023))
    rank = {100: [1.5, 3.0]}
    assert last.measure(evidence_of_net({"effective_rank_signal": rank, "chi": rank})).tolist() == [0.5, 2.0]


def test_a_net_amplifies_noise_if_it_does_at_all_layers():
    chi = {1: [1.0, 1.6, 0.9], 2: [1.2, 0.99, 2.0]}
    nets = (
        net({"chi": chi}),
        net({"chi": {1: [9.0]}, "diverged": {0: [1.0] * 2}}, block="bn_ff", norm="batch", width=128),
    )
    found = measures.share_amplifying(VANILLA, BN_FF)(evidence(*nets))
    np.testing.assert_array_equal(found, [1, 0, 0, 1, np.nan])
