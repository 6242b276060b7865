from textwrap import fill

import altair as alt
import numpy as np
import pandas as pd

from deepnets.documents.propagation.nets import describe_net, kind_of, list_nonstandard, operator_of, require_layers
from deepnets.documents.propagation.quantities import simulations_of
from reproduce import api

_TITLE = "Without normalisation the signal of ReLU nets spreads with depth; with it, hardly"
# At most so many layers of a net on the slider, and of all nets together; points per cloud and bins per histogram.
_LAYERS, _ALL_LAYERS, _POINTS, _BINS = 25, 750, 100, 30
_LEFT = f"frames[net][0] + (frames[net][1] - frames[net][0]) * datum.bin / {_BINS}"
# Letters per line above the panels.
_LETTERS = 66
_LOGS = {"signal": "log_nu2_signal", "noise": "log_mu2_noise"}
# The slider starts at the layer of the chosen net that is nearest to this one, after the inputs.
_START_LAYER = 20
# Nets with fewer simulations are last in the list, as their histograms show little.
_FEW = 10


def layer_by_layer(propagation: api.Table) -> alt.TopLevelMixin:
    """Histograms of log-moments, and clouds of points, at a chosen layer of a chosen net.

    Top: change of the log-moments of signal (blue) and noise (orange) since layer 0, over all simulations of the net,
    on one scale for all layers. Bottom: 100 points of the first simulation's signal and noise, along the signal's mean and
    its orthogonal direction of most variance, each in units of its own root mean square. Clouds were recorded only at
    few layers of few nets. If a net lacks the slider's layer, the chart shows the nearest recorded one. Logarithms are
    natural; the words above the chart also contain the growth of noise over signal, χ. Layers of resnets are units.
    """
    recorded = api.runs_with_metric(require_layers(propagation.frame), _LOGS["signal"])
    nets = [net for _, net in api.group_by_setting(recorded)]
    named = [(len(simulations_of(net)), name, net) for name, net in zip(_name_nets(nets), nets, strict=True)]
    named.sort(key=lambda each: (each[0] < _FEW, each[1]))
    counts, names, nets = (list(each) for each in zip(*named, strict=True))
    starts = [
        ("none" in set(net["norm"]), bool(_cloud_layers(net)), count) for net, count in zip(nets, counts, strict=True)
    ]
    start = starts.index(max(starts))
    most = max(2, min(_LAYERS, _ALL_LAYERS // len(nets)))
    layers = [_select_layers(net, most) for net in nets]
    every = sorted({layer for own in layers for layer in own})
    nearest = [[min(own, key=lambda layer: abs(layer - wanted)) for wanted in every] for own in layers]
    own = [layer for layer in _cloud_layers(nets[start]) or layers[start] if layer > 0] or layers[start]
    at = every.index(min(set(own) & set(layers[start]), key=lambda layer: abs(layer - _START_LAYER)))
    changes = [_changes(net, each) for net, each in zip(nets, layers, strict=True)]
    limits = list(map(_bin_limits, changes))
    places = list(map(str, every))
    parameters = [
        api.control("net", "net (A to Z, few simulations last)", names, start, ordered=False),
        api.control("place", "layer", places, at, ordered=True),
        alt.param(name="in_page", value=False),
        alt.param(name="layers", value=every),
        alt.param(name="nearest", value=nearest),
        alt.param(name="frames", value=limits),
        alt.param(name="clouds", value=[_cloud_layers(net) for net in nets]),
        alt.param(name="nets", value=[fill(describe_net(net), _LETTERS) for net in nets]),
        alt.param(name="names", value=names),
        alt.param(name="moved", value=[_mean_changes(each) for each in changes]),
        alt.param(name="grown", value=[_sensitivities(net, each) for net, each in zip(nets, layers, strict=True)]),
        alt.param(name="units", value=["unit" if "residual" in set(net["arch"]) else "layer" for net in nets]),
        alt.param(name="layer", expr="nearest[net][place]"),
        alt.param(
            name="setting",
            expr="units[net] + ' ' + layer + (layer === layers[place] ? '' : ' (the one of this net nearest to ' "
            "+ layers[place] + ')')",
        ),
        alt.param(
            name="found",
            expr="'change of the log-moment since layer 0, mean ± deviation: signal ' "
            "+ (moved[net].signal[layer] || 'unknown') + ', noise ' + (moved[net].noise[layer] || 'unknown') "
            "+ '; growth of noise over signal: ' + (grown[net][layer] || 'unknown')",
        ),
        alt.param(name="words", expr="found + '\\n' + nets[net]"),
        alt.param(
            name="sentence",
            expr="names[net] + ', ' + setting + ': ' + found + '; ' + replace(nets[net], '\\n', ' ')",
        ),
        alt.param(
            name="no_cloud",
            expr="indexof(clouds[net], layer) >= 0 ? '' : length(clouds[net]) ? "
            "['clouds were recorded', 'at layers ' + join(clouds[net], ', ')] : "
            "['no clouds were', 'recorded for this net']",
        ),
    ]
    chart = alt.vconcat(
        _draw_histograms().properties(title=alt.TitleParams(text=alt.ExprRef(api.HEADING), fontSize=10)),
        alt.hconcat(_draw_cloud("signal", api.BLUE), _draw_cloud("noise", api.RED), spacing=16),
        spacing=8,
        datasets={
            "histograms": [
                row for place, each in enumerate(changes) for row in _count_bins(place, each, limits[place])
            ],
            "points": [row for place, net in enumerate(nets) for row in _read_clouds(place, net)],
        },
    ).add_params(*parameters)
    return api.style_chart(chart, _TITLE, _DESCRIPTION, {"place": places})


_DESCRIPTION = (
    "A list of nets and a slider over their layers, above two rows: histograms of the change of the log-moments of "
    "signal and noise since layer 0, and two clouds of points, of signal and noise, along the signal's mean and the "
    "orthogonal direction of most variance."
)


def _name_nets(nets: list[pd.DataFrame]) -> list[str]:
    """Return a name for each net: its kind and what distinguishes it from others of its kind."""
    names = [kind_of(net) for net in nets]
    # Add words only to names that are not unique.
    for words in (operator_of, lambda net: ", ".join(list_nonstandard(net)), _describe_size):
        several = {name for name in names if names.count(name) > 1}
        names = [
            ", ".join(filter(None, (name, words(net)))) if name in several else name
            for name, net in zip(names, nets, strict=True)
        ]
    return names


def _describe_size(net: pd.DataFrame) -> str:
    first = net.iloc[0]
    return f"{first['width']} channels, batch {first['batch']}, depth {first['depth']}"


def _select_layers(net: pd.DataFrame, most: int) -> list[int]:
    """Return the recorded layers on the slider: layers with clouds, and at most `most` at even distances."""
    recorded = api.rows_of(net, _LOGS["signal"])["step"].to_numpy()
    return sorted({*map(int, api.thin_steps(recorded, most)), *_cloud_layers(net)} & {*map(int, recorded)})


def _cloud_layers(net: pd.DataFrame) -> list[int]:
    return [int(layer) for layer in sorted(api.rows_of(net, "cloud_signal_1")["step"].unique())]


def _changes(net: pd.DataFrame, layers: list[int]) -> dict[str, pd.DataFrame]:
    """Return the change of the log-moments since the first layer: a row per layer, a column per simulation."""
    found = {kind: api.by_simulation(api.rows_of(net, metric)) for kind, metric in _LOGS.items()}
    return {kind: (logs - logs.iloc[0])[logs.index.isin(layers)] for kind, logs in found.items() if len(logs)}


def _mean_changes(changes: dict[str, pd.DataFrame]) -> dict[str, dict[str, str]]:
    """Return mean and deviation over simulations of the finite changes by kind and layer, as text."""
    words: dict[str, dict[str, str]] = {kind: {} for kind in _LOGS}
    for kind, logs in changes.items():
        for layer, values in logs.replace([np.inf, -np.inf], np.nan).iterrows():
            if values.notna().any():
                words[kind][str(layer)] = f"{values.mean():.3g} ± {values.std(ddof=0):.2g}".replace("-", "−")
    return words


def _sensitivities(net: pd.DataFrame, layers: list[int]) -> dict[str, str]:
    """Return the median of χ over simulations by layer, as text."""
    chi = api.by_simulation(api.rows_of(net, "chi")).median(axis=1).replace(np.inf, np.nan).dropna()
    return {
        str(layer): f"a factor of {value:.3g}" if value < 1000 else f"{np.log10(value):.3g} powers of ten"
        for layer, value in chi.items()
        if layer in layers
    }


def _bin_limits(changes: dict[str, pd.DataFrame]) -> list[float | None]:
    """Return the ends of the bins of a net, the same for all of its layers."""
    every = np.concatenate([each.to_numpy().ravel() for each in changes.values()])
    every = every[np.isfinite(every)]
    return api.rounded([every.min() - 0.5, every.max() + 0.5], 5)


def _count_bins(place: int, changes: dict[str, pd.DataFrame], limits: list[float | None]) -> list[dict]:
    edges, rows = np.linspace(*np.array(limits, dtype=float), _BINS + 1), []
    for kind, logs in changes.items():
        for layer, values in zip(logs.index.tolist(), logs.to_numpy(), strict=True):
            counts, _ = np.histogram(values[~np.isnan(values)], edges)
            rows.append({"net": place, "layer": layer, "kind": kind, "count": counts.tolist()})
    return rows


def _read_clouds(place: int, net: pd.DataFrame) -> list[dict]:
    """Return the points of signal and noise at each layer with clouds (rms = 1)."""
    rows, seed = [], api.rows_of(net, "cloud_signal_1")["seed"].min()
    for kind in _LOGS:
        for layer in _cloud_layers(net):
            first = [api.rows_of(net, f"cloud_{kind}_{axis}", seed=seed, step=layer) for axis in (1, 2)]
            points = np.stack([api.values_by_index(each) for each in first])
            size = np.sqrt(np.mean(np.sum(points**2, axis=0)))
            x, y = points[:, :_POINTS] / (size if size > 0 else 1)
            rows.append({"net": place, "layer": layer, "kind": kind, "x": api.rounded(x, 3), "y": api.rounded(y, 3)})
    return rows


def _draw_histograms() -> alt.LayerChart:
    domain = [alt.ExprRef(f"frames[net][{end}]") for end in (0, 1)]
    bars = (
        alt.Chart(alt.NamedData("histograms"))
        .transform_filter("datum.net === net && datum.layer === layer")
        .transform_calculate(bin="sequence(0, length(datum.count))")
        .transform_flatten(["bin", "count"])
        .transform_calculate(left=_LEFT, right=f"{_LEFT} + (frames[net][1] - frames[net][0]) / {_BINS}")
        .mark_bar(opacity=0.6)
        .encode(
            alt.X("left:Q", title="change of the log-moment (ln) since layer 0").scale(domain=domain, nice=False),
            alt.X2("right:Q"),
            alt.Y("count:Q", title="simulations").stack(None),
            alt.Y2Datum(0),
            alt.Color("kind:N", title=None)
            .scale(domain=["signal", "noise"], range=[api.BLUE, api.RED])
            .legend(orient="top", offset=4),
        )
    )
    there = "moved[net].signal[layer] || moved[net].noise[layer]"
    missing = alt.ExprRef(f"{there} ? '' : 'no simulation is finite at this layer'")
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=missing, color=api.GREY)
    return alt.layer(bars, words).properties(width=api.WIDTH, height=130)


def _draw_cloud(kind: str, colour: str) -> alt.LayerChart | alt.FacetChart:
    domain = [-2.6, 2.6]
    points = (
        alt.Chart(alt.NamedData("points"))
        .transform_filter(f"datum.net === net && datum.layer === layer && datum.kind === '{kind}'")
        .transform_flatten(["x", "y"])
        .mark_point(filled=True, size=16, opacity=0.6, color=colour, clip=True)
        .encode(
            alt.X("x:Q", title="first direction").scale(domain=domain, nice=False).axis(tickCount=4),
            alt.Y("y:Q", title="second direction").scale(domain=domain, nice=False).axis(tickCount=4),
        )
    )
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef("no_cloud"), color=api.GREY)
    return alt.layer(points, words).properties(width=150, height=150, title=kind)
