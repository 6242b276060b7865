"""Measures for document 003: plateaus and drops of a loss, modes of a tree, representations, predictions."""

from itertools import pairwise

import numpy as np
import pandas as pd

from workflow.deepnets.claims._claim import Measure
from workflow.deepnets.claims._evidence import Evidence, NotTestableError, axes_of
from workflow.deepnets.networks.initializers import fan_sum_normal

_ITEMS = 8
# The modes of each level of the document's tree: what all items share, animals and plants, their kinds, single items.
_LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


def count_of_drops(**wanted: object) -> Measure:
    """Measure how many drops the loss of each run has; of runs that diverged nothing."""

    def measured(evidence: Evidence) -> np.ndarray:
        losses = _curves(evidence, "train_loss", wanted)
        counts = np.array([len(_drops(loss)) for loss in losses if np.all(np.isfinite(loss))], dtype=float)
        if not len(counts):
            raise NotTestableError("all these runs diverged")
        return counts

    return measured


def on_plateau(number: int, metric: str, *, index: int = 0, **wanted: object) -> Measure:
    """Measure a metric in the middle of a plateau of each run's loss, NaN where the loss has not one for each level.

    number: 0 before the first drop, 4 behind the last.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        losses = _curves(evidence, "train_loss", wanted)
        values = _curves(evidence, metric, wanted, index=index)
        return np.array([_at(value, _plateaus(loss), number) for loss, value in zip(losses, values, strict=True)])

    return measured


def time_of_drop(number: int, **wanted: object) -> Measure:
    """Measure when each run's loss has come half way from a plateau to the next (updates)."""

    def measured(evidence: Evidence) -> np.ndarray:
        times = []
        for loss in _curves(evidence, "train_loss", wanted):
            before, after = (_at(loss, _plateaus(loss), each) for each in (number, number + 1))
            times.append(_first_beyond(-loss, -(before + after) / 2))
        return np.array(times)

    return measured


def time_of_prediction(level: float, *, item: int, falling: bool = False, **wanted: object) -> Measure:
    """Measure when each run's prediction for an item first rises above a level, or falls below it (updates)."""
    sign = -1 if falling else 1

    def measured(evidence: Evidence) -> np.ndarray:
        curves = _curves(evidence, "illusory_prediction", wanted, index=item)
        return np.array([_first_beyond(sign * curve, sign * level) for curve in curves])

    return measured


def on_first_data(times: Measure, level: int, **wanted: object) -> Measure:
    """Measure times at which a level is learned as they would be on the data of seed 2021: init alone tells runs apart.

    Each time moves by as much as theory says that data with other singular values do.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        predicted = _by_mode(evidence, "predicted_half_time", wanted)[:, _LEVELS[level]].mean(axis=1)
        first = _by_mode(evidence, "predicted_half_time", {**wanted, "seed": 2021})[:, _LEVELS[level]].mean(axis=1)
        return times(evidence) - predicted + first

    return measured


def mode_of_prediction(level: float, *, item: int, **wanted: object) -> Measure:
    """Measure to which level of the tree, from 1, the half times are nearest when the prediction reaches a value."""

    def measured(evidence: Evidence) -> np.ndarray:
        times = time_of_prediction(level, item=item, **wanted)(evidence)
        halves = _by_mode(evidence, "half_time", wanted)
        of_levels = np.stack([halves[:, modes].mean(axis=1) for modes in _LEVELS], axis=1)
        distances = np.abs(of_levels - times[:, np.newaxis])
        nearest = np.argmin(np.nan_to_num(distances, nan=np.inf), axis=1) + 1.0
        return np.where(np.isfinite(times), nearest, np.nan)

    return measured


def updates_to_loss(level: float, **wanted: object) -> Measure:
    """Measure when each run's loss first falls below a level, NaN where it never does (updates)."""

    def measured(evidence: Evidence) -> np.ndarray:
        losses = _curves(evidence, "train_loss", wanted)
        return np.array([_first_beyond(-loss, -level) for loss in losses])

    return measured


