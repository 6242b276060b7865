"""The chart of document 003: how learning rate, initial scale and epoch change what a linear network has learned."""

import json
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from deepnets.charts.charts import GREY, HEADING, RED, WIDTH, nothing_to_show, rounded, slider, style_chart
from deepnets.documents.hierarchy.panels import item_names, level_name, shades_of
from deepnets.documents.hierarchy.runs import SLIDERS
from deepnets.documents.hierarchy.simulations import Simulations, similarity_rows
from deepnets.documents.hierarchy.tree_theory import Theory, theory_of
from deepnets.tables.rows import first_seed, rows_of, runs_of
from deepnets.tables.words import absence_reason, divergence_suffix

_TITLE = "A small start learns a tree level by level, a large one all at once"
_DESCRIPTION = (
    "Sliders for learning rate, initial scale and epoch over three panels: singular values of the network over the "
    "epochs, one line of theory for each level of the tree and dots for the simulation; the training loss over the "
    "epochs; and the similarities between items at the chosen epoch, in theory and in the simulation."
)
# A Vega expression: the text in the simulation's square if there are no similarities.
_NO_SIMILARITIES = (
    "recorded[key] ? '' : said[key] ? 'not recorded' : ['not simulated:', 'choose a rate and a', 'scale “(simulated)”']"
)


def rate_scale_and_epoch(hierarchy: pd.DataFrame) -> alt.TopLevelMixin:
    """Loss, singular values and similarities by learning rate η, initial scale γ and epoch (the document's sliders).

    Lines: theory, the exact map of decoupled modes of the tree, which the page computes for any η and γ. Dots:
    simulations, for the marked η and γ only. The two squares show the similarity of each pair of items in the hidden
    layer, in percent of the largest one after all is learned: theory at the chosen epoch, the simulation at the nearest
    recorded one. All nets have one hidden layer, as theory assumes. With a small γ the levels of the tree are learned
    one after the other, each after a plateau of the loss; with a large γ they are learned together; η only stretches
    time, until updates become too large and training is unstable.
    """
    runs, left_out = SLIDERS.shown(hierarchy)
    # Theory assumes one hidden layer.
    if rows_of(runs, "theory_mode_strength").empty or rows_of(runs, "train_loss").empty:
        return nothing_to_show(_TITLE, absence_reason(runs))
    theory, simulated = theory_of(first_seed(runs)), Simulations(runs)
    similarities = simulated.similarities(hierarchy)
    start = _choose_start(hierarchy, similarities, simulated, theory)
    rate, rate_labels = slider("rate_place", "learning rate η", simulated.labels("learning_rate"), start.rate)
    scale, scale_labels = slider("scale_place", "initial scale γ", simulated.labels("scale"), start.scale)
    bind = alt.binding_range(min=0, max=theory.steps, step=1, name="epoch ")
    # The frame covers the initial loss up to 2. Curves that diverge leave any frame.
    largest = max(1.0, min(2.0, rows_of(first_seed(runs), "train_loss", step=0)["value"].max()))
    chart = alt.vconcat(
        _mode_panel(theory),
        _loss_panel(theory, largest),
        alt.hconcat(_similarity_panel(theory, simulated=False), _similarity_panel(theory, simulated=True), spacing=12),
        spacing=8,
        datasets={**_theory_data(theory, simulated, start), **_simulation_data(theory, simulated, similarities)},
    ).add_params(
        rate,
        scale,
        alt.param(name="epoch", value=start.epoch, bind=bind),
        *_text_parameters(theory, simulated, similarities, left_out),
    )
    return style_chart(chart, _TITLE, _DESCRIPTION, [rate_labels, scale_labels, _live_parameters(theory, simulated)])


@dataclass(frozen=True)
class _Start:
    """The start of the sliders: the places of rate and scale, and the epoch."""

    rate: int
    scale: int
    epoch: int

    def strengths(self, theory: Theory, simulated: Simulations) -> np.ndarray:
        """Return theory's strengths at the start; shape (steps, levels)."""
        return theory.strengths(simulated.places("learning_rate")[self.rate], simulated.places("scale")[self.scale])


