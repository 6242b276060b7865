"""A chart with a control for each axis, which shows one of the settings that were simulated at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import looks, rounded
from workflow.deepnets.charts.curves import curves_by_index
from workflow.deepnets.charts.settings import frames, heading, in_lines, settings_of
from workflow.deepnets.tables.matrices import by_seed
from workflow.deepnets.tables.rows import first_seed, rows_of
from workflow.deepnets.tables.selection import thin_steps


class SettingChart:
    """A chart while it is built: `add_ranges` or `add_indices` for each data set, then `finish` with its panels.

    runs: all rows of the runs; axes: what readers call each axis that gets a control; describe: words on the runs of a
    setting; left_out: words on the settings for which there is no room. `runs` holds the rows of each setting by key.
    """

    def __init__(
        self, runs: pd.DataFrame, axes: Mapping[str, str], *, describe: Callable[[pd.DataFrame], str], left_out: str
    ) -> None:
        self._axes = axes
        each = [rows for _, rows in runs.groupby(list(axes), observed=True)]
        groups = {tuple(rows[axis].iloc[0] for axis in axes): rows for rows in each}
        words = {setting: in_lines(describe(rows), left_out) for setting, rows in groups.items()}
        self.settings = settings_of(runs, axes, words)
        self.runs = {self.settings.key(setting): rows for setting, rows in groups.items()}
        self.curves: dict[str, list[dict]] = {}

    def add_ranges(self, name: str, metric: str, *, mean: bool, unit: float = 1, records: int | None = None) -> None:
        """Add a data set with a metric of each setting and its range over seeds, at finite steps.

        mean: whether the line is the mean over seeds, or the first seed at the steps that it recorded; records: how
        many steps at most.
        """
        self.curves[name] = []
        for key, runs in self.runs.items():
            seeds = unit * by_seed(rows_of(runs, metric)).sort_index()
            if seeds.empty:
                continue
            line = seeds.mean(axis=1) if mean else seeds.iloc[:, 0]
            columns = pd.DataFrame({"value": line, "low": seeds.min(axis=1), "high": seeds.max(axis=1)})
            columns = columns[np.isfinite(columns).all(axis=1)]
            columns = columns.loc[thin_steps(columns.index.to_numpy(), records or len(columns))]
            if len(columns):
                values = {column: rounded(columns[column]) for column in columns}
                self.curves[name].append({"key": key, "step": columns.index.tolist(), **values})

    def add_indices(self, name: str, metric: str, *, records: int, digits: int = 4) -> None:
        """Add a data set with a curve for each index of a metric, of the first seed of each setting."""
        self.curves[name] = [
            curve
            for key, runs in self.runs.items()
            for curve in curves_by_index(key, first_seed(runs), metric, records=records, digits=digits)
        ]

    def finish(
        self,
        panels: Sequence[alt.LayerChart],
        *,
        title: str,
        description: str,
        start: Callable[[dict[str, Any]], bool],
        spans: Mapping[str, Iterable[dict]] | None = None,
        logarithmic: Iterable[str] = (),
    ) -> alt.TopLevelMixin:
        """Return the chart: panels below each other, the chosen setting above the first.

        start: whether controls may start at a setting, by the values of its axes; they start at the first such setting,
        or in the middle. spans: the rows that each scale contains, those of each data set if omitted; logarithmic: the
        names of logarithmic scales.
        """
        keys = [key for key in self.settings.said if start(self._values_of(key))]
        parameters, live = self.settings.controls(self._axes, keys[0] if keys else self.settings.middle())
        first, *others = panels
        chart = alt.vconcat(
            first.properties(title=heading()), *others, spacing=8 if others else alt.Undefined, datasets=self.curves
        )
        span = frames(self.curves if spans is None else spans, logarithmic=logarithmic)
        return looks(chart.add_params(*parameters, span), title, description, live)

    def _values_of(self, key: str) -> dict[str, Any]:
        places = map(int, key.split())
        return {axis: values[place] for (axis, values), place in zip(self.settings.values.items(), places, strict=True)}
