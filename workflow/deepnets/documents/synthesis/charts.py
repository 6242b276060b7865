from typing import Any

import altair as alt
import numpy as np

from deepnets.documents.synthesis.runs import SMALL_MNIST
from deepnets.networks import linear
from deepnets.networks.initialization.initializers import orthogonal
from deepnets.theory import tree_spectrum, unequal_layers
from reproduce import api

_TITLE = "Why does a deep net learn in steps?"
_DESCRIPTION = (
    "A deep linear net, trained in this page. Controls choose the target, the initial weights, the number of layers, "
    "the learning rate and noise. The picture has heat maps of the target, of the net and of its layers after some "
    "updates; and against updates the strength of each mode, the loss, and the sharpness with its limit."
)
_UNITS, _LAYERS, _LAST = 8, 10, 10_000
# Evenly spaced on the time axis, as far as updates are whole.
_UPDATES: list[int] = [0, *np.unique(np.rint(np.geomspace(1, _LAST, 161)).astype(int)).tolist()]
_DEPTH, _SIZE, _RATE, _SHOWN = 3, 1e-3, 0.05, 141
# The modes of the first target: singular values, and projectors onto their spaces.
_TREE, _PROJECTORS = tree_spectrum.eigenvalues(3, 2, 0.15), tree_spectrum.projectors(3, 2)
_SIZES = {1e-6: "10⁻⁶", 1e-5: "10⁻⁵", 1e-4: "10⁻⁴", 1e-3: "10⁻³", 1e-2: "10⁻²", 0.1: "0.1", 1: "1"}
# Slider → its name, its first value and all values.
_SLIDERS: dict[str, tuple[str, float, list]] = {
    "depth": ("layers", _DEPTH, [*range(1, _LAYERS + 1)]),
    "size": ("initial size", _SIZE, [*_SIZES]),
    "rate": ("learning rate", _RATE, [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]),
    "imbalance": ("imbalance", 0, [0, 0.1, 1, 10]),
    "noise": ("noise", 0, [0, 0.1, 0.2, 0.5]),
    "updates": ("updates shown", _SHOWN, _UPDATES),
}
# Readers type the filled cells of a target, each as its row and its column, or its singular values.
_TYPED = {"cells": "12 22 32 42 52 62 72 73 74 75 76", "spectrum": "2 1 0.5"}
_STARTS = {"aligned": "aligned with the modes", "orthogonal": "orthogonal", "gaussian": "Gaussian"}
# The first are those of the tree's levels in the figures of document 003; all are legible as text.
_COLOURS = ("#440154", "#3b528b", "#2c728e", "#21918c", "#2f9e68", "#4ea345", "#8a9a10", "#b58900")
# Pixels. A finger hits a cell of the target; the page makes panels wider or narrower.
_WIDTH, _CELL, _LAYER, _BESIDE = 332, 24, 28, 202


