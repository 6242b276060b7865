"""Quantities that figures and claims share: delays of half times, and correlations of inputs."""

import numpy as np
import pandas as pd

from reproduce import api


def relative_delays(runs: pd.DataFrame) -> pd.DataFrame:
    """Return (simulation − theory) / theory for half times, of shape (modes, nets).

    runs: all of the same setting. A value is NaN if the net does not reach half of the mode's singular value. Raises
    NotRecordedError if there are no half times.
    """
    theory = api.values_by_index(api.require_rows(api.first_seed(runs), "theory_half_time"))
    measured, modes = api.require_rows(runs, "half_time"), api.rows_of(runs, "data_singular_value")["index"].max() + 1
    measured = measured.assign(mode=measured["index"] % modes, net=measured["index"] // modes)
    times = measured.pivot(index="mode", columns=["seed", "net"], values="value").reindex(theory.index)
    return times.div(theory, axis=0) - 1


def correlation_coefficients(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Return the correlation coefficients of a recorded n × n matrix of correlations.

    Each entry is divided by the square roots of the two diagonal entries in its row and column. If such a diagonal
    entry is 0, the coefficient is 0. Uses the first seed, because all seeds have the same images. Raises
    NotRecordedError.
    """
    values = api.values_by_index(api.require_rows(api.first_seed(runs), metric)).to_numpy()
    matrix = values.reshape(round(len(values) ** 0.5), -1)
    scales = np.sqrt(np.diag(matrix))
    # A pixel that is black in all images has the correlation 0.
    scales = np.where(scales > 0, scales, 1)
    return matrix / np.outer(scales, scales)


def off_diagonal(coefficients: np.ndarray) -> np.ndarray:
    """Return the entries off the diagonal of a square matrix."""
    return coefficients[~np.eye(len(coefficients), dtype=bool)]
