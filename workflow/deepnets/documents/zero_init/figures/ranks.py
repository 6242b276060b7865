"""The figures of document 004, a notebook on ZerO initialisation (Zhao, Schäfer and Anandkumar 2021)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.data.mnist import PIXELS
from workflow.deepnets.documents.zero_init.printed import TEST_COUNT, TEST_IMAGES, TEST_LOSS
from workflow.deepnets.documents.zero_init.runs import NET
from workflow.deepnets.figures.panels import columns_for, letter, say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import by_seed, rows_of, runs_of
from workflow.deepnets.figures.which_runs import (
    by_setting,
    choose,
    choose_in_blocks,
    lost,
    named,
    regardless_of_block,
    say_which_runs,
    swept,
)

_DOTTED = (0, (1, 1.5))
_INITS = {
    "random": ("random", "C3"),
    "partial_identity": ("partial identity", "C2"),
    "zero": ("ZerO", "C0"),
    "one": ("OnE", "C4"),
    "spray": ("Spray", "C1"),
}
# The inits of the document's own plot; it leaves out the others.
_PLOTTED = ("random", "partial_identity", "zero")
# Room for lines, and for rows of a block.
_LINES, _ROWS = 7, 12


def figure_3_left(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (left): the rank of W₃ − I during training, for partial identities of several widths.

    W₃ is the third weight matrix and I the identity, from which W₃ starts. Dashed: the input dimension 784, which
    bounds the rank in a network without biases (Theorem 1). The notebook adds biases that all start from one constant.
    Then the padded units, which exceed the input dimension, stay equal to each other but not zero. That adds one
    dimension, so that the bound is 785. Line: the first seed, by default the document's; band: range over seeds, where
    there are several. The document takes its points after updates 1, 51, …, 901 and labels them 50, 100, …, 950; this
    figure also shows the start and the last update. configs/paper_size.yaml adds OnE and Spray, which the document
    leaves out.
    """
    return _ranks(_by_width(zero_init, "widths", "inits"))


def figure_3_right(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right): the rank of W₃ − I during training, for three initialisations.

    W₃ is the third weight matrix and I the identity. The partial identity's rank is bounded by the input dimension 784
    (dashed) and 1 for the biases. ZerO has a Hadamard matrix in the layer that widens, and passes this bound. Line: the
    first seed; band: range over seeds.
    """
    runs = runs_of(zero_init, block="inits")
    return _ranks(runs[runs["init"].isin(_PLOTTED)])


def figure_3_right_all_inits(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right) with OnE and Spray, which the document defines but leaves out of its plots.

    W₃ − I is the third weight matrix minus the identity. OnE lets each padded unit, one beyond the input dimension,
    copy a random input; Spray inverts the matrices of OnE. Dashed: the input dimension 784; with biases the bound of
    the partial identity is 785. Line: the first seed; band: range over seeds, where there are several.
    """
    return _ranks(runs_of(zero_init, block="inits"))