def _choose_start(
    hierarchy: pd.DataFrame, similarities: dict[str, pd.DataFrame], simulated: Simulations, theory: Theory
) -> _Start:
    """Return the main setting if it was simulated, otherwise a middle one, and an epoch with recorded similarities."""
    main = simulated.split(runs_of(hierarchy, block="main", **simulated.values))
    keys = list(simulated.runs)
    key = next((key for key in main if key in keys), keys[len(keys) // 2])
    rate, scale = map(int, key.split())
    # At a loss of 0.5, some levels are learned and others are not.
    losses = theory.losses(_Start(rate, scale, 0).strengths(theory, simulated))
    half = int(np.argmin(np.abs(losses - 0.5)))
    epochs = similarities[key]["step"].unique().tolist() if key in similarities else []
    return _Start(rate, scale, min(epochs, key=lambda epoch: abs(epoch - half), default=half))


def _theory_data(theory: Theory, simulated: Simulations, start: _Start) -> dict[str, list[dict]]:
    """Return theory's data sets at the start of the sliders; the page computes them anew when the sliders move."""
    strengths = start.strengths(theory, simulated)
    finite = start.epoch < len(strengths)
    shares = theory.similarities(strengths[start.epoch]) / theory.unit if finite else np.zeros(0)
    return {
        "theory_modes": [{"level": level, "value": rounded(values, 6)} for level, values in enumerate(strengths.T)],
        "theory_losses": [{"value": rounded(theory.losses(strengths), 6)}],
        "theory_similarities": [{"cell": cell, "value": value} for cell, value in enumerate(rounded(100 * shares, 6))],
        "theory_words": [{"text": "" if finite else f"not finite from\nepoch {len(strengths)} on"}],
    }


def _simulation_data(
    theory: Theory, simulated: Simulations, similarities: dict[str, pd.DataFrame]
) -> dict[str, list[dict]]:
    """Return the data sets of the simulations, with one row per setting and mode, or per setting and epoch."""
    levels = theory.tree.level_of_modes.tolist()
    return {
        "simulated_modes": [
            {"key": key, "level": levels[mode], "value": values}
            for key, mode, values in simulated.curves("singular_value", theory)
        ],
        "simulated_losses": [
            {"key": key, "value": values} for key, _, values in simulated.curves("train_loss", theory)
        ],
        "simulated_similarities": similarity_rows(similarities, theory),
    }


def _text_parameters(
    theory: Theory, simulated: Simulations, similarities: dict[str, pd.DataFrame], left_out: str
) -> list[alt.Parameter]:
    """Return the parameters of the chart's text about the chosen setting, including whether it was simulated."""
    recorded = {key: sorted(rows["step"].unique().tolist()) for key, rows in similarities.items()}
    schedules = sorted(map(list, set(map(tuple, recorded.values()))))
    values = {
        "rates": [f"{value:.3g}" for value in simulated.places("learning_rate")],
        "scales": [f"{value:.3g}" for value in simulated.places("scale")],
        "said": {
            key: f"simulated (dots, seed {run['seed'].iloc[0]})" + divergence_suffix(run, step="epoch")
            for key, run in simulated.runs.items()
        },
        # Schedules count from 1, since 0 is false in Vega.
        "recorded": {key: schedules.index(epochs) + 1 for key, epochs in recorded.items()},
        "nearest_of": [
            [min(epochs, key=lambda each: abs(each - epoch)) for epoch in range(theory.steps + 1)]
            for epochs in schedules
        ],
        "marks": theory.marks.tolist(),
    }
    setting = "'η = ' + rates[rate_place] + ', γ = ' + scales[scale_place]"
    none = "'theory only, no simulation was run here'"
    more = f" + {json.dumps(f' ({left_out})')}" if left_out else ""
    return [
        *(alt.param(name=name, value=value) for name, value in values.items()),
        alt.param(name="key", expr="rate_place + ' ' + scale_place"),
        alt.param(name="in_page", value=False),
        alt.param(name="setting", expr=setting),
        alt.param(name="words", expr=f"(said[key] || {none}){more}"),
        # The page sets this text to the values of theory.
        alt.param(name="found", value=""),
        alt.param(name="sentence", expr="setting + ', epoch ' + epoch + ': ' + found + '; ' + words"),
        alt.param(name="nearest", expr="recorded[key] ? nearest_of[recorded[key] - 1][epoch] : null"),
        alt.param(name="simulated_words", expr=_NO_SIMILARITIES),
    ]


def _mode_panel(theory: Theory) -> alt.LayerChart:
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
    panel = _epoch_panel(theory, "modes", "singular value", top, colour)
    return panel.properties(height=150, title=alt.TitleParams(text=alt.ExprRef(HEADING)))


def _loss_panel(theory: Theory, largest: float) -> alt.LayerChart:
    return _epoch_panel(theory, "losses", "mean squared error", 1.08 * largest, alt.value(RED)).properties(height=110)


def _epoch_panel(theory: Theory, name: str, label: str, top: float, colour: Any) -> alt.LayerChart:
    """Return a panel with theory (lines), the chosen run's marked epochs (dots) and the chosen epoch (dashed line).

    colour: a channel or value of altair.
    """
    x = alt.X("step:Q", title="epoch (updates)").scale(domain=[0, theory.steps], nice=False)
    y = alt.Y("value:Q", title=label).scale(domain=[0, top], nice=False)
    # Browsers cannot draw values far outside the frame.
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
        # Between simulated values there is no run.
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


def _similarity_panel(theory: Theory, *, simulated: bool) -> alt.LayerChart:
    """Return a square with the similarities at the chosen epoch, or a text that says why there are none.

    simulated: draw those of the simulation, otherwise those of theory.
    """
    count = theory.shown
    if simulated:
        cells = (
            alt.Chart(alt.NamedData("simulated_similarities"))
            .transform_filter("datum.key === key && datum.step === nearest")
            .transform_calculate(cell="sequence(0, length(datum.value))")
            .transform_flatten(["cell", "value"])
        )
        words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef("simulated_words"), color=GREY)
    else:
        cells = alt.Chart(alt.NamedData("theory_similarities"))
        words = alt.Chart(alt.NamedData("theory_words")).mark_text(lineBreak="\n", color=GREY).encode(text="text:N")
    title = "'simulation' + (nearest === null ? '' : ', epoch ' + nearest)" if simulated else "'theory, epoch ' + epoch"
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
        .properties(width=130, height=130, title=alt.TitleParams(text=alt.ExprRef(title)))
        .resolve_scale(color="independent")
    )


def _live_parameters(theory: Theory, simulated: Simulations) -> dict:
    """Return the parameters with which `treeLearning` of page/templates/live.js computes theory."""
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
