"""Estimates from values: least-squares lines, power laws, and growth per layer.

In experiments on random nets, the column `step` contains the layer. Growth is counted from layer 0, the first linear
layer.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from reproduce.tables.rows import NotRecordedError

# Laws of growth are fitted to layers after this share of the depth, when the transient is over.
_TRANSIENT = 0.1


def fit_line(positions: ArrayLike, values: ArrayLike) -> np.ndarray:
    """Fit a line to values by least squares.

    positions: of shape (points,).
    values: of shape (points,), or (points, columns) for one line per column.
    returns: slope and offset, of shape (2,) or (2, columns).
    raises: NotRecordedError if all points have the same position.
    """
    places = np.asarray(positions, dtype=float)
    if len(np.unique(places)) < 2:
        raise NotRecordedError("a slope needs runs at two positions or more; these runs have only one")
    return np.polyfit(places, np.asarray(values, dtype=float), 1)


def fit_power_law(positions: ArrayLike, values: ArrayLike) -> np.ndarray:
    """Fit C·positions^τ to values by least squares of the logarithms.

    positions, values: positive, with shapes as in `fit_line`.
    returns: τ and ln C, of shape (2,) or (2, columns).
    """
    return fit_line(np.log(np.asarray(positions, dtype=float)), np.log(np.asarray(values, dtype=float)))


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


def fitted_layers(layers: pd.Index) -> pd.Index:
    """Return the layers to which laws of growth are fitted: from a tenth of the depth on, without layer 0."""
    recorded = layers.to_numpy()
    return layers[recorded >= max(1, _TRANSIENT * recorded.max())]