def plateau_to_drop(**wanted: object) -> Measure:
    """Measure in each run how many times as long as the drop behind it a plateau lasts, at most."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = []
        for loss in _curves(evidence, "train_loss", wanted):
            drops = _drops(loss)
            waits = [start - end for (_, end), (start, _) in zip([(0, 0), *drops], drops, strict=False)]
            found.append(
                max((wait / (end - start) for wait, (start, end) in zip(waits, drops, strict=True)), default=0)
            )
        return np.array(found, dtype=float)

    return measured


def gradient_on_plateaus(**wanted: object) -> Measure:
    """Measure the least gradient norm on each run's two longest plateaus, the larger of both, in shares of its largest.

    Plateaus behind which the loss falls again.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        losses = _curves(evidence, "train_loss", wanted)
        norms = _curves(evidence, "gradient_norm", wanted)
        if np.isnan(norms).any():
            raise NotTestableError(
                "gradient_norm is recorded at some updates only: record_rsm_every 1 records it at all"
            )
        found = []
        for loss, norm in zip(losses, norms, strict=True):
            drops = _drops(loss)
            plateaus = [(end, start) for (_, end), (start, _) in zip([(0, 0), *drops], drops, strict=False)]
            longest = sorted(plateaus, key=lambda plateau: plateau[0] - plateau[1])[:2]
            found.append(max((norm[start : end + 1].min() for start, end in longest), default=np.nan) / norm.max())
        return np.array(found)

    return measured


def half_time_of_level(level: int, **wanted: object) -> Measure:
    """Measure the mean half time of the modes of a level of the tree in each run (updates)."""
    return lambda evidence: _by_mode(evidence, "half_time", wanted)[:, _LEVELS[level]].mean(axis=1)


def wait_between_levels(**wanted: object) -> Measure:
    """Measure in each run the shortest wait from the last mode of a level to the first of the next, by half times."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = _by_mode(evidence, "half_time", wanted)
        waits = [halves[:, later].min(axis=1) - halves[:, earlier].max(axis=1) for earlier, later in pairwise(_LEVELS)]
        return np.min(waits, axis=0)

    return measured


def lead_of_first_mode(**wanted: object) -> Measure:
    """Measure by how many updates the first mode's half time lies before that of any other."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = _by_mode(evidence, "half_time", wanted)
        return halves[:, 1:].min(axis=1) - halves[:, 0]

    return measured


def scatter_of_last_half_times(**wanted: object) -> Measure:
    """Measure how far the half times of the last level lie apart, in shares of the wait before them."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = _by_mode(evidence, "half_time", wanted)
        last, before = halves[:, _LEVELS[-1]], halves[:, _LEVELS[-2]]
        return np.ptp(last, axis=1) / (last.min(axis=1) - before.max(axis=1))

    return measured


def scatter_of_last_singular_values(**wanted: object) -> Measure:
    """Measure how far the final singular values of the last level lie apart, in shares of the gap above them."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = _ends(evidence, wanted)
        last, before = values[:, _LEVELS[-1]], values[:, _LEVELS[-2]]
        return np.ptp(last, axis=1) / (before.min(axis=1) - last.max(axis=1))

    return measured


def share_of_level(level: int, **wanted: object) -> Measure:
    """Measure the mean final singular value of a level's modes in shares of the largest, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = _ends(evidence, wanted)
        return values[:, _LEVELS[level]].mean(axis=1) / values[:, 0]

    return measured


def distance_from_data(**wanted: object) -> Measure:
    """Measure by which share each final singular value differs from that of the data, in all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        return (_ends(evidence, wanted) / _by_mode(evidence, "data_singular_value", wanted) - 1).ravel()

    return measured


