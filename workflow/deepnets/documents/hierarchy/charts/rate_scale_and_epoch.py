"""Charts with sliders of document 003: rate, scale and epoch of a linear network that learns a tree."""

import json
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from workflow.deepnets.charts.charts import (
    GREY,
    RED,
    WIDTH,
    looks,
    nothing_to_show,
    rounded,
    slider,
    thinned,
)
from workflow.deepnets.documents.hierarchy.panels import item_names, level_name, shades_of
from workflow.deepnets.documents.hierarchy.rows import first_seed
from workflow.deepnets.documents.hierarchy.tree_theory import MARKS, Theory, theory_of
from workflow.deepnets.figures.panels import why_nothing
from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.figures.which_runs import choose

_TITLE = "Learning a tree: rate η, scale γ and epoch"
# Steps of a slider from one simulated value to the next, in equal ratios: theory alone has values in between.
_BETWEEN = 10
# Simulated values of an axis that a slider has room for.
_ROOM = {"learning_rate": 8, "scale": 8}


def rate_scale_and_epoch(hierarchy: pd.DataFrame) -> alt.TopLevelMixin:
    """Loss, singular values and similarities over learning rate η, initial scale γ and epoch (the document's sliders).

    Lines: theory, the exact map of decoupled modes of the tree, computed in the page for any η and γ. Dots: simulation,
    at the η and γ that were run; in between the chart says that there is none. The two squares show how similar the
    hidden layer finds each pair of items at the chosen epoch, in percent of the largest similarity when all is learned.
    Small γ brings the levels of the tree one after the other, with a plateau of the loss before each; large γ brings
    them at once; η only stretches time, until it is too large for the steps to settle.
    """
    runs = runs_of(hierarchy, block="sliders")
    runs, words = choose(runs[runs["depth"] == 2], **_ROOM)
    runs = first_seed(runs)
    if rows_of(runs, "theory_mode_strength").empty or rows_of(runs, "train_loss").empty:
        return nothing_to_show(_TITLE, why_nothing(runs))
    theory, simulated, similarities = theory_of(runs), _Settings.of(runs), _with_same_start(hierarchy, runs)
    start = _start_of(hierarchy, similarities, simulated, theory)
    rate, rate_labels = slider("rate_place", "learning rate η", simulated.labels("learning_rate"), start.rate)
    scale, scale_labels = slider("scale_place", "initial scale γ", simulated.labels("scale"), start.scale)
    bind = alt.binding_range(min=0, max=theory.steps, step=1, name="epoch ")
    recorded = {
        simulated.key(*setting): [int(step) for step in sorted(rows["step"].unique())]
        for setting, rows in similarities.groupby(list(_ROOM))
    }
    # What diverges leaves any frame.
    largest = max(1.0, min(2.0, rows_of(runs, "train_loss", step=0)["value"].max()))
    chart = alt.vconcat(
        _modes(theory),
        _losses(theory, largest),
        alt.hconcat(_square(theory, simulated=False), _square(theory, simulated=True), spacing=12),
        spacing=8,
        datasets=_datasets(runs, similarities, theory, simulated, start),
    ).add_params(
        rate,
        scale,
        alt.param(name="epoch", value=start.epoch, bind=bind),
        *_words(simulated, recorded, words, theory.marks),
    )
    return looks(chart, _TITLE, _DESCRIPTION, [rate_labels, scale_labels, _live(theory, simulated)])


_DESCRIPTION = (
    "Three sliders, learning rate, initial scale and epoch, over three panels: singular values of the network over the "
    "epochs, one line of theory for each level of the tree and dots for the simulation; the training loss over the "
    "epochs; and two matrices of similarities between items at the chosen epoch, of theory and of the simulation."
)


