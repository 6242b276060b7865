"""Learning of the modes of whitened MNIST, compared with Saxe, McClelland and Ganguli 2013."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.saxe_2013.runs import MNIST_MODES
from deepnets.looks import INITS
from reproduce import api

# The number of modes drawn, evenly spaced from the strongest to the weakest.
_DRAWN = 3


def mnist_mode_strengths(mnist_modes: api.Table) -> Figure:
    """From small weights, theory predicts how modes of MNIST are learned; from document 001's start, it does not.

    The strongest, a middle and the weakest mode. Lines: mean over seeds; bands: one standard deviation. Eq. 12: theory
    for independent modes with equal strengths in both layers; the text gives its largest error in a single net, for
    these modes. Document 001 starts from rows of norm 1 and scale 1; its initial strengths are arbitrary, even
    negative.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(MNIST_MODES.shown(mnist_modes.pipe(api.merge_blocks), "init", "scale"))
    settings = api.group_by_setting(runs)
    axes = sheet.panels(1, len(settings), figsize=(2.3 * max(len(settings), 1.5), 2.8))
    for axis, (values, rows) in zip(axes, settings, strict=True):
        axis.set_title(_name_start(values, rows))
        axis.set_xlabel("updates")
        _draw_strengths(axis, rows)
    axes[0].set_ylabel("strength / singular value")
    sheet.add_legend(columns=_DRAWN)
    return sheet.finish()


def mnist_half_times(mnist_modes: api.Table) -> Figure:
    """From small weights, theory predicts when a mode of whitened MNIST reaches half of its singular value.

    a: geometric mean over seeds, and one standard deviation of the logarithm. Dashes: eq. 11, if all modes start with
    the mean strength in their net, equal in both layers; for document 001's start it has no solution, because this mean
    is larger than half of every singular value. b: simulation divided by eq. 26 for each seed of the small starts; eq.
    26 starts from each net's own initial vectors of the mode. The legend gives the largest error of each formula, and
    the number of modes without a half time, which start above half of their singular value or do not reach it.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(MNIST_MODES.shown(mnist_modes.pipe(api.merge_blocks), "init", "scale"))
    axes = sheet.panels(2, 1, figsize=(3.4, 5.0), sharex=True)
    axes[0].set_ylabel("half time (updates)")
    axes[1].set(xlabel="mode", ylabel="simulation / eq. 26")
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    settings = api.group_by_setting(runs)
    drawn: list[str] = []
    for position, (values, rows) in enumerate(settings):
        # Shift each setting sideways to keep equal values from overlapping.
        offset = 1 + 0.2 * (position - (len(settings) - 1) / 2)
        if api.rows_of(rows, "half_time").empty:
            sheet.note(f"{_name_start(values, rows)}: no half time")
        else:
            init = rows["init"].iloc[0]
            # Of several settings of an init, all but the first are hollow.
            _, colour, marker = INITS[init]
            style = {"color": colour, "marker": marker, "mfc": "white" if init in drawn else colour}
            drawn.append(init)
            _draw_half_times(axes, rows, _name_start(values, rows), style, offset)
    axes[0].set_yscale("log")
    axes[1].axhline(1, color="k", lw=0.6)
    sheet.add_legend(columns=1)
    return sheet.finish()


def _draw_strengths(axis: Axes, runs: pd.DataFrame) -> None:
    singular_values = api.values_by_index(api.rows_of(api.first_seed(runs), "data_singular_value"))
    errors = []
    places = api.evenly_spaced(len(singular_values), _DRAWN)
    for position, mode in enumerate(singular_values.index[places]):
        measured, theory = (
            api.by_seed(api.rows_of(runs, metric, index=mode)) / singular_values[mode]
            for metric in ("mode_strength", "theory_mode_strength")
        )
        api.draw_band(axis, measured, api.deviation, color=f"C{position}", label=f"mode {mode + 1}")
        if len(theory):
            label = "eq. 12" if position == len(places) - 1 else None
            axis.plot(theory.mean(axis=1), color="k", ls="--", lw=0.8, label=label, zorder=4)
            errors.append((measured - theory).abs().max(axis=None))
    # Leave room for the text below the curves. The curve of a theory that does not hold may end outside the panel.
    low, high = axis.get_ylim()
    axis.set_ylim(min(-0.35, max(low, -0.8)), min(high, 2))
    said = f"eq. 12: {max(errors):.2g} off" if errors else ""
    axis.text(0.97, 0.03, said, transform=axis.transAxes, ha="right", fontsize=7)


def _draw_half_times(axes: np.ndarray, runs: pd.DataFrame, name: str, style: dict[str, Any], offset: float) -> None:
    measured, theory, predicted, strengths, singular_values = (
        api.by_seed(api.rows_of(runs, metric, step=0), down="index")
        for metric in ("half_time", "theory_half_time", "predicted_half_time", "mode_strength", "data_singular_value")
    )
    beyond = np.count_nonzero(strengths >= singular_values / 2)
    late = strengths.size - beyond - int(measured.count().sum())
    errors = f"eq. 11 {_describe_error(measured, theory)}, eq. 26 {_describe_error(measured, predicted)}"
    said = [f"{name}: {errors}"]
    for count, what in ((beyond, "start beyond half"), (late, "do not reach half")):
        if count:
            said.append(f"{count} of {strengths.size} {what}")
    logarithms = np.log(measured)
    means, spreads = np.exp(logarithms.mean(axis=1)), np.exp(logarithms.std(axis=1, ddof=0))
    bars = np.stack([means - means / spreads, means * spreads - means])
    axes[0].errorbar(means.index + offset, means, bars, ms=3, ls="none", label="\n".join(said), **style)
    axes[0].plot(theory.index + offset, theory.mean(axis=1), "_", color="k", ms=7, zorder=4, label="_eq. 11")
    # From other starts, ratios are factors, as the legend says.
    if len(theory):
        for _, ratios in (measured / predicted).dropna(how="all", axis="columns").items():
            axes[1].plot(ratios.index + offset, ratios, ms=3, mew=0.4, ls="none", label=f"_{name}", **style)


def _describe_error(measured: pd.DataFrame, theory: pd.DataFrame) -> str:
    """Describe the largest error of theory's half times, in per cent or as a factor."""
    largest = np.exp((measured / theory).apply(np.log).abs().max(axis=None))
    if not np.isfinite(largest):
        return "none"
    return f"≤ {100 * (largest - 1):.2g} %" if largest < 2 else f"up to × {largest:.2g}"


def _name_start(values: dict[str, object], runs: pd.DataFrame) -> str:
    first = runs.iloc[0]
    others = [api.label_of(axis, value) for axis, value in values.items() if axis not in ("init", "scale")]
    return ", ".join([f"{INITS[first['init']].name} × {api.text_of(first['scale'])}", *others])
