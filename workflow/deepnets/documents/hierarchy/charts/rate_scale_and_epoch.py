"""A chart with sliders of document 003: rate, scale and epoch of a linear network that learns a tree."""

import json
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from workflow.deepnets.charts.charts import GREY, HEADING, RED, WIDTH, looks, nothing_to_show, rounded, slider
from workflow.deepnets.documents.hierarchy.panels import item_names, level_name, shades_of
from workflow.deepnets.documents.hierarchy.runs import SLIDERS
from workflow.deepnets.documents.hierarchy.simulations import ROOM, Simulations, matrices
from workflow.deepnets.documents.hierarchy.tree_theory import Theory, theory_of
from workflow.deepnets.tables.rows import first_seed, rows_of, runs_of
from workflow.deepnets.tables.selection import select_settings, select_values
from workflow.deepnets.tables.words import absence_reason, divergence_suffix

_TITLE = "A small start learns a tree level by level, a large one all at once"
_DESCRIPTION = (
    "Three sliders, learning rate, initial scale and epoch, over three panels: singular values of the network over the "
    "epochs, one line of theory for each level of the tree and dots for the simulation; the training loss over the "
    "epochs; and two matrices of similarities between items at the chosen epoch, of theory and of the simulation."
)
# Words in place of the similarities of a simulation, as an expression.
_NO_SIMILARITIES = (
    "recorded[key] ? '' : said[key] ? 'not recorded' : ['not simulated:', 'choose a rate and a', 'scale “(simulated)”']"
)
# The depth that theory is about: one hidden layer.
_DEPTH = 2


def rate_scale_and_epoch(hierarchy: pd.DataFrame) -> alt.TopLevelMixin:
    """Loss, singular values and similarities over learning rate η, initial scale γ and epoch (the document's sliders).

    Lines: theory, the exact map of decoupled modes of the tree, computed in the page for any η and γ. Dots: simulation,
    at the η and γ that were run; in between the chart says that there is none. The two squares show how similar the
    hidden layer finds each pair of items, in percent of the largest similarity when all is learned: theory at the
    chosen epoch, the simulation at the nearest recorded one. All nets have one hidden layer, as theory supposes.
    Small γ brings the levels of the tree one after the other, with a plateau of the loss before each; large γ brings
    them at once; η only stretches time, until it is too large for the steps to settle.
    """
    swept, other_depths = select_values(runs_of(hierarchy, block="sliders"), depth=_DEPTH)
    runs, left_out = select_settings(swept, SLIDERS, **ROOM)
    left_out = "; ".join(filter(None, (other_depths, left_out)))
    if rows_of(runs, "theory_mode_strength").empty or rows_of(runs, "train_loss").empty:
        return nothing_to_show(_TITLE, absence_reason(runs))
    theory, simulated = theory_of(first_seed(runs)), Simulations(runs)
    similarities = simulated.similarities(hierarchy)
    start = _start_of(hierarchy, similarities, simulated, theory)
    rate, rate_labels = slider("rate_place", "learning rate η", simulated.labels("learning_rate"), start.rate)
    scale, scale_labels = slider("scale_place", "initial scale γ", simulated.labels("scale"), start.scale)
    bind = alt.binding_range(min=0, max=theory.steps, step=1, name="epoch ")
    # Curves that diverge leave any frame.
    largest = max(1.0, min(2.0, rows_of(first_seed(runs), "train_loss", step=0)["value"].max()))
    chart = alt.vconcat(
        _modes(theory),
        _losses(theory, largest),
        alt.hconcat(_square(theory, simulated=False), _square(theory, simulated=True), spacing=12),
        spacing=8,
        datasets={**_theory(theory, simulated, start), **_simulations(theory, simulated, similarities)},
    ).add_params(
        rate,
        scale,
        alt.param(name="epoch", value=start.epoch, bind=bind),
        *_words(theory, simulated, similarities, left_out),
    )
    return looks(chart, _TITLE, _DESCRIPTION, [rate_labels, scale_labels, _live(theory, simulated)])


@dataclass(frozen=True)
class _Start:
    """Where the sliders start: places of rate and scale, and the epoch."""

    rate: int
    scale: int
    epoch: int

    def strengths(self, theory: Theory, simulated: Simulations) -> np.ndarray:
        """Return theory's strengths there, (steps, levels)."""
        return theory.strengths(simulated.places("learning_rate")[self.rate], simulated.places("scale")[self.scale])