def distance_from_narrow_nets(**wanted: object) -> Measure:
    """Measure by how many updates each mode is later than a net of one unit with its singular value, in all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        own, predicted = (_by_mode(evidence, metric, wanted) for metric in ("half_time", "predicted_half_time"))
        return (own - predicted).ravel()

    return measured


def unexplained_on_plateaus(**wanted: object) -> Measure:
    """Measure the loss on each inner plateau less the data's squared singular values that are not learned, by share."""

    def measured(evidence: Evidence) -> np.ndarray:
        squares = _by_mode(evidence, "data_singular_value", wanted) ** 2
        shares = squares / squares.sum(axis=1, keepdims=True)
        found = []
        for number in range(1, len(_LEVELS)):
            left = np.concatenate(_LEVELS[number:])
            found.append(on_plateau(number, "train_loss", **wanted)(evidence) - shares[:, left].sum(axis=1))
        return np.concatenate(found)

    return measured


def count_of_modes(**wanted: object) -> Measure:
    """Measure how many singular values the data of each run have."""
    return lambda evidence: np.sum(np.isfinite(_by_mode(evidence, "data_singular_value", wanted)), axis=1).astype(float)


def scatter_of_shallow_times(**wanted: object) -> Measure:
    """Measure how far apart the singular values of a run reach half of their ends (updates)."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = _recorded(evidence, "hierarchy", "singular_value", wanted)
        times = [[_first_beyond(curve, curve[-1] / 2) for curve in run.T] for run in values]
        return np.ptp(times, axis=1)

    return measured


def overlap_of_modes(contrasts: tuple[tuple[int, ...], ...], modes: tuple[int, ...], **wanted: object) -> Measure:
    """Measure which share of some contrasts between items the final hidden modes hold, the least of any contrast.

    contrasts: orthogonal, one number for each item; modes: of the final similarity matrix, from 0, strongest first.
    """
    directions = np.array(contrasts) / np.linalg.norm(contrasts, axis=1, keepdims=True)

    def measured(evidence: Evidence) -> np.ndarray:
        shares = []
        for matrix in _similarities(evidence, wanted):
            vectors = np.linalg.eigh(matrix)[1][:, ::-1][:, list(modes)]
            shares.append(np.linalg.svd(directions @ vectors, compute_uv=False)[-1] ** 2)
        return np.array(shares)

    return measured


def cosine_on_plateau(number: int, first: int, second: int, **wanted: object) -> Measure:
    """Measure the cosine of two items' hidden activities in the middle of a plateau of the loss."""

    def measured(evidence: Evidence) -> np.ndarray:
        dots = [
            on_plateau(number, "rsm", index=_ITEMS * row + column, **wanted)(evidence)
            for row, column in ((first, second), (first, first), (second, second))
        ]
        return dots[0] / np.sqrt(dots[1] * dots[2])

    return measured


def closeness(item: int, near: int, far: int, **wanted: object) -> Measure:
    """Measure by how much the final hidden similarity of an item to one exceeds that to another."""

    def measured(evidence: Evidence) -> np.ndarray:
        matrices = _similarities(evidence, wanted)
        return matrices[:, item, near] - matrices[:, item, far]

    return measured


def distance_from_cosines(**wanted: object) -> Measure:
    """Measure by how much a dot product of final hidden activities differs from their cosine, at most."""

    def measured(evidence: Evidence) -> np.ndarray:
        matrices = _similarities(evidence, wanted)
        norms = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
        cosines = matrices / (norms[:, :, np.newaxis] * norms[:, np.newaxis])
        return np.abs(matrices - cosines).max(axis=(1, 2))

    return measured


def least_similarity_eigenvalue(**wanted: object) -> Measure:
    """Measure the least eigenvalue of the final similarity matrix in shares of the largest."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = np.linalg.eigvalsh(_similarities(evidence, wanted))
        return values[:, 0] / values[:, -1]

    return measured


def share_of_cells(picture: tuple[str, ...], **wanted: object) -> Measure:
    """Measure which share of the cells of a picture of features, "1" for yes, the recorded features show."""
    cells = np.array([[2 * int(cell) - 1 for cell in row] for row in picture])

    def measured(evidence: Evidence) -> np.ndarray:
        return np.array([np.mean(features == cells) for features in _features(evidence, wanted)])

    return measured


def sizes_of_features(**wanted: object) -> Measure:
    """Measure the least and the greatest size of the recorded features, over all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        sizes = np.abs(_features(evidence, wanted))
        return np.array([sizes.min(), sizes.max()])

    return measured


