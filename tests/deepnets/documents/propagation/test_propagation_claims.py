import numpy as np
import pytest
from propagation_table import AXES, net, table

from deepnets.documents.propagation import measures
from deepnets.documents.propagation.quantities import CHI, INCREMENT, change_of
from deepnets.documents.propagation.runs import BN_FF, VANILLA
from evidence import of_one_grid
from reproduce.tables.selection import NotTestableError


def evidence(*nets):
    return of_one_grid("propagation", table(*nets), AXES, {})


def test_a_claim_uses_the_first_size_that_was_run():
    small, large = net({"chi": {0: [1.0]}}, batch=8), net({"chi": {0: [2.0]}}, batch=64)
    for nets, value in ([(small,), 1], [(small, large), 2]):
        assert measures.at_layer(VANILLA, CHI, 0)(evidence(*nets)).tolist() == [value]
    narrow, wide = (net({"chi": {0: [float(width)]}}, block="bn_ff", norm="batch", width=width) for width in (128, 512))
    for nets, value in ([(narrow,), 128], [(narrow, wide), 512]):
        assert measures.at_layer(BN_FF, CHI, 0)(evidence(*nets)).tolist() == [value]
    with pytest.raises(NotTestableError, match="width 512"):
        measures.at_layer(VANILLA, CHI, 0)(evidence(net({"chi": {0: [1.0]}}, width=64)))


def test_simulations_that_end_early_count_as_missing():
    found = evidence(net({"chi": {0: [1.0], 4: [2.0]}, "diverged": {0: [0.25] * 2}}))
    np.testing.assert_array_equal(measures.at_layer(VANILLA, CHI, -1)(found), [2, np.nan])
    for measured in (
        measures.over_layers(VANILLA, CHI, np.min),
        measures.over_bound(VANILLA, CHI, 1),
        measures.at_end(VANILLA, CHI),
    ):
        np.testing.assert_array_equal(measured(found), [2, np.nan])
    np.testing.assert_array_equal(measures.share_amplifying(VANILLA)(found), [1, np.nan])


def test_noise_does_not_move_a_crossing_to_the_start_or_to_the_end():
    # The lead is negative at layers 2 and 5 by chance in the first net, and positive at layer 7 in the second.
    leads = {1: [1, 1], 2: [-1, 1], 3: [1, 1], 4: [3, 1], 5: [-1, -2], 6: [-2, -2], 7: [-1, 1], 8: [-2, -1]}
    zero = {layer: [0.0, 0.0] for layer in leads}
    found = measures.crossing(VANILLA, INCREMENT, CHI)(evidence(net({"delta_chi": leads, "chi": zero})))
    assert found == pytest.approx([4.75, 4 + 1 / 3])


def test_the_logarithm_of_a_variance_has_fisher_s_error():
    found = evidence(net({"log_nu2_signal": {0: [1.0, 2.0, 3.0], 5: [2.0, 5.0, 11.0]}}))
    variance = measures.log_variance(VANILLA, change_of("log_nu2_signal"), 5)(found)
    assert (variance.mean, variance.error) == pytest.approx((np.log(np.var([1, 3, 8], ddof=1)) + 1 / 2, 1))
    assert (variance.counts, variance.freedom) == ((3,), 2)
    with pytest.raises(NotTestableError, match="one simulation"):
        measures.log_variance(VANILLA, CHI, 0)(evidence(net({"chi": {0: [1.0]}})))
