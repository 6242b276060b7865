"""A chart with a control for each axis, which shows one simulated setting at a time."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from reproduce.charts.charts import HEADING, control, rounded, style_chart
from reproduce.claims.claims_in_words import with_math_signs
from reproduce.tables.estimates import thin_steps
from reproduce.tables.matrices import by_seed
from reproduce.tables.rows import rows_of
from reproduce.tables.words import text_of


class SettingChart:
    """A builder of a chart: call `add_ranges` for each data set, then `finish` with the panels.

    runs: all rows of the runs.
    axes: axis → its name for readers, for each axis with a control.
    describe: returns lines of text on the runs of a setting; the first line is on the outcome.
    left_out: a note on the settings for which there is no room.
    names: value → its name for readers, where this is not the value as text.

    The key of a setting lists, for each axis, the place of the setting's value among the values of the axis.
    On the page, the controls stop only at settings that were simulated (controls.js).
    Attributes: `runs` (key → rows) and `curves` (data set → rows).
    """

    def __init__(
        self,
        runs: pd.DataFrame,
        axes: Mapping[str, str],
        *,
        describe: Callable[[pd.DataFrame], str],
        left_out: str,
        names: Mapping[Any, str] | None = None,
    ) -> None:
        self._axes, self._names = axes, names or {}
        # As Python's own types, which JSON needs.
        self._values = {axis: sorted(runs[axis].unique().tolist()) for axis in axes}
        self.runs = {
            " ".join(str(values.index(rows[axis].iloc[0])) for axis, values in self._values.items()): rows
            for _, rows in runs.groupby(list(axes), observed=True)
        }
        self._said = {
            key: with_math_signs("\n".join(filter(None, (describe(rows), left_out)))) for key, rows in self.runs.items()
        }
        self.curves: dict[str, list[dict]] = {}

    def add_ranges(self, name: str, metric: str, *, mean: bool, unit: float = 1, records: int | None = None) -> None:
        """Add a data set: for each setting, a metric and its range over seeds, at the steps where all are finite.

        mean: whether the line is the mean over seeds; if False, it is the first seed.
        unit: the factor by which values are multiplied.
        records: the maximum number of steps; all steps if omitted.
        """
        self.curves[name] = []
        for key, runs in self.runs.items():
            seeds = unit * by_seed(rows_of(runs, metric)).sort_index()
            if seeds.empty:
                continue
            line = seeds.mean(axis=1) if mean else seeds.iloc[:, 0]
            columns = pd.DataFrame({"value": line, "low": seeds.min(axis=1), "high": seeds.max(axis=1)})
            columns = columns[np.isfinite(columns).all(axis=1)]
            if len(columns):
                columns = columns.loc[thin_steps(columns.index.to_numpy(), records or len(columns))]
                values = {column: rounded(columns[column]) for column in columns}
                self.curves[name].append({"key": key, "step": columns.index.tolist(), **values})

    def chosen(self, axis: str, found: Mapping[Any, str]) -> alt.ExprRef:
        """Return an expression for what a mapping contains for the chosen value of an axis, such as its colour."""
        return alt.ExprRef(f"{json.dumps([found[value] for value in self._values[axis]])}[place_{axis}]")

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
        """Return the chart: panels in a column, with the chosen setting above the first.

        start: returns whether controls may start at a setting, given as axis → value. Among these settings (or all
            settings, if there are none), controls start at the one from which one control reaches most settings.
        spans: scale → the rows that the scale must contain; the rows of each data set if omitted.
        logarithmic: the names of logarithmic scales.
        """

        def may_start(key: str) -> bool:
            places = map(int, key.split())
            setting = {axis: each[place] for (axis, each), place in zip(self._values.items(), places, strict=True)}
            return start(setting)

        def count_neighbours(key: str) -> int:
            return sum(sum(map(str.__ne__, other.split(), key.split())) == 1 for other in self.runs)

        key = max([*filter(may_start, self.runs)] or self.runs, key=count_neighbours)
        controls, labels = [], {}
        for (axis, values), place in zip(self._values.items(), map(int, key.split()), strict=True):
            name, texts = f"place_{axis}", self._texts(values)
            ordered = not isinstance(values[0], str)
            controls.append(control(name, self._axes[axis], texts, place, ordered=ordered))
            labels |= {name: texts} if ordered else {}
        heading = alt.TitleParams(text=alt.ExprRef(HEADING), fontSize=10)
        first, *others = panels
        chart = alt.vconcat(
            first.properties(title=heading), *others, spacing=8 if others else alt.Undefined, datasets=self.curves
        )
        frames = alt.param(name="frames", value=_scale_ends(self.curves if spans is None else spans, logarithmic))
        return style_chart(chart.add_params(*controls, *self._word_parameters(), frames), title, description, labels)

    def _texts(self, values: list) -> list[str]:
        return [self._names.get(value) or text_of(value).replace("_", " ") for value in values]

    def _word_parameters(self) -> list[alt.Parameter]:
        """Return parameters for the chart's expressions: the key of the chosen setting, and the text on it."""
        parts = [
            f"'{self._axes[axis]} ' + {json.dumps(self._texts(values), ensure_ascii=False)}[place_{axis}]"
            for axis, values in self._values.items()
        ]
        drawn: dict[str, list[str]] = {}
        for name, rows in self.curves.items():
            for key in dict.fromkeys(row["key"] for row in rows if row["step"]):
                drawn.setdefault(key, []).append(name)
        return [
            alt.param(name="in_page", value=False),
            alt.param(name="said", value=self._said),
            alt.param(name="drawn", value=drawn),
            # The key is text also if there is only one axis: Vega compares types, too.
            alt.param(name="key", expr="'' + " + " + ' ' + ".join(f"place_{axis}" for axis in self._values)),
            alt.param(name="setting", expr=" + ', ' + ".join(parts)),
            alt.param(name="words", expr="said[key] || 'not simulated'"),
            alt.param(name="sentence", expr="setting + ': ' + join(split(words, '\\n'), '; ')"),
        ]


def _scale_ends(curves: Mapping[str, Iterable[dict]], logarithmic: Iterable[str]) -> dict[str, dict[str, list[float]]]:
    """Return key → scale → its ends, for the steps of a setting and the values of each data set.

    A linear scale of values contains 0 and leaves some room above.

    curves: data set → rows with a key and lists: `step`, `value` and, for a band, `low` and `high`.
    """
    spans: dict[str, dict[str, list[float]]] = {}
    for name, rows in curves.items():
        for row in rows:
            of_key = spans.setdefault(row["key"], {})
            values = [each for column in ("value", "low", "high") for each in row.get(column, ()) if each is not None]
            shown = [value for value in values if value > 0] if name in logarithmic else [0.0, *values]
            for scale, found in (("step", row["step"]), (name, shown)):
                if every := [*found, *of_key.get(scale, ())]:
                    of_key[scale] = [min(every), max(every)]
    for of_key in spans.values():
        for name, (low, high) in of_key.items():
            if name != "step" and name not in logarithmic:
                of_key[name] = [low, high + 0.05 * ((high - low) or 1.0)]
            elif low == high:
                of_key[name] = [low, 2 * high or 1.0]
    return spans
