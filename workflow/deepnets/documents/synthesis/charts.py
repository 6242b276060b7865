"""The opening chart of the page: three modes of a deep linear net, computed in the page."""

from collections import ChainMap

import altair as alt
import numpy as np
import pandas as pd

from deepnets.documents.synthesis.runs import DECOUPLED
from deepnets.theory.unequal_layers import NEWTON_STEPS, learning_time
from reproduce import api

_TITLE = "Does a deep net learn its modes together, or one by one?"
_DESCRIPTION = (
    "Sliders for depth, start, imbalance of the layers and learning rate above two panels against updates: the "
    "strengths of three modes of a deep linear net, and its loss. Lines are theory, dots are our runs."
)
_DEPTHS, _STARTS = range(1, 11), (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10)
_IMBALANCES, _RATES = (0, 0.1, 1, 10, 1000), (1e-4, 2e-4, 5e-4, 1e-3)
_WIDTH, _POINTS, _DOTS = 330, 300, 40
# The page draws modes up to this share of their singular values.
_LEARNED = 0.999


def three_modes(mode_dynamics: api.Table) -> alt.TopLevelMixin:
    """Strengths of three modes of a deep linear net, and its loss, by depth, start, imbalance and learning rate.

    Lines: exact gradient flow, which the page computes. With N balanced layers it is ds/dt = N s^(2−2/N) (σ − s) (Saxe
    et al. 2013, eqs. 14 and 15). The imbalance is that of the last layer: its squared weight minus that of each other
    layer, which gradient flow conserves. Dots: our runs with two balanced layers, at their start and rate. The singular
    values σ are those of the runs; the loss is a share of that at the start. One layer learns all modes at once. From a
    small start, two balanced layers or more learn one mode after the other, and each further layer makes a net wait
    longer. Two layers with a large imbalance learn all modes at once, like one layer.
    """
    runs = api.first_seed(DECOUPLED.shown(mode_dynamics)[0])
    strengths, values = api.require_rows(runs, "mode_strength"), api.rows_of(runs, "data_singular_value")
    recorded = sorted(strengths["index"].unique())
    modes = [recorded[place] for place in api.evenly_spaced(len(recorded), 3)]
    singular_values = values.set_index("index")["value"][modes].to_numpy()
    starts = [f"{each:g}" for each in _STARTS]
    sliders = (
        api.slider("depth_place", "layers", [str(depth) for depth in _DEPTHS], _DEPTHS.index(DECOUPLED["depth"])),
        api.slider("start_place", "strengths at the start", starts, 0),
        api.slider("imbalance_place", "imbalance of the layers", [f"{each:g}" for each in _IMBALANCES], 0),
        api.slider("rate_place", "learning rate", [f"{each:g}" for each in _RATES], 2),
    )
    dots = [
        {"mode": place, "t": step, "u": value}
        for place, mode in enumerate(modes)
        for step, value in _thinned(strengths[strengths["index"] == mode])
    ]
    chart = (
        alt.vconcat(
            _panel(_draw_modes(singular_values), 150).properties(title=alt.TitleParams(text=alt.ExprRef(api.HEADING))),
            _panel(_draw_loss(singular_values), 80),
            spacing=6,
            datasets={"dots": dots},
        )
        .resolve_scale(x="shared")
        .add_params(
            *(parameter for parameter, _ in sliders),
            alt.param(name="in_page", value=False),
            alt.param(name="waits", value=_waits(singular_values)),
            *(alt.param(name=name, expr=expression) for name, expression in _expressions(starts).items()),
        )
    )
    return api.style_chart(chart, _TITLE, _DESCRIPTION, dict(ChainMap(*(labels for _, labels in sliders))))


def _expressions(starts: list[str]) -> dict[str, str]:
    """Return the chosen setting and its words, name → Vega expression. starts: the texts of the second slider."""
    start, rate = (f"{DECOUPLED[name]:g}" for name in ("initial_strength", "learning_rate"))
    return {
        "depth": "depth_place + 1",
        "start": f"{list(_STARTS)}[start_place]",
        # A layer alone has no imbalance.
        "imbalance": f"depth > 1 ? {list(_IMBALANCES)}[imbalance_place] : 0",
        "rate": f"{list(_RATES)}[rate_place]",
        "times": "waits[depth_place][start_place][imbalance_place]",
        "setting": "depth + (depth === 1 ? ' layer' : ' layers') + ', start ' + "
        f"{starts}[start_place] + (imbalance ? ', imbalance ' + imbalance : '') + ', learning rate ' + rate",
        # The strongest mode is learned before the next one is half learned.
        "apart": "times[0][1] < times[1][0]",
        "words": "(apart ? 'One by one' : 'Together') + ': the strongest mode is half learned after ' + "
        "format(times[0][0] / rate, ',.3~r') + ' updates, the weakest after ' + format(times[2][0] / rate, ',.3~r')",
        "sentence": "setting + '. ' + words",
        "measured": f"depth === {DECOUPLED['depth']} && start === {start} && !imbalance && rate === {rate}",
    }