def small_net(mnist_modes: api.Table) -> alt.TopLevelMixin:
    """A deep net learns in steps because it learns one mode, one pattern of the target, after the other; a single layer
    learns all modes together.

    A mode is a direction of the inputs that drives a direction of the outputs; the target is the sum of its modes. The net has 8 units in each layer, no nonlinearity, and learns by gradient descent on white inputs, in this page.
    Frames of the map show the target, their insides the net: orange is positive, blue negative, and 0 has the
    background's colour. The strength of a mode is how much of it the net has learned, as a share of the target's largest
    singular value; modes of equal size count as one, because only their mean strength is unique. The loss, the squared
    distance from the target, is a share of that at the start. Pale lines show the setting before.

    Dashed lines show gradient flow in theory, where no mode disturbs another: ds/dt = N s^(2−2/N) (σ − s) with N balanced
    layers (Saxe et al. 2013, eqs. 14 and 15). Aligned layers follow it, because the product of the initial layers has the
    singular vectors of the target. Orthogonal layers do not: only a part of the initial size, of either sign, lies along
    a mode, so the layers turn before it grows; and a mode that grows changes the layers on which the others depend. All
    modes are late, the weakest most of all, and modes of equal size part.

    Initial size: each singular value of the product of the layers, unless they are Gaussian; aligned layers lack the
    directions that the target lacks. Imbalance: the squared
    weight of the last layer minus that of each other layer, which gradient flow conserves. Noise is added to the target,
    as a share of its norm; the held-out error is the squared distance from the target without noise. The tree is that of
    document 003: the target is the similarity of its eight items, and its modes are what all share, and what
    distinguishes the halves of the tree, its quarters, and its items. MNIST's modes have the eight largest singular
    values of document 001. With two orthogonal layers, initial size 10⁻⁶ and learning rate 0.1, dots show our run on
    MNIST, whose net has 100 inputs and 32 hidden units.

    Sharpness is the largest second derivative of half the squared distance along any direction of the weights. Gradient
    descent settles only where it is below 2/rate. The dashed line beside it is that of the strongest mode in theory,
    N s^(2−2/N) in balanced layers, without the part that vanishes with the error. Values below 0.4 are not shown.
    """
    values = api.require_rows(mnist_modes.frame, "data_singular_value").groupby("index")["value"].first()
    singular_values = values.to_numpy()[:_UNITS]
    # Only a run at a setting of the controls can be compared.
    runs = api.first_seed(SMALL_MNIST.among(mnist_modes))
    targets, matrices = _targets(singular_values), _random_matrices()
    chart = alt.vconcat(
        _maps(),
        _panel("strength", "strength of each mode", 100, ("curves_before", "curves", "dots", "theory"), "names"),
        _panel("loss", "loss", 45, ("losses_before", "losses"), "loss_names"),
        _panel("sharpness", "sharpness", 58, ("sharpness_before", "sharpness", "theory"), "limit"),
        spacing=6,
        datasets=_first_data(targets[0], matrices["orthogonal"]),
    )
    program = {
        "values": {name: values for name, (_, _, values) in _SLIDERS.items()} | {"start": [*_STARTS]},
        "targets": [{"name": name, "names": names, "matrix": each.ravel().tolist()} for name, names, each in targets],
        "matrices": {name: [each.ravel().tolist() for each in several] for name, several in matrices.items()},
        "typed": _TYPED,
        "dots": _dots(runs, singular_values),
    }
    labels = {name: [f"{value:,}" for value in values] for name, (_, _, values) in _SLIDERS.items()}
    usermeta = {"labels": labels | {"size": [*_SIZES.values()]}, "controls": _controls([name for name, *_ in targets])}
    chart = api.style_chart(chart, _TITLE, _DESCRIPTION, {})
    return chart.properties(usermeta=usermeta | {"program": {"small_net": program}, "play": "updates"})


def _targets(mnist: np.ndarray) -> list[tuple[str, list[str], np.ndarray]]:
    """Return each target with its name and the names of its modes, strongest first."""
    halves, quarters, units = np.repeat([1, -1], 4), np.tile([1, 1, -1, -1], 2), np.tile([1, -1], 4)
    patterns = 2 * np.outer(halves, quarters) / _UNITS + np.outer(units, np.roll(halves, 2)) / _UNITS
    return [
        ("tree of 003", ["all", "halves", "quarters", "items"], np.tensordot(_TREE, _PROJECTORS, 1)),
        ("modes of MNIST", [], np.diag(mnist)),
        ("two patterns", [], patterns),
    ]


def _random_matrices() -> dict[str, list[np.ndarray]]:
    """Return a matrix per layer of each kind, and noise of norm 1."""
    draw = np.random.default_rng(0).standard_normal
    noise = draw((_UNITS, _UNITS))
    layers = [orthogonal(_UNITS, _UNITS, draw) for _ in range(_LAYERS)]
    turned = np.arange(_UNITS)[:, np.newaxis] == 0
    return {
        # Rotations: gradient flow keeps the sign of the product's determinant, so a reflection never learns all modes.
        "orthogonal": [each * np.sign(np.linalg.det(each)) ** turned for each in layers],
        "gaussian": [draw((_UNITS, _UNITS)) / np.sqrt(_UNITS) for _ in range(_LAYERS)],
        "noise": [noise / np.linalg.norm(noise)],
    }


def _controls(targets: list[str]) -> list[dict]:
    """Return the page's controls like parameters of Vega-Lite, which would offer them without the page, in vain."""
    lists = {
        "target": ("target", [*targets, "your own: tap its cells", "your own spectrum"]),
        "start": ("initial weights", [*_STARTS.values()]),
    }
    binds: list[tuple[str, Any, dict]] = [
        (name, 0, {"input": "select", "name": words, "options": [*range(len(texts))], "labels": texts})
        for name, (words, texts) in lists.items()
    ]
    fields = {"cells": "filled cells: row, column", "spectrum": "singular values"}
    binds[1:1] = [(name, _TYPED[name], {"input": "text", "name": words}) for name, words in fields.items()]
    for name, (words, first, values) in _SLIDERS.items():
        bind = {"input": "range", "name": words, "min": 0, "max": len(values) - 1, "step": 1}
        binds.append((name, values.index(first), bind))
    return [{"name": name, "value": value, "bind": bind} for name, value, bind in binds]


