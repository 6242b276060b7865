"""Correlation coefficients of the inputs, from the experiment `input_correlations`."""

import numpy as np
import pandas as pd

from reproduce import api


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