def mean_feature(**wanted: object) -> Measure:
    """Measure the mean of the recorded features over items and features, in each run."""
    return lambda evidence: _features(evidence, wanted).mean(axis=(1, 2))


def share_of_split_siblings(**wanted: object) -> Measure:
    """Measure for which share of the recorded features two items of one parent differ, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        features = _features(evidence, wanted)
        return np.mean(features[:, ::2] != features[:, 1::2], axis=(1, 2))

    return measured


def distance_of_solution_from_features(**wanted: object) -> Measure:
    """Measure the largest distance of a weight of the analytical solution from the feature that it predicts."""

    def measured(evidence: Evidence) -> np.ndarray:
        features, weights = (_features(evidence, wanted, metric) for metric in ("feature", "least_squares_weight"))
        return np.abs(features - weights).max(axis=(1, 2))

    return measured


def error_of_svd(**wanted: object) -> Measure:
    """Measure by how much U Σ Vᵀ misses the recorded features, and UᵀU and VᵀV the identity, at most."""

    def measured(evidence: Evidence) -> np.ndarray:
        errors = []
        for matrix in _features(evidence, wanted):
            left, values, right = np.linalg.svd(matrix)
            diagonal = np.zeros(matrix.shape)
            np.fill_diagonal(diagonal, values)
            misses = (
                left @ diagonal @ right - matrix,
                left.T @ left - np.eye(len(left)),
                right @ right.T - np.eye(len(right)),
            )
            errors.append(max(np.abs(miss).max() for miss in misses))
        return np.array(errors)

    return measured


def agreement_with_added_feature(added: list[int], block: str) -> Measure:
    """Measure whether the config adds this feature in a block: 1, or 0 where it adds another."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = evidence.settings("hierarchy", "data", block=block)
        return np.array([data.get("added_feature") == added for data in found], dtype=float)

    return measured


def spread_at_5000(**wanted: object) -> Measure:
    """Measure the standard deviation that our initialiser gives 5000 inputs and 5000 hidden units, for γ = 1."""

    def measured(evidence: Evidence) -> np.ndarray:
        # Whether there are runs that start so.
        evidence.runs("hierarchy", **wanted)
        return fan_sum_normal(5000, 5000, lambda shape: np.ones(1))

    return measured


def rounded_errors(**wanted: object) -> Measure:
    """Measure how many estimates of a regression do not round to their true weights, to one decimal, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        true, estimated = (
            _recorded(evidence, "regression", metric, wanted)[:, 0] for metric in ("true_weight", "estimated_weight")
        )
        return np.sum(np.round(estimated, 1) != true, axis=1).astype(float)

    return measured


def squared_errors(**wanted: object) -> Measure:
    """Measure the mean squared error of a regression's estimates in units of their standard errors, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        names = ("true_weight", "estimated_weight", "standard_error")
        true, estimated, errors = (_recorded(evidence, "regression", metric, wanted)[:, 0] for metric in names)
        return np.mean(((estimated - true) / errors) ** 2, axis=1)

    return measured


