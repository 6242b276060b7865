"""Sliders and lists over the settings that were simulated, and words where a combination of them was not."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import GREY, WIDTH, chooser, slider

_NOT_RUN = "not simulated; choose other values"


@dataclass(frozen=True)
class Settings:
    """The values of some axes, in order, and what is to be said of each of their combinations that was run.

    A combination goes by its key: the places of its values among those of each axis. said: by key.
    """

    values: dict[str, list]
    said: dict[str, str]

    def key(self, setting: Iterable) -> str:
        """Return the key of a setting, which holds a value for each axis, in their order."""
        return " ".join(str(values.index(value)) for values, value in zip(self.values.values(), setting, strict=True))

    def controls(self, names: Mapping[str, str], start: str) -> tuple[list[alt.Parameter], list[dict]]:
        """Return a slider for each axis of numbers, a list for each of names, and what the page is told of sliders.

        names: what the reader calls each axis; start: the key at which they stand first.
        """
        parameters, live = [], []
        for (axis, values), place in zip(self.values.items(), map(int, start.split()), strict=True):
            name, texts = f"place_{axis}", list(map(text_of, values))
            if isinstance(values[0], str):
                parameters.append(chooser(name, names[axis], texts, place))
            else:
                parameter, labels = slider(name, names[axis], texts, place)
                parameters.append(parameter)
                live.append(labels)
        return [*parameters, *self._words(names)], live

    def _words(self, names: Mapping[str, str]) -> list[alt.Parameter]:
        """Return the key and the words of the chosen setting, for the chart's own expressions."""
        parts = [
            f"'{names[axis]} ' + {json.dumps(list(map(text_of, values)))}[place_{axis}]"
            for axis, values in self.values.items()
        ]
        return [
            alt.param(name="said", value=self.said),
            alt.param(name="key", expr=" + ' ' + ".join(f"place_{axis}" for axis in self.values)),
            alt.param(name="setting", expr=" + ', ' + ".join(parts)),
            alt.param(name="words", expr=f"said[key] || '{_NOT_RUN}'"),
        ]

    def middle(self) -> str:
        """Return the key of a setting in the middle of those that were run."""
        return list(self.said)[len(self.said) // 2]


def settings_of(runs: pd.DataFrame, axes: Iterable[str], say: Mapping[tuple, str]) -> Settings:
    """Return the settings of some runs. say: what is to be said of each, by its values."""
    settings = Settings({axis: _ordered(runs[axis]) for axis in axes}, {})
    settings.said.update({settings.key(setting): words for setting, words in say.items()})
    return settings


def heading() -> alt.TitleParams:
    """Return the title of a panel that tells the chosen setting, and below it what there is of it."""
    return alt.TitleParams(text=alt.ExprRef("split(setting + '\\n' + words, '\\n')"), fontSize=10)


def frames(curves: Mapping[str, Iterable[dict]], *, logarithmic: Iterable[str] = ()) -> alt.Parameter:
    """Return what each setting's panels span: of the steps together, and of the values of each data set.

    Values begin at 0 or below, but where their scale is logarithmic, and end with some room above. curves: by data set,
    rows with a key and lists as `step`, `value` and, of a band, `low` and `high`.
    """
    spans: dict[str, dict[str, list[float]]] = {}
    for name, rows in curves.items():
        for row in rows:
            of_key = spans.setdefault(row["key"], {})
            values = [each for column in ("value", "low", "high") for each in row.get(column, ()) if each is not None]
            if name in logarithmic:
                values = [value for value in values if value > 0]
            _widen(of_key, "step", row["step"])
            _widen(of_key, name, values if name in logarithmic else [0.0, *values])
    for of_key in spans.values():
        for name, (low, high) in of_key.items():
            if name != "step" and name not in logarithmic:
                of_key[name] = [low, high + 0.05 * ((high - low) or 1.0)]
            elif low == high:
                of_key[name] = [low, 2 * high or 1.0]
    return alt.param(name="frames", value=spans)


def frame(name: str, *, logarithmic: bool = False) -> list[alt.ExprRef]:
    """Return the ends of a scale: those of the chosen setting, and any where it has none."""
    otherwise = "[0.1, 1]" if logarithmic else "[0, 1]"
    return [alt.ExprRef(f"((frames[key] || {{}})['{name}'] || {otherwise})[{end}]") for end in (0, 1)]


def _widen(spans: dict[str, list[float]], name: str, values: Iterable[float]) -> None:
    if values := [*values, *spans.get(name, ())]:
        spans[name] = [min(values), max(values)]


def of_setting(data: str, *columns: str) -> alt.Chart:
    """Return the rows of a data set that belong to the chosen setting, a row for each entry of its columns of lists."""
    chosen = alt.Chart(alt.NamedData(data)).transform_filter("datum.key === key")
    return chosen.transform_flatten(list(columns)) if columns else chosen


def panel(*layers: alt.Chart, height: int, missing: str = "said[key] ? '' : 'not simulated'") -> alt.LayerChart:
    """Return layers over one another, and words in their place where the chosen setting has nothing to draw.

    missing: an expression that gives the words, "" where there is something to draw.
    """
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef(missing), color=GREY)
    return alt.layer(*layers, words).properties(width=WIDTH, height=height)


def seeds_of(runs: pd.DataFrame) -> str:
    """Say how many seeds there are, and which is the first."""
    seeds = sorted(runs["seed"].unique())
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"seed {seeds[0]} of {len(seeds)}"


def in_lines(said: str, left_out: str) -> str:
    """Return what is said of a setting and, on a line of its own, what of the config was left out, if anything."""
    return "\n".join(filter(None, (said, left_out)))


def ended(runs: pd.DataFrame, *, step: str = "update") -> str:
    """Say when the first of some runs left the finite numbers, "" where none did."""
    steps = runs.loc[runs["metric"] == "diverged", "step"]
    return f", diverged at {step} {steps.min()}" if len(steps) else ""


def text_of(value: object) -> str:
    """Return a value of an axis as readers write it."""
    return str(value).replace("_", " ") if isinstance(value, str) else f"{value:.6g}"


def _ordered(column: pd.Series) -> list:
    values = sorted(column.unique())
    return [
        value if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value
        for value in values
    ]
