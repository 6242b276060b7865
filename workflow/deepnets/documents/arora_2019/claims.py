from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.documents.arora_2019 import runs
from reproduce import api

TABLES = ("matrix_completion", "least_nuclear_norm")
# A measure of a final value, of the selected runs.
_End = Callable[[api.Selection], api.Measure]
_LEAST = runs.LEAST_NORM.but(entries=runs.SMALL_AND_FEW["entries"])


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    delays = {depth: api.measure(_delay_of_fifth, runs.FIGURE_3.but(depth=depth)) for depth in runs.DEPTHS}
    few = {depth: runs.SMALL_AND_FEW.but(depth=depth) for depth in (*runs.DEPTHS, *runs.COMPLETED_DEPTHS)}
    return api.Decisions(
        {
            "error_falls_with_depth": _steps_of_depth(_reconstruction_error),
            "error_falls_with_depth_at_rank_10": {
                f"depth {depth} less depth 2": (
                    _reconstruction_error(runs.OF_RANK_10.but(depth=depth))
                    - _reconstruction_error(runs.OF_RANK_10.but(depth=2)),
                    api.BELOW_0,
                )
                for depth in runs.COMPLETED_DEPTHS[1:]
            },
            "depth_helps_most_with_few_entries": (
                _gain_of_third_factor(2000) - _gain_of_third_factor(5000),
                api.ABOVE_0,
            ),
            "error_falls_with_entries": (
                _reconstruction_error(runs.SMALL.but(entries=5000, depth=2)) - _reconstruction_error(few[2]),
                api.BELOW_0,
            ),
            "without_factors_nothing_is_completed": (_reconstruction_error(few[1]), api.Near(np.sqrt(0.8), of="share")),
            "rank_falls_with_depth": _steps_of_depth(_end_of("effective_rank")),
            "nuclear_norm_is_not_minimised": {
                f"depth {depth}": (
                    api.measure(_compare_with_least_norm, few[depth], _LEAST, metric="nuclear_norm", by=np.divide) - 1,
                    api.Between(least=1e-4),
                )
                for depth in runs.COMPLETED_DEPTHS[1:]
            },
            "rank_is_below_that_of_the_least_norm": {
                f"depth {depth}": (
                    api.measure(_compare_with_least_norm, few[depth], _LEAST, metric="effective_rank", by=np.subtract),
                    api.BELOW_0,
                )
                for depth in runs.COMPLETED_DEPTHS[1:]
            },
            "rank_falls_with_scale": _steps_of_scale(_end_of("effective_rank")),
            "error_falls_with_scale": _steps_of_scale(_reconstruction_error),
            "singular_value_flow": {
                f"depth {depth}": (api.measure(_error_of_flow, runs.FLOW.but(depth=depth)), api.Every(greatest=0.005))
                for depth in runs.DEPTHS
            },
            "depth_widens_the_gap": (sixth_over_fifth(3) - sixth_over_fifth(2), api.BELOW_0),
            "depth_separates_singular_values": {
                # Without a second factor, all singular values move together, in each run.
                "depth 1": (delays[1], api.Every(-0.1, 0.1)),
                "depth 2": (delays[2], api.Between(least=0.1)),
                "depth 3": (delays[3], api.Between(least=0.1)),
                "depth 3 less depth 2": (delays[3] - delays[2], api.Between(least=0.1)),
            },
        },
        settings=(
            runs.FIGURE_3.but(depth=list(runs.DEPTHS), recorded_values=10),
            runs.SMALL_AND_FEW.but(depth=list(runs.COMPLETED_DEPTHS)),
            runs.OF_RANK_10,
        ),
    )


def sixth_over_fifth(depth: int) -> api.Measure:
    """Measure the ratio of the sixth to the fifth singular value at the end."""
    nets = runs.SMALL_AND_FEW.but(depth=depth)
    return api.final(nets, "singular_value", index=5) / api.final(nets, "singular_value", index=4)


def _end_of(metric: str) -> _End:
    return lambda selection: api.final(selection, metric)


def _reconstruction_error(selection: api.Selection) -> api.Measure:
    """Measure the reconstruction error: the norm of the difference from the true matrix, over the latter's norm."""
    # Entries have root mean square 1. A negative loss is invalid and becomes NaN.
    return api.final(selection, "test_loss").apply(np.errstate(invalid="ignore")(np.sqrt))


def _steps_of_depth(end: _End) -> dict[str, api.Test]:
    """Return, for each depth after the first, the difference that its last factor makes, which must be below 0."""
    return {
        f"depth {depth} less depth {depth - 1}": (
            end(runs.SMALL_AND_FEW.but(depth=depth)) - end(runs.SMALL_AND_FEW.but(depth=depth - 1)),
            api.BELOW_0,
        )
        for depth in runs.DEPTHS[1:]
    }


def _steps_of_scale(end: _End) -> dict[str, api.Test]:
    return {
        f"depth {depth}": (
            end(runs.FEW.but(depth=depth, scale=0.001)) - end(runs.FEW.but(depth=depth, scale=1)),
            api.BELOW_0,
        )
        for depth in runs.DEPTHS[1:]
    }


def _gain_of_third_factor(entries: int) -> api.Measure:
    two, three = (_reconstruction_error(runs.SMALL.but(entries=entries, depth=depth)) for depth in (2, 3))
    return two - three


def _compare_with_least_norm(rows: pd.DataFrame, least: pd.DataFrame, metric: str, by: np.ufunc) -> np.ndarray:
    """Compare the last value of each run with that of the least nuclear norm of the same matrix and entries."""
    ours, theirs = (api.last_rows(api.require_rows(each, metric)).set_index("seed")["value"] for each in (rows, least))
    if not len(both := ours.index.intersection(theirs.index)):
        raise api.NotTestableError(f"no run of {_LEAST} has a seed of these runs")
    return by(ours[both], theirs[both]).to_numpy()


def _error_of_flow(rows: pd.DataFrame) -> np.ndarray:
    """Return the largest error of the rates of singular values, divided by the largest rate, in each run."""
    errors = []
    for run in api.split_runs(rows):
        simulated, theory = (
            api.rows_of(run, metric).set_index(["step", "index"])["value"]
            for metric in ("singular_value_rate", "theory_singular_value_rate")
        )
        if theory.empty:
            raise api.NotTestableError("the runs recorded no rates of change of singular values")
        errors.append((simulated - theory).abs().max(skipna=False) / theory.abs().max())
    return np.array(errors)


def _delay_of_fifth(rows: pd.DataFrame) -> np.ndarray:
    """Return the delay after which the fifth singular value reaches half of its last value, relative to the first.

    The unit is the first value's time.
    """
    delays = []
    for run in api.split_runs(rows):
        values = api.by_index(api.rows_of(run, "singular_value"))
        if not {0, 4} <= set(values.columns) or len(values) < 3:
            raise api.NotTestableError("the runs recorded too few singular values")
        first, fifth = ((values[mode] >= values[mode].iloc[-1] / 2).idxmax() for mode in (0, 4))
        delays.append(fifth / first - 1 if first else np.nan)
    return np.array(delays)
