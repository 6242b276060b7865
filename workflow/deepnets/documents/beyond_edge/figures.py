from matplotlib.figure import Figure

from deepnets.documents.beyond_edge.claims import ALIGNED
from reproduce import api


def route_to_chaos(beyond_edge: api.Table) -> Figure:
    """Beyond the edge, the strongest mode takes two values, then four, then is chaotic; each mode has its own edge.

    (a) The strongest mode in the last 16 updates of one net. (b) Range of each mode in the last 64 updates; lines: mean
    over seeds; bands: range over seeds; dotted: the edge of each mode.
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
        ranges.text(seeds.index[-1], seeds.iloc[-1].mean(), f" mode {mode + 1}", color=f"C{mode}", va="center")
        ranges.axvline(100 * ratio ** (mode * (2 / depth - 2)), color=f"C{mode}", ls=":", lw=1, label="_edge")
    return sheet.finish()


def gaps(beyond_edge: api.Table) -> Figure:
    """Beyond the edge the gap vanishes; if nets are not diagonal, it returns where a rotation is unstable (dotted).

    Share of the balancing gap that is left in the strongest mode of three layers, against the learning rate. Diagonal
    nets; the same with noise on the weights; diagonal nets in random orthonormal bases; ratio: of successive singular
    values of the target. At the ratio 0.5, all three kinds look alike: one is shown. Lines: mean over seeds; bands:
    range over seeds. The rotation is of the first mode into the second. Lines end where nets diverge.
    """
    sheet = api.Sheet(step="rate")
    runs = sheet.take_counted(ALIGNED.shown(beyond_edge, "ratio", "basis", "departure"))
    names = ["ratio", "basis", "departure"]
    kinds = runs[names].drop_duplicates().sort_values(names, ascending=[False, True, True])
    kinds = kinds[(kinds["ratio"] == kinds["ratio"].max()) | (kinds["basis"] == "rotated")]
    size = (max(1.73 * len(kinds), 3.4), 2.4)
    panels = sheet.panels(1, len(kinds), figsize=size, sharey=True, x="rate, % of the edge", y="gap left (share)")
    for axis, (ratio, basis, departure) in zip(panels.flat, kinds.itertuples(index=False, name=None), strict=True):
        nets = api.runs_of(runs[runs["step"] >= 80], ratio=ratio, basis=basis, departure=departure)
        noise = f", noise {api.text_of(departure)}" if departure else ""
        title = f"{basis}{noise}\nratio {api.text_of(ratio)}"
        axis.set(yscale="log", xlim=(78, 150), ylim=(1e-6, 30), title=title)
        for record, share in enumerate((1, 10, 100)):
            seeds = api.by_seed(api.require_rows(nets, "gap_left", index=record))
            api.draw_band(axis, seeds, api.extremes, color=f"C{record}", label=f"after {share} % of the updates")
        depth = runs["depth"].iloc[0]
        edge = 100 * depth / sum(ratio ** (2 * layer / depth) for layer in range(depth))
        axis.axvline(edge, color="k", ls=":", lw=1, label="_rotation is unstable")
    sheet.add_legend()
    return sheet.finish()


def gaps_by_start(beyond_edge: api.Table) -> Figure:
    """Below the edge, two layers lose the most of the gap, and more from smaller starts; beyond it, nothing is left.

    Share of the balancing gap that is left in the strongest mode. Each net is diagonal and starts at a share of the
    minimum. Lines: mean over seeds; bands: range over seeds.
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
