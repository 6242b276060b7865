import numpy as np
import pandas as pd
import pytest

from deepnets.documents.propagation import layers

LAYERS = pd.Index([0, 1, 2, 5, 10, 20, 40])


def test_growth_is_counted_per_layer():
    logs = pd.DataFrame({"a": 2.0 * LAYERS, "b": -1.0 * LAYERS}, index=LAYERS)
    assert layers.middle_layer(LAYERS) == 20
    for start, end, growth in ((0, 20, {"a": 2, "b": -1}), (20, 40, {"a": 2, "b": -1}), (40, 40, {"a": 0, "b": 0})):
        assert layers.growth_per_layer(logs, start, end).to_dict() == growth


def test_growth_laws_are_fitted_to_all_layers_after_a_tenth_of_the_depth():
    assert layers.fitted_layers(LAYERS).to_list() == [5, 10, 20, 40]
    assert layers.fitted_layers(pd.Index([0, 1, 2])).to_list() == [1, 2]
    recorded = pd.Series([2.0, 6.0], index=[1, 3])
    pd.testing.assert_series_equal(layers.every_layer(recorded), pd.Series([2.0, 4.0, 6.0], index=[1, 2, 3]))
    power_law = pd.Series(np.log([1.0, 8.0]), index=[1, 8])
    assert np.exp(layers.every_layer(power_law, against=np.log)).to_list() == pytest.approx(range(1, 9))