def largest_cosine_of_eigenvectors(**wanted: object) -> Measure:
    """Measure the largest cosine between two eigenvectors of a regression's true weights, over all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        cosines = []
        for weights in _recorded(evidence, "regression", "true_weight", wanted)[:, 0]:
            size = int(np.sqrt(len(weights)))
            vectors = np.linalg.eig(weights.reshape(size, size))[1]
            products = np.abs(vectors.conj().T @ vectors)
            cosines.append(products[~np.eye(size, dtype=bool)].max())
        return np.array([max(cosines)])

    return measured


def _drops(loss: np.ndarray) -> list[tuple[int, int]]:
    """Return the stretches (first, last update) in which a loss falls at least a tenth as fast as at its fastest."""
    falls = -np.diff(loss)
    if not np.all(np.isfinite(falls)) or falls.max(initial=0) <= 0:
        return []
    fast = np.concatenate([[False], falls >= falls.max() / 10, [False]])
    edges = np.flatnonzero(fast[1:] != fast[:-1])
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _plateaus(loss: np.ndarray) -> list[int]:
    """Return an update in the middle of each plateau; of the last, behind all drops, the end."""
    drops = _drops(loss)
    middles = [(end + start) // 2 for (_, end), (start, _) in zip([(0, 0), *drops], drops, strict=False)]
    return [*middles, len(loss) - 1]


def _at(values: np.ndarray, plateaus: list[int], number: int) -> float:
    """Return a value on a plateau, NaN where there is not one plateau before each level's drop and one behind."""
    return values[plateaus[number]] if len(plateaus) == len(_LEVELS) + 1 else np.nan


def _first_beyond(curve: np.ndarray, level: float) -> float:
    """Return when a curve of updates 0, 1, … first reaches a level, by a straight line; NaN where it never does."""
    after = int(np.argmax(curve >= level))
    if not curve[after] >= level:
        return np.nan
    if after == 0:
        return 0.0
    return after - 1 + (level - curve[after - 1]) / (curve[after] - curve[after - 1])


def _recorded(
    evidence: Evidence, experiment: str, metric: str, wanted: dict[str, object], *, to_the_end: bool = False
) -> np.ndarray:
    """Return all that was recorded of a metric, (runs, steps, indices), NaN where a run has nothing.

    to_the_end: whether a run that diverged counts as having nothing.
    """
    runs = evidence.runs(experiment, **wanted)
    rows = runs[runs["metric"] == metric]
    if rows.empty:
        raise NotTestableError(f"the runs recorded no {metric}")
    axes = axes_of(runs)
    every = pd.MultiIndex.from_frame(runs[axes].drop_duplicates())
    steps, indices = sorted(rows["step"].unique()), range(rows["index"].max() + 1)
    table = rows.set_index([*axes, "step", "index"])["value"].unstack(["step", "index"])
    whole = table.reindex(index=every, columns=pd.MultiIndex.from_product([steps, indices]))
    values = whole.to_numpy().reshape(len(every), len(steps), len(indices))
    if to_the_end:
        diverged = runs.loc[runs["metric"] == "diverged", axes]
        values = np.where(every.isin(pd.MultiIndex.from_frame(diverged))[:, np.newaxis, np.newaxis], np.nan, values)
    return values


def _curves(evidence: Evidence, metric: str, wanted: dict[str, object], *, index: int = 0) -> np.ndarray:
    """Return one index of a metric of `hierarchy`, (runs, steps), NaN in runs that diverged."""
    return _recorded(evidence, "hierarchy", metric, wanted, to_the_end=True)[:, :, index]


def _by_mode(evidence: Evidence, metric: str, wanted: dict[str, object]) -> np.ndarray:
    """Return what is recorded of each mode at the start, (runs, modes), NaN where there is nothing."""
    values = _recorded(evidence, "hierarchy", metric, wanted)[:, 0]
    return np.pad(values, ((0, 0), (0, _ITEMS - values.shape[1])), constant_values=np.nan)


def _ends(evidence: Evidence, wanted: dict[str, object]) -> np.ndarray:
    """Return the last singular values, (runs, modes)."""
    return _recorded(evidence, "hierarchy", "singular_value", wanted)[:, -1]


def _similarities(evidence: Evidence, wanted: dict[str, object]) -> np.ndarray:
    """Return the last similarity matrices, (runs, items, items)."""
    return _recorded(evidence, "hierarchy", "rsm", wanted)[:, -1].reshape(-1, _ITEMS, _ITEMS)


def _features(evidence: Evidence, wanted: dict[str, object], metric: str = "feature") -> np.ndarray:
    """Return what is recorded of the last features, (runs, items, features)."""
    values = _recorded(evidence, "hierarchy", metric, wanted)[:, 0]
    return values.reshape(len(values), _ITEMS, -1)
