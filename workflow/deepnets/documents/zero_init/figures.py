"""The figures of document 004, a notebook on ZerO initialisation (Zhao, Schäfer and Anandkumar 2021)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init import runs
from deepnets.looks import INITS, Look, of_width
from reproduce import api

_DOTTED = (0, (1, 1.5))
# The nets of the left figure, of any width, and the nets that both figures share.
_LEFT = (runs.PARTIAL[256].but(width=api.EVERY), runs.PARTIAL[1024])
_LEFT_OF_AUTHORS = (
    runs.AUTHORS.but(block="widths_without_bias", width=api.EVERY, seed=api.EVERY),
    runs.AUTHORS.but(block="inits_without_bias", init="partial_identity", seed=api.EVERY),
)
_RIGHT_OF_AUTHORS = runs.AUTHORS.but(block="inits_without_bias", seed=api.EVERY)


def figure_3_left(zero_init: api.Table) -> Figure:
    """From partial identities, the rank of W₃ − I stays below the input dimension at every width (Figure 3, left).

    W₃ is the third weight matrix, which starts as the identity I. Line: the first seed, the document's by default; band:
    range over seeds. The document shows the ranks after updates 1, 51, …, 901 and labels them 50, 100, …, 950.
    """
    sheet = api.Sheet()
    axis = sheet.panel(figsize=(3.4, 3), x="updates", y="rank of $W_3 - I$")
    _draw_ranks(sheet, axis, _partial_identities(zero_init), *_LEFT)
    return sheet.finish()


def figure_3_right(zero_init: api.Table) -> Figure:
    """With ZerO, the rank of W₃ − I exceeds the input dimension, unlike with partial identities (Figure 3, right).

    a: the document's inputs; it leaves OnE and Spray, which it defines, out of its plots. b: images of 14 × 14 pixels,
    means over squares of 2 × 2 (not in the document). Lines: the first seed; bands: range over seeds.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 3), x="updates", y=["rank of $W_3 - I$"] * 2)
    _draw_ranks(sheet, axes[0], zero_init, runs.RIGHT_FIGURE.but(init=api.EVERY), name="a")
    with sheet.part(axes[1]):
        fewer = runs.FEWER_INPUTS.but(init=api.EVERY)
        _draw_ranks(sheet, axes[1], zero_init, fewer, inputs=PIXELS // fewer["pool"] ** 2, name="b")
    return sheet.finish()


def figure_3_without_bias(zero_init: api.Table) -> Figure:
    """Without biases, too, only ZerO and random starts bring the rank of W₃ − I above the input dimension.

    As in the authors' own notebook, where training takes 20 epochs of 938 updates. a: partial identities of several
    widths. b: several starts; the authors have 2,048 hidden units here.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 3), x="updates", y=["rank of $W_3 - I$"] * 2)
    _draw_ranks(sheet, axes[0], _partial_identities(zero_init), *_LEFT_OF_AUTHORS, name="a")
    with sheet.part(axes[1]):
        _draw_ranks(sheet, axes[1], zero_init, _RIGHT_OF_AUTHORS.but(init=api.EVERY), name="b")
    return sheet.finish()


def test_accuracy_and_loss(zero_init: api.Table) -> Figure:
    """All nets but Spray classify 93 to 96 % of the test images.

    Test accuracy (a) and loss (b) after training, 784 inputs. Markers: seeds, one shape and colour per start; bars and
    numbers: means. Crosses: 9454 of 10,000 and 0.1849, which the document prints. Arrows: ten or more points below the
    best accuracy, outside both scales.
    """
    sheet = api.Sheet()
    api.require_rows(zero_init.frame, "test_accuracy")
    documents = zero_init.pipe(api.runs_except, block=runs.FEWER_INPUTS["block"])
    nets = api.runs_with_metric(api.merge_blocks(sheet.take((documents.frame, ""))), "test_accuracy")
    # Accuracy in per cent.
    units = {"test_accuracy": 100, "test_loss": 1}
    rows = [
        (each.iloc[0], {metric: unit * api.rows_of(each, metric)["value"] for metric, unit in units.items()})
        for _, each in api.group_by_setting(nets)
    ]
    # If there is only one value of the bias besides 0, the words "no biases" distinguish the two values.
    named = {"init", "width", *(["bias"] if nets.loc[nets["bias"] > 0, "bias"].nunique() < 2 else [])}
    several = [axis for axis in api.swept_axes(nets) if axis not in named]
    axes = sheet.panels(1, 2, figsize=(6.9, max(3.6, 0.5 + 0.2 * len(rows))), sharey=True)
    axes[0].set_xlabel("test accuracy (%)")
    axes[1].set_xlabel("test loss (nats)")
    order = list(INITS)
    rows.sort(key=lambda row: (row[0]["bias"] > 0, -row[0]["width"], -order.index(row[0]["init"])))
    best = max(values["test_accuracy"].mean() for _, values in rows)
    for axis, metric in zip(axes, units, strict=True):
        for height, (net, values) in enumerate(rows):
            inside = values["test_accuracy"].mean() > best - 10
            _draw_tests(axis, height, net, values[metric], metric, inside=inside)
        axis.grid(axis="x", color="0.9", lw=0.5)
        # Leave room for the numbers on the right.
        low, high = axis.get_xlim()
        axis.set_xlim(low, high + 0.15 * (high - low))
        axis.spines["right"].set_visible(True)
    axes[0].set_yticks(range(len(rows)), [_name_net(net, several) for net, _ in rows])
    axes[0].set_ylim(-0.7, len(rows) - 0.3)
    if any(_is_printed(net) for net, _ in rows):
        axes[0].plot([], [], "x", color="k", label="document, 938 updates")
        sheet.add_legend(columns=1)
    return sheet.finish()


def _partial_identities(zero_init: api.Table) -> api.Table:
    return zero_init.pipe(api.runs_of, init="partial_identity")


def _select_nets(zero_init: api.Table, *nets: api.Selection) -> tuple[pd.DataFrame, str]:
    """Return the runs of the nets to draw, one net per line, with inits in the document's order, and the note."""
    shown, note = api.shown_of(zero_init, nets)
    shown = api.merge_blocks(shown)
    return shown.assign(init=pd.Categorical(shown["init"], list(INITS))), note


def _draw_ranks(
    sheet: api.Sheet, axis: Axes, zero_init: api.Table, *nets: api.Selection, inputs: int = PIXELS, name: str = ""
) -> None:
    """Draw the rank of each net against updates: a line for the first seed, a band for the range over seeds."""
    shown = sheet.take_counted(_select_nets(zero_init, *nets), name=name)
    for label, style, net in _list_nets(shown):
        values = api.by_seed(api.require_curve(net, "rank"))
        axis.plot(values.iloc[:, 0].dropna(), label=label, lw=1.6, **style)
        axis.fill_between(values.index, *api.extremes(values), color=style["color"], alpha=0.25, lw=0)
    axis.plot([0, shown["step"].max()], [inputs, inputs], color="0.3", ls="--", lw=1, label=f"{inputs} inputs")
    axis.set(ylim=(0, None), xlim=(0, None))
    axis.set_title(_shared_values(shown), loc="right", fontsize=7)
    api.label_lines(axis)


def _list_nets(shown: pd.DataFrame) -> list[tuple[str, dict[str, Any], pd.DataFrame]]:
    """Return label, line style and runs of each net. If only the init or the width is swept, it has its own look."""
    swept, nets = api.swept_axes(shown), []
    for position, (_, net) in enumerate(api.group_by_setting(shown)):
        init, width = net[["init", "width"]].iloc[0]
        # Every fourth line is dotted to keep coinciding lines visible: Spray has full rank, as random weights do.
        look, dotted = Look("", f"C{position}", ""), position % 4 == 3
        if swept == ["init"]:
            look, dotted = INITS[init], init == "spray"
        elif swept == ["width"]:
            look = of_width(init, width, runs.PARTIAL[1024]["width"])
        label = ", ".join(_name_value(name, net[name].iloc[0]) for name in _named_axes(shown))
        nets.append((label, {"color": look.color, "ls": _DOTTED if dotted else "-"}, net))
    return nets


def _draw_tests(axis: Axes, height: int, net: pd.Series, values: pd.Series, metric: str, *, inside: bool) -> None:
    """Draw a test metric of a net at a height. inside: whether the values are within the axis limits."""
    look = INITS[net["init"]]
    if inside:
        axis.plot(values, np.full(len(values), height), look.marker, color=look.color, ms=3, mfc="none", label="_seeds")
        axis.plot(values.mean(), height, "|", color=look.color, ms=9, mew=1.5, label="_mean")
    digits, edge, marker = (1, 0.02, "<") if metric == "test_accuracy" else (3, 0.82, ">")
    beside = axis.get_yaxis_transform()
    if not inside:
        axis.plot(edge, height, marker, color=look.color, ms=5, transform=beside, label="_outside")
    axis.text(0.99, height, f"{values.mean():.{digits}f}", transform=beside, ha="right", va="center", fontsize=7)
    if _is_printed(net):
        printed = 100 * runs.TEST_COUNT / runs.TEST_IMAGES if metric == "test_accuracy" else runs.TEST_LOSS
        axis.plot(printed, height, "x", color="k", ms=6, mew=1.2, zorder=4)


def _is_printed(net: pd.Series) -> bool:
    """Return whether the document prints the test of this net."""
    return runs.PRINTED.only("depth", "bias", "init", "width").allows(net[["depth", "bias", "init", "width"]].to_dict())


def _named_axes(shown: pd.DataFrame) -> list[str]:
    """Return the axes that label the lines: all axes in which lines differ or, for a single line, width and init."""
    return api.swept_axes(shown) or ["width", "init"]


def _shared_values(shown: pd.DataFrame) -> str:
    """Return the values that all lines of a panel share."""
    shared = (axis for axis in ("width", "init", "bias") if axis not in _named_axes(shown))
    return ", ".join(_name_value(axis, shown[axis].iloc[0]) for axis in shared)


def _name_value(axis: str, value: object) -> str:
    if axis == "init":
        return INITS[str(value)].name
    if axis == "bias":
        return f"biases from {api.text_of(value)}" if value else "no biases"
    return {"width": f"$n_h$ = {value}", "depth": f"{value} layers"}.get(axis) or api.label_of(axis, value)


def _name_net(net: pd.Series, several: list[str]) -> str:
    """Name a net by its init, its width, the axes in `several` and, if it has none, "no biases"."""
    parts = [INITS[net["init"]].name, f"{net['width']}", *(_name_value(axis, net[axis]) for axis in several)]
    return ", ".join(parts if net["bias"] or "bias" in several else [*parts, "no biases"])