@dataclass(frozen=True)
class _Settings:
    """The simulated rates and scales, in order, and which of their combinations were run.

    said: what is to be said of each that was run, by its key.
    """

    values: dict[str, list[float]]
    said: dict[str, str]

    @classmethod
    def of(cls, runs: pd.DataFrame) -> "_Settings":
        values = {axis: sorted(map(float, runs[axis].unique())) for axis in _ROOM}
        ends = rows_of(runs, "diverged").set_index(list(_ROOM))["step"]
        settings = cls(values, {})
        for (rate, scale), rows in runs.groupby(list(_ROOM)):
            end = ends.get((rate, scale))
            words = f"simulated (dots, seed {rows['seed'].iloc[0]})"
            settings.said[settings.key(rate, scale)] = words + ("" if end is None else f", diverged at epoch {end}")
        return settings

    def places(self, axis: str) -> list[float]:
        """Return the value at each place of the axis's slider."""
        values = self.values[axis]
        logs = np.interp(np.arange(_BETWEEN * (len(values) - 1) + 1), _BETWEEN * np.arange(len(values)), np.log(values))
        return [
            values[place // _BETWEEN] if place % _BETWEEN == 0 else float(np.exp(log)) for place, log in enumerate(logs)
        ]

    def labels(self, axis: str) -> list[str]:
        """Return what stands beside the slider at each place."""
        return [
            f"{value:.3g}{'' if place % _BETWEEN else ' (simulated)'}" for place, value in enumerate(self.places(axis))
        ]

    def key(self, rate: float, scale: float) -> str:
        """Return the places of a simulated setting, by which the chart finds it."""
        places = self.values["learning_rate"].index(rate), self.values["scale"].index(scale)
        return " ".join(str(_BETWEEN * place) for place in places)


@dataclass(frozen=True)
class _Start:
    """Where the sliders start: places of rate and scale, and the epoch."""

    rate: int
    scale: int
    epoch: int


def _start_of(hierarchy: pd.DataFrame, similarities: pd.DataFrame, simulated: _Settings, theory: Theory) -> _Start:
    """Return the document's main setting where it was run, else one in the middle, and an epoch with similarities."""
    main = runs_of(hierarchy, block="main")[list(_ROOM)].drop_duplicates()
    wanted = [
        simulated.key(*setting)
        for setting in main.itertuples(index=False)
        if all(value in simulated.values[axis] for axis, value in zip(_ROOM, setting, strict=True))
    ]
    key = next((key for key in wanted if key in simulated.said), list(simulated.said)[len(simulated.said) // 2])
    keys = [simulated.key(*setting) for setting in similarities[list(_ROOM)].itertuples(index=False)]
    rate, scale = map(int, key.split())
    strengths = theory.strengths(simulated.places("learning_rate")[rate], simulated.places("scale")[scale])
    # Where there is something to see: half of the error is gone.
    half = int(np.argmin(np.abs(theory.losses(strengths) - 0.5)))
    epochs = similarities["step"][[each == key for each in keys]].unique()
    epoch = min(map(int, epochs), key=lambda each: abs(each - half), default=half)
    return _Start(rate, scale, epoch)


def _with_same_start(hierarchy: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return similarities of the runs, and of those of other blocks that are the same but recorded more of them."""
    same = ["depth", "init", "dataset", "seed", *_ROOM]
    rows = rows_of(hierarchy, "rsm").merge(runs[same].drop_duplicates(), on=same)
    rows = rows.drop_duplicates([*same, "step", "index"])
    rows = rows[np.isfinite(rows["value"]).groupby([rows[axis] for axis in (*_ROOM, "step")]).transform("all")]
    return pd.concat(
        [
            rows[:0],
            *(
                each[each["step"].isin(thinned(each["step"].to_numpy(), MARKS))]
                for _, each in rows.groupby(list(_ROOM))
            ),
        ]
    )


def _datasets(
    runs: pd.DataFrame, similarities: pd.DataFrame, theory: Theory, simulated: _Settings, start: _Start
) -> dict[str, list[dict]]:
    """Return what the chart draws: of theory, which the page computes anew, what belongs to the sliders' start."""
    strengths = theory.strengths(simulated.places("learning_rate")[start.rate], simulated.places("scale")[start.scale])
    there = start.epoch < len(strengths)
    return {
        "theory_modes": [{"level": level, "value": rounded(values, 6)} for level, values in enumerate(strengths.T)],
        "theory_losses": [{"value": rounded(theory.losses(strengths), 6)}],
        "theory_similarities": [
            {"cell": cell, "value": value}
            for cell, value in enumerate(rounded(100 * theory.similarities(strengths[start.epoch]) / theory.unit, 6))
        ]
        if there
        else [],
        "theory_words": [{"text": "" if there else f"not finite from\nepoch {len(strengths)} on"}],
        "simulated_modes": _curves(runs, "singular_value", theory, simulated),
        "simulated_losses": _curves(runs, "train_loss", theory, simulated),
        "simulated_similarities": _matrices(similarities, theory, simulated),
    }


def _curves(runs: pd.DataFrame, metric: str, theory: Theory, simulated: _Settings) -> list[dict]:
    """Return a row for each run and mode, with its values at the epochs that are marked, as far as it came."""
    rows = rows_of(runs, metric)
    rows = rows[rows["step"].isin(theory.marks)].sort_values("step")
    return [
        {
            "key": simulated.key(rate, scale),
            **({"level": int(theory.tree.level_of_modes[mode])} if metric == "singular_value" else {}),
            "value": rounded(values["value"]),
        }
        for (rate, scale, mode), values in rows.groupby([*_ROOM, "index"])
    ]


def _matrices(similarities: pd.DataFrame, theory: Theory, simulated: _Settings) -> list[dict]:
    """Return a row for each run and recorded epoch, with the similarities of the shown items, row by row."""
    items, shown = theory.tree.items, theory.shown
    return [
        {
            "key": simulated.key(rate, scale),
            "step": int(step),
            "value": _percents(values["value"].to_numpy().reshape(items, items)[:shown, :shown] / theory.unit),
        }
        for (rate, scale, step), values in similarities.sort_values("index").groupby([*_ROOM, "step"])
    ]


def _percents(shares: np.ndarray) -> list[int]:
    """Return shares in whole percents, as a shade tells no more; what is about to diverge stays within 1000."""
    return np.rint(np.clip(100 * shares.ravel(), -1000, 1000)).astype(int).tolist()


def _words(simulated: _Settings, recorded: dict[str, list[int]], words: str, marks: np.ndarray) -> list[alt.Parameter]:
    """Return what the chart says of the settings: by their key where they were run."""
    values = {
        "rates": [f"{value:.3g}" for value in simulated.places("learning_rate")],
        "scales": [f"{value:.3g}" for value in simulated.places("scale")],
        "said": simulated.said,
        "recorded": recorded,
        "marks": marks.tolist(),
    }
    setting = "'η = ' + rates[rate_place] + ', γ = ' + scales[scale_place] + ': '"
    none = "'theory alone, no simulation was run here'"
    more = f" + {json.dumps(f' ({words})')}" if words else ""
    return [
        *(alt.param(name=name, value=value) for name, value in values.items()),
        alt.param(name="key", expr="rate_place + ' ' + scale_place"),
        alt.param(name="setting", expr=f"{setting} + (said[key] || {none}){more}"),
        alt.param(name="simulated_words", expr=_NO_SIMILARITIES),
    ]


_NO_SIMILARITIES = (
    "indexof(recorded[key] || [], epoch) >= 0 ? '' : recorded[key] ? "
    "['recorded at epochs', slice(join(recorded[key], ', '), 0, 22) + ' …'] : "
    "said[key] ? 'not recorded' : 'not simulated'"
)


def _modes(theory: Theory) -> alt.LayerChart:
    """Return the panel of singular values over the epochs."""
    shades = [to_hex(shade) for shade in shades_of(theory.tree)]
    names = [level_name(theory.tree, level) for level in range(len(shades))]
    colour = alt.Color("level:N").scale(domain=list(range(len(shades))), range=shades)
    colour = colour.legend(
        title=None,
        orient="top",
        columns=4,
        columnPadding=6,
        offset=4,
        symbolSize=40,
        labelExpr=f"{json.dumps(names)}[datum.value]",
    )
    top = 1.08 * float(theory.values.max())
    panel = _over_epochs(theory, "modes", "singular value", top, colour)
    return panel.properties(height=150, title=alt.TitleParams(text=alt.ExprRef("setting")))


def _losses(theory: Theory, largest: float) -> alt.LayerChart:
    """Return the panel of the training loss over the epochs."""
    return _over_epochs(theory, "losses", "mean squared error", 1.08 * largest, alt.value(RED)).properties(height=110)


def _over_epochs(theory: Theory, name: str, label: str, top: float, colour: alt.Color | dict) -> alt.LayerChart:
    """Return theory as lines, the chosen run's marked epochs as dots, and the chosen epoch as a dashed line.

    What diverges leaves the frame, and is left out far beyond it: browsers draw no numbers of any size.
    """
    x = alt.X("step:Q", title="epoch (updates)").scale(domain=[0, theory.steps], nice=False)
    y = alt.Y("value:Q", title=label).scale(domain=[0, top], nice=False)
    within = f"abs(datum.value) <= {1000 * top:.6g}"
    lines = (
        alt.Chart(alt.NamedData(f"theory_{name}"))
        .transform_calculate(step="sequence(0, length(datum.value))")
        .transform_flatten(["step", "value"])
        .transform_filter(within)
        .mark_line(clip=True, strokeWidth=1.5)
    )
    dots = (
        alt.Chart(alt.NamedData(f"simulated_{name}"))
        # None where the sliders stand between runs.
        .transform_filter("datum.key === key")
        .transform_calculate(step="slice(marks, 0, length(datum.value))")
        .transform_flatten(["step", "value"])
        .transform_filter(within)
        .mark_point(clip=True, filled=True, size=14, opacity=0.8)
    )
    epoch = alt.Chart(alt.InlineData(values=[{}])).mark_rule(color=GREY, strokeDash=[3, 2])
    return alt.layer(
        lines.encode(x, y, color=colour),
        dots.encode(x, y, color=colour),
        epoch.encode(x=alt.XDatum(alt.ExprRef("epoch"), type="quantitative")),
    ).properties(width=WIDTH)


def _square(theory: Theory, *, simulated: bool) -> alt.LayerChart:
    """Return the similarities at the chosen epoch, of theory or of the simulation, or words on why there are none."""
    count = theory.shown
    if simulated:
        cells = (
            alt.Chart(alt.NamedData("simulated_similarities"))
            .transform_filter("datum.key === key && datum.step === epoch")
            .transform_calculate(cell="sequence(0, length(datum.value))")
            .transform_flatten(["cell", "value"])
        )
        words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef("simulated_words"), color=GREY)
    else:
        cells = alt.Chart(alt.NamedData("theory_similarities"))
        words = alt.Chart(alt.NamedData("theory_words")).mark_text(lineBreak="\n", color=GREY).encode(text="text:N")
    name = "simulation" if simulated else "theory"
    names = alt.Axis(title=None, labelExpr=f"{json.dumps(item_names(count))}[datum.value]", ticks=False, domain=False)
    cells = cells.transform_calculate(row=f"floor(datum.cell / {count})", column=f"datum.cell % {count}").mark_rect()
    places = list(range(count))
    return (
        alt.layer(
            cells.encode(
                alt.X("column:O", axis=names).scale(domain=places),
                alt.Y("row:O", axis=None if simulated else names).scale(domain=places),
                alt.Color(
                    "value:Q",
                    title=["similarity", "(%)"],
                    legend=alt.Legend(tickCount=2, gradientLength=90) if simulated else None,
                ).scale(range=["#ffffff", "#3f007d"], interpolate="rgb", domain=[0, 100], clamp=True),
            ),
            words,
        )
        .properties(width=130, height=130, title=alt.TitleParams(text={"expr": f"'{name}, epoch ' + epoch"}))
        .resolve_scale(color="independent")
    )


def _live(theory: Theory, simulated: _Settings) -> dict:
    """Return what the page needs to compute theory by itself: see `treeLearning` in workflow/report/live.js."""
    return {
        "kind": "tree_learning",
        "rates": simulated.places("learning_rate"),
        "scales": simulated.places("scale"),
        "singular_values": theory.values.tolist(),
        "modes": theory.tree.modes.tolist(),
        "branches": theory.tree.branches,
        "start": theory.start,
        "entries": theory.entries,
        "steps": theory.steps,
        "shown": theory.shown,
        "unit": theory.unit,
    }
