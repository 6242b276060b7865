import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.tables import estimates
from reproduce.tables.estimates import growth_per_layer
from reproduce.tables.rows import NotRecordedError

LAYERS = pd.Index([0, 1, 2, 5, 10, 20, 40])


@given(st.floats(-3, 3), st.floats(0.1, 10))
def test_fits_recover_lines_and_power_laws(exponent, factor):
    positions = [1, 2, 4, 9]
    power_law = factor * np.array(positions, dtype=float) ** exponent
    assert estimates.fit_power_law(positions, power_law) == pytest.approx([exponent, np.log(factor)], abs=1e-9)
    lines = np.stack([exponent * np.array(positions) + factor, np.full(4, factor)], axis=1)
    np.testing.assert_allclose(estimates.fit_line(positions, lines), [[exponent, 0], [factor, factor]], atol=1e-9)


def test_one_position_determines_no_slope():
    with pytest.raises(NotRecordedError, match="a slope needs runs at two positions"):
        estimates.fit_power_law([0.1], [[2.0, 3.0]])


def test_growth_is_counted_per_layer():
    logs = pd.DataFrame({"a": 2.0 * LAYERS, "b": -1.0 * LAYERS}, index=LAYERS)
    assert estimates.middle_layer(LAYERS) == 20
    assert growth_per_layer(logs, 0, 20).to_dict() == growth_per_layer(logs, 20, 40).to_dict() == {"a": 2, "b": -1}
    assert growth_per_layer(logs, 40, 40).to_dict() == {"a": 0, "b": 0}


def test_growth_laws_are_fitted_to_all_layers_after_a_tenth_of_the_depth():
    assert estimates.fitted_layers(LAYERS).to_list() == [5, 10, 20, 40]
    assert estimates.fitted_layers(pd.Index([0, 1, 2])).to_list() == [1, 2]
    recorded = pd.Series([2.0, 6.0], index=[1, 3])
    pd.testing.assert_series_equal(estimates.every_layer(recorded), pd.Series([2.0, 4.0, 6.0], index=[1, 2, 3]))
    power_law = pd.Series(np.log([1.0, 8.0]), index=[1, 8])
    assert np.exp(estimates.every_layer(power_law, against=np.log)).to_list() == pytest.approx(range(1, 9))
