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
    orbits.plot(orbit["step"], orbit["value"], "k.", ms=1.5, label="_mode 1")
    for mode in range(3):
        seeds = api.by_seed(api.require_rows(late, "oscillation", index=mode))
        api.draw_band(ranges, seeds, api.extremes, color=f"C{mode}", label=f"mode {mode + 1}")
        ranges.axvline(100 * ratio ** (mode * (2 / depth - 2)), color=f"C{mode}", ls=":", lw=1, label="_edge")
    sheet.add_legend()
    return sheet.finish()


def gaps(beyond_edge: api.Table) -> Figure:
    """Share of the balancing gap that is left in the strongest mode, against the learning rate, in three layers.

    Rows: ratio of successive singular values of the target. Columns: layers with the same singular vectors, all matrices
    diagonal; noise on the weights; the nets of the first column in random orthonormal bases. Lines: mean over seeds; bands:
    range over seeds. Dotted: the rate at which a rotation of the first mode into the second becomes unstable. Lines end
    where nets diverge.
    """
    sheet = api.Sheet(step="rate")
    runs = sheet.take_counted(ALIGNED.shown(beyond_edge, "ratio", "basis", "departure"))
    ratios = runs["ratio"].drop_duplicates().sort_values(ascending=False)
    kinds = runs[["basis", "departure"]].drop_duplicates().sort_values(["basis", "departure"])
    size = (2.3 * len(kinds), 1.8 * len(ratios))
    labels = ["gap left (share)"] * len(ratios)
    panels = sheet.panels(
        len(ratios), len(kinds), figsize=size, squeeze=False, sharey=True, x="rate, % of the edge", y=labels
    )
    for row, ratio in zip(panels, ratios, strict=True):
        for axis, (basis, departure) in zip(row, kinds.itertuples(index=False, name=None), strict=True):
            chosen = (runs["basis"] == basis) & (runs["departure"] == departure) & (runs["ratio"] == ratio)
            noise = f", noise {api.text_of(departure)}" if departure else ""
            axis.set(yscale="log", xlim=(78, 150), ylim=(1e-6, 30), title=f"{basis}{noise}, ratio {api.text_of(ratio)}")
            if not chosen.any():
                axis.text(0.5, 0.5, "no such runs", ha="center", transform=axis.transAxes)
                continue
            for record, share in enumerate((1, 10, 100)):
                seeds = api.by_seed(api.require_rows(runs[chosen & (runs["step"] >= 80)], "gap_left", index=record))
                api.draw_band(axis, seeds, api.extremes, color=f"C{record}", label=f"after {share} % of the updates")
            depth = runs["depth"].iloc[0]
            edge = 100 * depth / sum(ratio ** (2 * layer / depth) for layer in range(depth))
            axis.axvline(edge, color="k", ls=":", lw=1, label="_rotation is unstable")
    sheet.add_legend()
    return sheet.finish()


def gaps_by_start(beyond_edge: api.Table) -> Figure:
    """Share of the balancing gap that is left in the strongest mode after training, against the learning rate.

    Each net is diagonal and starts at a share of the minimum. Lines: mean over seeds; bands: range over seeds. Below the
    edge, at 100 %, two layers lose the most, and more from smaller starts; beyond it, nothing is left.
    """
    sheet = api.Sheet(step="rate")
    runs = sheet.take_counted(ALIGNED.shown(beyond_edge, "depth", "scale"))
    runs = api.require_rows(runs[runs["step"] <= 110], "gap_left", index=2)
    starts, nets = sorted(runs["scale"].unique()), runs.groupby("depth", observed=True)
    labels = ["gap left (share)", *[""] * (nets.ngroups - 1)]
    size = (max(2.3 * nets.ngroups, 3.4), 2.3)
    panels = sheet.panels(1, nets.ngroups, figsize=size, sharey=True, x="rate, % of the edge", y=labels)
    for axis, (depth, rows) in zip(panels.flat, nets, strict=True):
        for start, own in rows.groupby("scale", observed=True):
            label = f"start at {api.text_of(start)} of the minimum"
            api.draw_band(axis, api.by_seed(own), api.extremes, color=f"C{starts.index(start)}", label=label)
        axis.set(ylim=(0, 1.05), title=f"{depth} layers")
    sheet.add_legend()
    return sheet.finish()