def _dots(runs: Any, singular_values: np.ndarray) -> dict:
    """Return our run on MNIST, and the setting of the controls at which it can be compared."""
    rows = api.rows_of(runs, "mode_strength")
    steps = np.sort(rows["step"].unique())
    shown = steps[np.unique(np.geomspace(1, max(len(steps) - 1, 1), 40).astype(int))] if len(steps) > 1 else []
    rows = rows[(rows["index"] < _UNITS) & rows["step"].isin(shown)]
    setting = {"target": 1, "start": "orthogonal", "depth": 2, "size": 1e-6, "rate": 0.1, "imbalance": 0, "noise": 0}
    points = zip(rows["index"].tolist(), rows["step"].tolist(), rows["value"] / singular_values[0], strict=True)
    return {"setting": setting, "rows": [_point(*point) for point in points]}


def _point(mode: int, updates: float, strength: float) -> dict:
    return {"mode": mode + 1, "updates": api.rounded([updates], 6)[0], "strength": api.rounded([strength])[0]}


def _first_data(target: tuple[str, list[str], np.ndarray], layers: list[np.ndarray]) -> dict[str, list[dict]]:
    """Return the data of the first setting, for a picture without scripts. The page computes those of all settings."""
    (_, names, matrix), values, states = target, _TREE, {}
    # Aligned: the target is symmetric and positive, so the product of the layers is a multiple of the identity.
    aligned = [*layers[: _DEPTH - 1], linear.product(layers[: _DEPTH - 1]).T]
    weights = [_SIZE ** (1 / _DEPTH) * each for each in aligned]
    for step in range(_LAST + 1):
        if step in _UPDATES:
            states[step] = [linear.product(weights), *weights]
        gradients = linear.covariance_gradients(weights, np.eye(_UNITS), matrix)
        weights = linear.gradient_step(weights, gradients, _RATE)
    first, *products = ((step, product) for step, (product, *_) in states.items())
    start = np.sum((first[1] - matrix) ** 2)
    ends = np.geomspace(_SIZE, 0.999 * values, 60)
    times = unequal_layers.learning_time(values, _SIZE, ends, _DEPTH, 0) / _RATE
    maps, last = [matrix, *states[_SHOWN]], np.abs(states[_LAST][1:]).max()
    return {
        "curves": [
            _point(mode, step, strength / values[0])
            for step, product in products
            for mode, strength in enumerate(np.tensordot(_PROJECTORS, product) / tree_spectrum.degeneracies(3, 2))
        ],
        "losses": [
            {"kind": "training", "updates": step, "loss": api.rounded([np.sum((product - matrix) ** 2) / start])[0]}
            for step, product in products
        ],
        "theory": [
            _point(mode, time, end / values[0]) | {"sharpness": _DEPTH * end ** (2 - 2 / _DEPTH)}
            for mode, path in enumerate(zip(times.T, ends.T, strict=True))
            for time, end in zip(*path, strict=True)
            if time >= 1
        ],
        "sharpness": [
            {"updates": step, "sharpness": api.rounded([_sharpness(states[step][1:], matrix)])[0]}
            for step in [1, *_UPDATES[4::4]]
        ],
        "limit": [{"sharpness": 2 / _RATE, "text": "2/rate"}],
        "cells": [
            {"of": of, "at": at, "value": value}
            for of, each in enumerate(maps)
            for at, value in enumerate(api.rounded(each / (np.abs(matrix).max() if of < 2 else last)))
        ],
        "now": [{"updates": _SHOWN, "text": f"{_SHOWN} updates"}],
        "names": [{**_point(mode, _LAST, values[mode] / values[0]), "text": name} for mode, name in enumerate(names)],
        **{name: [] for name in ("dots", "curves_before", "losses_before", "sharpness_before", "loss_names")},
    }


def _sharpness(weights: linear.Weights, target: np.ndarray) -> float:
    """Return the largest eigenvalue of the Hessian of ½ ‖product − target‖².

    The gradient is a polynomial of the weights, so its imaginary part at small imaginary steps is exact.
    """
    steps = 1e-20j * np.eye(np.size(weights)).reshape(-1, *np.shape(weights))
    rows = [linear.covariance_gradients([*(weights + step)], np.eye(_UNITS), target) for step in steps]
    return np.linalg.eigvalsh(np.imag(rows).reshape(len(steps), -1) / 1e-20)[-1]


