from matplotlib.figure import Figure

from deepnets.documents.beyond_edge.claims import ALIGNED, ROTATED
from reproduce import api


def route_to_chaos(beyond_edge: api.Table) -> Figure:
    """Oscillations of a deep linear net at the end of training, against the learning rate.

    (a) The strongest mode, 1, in the last 16 updates of one net: one value up to the edge, then two, four, and chaos. (b)
    Range of each mode in the last 64 updates; lines: mean over seeds; bands: range over seeds; dotted: the edge of each
    mode.
    """
    sheet = api.Sheet(step="rate")
    runs = sheet.take_counted(ALIGNED.shown(beyond_edge))
    labels = ["mode 1 / target", "range / target"]
    orbits, ranges = sheet.panels(
        1, 2, figsize=(6.9, 2.3), x="learning rate, % of the edge of stability", y=labels
    ).flat
    late, (depth, ratio) = runs[runs["step"] >= 90], runs[["depth", "ratio"]].iloc[0]
    orbit = api.require_rows(api.first_seed(late), "orbit")
    orbits.plot(orbit["step"], orbit["value"], "k.", ms=1.5)
    for mode in range(3):
        seeds = api.by_seed(api.require_rows(late, "oscillation", index=mode))
        api.draw_band(ranges, seeds, api.extremes, color=f"C{mode}", label=f"mode {mode + 1}")
        ranges.axvline(100 * ratio ** (mode * (2 / depth - 2)), color=f"C{mode}", ls=":", lw=1)
    sheet.add_legend()
    return sheet.finish()


def gaps(beyond_edge: api.Table) -> Figure:
    """Share of the balancing gap that is left in the strongest mode, against the learning rate.

    Departure: noise on the weights of layers that else have the same singular vectors; ratio: of successive singular
    values of the target. Lines: mean over seeds; bands: range over seeds. Dotted: the rate at which a rotation of the
    first mode into the second becomes unstable. Lines end where nets diverge.
    """
    sheet = api.Sheet(step="rate")
    runs = sheet.take_counted(ROTATED.shown(beyond_edge, "departure", "ratio"))
    nets = runs.groupby(["departure", "ratio"], observed=True)
    labels = ["gap left (share)", *[""] * (nets.ngroups - 1)]
    panels = sheet.panels(1, nets.ngroups, figsize=(6.9, 2.3), sharey=True, x="rate, % of the edge", y=labels).flat
    for axis, (_, rows) in zip(panels, nets, strict=True):
        for record, share in enumerate((1, 10, 100)):
            seeds = api.by_seed(api.require_rows(rows[rows["step"] >= 80], "gap_left", index=record))
            api.draw_band(axis, seeds, api.extremes, color=f"C{record}", label=f"after {share} % of the updates")
        depth, departure, ratio = (rows[name].iloc[0] for name in ("depth", "departure", "ratio"))
        axis.axvline(100 * depth / sum(ratio ** (2 * layer / depth) for layer in range(depth)), color="k", ls=":", lw=1)
        axis.set(yscale="log", ylim=(1e-6, 30), title=f"departure {departure:g}, ratio {ratio:g}")
    sheet.add_legend()
    return sheet.finish()
