import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from deepnets.documents.mixed_dynamics.claims import FIGURE_1, MIXED, PLANE, WIDTHS, largest_distances
from deepnets.theory.mixed_dynamics import mode_rate
from reproduce import api


def phase_diagram(mixed_dynamics: api.Table) -> Figure:
    """The smaller the threshold, the lower the smallest test error that a net reaches.

    Exponents are of the number of inputs; the threshold is the variance of the weights times the width. Numbers are
    means over seeds. (a) Mean square of the product of the layers minus the signal, whose entries have variance 1. (b)
    Stable rank of the product at this error; the signal has rank 5. (c) Updates until then, at most 750. White cells:
    the error still fell at the last update. Left of the solid line, singular values can exceed the threshold; right of
    the dashed one, the initial product has larger entries than the target's noise. In the document, the horizontal axis
    is the exponent of the variance.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(PLANE.shown(mixed_dynamics, "threshold_exponent", "width_exponent"), "size")
    drawn = {"smallest test error": "value", "stable rank": "value", "updates": "step"}
    panels = sheet.panels(1, 3, figsize=(6.9, 2.4), sharey=True, x="threshold (exponent)", y="width (exponent)")
    for axis, (name, column) in zip(panels.flat, drawn.items(), strict=True):
        rows = api.require_rows(runs, "stable_rank" if name == "stable rank" else "smallest_test_error")
        cells = rows.pivot_table(index="width_exponent", columns="threshold_exponent", values=column)
        # Dark numbers are legible on the lighter half of the colours.
        axis.pcolormesh(cells.columns, cells.index, cells, cmap="Blues", vmin=0, vmax=2 * cells.max(axis=None))
        axis.set_title(name)
        for (width, threshold), value in cells.stack().dropna().items() if cells.size <= 60 else ():
            number = f"{value:#.2g}" if value < 10 else f"{value:.0f}"
            # A rim separates a number from the lines through its cell.
            rim = [withStroke(linewidth=1.5, foreground="w")]
            axis.text(threshold, width, number, ha="center", va="center", size=6, path_effects=rim)
        axis.axvline(1, color="k", lw=1, label="active (left) or lazy")
        axis.plot(cells.index / 2, cells.index, "C3--", lw=1, label="initial noise (right)")
        axis.set(xlim=(cells.columns[0] - 0.2, cells.columns[-1] + 0.2))
    sheet.add_legend()
    return sheet.finish()


def descent_and_formula(mixed_dynamics: api.Table) -> Figure:
    """Gradient descent follows the formula of Tu et al. (eq. 1), the more closely the wider the net.

    (a) Errors of the net of their Figure 1, with as many inputs and hidden units. (b) Largest distance of the product
    of the layers from the formula's, as a share of the target, at the threshold d^0.4, with fewer inputs d; points:
    seeds.
    """
    sheet = api.Sheet()
    errors, distances = sheet.panels(1, 2, figsize=(6.9, 2.4)).flat
    errors.set(xlabel="updates", ylabel="error")
    distances.set(xlabel="hidden units", ylabel="distance (share)", xscale="log", yscale="log")
    with sheet.part(errors):
        net = sheet.take_counted(FIGURE_1.shown(mixed_dynamics), "size", name="a")
        for color, part in (("C0", "train"), ("C1", "test")):
            curve, formula = (
                api.by_seed(api.require_curve(net, f"{name}{part}_error")).iloc[:, 0] for name in ("", "formula_")
            )
            errors.plot(curve, color=color, lw=1.8, label=f"{part} error")
            errors.plot(formula, "k--", lw=0.8, label="formula" if part == "test" else None)
        errors.legend()
    with sheet.part(distances):
        nets = sheet.take_counted(WIDTHS.shown(mixed_dynamics, "width_exponent"), "size", name="b")
        widths, largest = largest_distances(nets)
        distances.plot(widths, largest, "k.", ms=4, label="_nets")
        guide = largest.mean(axis=1).iloc[0] * (widths / widths[0]) ** -0.5
        distances.plot(widths, guide, "--", color="gray", label="proportional to 1/√width")
        distances.legend()
    return sheet.finish()


def growth_of_modes(mixed_dynamics: api.Table) -> Figure:
    """Every mode grows by eq. 1 (dashed): as in lazy training below the threshold, as in balanced layers above it.

    Modes are singular values of the target, as one net learns 80 % of each; the first five contain the signal. (a)
    Growth in an update, divided by that of lazy training, against the strength s in units of the threshold c; eq. 1 is
    √(1 + (s/c)²). (b) Strength against updates; dotted: the threshold.
    """
    sheet = api.Sheet()
    runs, left_out = MIXED.shown(mixed_dynamics)
    net = sheet.take_counted((api.first_seed(runs), left_out), "size")
    threshold = net["size"].iloc[0] ** net["threshold_exponent"].iloc[0]
    grown, times = sheet.panels(1, 2, figsize=(6.9, 2.4)).flat
    strengths, growths = (api.by_index(api.require_rows(net, metric)) for metric in ("strength", "growth"))
    line = np.geomspace(0.03, 10, 20)
    for position, mode in enumerate(strengths):
        shown = strengths[mode].dropna() / threshold
        style = {"color": f"C{position}", "label": f"mode {mode}"}
        places = np.unique(np.searchsorted(shown, line).clip(max=len(shown) - 1))
        grown.plot(shown.iloc[places], growths[mode].dropna().iloc[places], "o", ms=3, mfc="none", **style)
        times.plot(shown.index, shown, **style)
        # The second label is below the first.
        side = {"va": "top" if position == 1 else "bottom", "fontsize": 7}
        times.text(shown.index[-1], shown.iloc[-1], f"mode {mode}", color=f"C{position}", **side)
    grown.plot(line, mode_rate(line, 1) / 2, "k--", lw=1, label="eq. 1")
    times.axhline(1, color="k", ls=":", lw=1, label="_threshold")
    grown.set(xlabel="strength / threshold", ylabel="growth / lazy growth", xscale="log", yscale="log")
    times.set(xlabel="updates", ylabel="strength / threshold", yscale="log", ylim=(0.03, None))
    return sheet.finish()