def figure_3_left_without_bias(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (left) without biases, as in the authors' own notebook.

    The rank is that of the third weight matrix minus the identity. The padded units, those beyond the input dimension,
    never leave zero. So nets that are wider than the input are one and the same network. Dashed: the input dimension
    784, the bound of Theorem 1. The authors train for 20 epochs, of which one epoch has 938 updates.
    """
    return _ranks(_by_width(zero_init, "widths_without_bias", "inits_without_bias"))


def figure_3_right_without_bias(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right) without biases, as in the authors' own notebook.

    The rank is that of the third weight matrix minus the identity. The authors take 2,048 hidden units, as
    configs/paper_size.yaml does, and train for 20 epochs, of which one epoch has 938 updates. Dashed: the input
    dimension 784, the bound of Theorem 1 on the partial identity.
    """
    return _ranks(runs_of(zero_init, block="inits_without_bias"))


def test_accuracy_and_loss(zero_init: pd.DataFrame) -> Figure:
    """Test accuracy (a) and test loss (b) of every network of document 004 at the end of training.

    Circles: seeds. Bars, and the numbers on the right: their mean. Diamonds: 9454 of 10,000 and 0.1849, which the
    document prints for one network after an epoch. A network that lies ten points below the best accuracy is off both
    scales, and only its numbers are given.
    """
    runs, words = choose_in_blocks(zero_init, lines=_ROWS)
    nets = regardless_of_block(runs)
    rows = [
        (rows.iloc[0], values) for _, rows in by_setting(nets) if len((values := _values_of(rows))["test_accuracy"])
    ]
    # "No biases" tells the only other value apart.
    told = {"init", "width", *(["bias"] if nets.loc[nets["bias"] > 0, "bias"].nunique() < 2 else [])}
    several = [axis for axis in swept(nets) if axis not in told]
    figure, axes = plt.subplots(1, 2, figsize=(6.9, max(3.6, 0.5 + 0.2 * len(rows))), sharey=True)
    letter(axes)
    axes[0].set_xlabel("test accuracy (%)")
    axes[1].set_xlabel("test loss (nats)")
    if not rows:
        for axis in axes:
            say_nothing_to_show(axis, why_nothing(runs))
        say_which_runs(figure, words)
        return figure
    order = list(_INITS)
    rows.sort(key=lambda row: (row[0]["bias"] > 0, -row[0]["width"], -order.index(row[0]["init"])))
    best = max(values["test_accuracy"].mean() for _, values in rows)
    for axis, metric in zip(axes, ("test_accuracy", "test_loss"), strict=True):
        shown = [values["test_accuracy"].mean() > best - 10 for _, values in rows]
        for height, ((net, values), inside) in enumerate(zip(rows, shown, strict=True)):
            _draw_tested(axis, height, net, values[metric], metric, inside=inside)
        axis.grid(axis="x", color="0.9", lw=0.5)
    axes[0].set_yticks(range(len(rows)), [_net_name(net, several) for net, _ in rows])
    axes[0].set_ylim(-0.7, len(rows) - 0.3)
    if any(map(_is_quoted, (net for net, _ in rows))):
        axes[0].plot([], [], "D", color="k", mfc="none", label="document, 938 updates")
        figure.legend(loc="outside upper center")
    say_which_runs(figure, words, lost(runs))
    return figure


def training(zero_init: pd.DataFrame) -> Figure:
    """Loss and accuracy during training, of the networks of Figure 3 left (a, c) and right (b, d), with OnE and Spray.

    Loss: cross entropy of the batch that comes next. Accuracy: the share of this epoch's images so far that were
    classified rightly when their turn came. Line: the first seed; band: range over seeds, where there are several.
    """
    columns = (_by_width(zero_init, "widths", "inits"), runs_of(zero_init, block="inits"))
    figure, axes = plt.subplots(2, 2, figsize=(6.9, 4.4), sharex="col", sharey="row")
    letter(axes.flat)
    said = []
    for (upper, lower), runs in zip(axes.T, columns, strict=True):
        runs, words = _chosen(runs)
        _draw(upper, runs, "train_loss")
        _draw(lower, runs, "train_accuracy", unit=100)
        upper.set_yscale("log")
        lower.set_xlabel("updates")
        said.append(words)
        if lower.get_lines():
            said.append(lost(runs))
            labels = lower.get_legend_handles_labels()[1]
            lower.legend(title=_shared(runs), loc="center right", ncols=min(2, columns_for(labels, width=2.6)))
    axes[0, 0].set_ylabel("training loss (nats)")
    axes[1, 0].set(ylabel="training accuracy (%)", ylim=(0, 100))
    say_which_runs(figure, *dict.fromkeys(said))
    return figure


def _by_width(table: pd.DataFrame, widths: str, inits: str) -> pd.DataFrame:
    """Return a block's runs, and another's partial identities: both figures show one width, which runs once."""
    return pd.concat([runs_of(table, block=widths), runs_of(table, block=inits, init="partial_identity")])


def _chosen(runs: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Choose the networks that have a line each, inits in the order of the document."""
    runs = regardless_of_block(runs)
    return choose(runs.assign(init=pd.Categorical(runs["init"], list(_INITS))), lines=_LINES)


def _ranks(runs: pd.DataFrame) -> Figure:
    runs, words = _chosen(runs)
    figure, axis = plt.subplots(figsize=(3.4, 2.8))
    axis.set(xlabel="updates", ylabel=r"rank of $W_3 - I$")
    _draw(axis, runs, "rank")
    if axis.get_lines():
        axis.axhline(PIXELS, color="0.3", ls="--", lw=1, label=f"{PIXELS} inputs")
        axis.set(ylim=(0, None), xlim=(0, None))
        columns = columns_for(axis.get_legend_handles_labels()[1], width=3.4)
        figure.legend(loc="outside upper center", ncols=columns, title=_shared(runs))
    say_which_runs(figure, words, lost(runs) if axis.get_lines() else "")
    return figure


def _draw(axis: Axes, runs: pd.DataFrame, metric: str, *, unit: float = 1) -> None:
    """Draw a metric against updates, a line for each network: in the colour of its init, where it alone has that."""
    by_init = swept(runs) == ["init"]
    for position, (setting, net) in enumerate(by_setting(runs)):
        values = unit * by_seed(rows_of(net, metric))
        # A rate that is too high leaves the record of the start alone, which is no line.
        if len(values) < 2:
            continue
        # Coinciding lines stay visible: each fourth is dotted. Spray keeps full rank, as the random init does.
        colour, dotted = f"C{position}", position % 4 == 3
        if by_init:
            colour, dotted = _INITS[setting["init"]][1], setting["init"] == "spray"
        style = {"color": colour, "ls": _DOTTED if dotted else "-", "lw": 1.6}
        first = values[values.columns.min()].dropna()
        axis.plot(first, label=", ".join(_name(name, net[name].iloc[0]) for name in _told(runs)), **style)
        axis.fill_between(values.index, values.min(axis=1), values.max(axis=1), color=colour, alpha=0.25, lw=0)
    if not axis.get_lines():
        say_nothing_to_show(axis, why_nothing(runs))


def _draw_tested(axis: Axes, height: int, net: pd.Series, values: pd.Series, metric: str, *, inside: bool) -> None:
    _, colour = _INITS[net["init"]]
    if inside:
        axis.plot(values, np.full(len(values), height), "o", color=colour, ms=3, mfc="none")
        axis.plot(values.mean(), height, "|", color=colour, ms=9, mew=1.5)
    digits = 1 if metric == "test_accuracy" else 3
    beside = {"transform": axis.get_yaxis_transform(), "va": "center", "fontsize": 7}
    axis.text(1.02, height, f"{values.mean():.{digits}f}", **beside)
    if _is_quoted(net):
        printed = 100 * TEST_COUNT / TEST_IMAGES if metric == "test_accuracy" else TEST_LOSS
        axis.plot(printed, height, "D", color="k", mfc="none", ms=5)


def _is_quoted(net: pd.Series) -> bool:
    return net[list(NET)].to_dict() == NET


def _values_of(rows: pd.DataFrame) -> dict[str, pd.Series]:
    """Return test_accuracy in percent and test_loss, a value per seed."""
    return {
        "test_accuracy": 100 * rows_of(rows, "test_accuracy")["value"],
        "test_loss": rows_of(rows, "test_loss")["value"],
    }


def _told(runs: pd.DataFrame) -> list[str]:
    """Return the axes by which lines are named: those in which they differ, and a single line's width and init."""
    return swept(runs) or ["width", "init"]


def _shared(runs: pd.DataFrame) -> str:
    """Say what all lines of a panel share."""
    return ", ".join(_name(axis, runs[axis].iloc[0]) for axis in ("width", "init", "bias") if axis not in _told(runs))


def _name(axis: str, value: object) -> str:
    if axis == "bias":
        return f"biases from {value:g}" if value else "no biases"
    names = {
        "init": _INITS[value][0] if axis == "init" else "",
        "width": f"$n_h$ = {value}",
        "depth": f"{value} layers",
    }
    return names.get(axis) or named(axis, value)


def _net_name(net: pd.Series, several: list[str]) -> str:
    """Name a network by init, width and want of biases, and by its values of the axes that have several."""
    parts = [_INITS[net["init"]][0], f"{net['width']}", *(_name(axis, net[axis]) for axis in several)]
    return ", ".join(parts if net["bias"] or "bias" in several else [*parts, "no biases"])
