import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from deepnets.documents.saddle_to_saddle.claims import EQUAL_STARTS, RANDOM
from deepnets.theory import deep_mode, mode_learning
from reproduce import api

_THEORIES = {"theory_start": ("theory from the diagonal", "--"), "sorted_start": ("theory by size", ":")}


def scales(saddle_to_saddle: api.Table) -> Figure:
    """Two layers from independent weights learn in steps, which separate as the scale c of the weights shrinks.

    (a) Squared error, of the first seed; dotted: sum of the squares of the singular values that are not learned yet.
    (b) Update at which each mode reaches half of its singular value λ. (c) Time between the first and the last of them.
    Circles: nets; lines: theory with the learning rate η, from a strength of c²: ln(λ/c² − 1)/(4λη).
    """
    sheet = api.Sheet()
    # Nets of other inits and widths have scales of their own.
    own = saddle_to_saddle.pipe(api.runs_of, **{name: RANDOM[name] for name in ("depth", "init", "width")})
    runs = sheet.take_counted(RANDOM.shown(own, "scale"))
    losses, times, gaps = sheet.panels(1, 3, figsize=(6.9, 2.4)).flat
    values = api.values_by_index(api.require_rows(runs, "singular_value"))
    starts = np.sort(runs["scale"].unique())
    for number, scale in enumerate(starts):
        loss = api.require_rows(api.first_seed(runs), "train_loss", scale=scale)
        losses.plot(loss["step"], loss["value"], color=f"C{number}", label=api.label_of("scale", scale))
    for level in np.cumsum(values[::-1] ** 2):
        losses.axhline(level, color="gray", ls=":", lw=0.7, label="_not learned yet")
    found = [api.by_seed(api.rows_of(runs, "half_time", index=mode), down="scale") for mode in values.index]
    theory = [mode_learning.half_time(value, starts**2) / (2 * runs["learning_rate"].iloc[0]) for value in values]
    for value, seeds, line in zip(values, found, theory, strict=True):
        times.plot(seeds, "ko", ms=3, mfc="none", label=f"_nets, λ = {value:g}")
        times.plot(starts, line, "k", lw=0.8, label=f"_theory, λ = {value:g}")
        times.text(starts[-1], line[-1], f"  λ = {value:g}", va="center", fontsize="small")
    gaps.plot(found[-1] - found[0], "ko", ms=3, mfc="none", label="_nets")
    gaps.plot(starts, theory[-1] - theory[0], "k", lw=0.8, label="_theory")
    losses.set(xlabel="updates", ylabel="squared error", yscale="log", ylim=(values.min() ** 2 / 10, None))
    times.set(xlabel="scale of the weights", ylabel="half time (updates)", xscale="log", yscale="log")
    times.yaxis.set_major_formatter(LogFormatter())
    times.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
    gaps.set(xlabel="scale of the weights", ylabel="gap of half times (updates)", xscale="log")
    sheet.add_legend()
    return sheet.finish()


def depths(saddle_to_saddle: api.Table) -> Figure:
    """With more layers, steps are sharper; theory predicts them only if it starts at the modes' own strengths.

    Above: strength of each mode, as a share of its singular value λ; with one layer, all modes share a curve. Nets are
    of the first seed, and their modes start at about 0.001. Theory: eq. 11 with the loss's factor 2, dashed (below)
    from the diagonal of the initial product, dotted as in the tutorial's widget, which starts the strongest mode at the
    largest singular value of the initial product, and so on.
    """
    sheet = api.Sheet()
    nets = [api.first_seed(sheet.take(each.shown(saddle_to_saddle))) for each in EQUAL_STARTS.values()]
    labels = [label for kind in ("strength / λ", "squared error") for label in (kind, *[""] * (len(nets) - 1))]
    panels = sheet.panels(2, len(nets), figsize=(6.9, 4), sharex="col", sharey="row", y=labels)
    for run, (modes, losses) in zip(nets, panels.T, strict=True):
        depth, rate = run["depth"].iloc[0], run["learning_rate"].iloc[0]
        values = api.values_by_index(api.require_rows(run, "singular_value")).to_numpy()
        strengths = api.by_index(api.require_rows(run, "strength"))
        shown = strengths[strengths.index <= 2 * api.require_rows(run, "half_time")["value"].max()]
        integrals = 2 * rate * depth * shown.index.to_numpy()[:, np.newaxis]
        curves = {("net", "-"): shown.to_numpy()}
        for metric, key in _THEORIES.items():
            starts = api.values_by_index(api.require_rows(run, metric)).to_numpy()
            # Theory has no curve from 0 or from beyond the singular value.
            below = np.where((starts > 0) & (starts < values), starts, np.nan)
            curves[key] = deep_mode.strength_after(integrals, values, below, depth)
        for (label, style), curve in curves.items():
            names = [f"λ = {value:g}" for value in values] if label == "net" else ""
            look = {"lw": 2} if label == "net" else {"color": "k", "lw": 0.8}
            # On the curves, dashes would hide the colours.
            if style != "--":
                modes.plot(shown.index, curve / values, style, label=names, **look)
            errors = np.sum((curve - values) ** 2, axis=1)
            losses.plot(shown.index, errors, style, label=label, **{"color": "0.6", **look})
        modes.set(title=api.label_of("depth", depth))
        losses.set(xlabel="updates", yscale="log", ylim=(values.min() ** 2 / 10, None))
    sheet.add_legend()
    return sheet.finish()
