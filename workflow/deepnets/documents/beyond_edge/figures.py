from matplotlib.figure import Figure

from deepnets.documents.beyond_edge.claims import ALIGNED
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
    """Share of the balancing gap that is left in the strongest mode, against the learning rate, in three layers.

    Rows: ratio of successive singular values of the target. Columns: layers with the same singular vectors, all matrices
    diagonal; the same nets in random orthonormal bases; noise on the weights. Lines: mean over seeds; bands: range over
    seeds. Dotted: the rate at which a rotation of the first mode into the second becomes unstable. Lines end where nets
    diverge.
    """
    sheet = api.Sheet(step="rate")
    nets = ALIGNED.but(ratio=[0.9, 0.5], basis=["diagonal", "rotated"], departure=[0, 1e-6])
    runs = sheet.take_counted(nets.shown(beyond_edge, "departure", "ratio", "basis"))
    kinds = {"diagonal": ("diagonal", 0), "rotated basis": ("rotated", 0), "noise of 10⁻⁶": ("diagonal", 1e-6)}
    labels = ["gap left (share)", "", ""] * 2
    panels = sheet.panels(2, 3, figsize=(6.9, 3.6), sharey=True, x="rate, % of the edge", y=labels)
    for row, ratio in zip(panels, (0.9, 0.5), strict=True):
        for axis, (kind, (basis, departure)) in zip(row, kinds.items(), strict=True):
            chosen = (runs["basis"] == basis) & (runs["departure"] == departure) & (runs["ratio"] == ratio)
            for record, share in enumerate((1, 10, 100)):
                seeds = api.by_seed(api.require_rows(runs[chosen & (runs["step"] >= 80)], "gap_left", index=record))
                api.draw_band(axis, seeds, api.extremes, color=f"C{record}", label=f"after {share} % of the updates")
            axis.axvline(300 / sum(ratio ** (2 * layer / 3) for layer in range(3)), color="k", ls=":", lw=1)
            axis.set(yscale="log", xlim=(78, 150), ylim=(1e-6, 30), title=f"{kind}, ratio {ratio}")
    sheet.add_legend()
    return sheet.finish()


def gaps_by_start(beyond_edge: api.Table) -> Figure:
    """Share of the balancing gap that is left in the strongest mode after training, against the learning rate.

    Each net is diagonal and starts at a share of the minimum. Lines: mean over seeds; bands: range over seeds. Below the
    edge, at 100 %, two layers lose the most, and more from smaller starts; beyond it, nothing is left.
    """
    sheet = api.Sheet(step="rate")
    depths, starts = (2, 3, 4), (0.1, 0.3, 0.7)
    runs = sheet.take_counted(ALIGNED.but(depth=[*depths], scale=[*starts]).shown(beyond_edge, "depth", "scale"))
    panels = sheet.panels(
        1, 3, figsize=(6.9, 2.3), sharey=True, x="rate, % of the edge", y=["gap left (share)", "", ""]
    )
    for axis, depth in zip(panels.flat, depths, strict=True):
        for place, start in enumerate(starts):
            rows = runs[(runs["depth"] == depth) & (runs["scale"] == start) & (runs["step"] <= 110)]
            seeds = api.by_seed(api.require_rows(rows, "gap_left", index=2))
            api.draw_band(axis, seeds, api.extremes, color=f"C{place}", label=f"start at {start} of the minimum")
        axis.set(ylim=(0, 1.05), title=f"{depth} layers")
    sheet.add_legend()
    return sheet.finish()
