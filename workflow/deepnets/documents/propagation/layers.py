"""Values by layer: the middle of the depth, growth per layer, and the layers to which laws are fitted.

The column `step` contains the layer. Growth is counted from layer 0, the first linear layer.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

# Laws of growth are fitted to layers after this share of the depth, when the transient is over.
TRANSIENT = 0.1


def middle_layer(layers: pd.Index) -> int:
    """Return the recorded layer that is closest to half of the depth."""
    recorded = layers.to_numpy()
    return int(recorded[np.abs(recorded - recorded.max() / 2).argmin()])


def growth_per_layer(values: pd.DataFrame, start: int, end: int) -> pd.Series:
    """Return each column's mean increase per layer between two recorded layers; 0 if the two layers are the same.

    values: layers × simulations; if they are logarithms, the result is the logarithm of the growth factor.
    """
    return (values.loc[end] - values.loc[start]) / max(end - start, 1)


def every_layer(values: pd.Series, *, against: Callable[[np.ndarray], np.ndarray] = np.asarray) -> pd.Series:
    """Return a value for every layer from the first to the last recorded one, to give all depths equal weight.

    against: a function of the layer number; values are interpolated linearly in this function, for example np.log.
    """
    recorded = values.index.to_numpy()
    layers = np.arange(recorded.min(), recorded.max() + 1)
    return pd.Series(np.interp(against(layers), against(recorded), values), index=layers)


def fitted_layers(layers: pd.Index, start: float = TRANSIENT) -> pd.Index:
    """Return the layers to which laws are fitted: from a share of the depth on, by default a tenth, without layer 0."""
    recorded = layers.to_numpy()
    return layers[recorded >= max(1, start * recorded.max())]