def _start_of(
    hierarchy: pd.DataFrame, similarities: dict[str, pd.DataFrame], simulated: Simulations, theory: Theory
) -> _Start:
    """Return the main setting if it was simulated, else one in the middle, and an epoch with similarities."""
    main = simulated.split(runs_of(hierarchy, block="main", **simulated.values))
    keys = list(simulated.runs)
    key = next((key for key in main if key in keys), keys[len(keys) // 2])
    rate, scale = map(int, key.split())
    # Half of the error is gone there, so that there is something to see.
    losses = theory.losses(_Start(rate, scale, 0).strengths(theory, simulated))
    half = int(np.argmin(np.abs(losses - 0.5)))
    epochs = similarities[key]["step"].unique().tolist() if key in similarities else []
    return _Start(rate, scale, min(epochs, key=lambda epoch: abs(epoch - half), default=half))


def _theory(theory: Theory, simulated: Simulations, start: _Start) -> dict[str, list[dict]]:
    """Return theory's data sets where the sliders start; the page computes them anew when the sliders move."""
    strengths = start.strengths(theory, simulated)
    finite = start.epoch < len(strengths)
    shares = theory.similarities(strengths[start.epoch]) / theory.unit if finite else np.zeros(0)
    return {
        "theory_modes": [{"level": level, "value": rounded(values, 6)} for level, values in enumerate(strengths.T)],
        "theory_losses": [{"value": rounded(theory.losses(strengths), 6)}],
        "theory_similarities": [{"cell": cell, "value": value} for cell, value in enumerate(rounded(100 * shares, 6))],
        "theory_words": [{"text": "" if finite else f"not finite from\nepoch {len(strengths)} on"}],
    }


def _simulations(
    theory: Theory, simulated: Simulations, similarities: dict[str, pd.DataFrame]
) -> dict[str, list[dict]]:
    """Return the data sets of the simulations, with a row for each setting and mode, or setting and epoch."""
    levels = theory.tree.level_of_modes.tolist()
    return {
        "simulated_modes": [
            {"key": key, "level": levels[mode], "value": values}
            for key, mode, values in simulated.curves("singular_value", theory)
        ],
        "simulated_losses": [
            {"key": key, "value": values} for key, _, values in simulated.curves("train_loss", theory)
        ],
        "simulated_similarities": matrices(similarities, theory),
    }


def _words(
    theory: Theory, simulated: Simulations, similarities: dict[str, pd.DataFrame], left_out: str
) -> list[alt.Parameter]:
    """Return what the chart writes about the chosen setting: by its key if it was simulated."""
    recorded = {key: sorted(rows["step"].unique().tolist()) for key, rows in similarities.items()}
    schedules = sorted(map(list, set(map(tuple, recorded.values()))))
    values = {
        "rates": [f"{value:.3g}" for value in simulated.places("learning_rate")],
        "scales": [f"{value:.3g}" for value in simulated.places("scale")],
        "said": {
            key: f"simulated (dots, seed {run['seed'].iloc[0]})" + divergence_suffix(run, step="epoch")
            for key, run in simulated.runs.items()
        },
        # From 1, since 0 is false.
        "recorded": {key: schedules.index(epochs) + 1 for key, epochs in recorded.items()},
        "nearest_of": [
            [min(epochs, key=lambda each: abs(each - epoch)) for epoch in range(theory.steps + 1)]
            for epochs in schedules
        ],
        "marks": theory.marks.tolist(),
    }
    setting = "'η = ' + rates[rate_place] + ', γ = ' + scales[scale_place]"
    none = "'theory alone, no simulation was run here'"
    more = f" + {json.dumps(f' ({left_out})')}" if left_out else ""
    return [
        *(alt.param(name=name, value=value) for name, value in values.items()),
        alt.param(name="key", expr="rate_place + ' ' + scale_place"),
        alt.param(name="in_page", value=False),
        alt.param(name="setting", expr=setting),
        alt.param(name="words", expr=f"(said[key] || {none}){more}"),
        # The page computes what theory finds.
        alt.param(name="found", value=""),
        alt.param(name="sentence", expr="setting + ', epoch ' + epoch + ': ' + found + '; ' + words"),
        alt.param(name="nearest", expr="recorded[key] ? nearest_of[recorded[key] - 1][epoch] : null"),
        alt.param(name="simulated_words", expr=_NO_SIMILARITIES),
    ]


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
    return panel.properties(height=150, title=alt.TitleParams(text=alt.ExprRef(HEADING)))


def _losses(theory: Theory, largest: float) -> alt.LayerChart:
    """Return the panel of the training loss over the epochs."""
    return _over_epochs(theory, "losses", "mean squared error", 1.08 * largest, alt.value(RED)).properties(height=110)


def _over_epochs(theory: Theory, name: str, label: str, top: float, colour: Any) -> alt.LayerChart:
    """Return theory as lines, the chosen run's marked epochs as dots, and the chosen epoch as a dashed line.

    colour: a channel or value of altair. Values far beyond the frame are left out, since browsers cannot draw them.
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
    """Return the similarities of theory or of the simulation at the chosen epoch, or words on why there are none."""
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


def _live(theory: Theory, simulated: Simulations) -> dict:
    """Return what the page needs to compute theory: see `treeLearning` in workflow/report/live.js."""
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