def _waits(singular_values: np.ndarray) -> list:
    """Return training times to a half and nine tenths of each mode, shape (depths, starts, imbalances, modes, 2)."""
    values = singular_values[:, np.newaxis]
    ends = np.array([0.5, 0.9]) * values
    return [
        [
            [[api.rounded(row, 6) for row in learning_time(values, start, ends, depth, each)] for each in _IMBALANCES]
            for start in _STARTS
        ]
        for depth in _DEPTHS
    ]


def _thinned(rows: pd.DataFrame) -> list[tuple[int, float | None]]:
    shown = rows.iloc[api.evenly_spaced(len(rows), _DOTS)]
    return list(zip(shown["step"].tolist(), api.rounded(shown["value"]), strict=True))


def _flow(singular_values: np.ndarray) -> alt.Chart:
    """Return a chart whose rows are strengths u of each mode, at times t (updates), with the loss of all modes there.

    The time is an integral over ln(u / (σ − u)), as in theory/unequal_layers.py; `square` is w² there.
    """
    values = api.rounded(singular_values, 8)
    first = f"log(start / ({values}[datum.mode] - start))"
    whole = " + ".join(f"pow({value} - start, 2)" for value in values)
    by_mode = {"groupby": ["mode"], "sort": [alt.SortField("place")], "frame": [None, 0]}
    newton = "((depth - 1) * datum.log + log(datum.square + imbalance) - 2 * log(datum.u))"
    newton = f"datum.log - {newton} / (depth - 1 + datum.square / (datum.square + imbalance))"
    lags = [{"op": "lag", "field": field, "as": name} for field, name in (("slope", "before"), ("u", "from"))]
    strengths = (
        alt.Chart(alt.sequence(0, _POINTS + 1, as_="place"))
        .transform_calculate(mode="[0, 1, 2]")
        .transform_flatten(["mode"])
        .transform_calculate(sigma=f"{values}[datum.mode]", first=first)
        .transform_calculate(step=f"({np.log(_LEARNED / (1 - _LEARNED))} - datum.first) / {_POINTS}")
        .transform_calculate(u="datum.sigma / (1 + exp(-datum.first - datum.step * datum.place))")
        .transform_calculate(log="2 * log(datum.u) / depth", square="exp(datum.log)")
    )
    for _ in range(NEWTON_STEPS):
        strengths = strengths.transform_calculate(log=newton, square="exp(datum.log)")
    return (
        strengths.transform_calculate(growth="(depth - 1) / datum.square + 1 / (datum.square + imbalance)")
        .transform_calculate(slope="1 / (datum.sigma * datum.u * datum.growth)")
        .transform_window(lags, **by_mode)
        .transform_calculate(dt="datum.place ? datum.step * (datum.slope + datum.before) / (2 * rate) : 0")
        .transform_calculate(fall="datum.place ? pow(datum.sigma - datum.u, 2) - pow(datum.sigma - datum.from, 2) : 0")
        .transform_window([{"op": "sum", "field": "dt", "as": "t"}], **by_mode)
        .transform_window([{"op": "sum", "field": "fall", "as": "fallen"}], sort=[alt.SortField("t")], frame=[None, 0])
        .transform_calculate(loss=f"1 + datum.fallen / ({whole})")
    )


def _draw_modes(singular_values: np.ndarray) -> list[alt.Chart]:
    x, y = alt.X("t:Q", title=None).axis(labels=False, tickCount=5), alt.Y("u:Q", title="strength")
    names = [f"{value:.3g}" for value in singular_values]
    colour = alt.Color("name:N", title="singular value").scale(domain=names, range=["#440154", "#21918c", "#b5a800"])
    colour = colour.legend(orient="top", offset=2, symbolOpacity=1)
    named = {"name": f"{names}[datum.mode]"}
    flow = _flow(singular_values).transform_calculate(**named)
    # The strong modes stay where they are until the weakest is learned.
    ends = flow.transform_joinaggregate(end="max(t)").transform_filter(f"datum.place === {_POINTS}")
    shown = f"datum.t < 1.4 * times[{len(names) - 1}][0] / rate"
    dots = alt.Chart(alt.NamedData("dots")).transform_calculate(**named).transform_filter(shown)
    return [
        flow.mark_line(strokeWidth=2).encode(x, y, colour, alt.Order("place:Q")),
        ends.mark_rule(strokeWidth=2).encode(x, alt.X2("end:Q"), y, colour),
        # Hidden, and not left out: an axis has no ends if a layer has no rows.
        dots.mark_point(filled=True, size=14, opacity=alt.ExprRef("measured ? 0.8 : 0")).encode(x, y, colour),
    ]


def _draw_loss(singular_values: np.ndarray) -> list[alt.Chart]:
    x, y = alt.X("t:Q", title="updates").axis(tickCount=5), alt.Y("loss:Q", title="loss").scale(domain=[0, 1])
    return [_flow(singular_values).mark_line(strokeWidth=2, color=api.RED).encode(x, y, alt.Order("t:Q"))]


def _panel(layers: list[alt.Chart], height: int) -> alt.LayerChart:
    return alt.layer(*layers).properties(width=_WIDTH, height=height)