def _maps() -> alt.LayerChart:
    """Return heat maps: the target, whose cells contain those of the net, and beside it the layers in two columns."""
    big, place = "datum.of < 2", "(datum.of - 2)"
    cells = alt.Chart(alt.NamedData("cells")).transform_calculate(
        pitch=f"{big} ? {_CELL} : {_LAYER / _UNITS}",
        size="datum.pitch / (datum.of == 1 ? 2 : 1)",
        inset="datum.of == 1 ? datum.pitch / 4 : 0",
        x=f"({big} ? 0 : {_BESIDE} + {_LAYER + 4} * ({place} % 2)) + datum.pitch * (datum.at % {_UNITS}) + datum.inset",
        y=f"({big} ? 0 : {_LAYER + 4} * floor({place} / 2)) + datum.pitch * floor(datum.at / {_UNITS}) + datum.inset",
        right="datum.x + datum.size",
        lower="datum.y + datum.size",
    )
    # In pixels, however wide the panel is.
    x, y = alt.X("x:Q", axis=None).scale(None), alt.Y("y:Q", axis=None).scale(None)
    colour = alt.Color("value:Q", legend=None).scale(
        domain=[-1, 0, 1], range=[api.BLUE, "white", api.RED], clamp=True, interpolate="rgb"
    )
    maps = cells.mark_rect(stroke="#d5d5d5", strokeWidth=0.4)
    titles = [{"x": 0, "text": "target; inside: the net"}, {"x": _BESIDE, "text": "layers"}]
    words = alt.Chart(alt.InlineData(values=titles)).mark_text(align="left", baseline="bottom", fontSize=12, y=-3)
    layers = (maps.encode(x, y, alt.X2("right:Q"), alt.Y2("lower:Q"), colour), words.encode(x, text="text:N"))
    return alt.layer(*layers).properties(width=_WIDTH, height=_CELL * _UNITS)


def _panel(field: str, title: str, height: int, data: tuple[str, ...], named: str) -> alt.LayerChart:
    """Return a panel of lines against updates, from the data sets of these names, with a rule at the maps' update.

    named: data set of the names at the ends of lines
    """
    modes, last = field == "strength", field == "sharpness"
    x = alt.X("updates:Q", title="updates" if last else None).scale(type="log", domain=[1, _LAST], nice=False)
    x = x.axis(values=[1, 10, 100, 1000, _LAST], format=",", labels=last, labelFlush=False)
    y = alt.Y(f"{field}:Q", title=title)
    if last:
        y = y.scale(type="log", domain=[0.4, 2000], nice=False).axis(values=[1, 10, 100])
    else:
        y = y.scale(domain=[-0.1, 1.2] if modes else [0, 1.15], nice=False).axis(values=[0, 0.5, 1])
    of_mode = alt.Color("mode:O", legend=None).scale(domain=[*range(1, _UNITS + 1)], range=_COLOURS)
    colour = of_mode if modes else alt.value(api.BLUE if last else api.RED)
    lines = {"detail": "mode:N"} if modes else {} if last else {"strokeDash": alt.StrokeDash("kind:N", legend=None)}
    pale = {"opacity": 0.35, "strokeWidth": 3, "color": "#999999"}
    marks = {
        "theory": {"strokeWidth": 1, "strokeDash": [3, 3], "color": "black"},
        "dots": {"type": "point", "filled": True, "size": 12, "opacity": 0.8},
        **dict.fromkeys(("curves_before", "losses_before", "sharpness_before"), pale),
    }
    layers = []
    for name in data:
        mark = alt.MarkDef(**{"type": "line", "strokeWidth": 2, "clip": True, **marks.get(name, {})})
        drawn = alt.Chart(alt.NamedData(name), mark=mark).encode(x, y, **lines)
        if last and name == "theory":
            drawn = drawn.transform_filter("datum.mode == 1")
        layers.append(drawn if "color" in marks.get(name, {}) else drawn.encode(color=colour))
    now, names = alt.Chart(alt.NamedData("now")), alt.Chart(alt.NamedData(named))
    layers.append(now.mark_rule(color=api.GREY).encode(x))
    if modes:
        time = now.mark_text(baseline="bottom", fontSize=12, y=-2, color=api.GREY)
        key = alt.Chart(alt.InlineData(values=[{}])).mark_text(
            text=["dashed: theory", "pale: before"], **{"align": "left", "x": 6, "y": 8, "color": api.GREY}
        )
        layers += [time.encode(x, text="text:N"), key]
    if last:
        layers.append(names.mark_rule(color="black").encode(y))
    words = names.mark_text(align="left", dx=5, fontSize=12, x="width")
    words = words.encode(y, text="kind:N" if named == "loss_names" else "text:N")
    layers.append(words if last else words.encode(color=colour))
    return alt.layer(*layers).properties(width=_WIDTH, height=height)
