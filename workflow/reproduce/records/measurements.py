"""Collect the rows of a run: step, metric, index, value."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


class Measurements:
    """The rows of one run, in the order in which they are added."""

    def __init__(self) -> None:
        self._blocks: list[tuple[int, str, np.ndarray, np.ndarray]] = []

    def add(self, step: int, metric: str, value: ArrayLike, *, index: ArrayLike | None = None) -> None:
        """Record a metric at a step.

        step: the number of updates done; without training, the layer or 0; a whole number
        value: a scalar (its index is 0) or a 1-D array
        index: of each entry, such as a mode, a class or a cell; 0, 1, … by default
        """
        given = np.asarray(value)
        # Texts, None, dates and complex numbers would become other numbers in silence.
        if given.dtype.kind not in "biuf":
            raise ValueError(f"{metric} at step {step}: {value!r} is no real number; record numbers, and nan for none")
        values = np.atleast_1d(given).astype(np.float64)
        if values.ndim != 1:
            raise ValueError(f"{metric} at step {step}: expected a scalar or a vector, got shape {values.shape}")
        indices = np.arange(len(values)) if index is None else np.asarray(index)
        if indices.shape != values.shape:
            raise ValueError(f"{metric} at step {step}: {len(values)} values for {len(indices)} indices")
        if step % 1 != 0:
            raise ValueError(
                f"{metric} at step {step}: a step is a whole number; record the number of updates done, such as the "
                "fraction of an epoch times the updates per epoch"
            )
        with np.errstate(invalid="ignore"):
            places = indices.astype(np.int32)
        if not np.array_equal(places, indices):
            raise ValueError(
                f"{metric} at step {step}: an index is a whole number of 32 bits; record the position of each "
                f"entry as its index, and the values {index!r} as a metric of their own"
            )
        self._blocks.append((int(step), metric, places, values))

    def add_divergence(self, step: int) -> None:
        """Record that a value was infinite or NaN at `step`: divergence is a result, not an error."""
        self.add(step, "diverged", 1.0)

    @property
    def metrics(self) -> set[str]:
        """The metrics that were recorded."""
        return {metric for _, metric, *_ in self._blocks}

    def columns(self) -> dict[str, Any]:
        """Return the rows as columns of equal length, in the order of the file: int64, texts, int32, float64."""
        lengths = [len(values) for *_, values in self._blocks]
        places: dict[tuple[int, str], list[np.ndarray]] = {}
        for step, metric, indices, _ in self._blocks:
            places.setdefault((step, metric), []).append(indices)
        for (step, metric), parts in places.items():
            # Not `np.unique`, which imports numpy.ma: 15 ms for each run.
            every = np.sort(np.concatenate(parts))
            if (every[1:] == every[:-1]).any():
                raise ValueError(f"{metric} at step {step}: an index was recorded twice; record each once")
        return {
            "step": np.repeat(np.array([step for step, *_ in self._blocks], dtype=np.int64), lengths),
            "metric": [metric for _, metric, _, values in self._blocks for _ in range(len(values))],
            "index": np.concatenate([np.empty(0, np.int32), *(indices for *_, indices, _ in self._blocks)]),
            "value": np.concatenate([np.empty(0), *(values for *_, values in self._blocks)]),
        }


def add_finite(measurements: Measurements, step: int, metric: str, values: np.ndarray) -> None:
    """Record the finite entries of a 1-D array with their indices."""
    finite = np.flatnonzero(np.isfinite(values))
    measurements.add(step, metric, values[finite], index=finite)
