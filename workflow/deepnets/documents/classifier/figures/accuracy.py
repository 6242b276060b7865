"""The figures of document 000, "A simple classification task where deeper is better"."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.classifier import runs
from reproduce import api

_MODES = 5
# Ten classes need more colours than the style of figures has: those of Tol, which are safe for colour-blind
# readers, but a stronger yellow. Neighbouring slices differ in lightness.
_COLOURS = ("#328", "#8ce", "#173", "#c92", "#825", "#4a9", "#a49", "#993", "#c67", "#777")
_MARKERS = "osD^vP<>X*"


def data(classifier: api.Table) -> Figure:
    """Two of ten features determine the class: the direction of a point in their plane.

    Points for training and testing. a: these two features. b: two of the eight others, which are independent of it.
    """
    sheet = api.Sheet(note_divergence=False)
    # All runs of one data set draw the same points.
    recorded = classifier.pipe(api.runs_of, metric=("input", "label"))
    columns = ["data_seed", *api.RECORD_COLUMNS]
    shown = sheet.take(runs.TASK.only("data_seed").shown(recorded.pipe(lambda rows: rows[columns])))
    inputs, labels = (api.values_by_index(api.rows_of(shown, metric)).to_numpy() for metric in ("input", "label"))
    axes = sheet.panels(1, 2, figsize=(3.4, 2.5), sharex=True, sharey=True, layout="compressed")
    axes[0].set(title="informative", xlabel="feature 1", ylabel="feature 2")
    axes[1].set(title="confusing", xlabel="feature 3", ylabel="feature 4")
    inputs = inputs.reshape(len(labels), -1)
    if inputs.shape[1] < 4:
        raise api.NotRecordedError(f"the figure shows four features, and the inputs have {inputs.shape[1]}")
    limit = np.abs(inputs[:, :4]).max() * 1.05
    classes = int(labels.max()) + 1
    for kind in range(classes):
        members = inputs[labels == kind]
        style: dict[str, Any] = {"s": 11, "color": _COLOURS[kind % 10], "marker": _MARKERS[kind % 10], "lw": 0}
        axes[0].scatter(members[:, 0], members[:, 1], label=f"{kind}", **style)
        axes[1].scatter(members[:, 2], members[:, 3], **style)
    for axis in axes:
        axis.set(aspect="equal", xlim=(-limit, limit), ylim=(-limit, limit))
    for border in range(classes):
        angle = 2 * np.pi * border / classes - np.pi
        x, y = 2 * limit * np.sin(angle), 2 * limit * np.cos(angle)
        axes[0].plot([0, x], [0, y], color="0.7", lw=0.5, zorder=0, label="_border of a class")
    below: dict[str, Any] = {"loc": "outside lower center", "ncols": 10, "columnspacing": 0.5, "handletextpad": 0}
    sheet.figure.legend(title="class", **below)
    return sheet.finish()


def accuracy_by_depth(classifier: api.Table) -> Figure:
    """Test accuracy grows with the number of layers.

    Points and bars: mean and standard error (divisor n − 1; the document's is n) over the repetitions, which replay the
    document's own random numbers.
    """
    sheet = api.Sheet()
    shown = sheet.take_counted(api.shown_of(classifier, runs.DEPTHS.values(), "depth"), noun="repetition")
    accuracy = api.last_rows(api.rows_of(shown, "test_accuracy"))
    axis = sheet.panel(figsize=(3.4, 2.3))
    axis.set(xlabel="layers", ylabel="test accuracy (%)")
    values = accuracy.groupby("depth")["value"]
    means, errors = 100 * values.mean(), 100 * values.sem()
    axis.errorbar(means.index, means, yerr=errors, marker="o", label="_mean")
    axis.set_xticks(sorted(accuracy["depth"].unique()))
    axis.grid(axis="y", color="0.9", lw=0.5)
    return sheet.finish()


def singular_values_near_zero(classifier: api.Table) -> Figure:
    """From weights scaled by 10⁻⁴, two modes of three layers appear, one after the other.

    A mode is a singular value of the product of all weight matrices, with its vectors; the first five are shown.
    Strong lines: the first repetition, which the document shows; faint lines: others. b: the same on a logarithmic axis.
    """
    return _singular_value_figure(classifier, runs.NEAR_ZERO)


def singular_values_standard_scale(classifier: api.Table) -> Figure:
    """From weights of standard scale, two modes of three layers grow far more than the others.

    As above: the first five singular values of the product of all weight matrices; strong lines: the first repetition.
    """
    return _singular_value_figure(classifier, runs.STANDARD_SCALE)


def accuracy_by_variant(classifier: api.Table) -> Figure:
    """Rank 2 and a start near zero reach the best test accuracy of all nets in document 000.

    Circles and numbers: mean ± standard error over the repetitions (divisor n − 1; the document's is n). Open diamonds
    and numbers below: the document's text. "By depth": the nets of that figure, with their own initial weights.
    "× 1000": the factor on the product of the weight matrices. The document has no such figure.
    """
    # The text of each row already states the number of diverged runs.
    sheet = api.Sheet(note_divergence=False)
    sweep = sheet.take(api.shown_of(classifier, runs.DEPTHS.values(), "depth"))
    nets = {f"{runs.variant_name(net.iloc[0])} (by depth)": net for _, net in sweep.groupby("depth")}
    for each in runs.DOCUMENT.values():
        if each not in runs.DEPTHS.values():
            name = runs.variant_name(each) + (
                f", rate {each['learning_rate']:g}" if each is runs.STANDARD_SCALE else ""
            )
            with sheet.part():
                nets[name] = sheet.take(each.shown(classifier, instead=False), name=name)
    sheet.note(api.runs_text(pd.concat(nets.values()), noun="repetition"))
    variants = [
        (name, net["block"].iloc[0], _end_accuracies(net), len(api.divergence_steps(net))) for name, net in nets.items()
    ]
    variants.sort(key=lambda variant: variant[2].mean())
    axis = sheet.panel(figsize=(3.4, 0.6 + 0.27 * max(len(variants), 4)))
    beside: dict[str, Any] = {"transform": axis.get_yaxis_transform(), "va": "center", "fontsize": 7}
    document: dict[str, Any] = {"marker": "D", "color": "C1", "markerfacecolor": "white", "linestyle": "none"}
    for height, (_, block, values, diverged) in enumerate(variants):
        mean, error = values.mean(), values.sem() if len(values) > 1 else None
        axis.errorbar(mean, height, xerr=error, marker="o", color="C0", linestyle="none")
        printed = f"{_text_with_error(mean, error)} " + (f"{diverged} diverged" if diverged else "")
        axis.text(1.02, height, printed, color="C0", **beside)
        if block in runs.ACCURACIES:
            quoted, uncertainty = runs.ACCURACIES[block], runs.STANDARD_ERRORS.get(block)
            axis.errorbar(quoted, height - 0.4, xerr=uncertainty, **document)
            axis.text(1.02, height - 0.4, _text_with_error(quoted, uncertainty), color="C1", **beside)
    axis.set_yticks(range(len(variants)), [name for name, *_ in variants])
    axis.set(xlabel="test accuracy (%)", ylim=(-0.8, len(variants) - 0.4))
    axis.grid(axis="x", color="0.9", lw=0.5)
    axis.plot([], [], "o", color="C0", label="reproduced")
    if any(block in runs.ACCURACIES for _, block, *_ in variants):
        axis.plot([], [], **document, label="quoted")
    axis.legend(loc="lower right")
    return sheet.finish()


def accuracy_over_data_sets(classifier: api.Table) -> Figure:
    """On other draws of the points, which the document draws once, deeper nets classify better, too.

    a: test accuracy; small points: draws or starts; large points and numbers: their mean, and standard deviation (sd);
    "×": the factor on the product of the matrices. b: gain over the net with the fewest layers on the same draw; bars
    and ±: two standard errors over draws; then the number of draws with a gain.
    """
    sheet = api.Sheet()
    described = [*runs.DATA_SETS.values(), runs.RANK_2_DATA_SETS, runs.NEAR_ZERO_DATA_SETS, runs.LARGE_SCALE_DATA_SETS]
    shown = sheet.take(api.shown_of(classifier, described, "data_seed", "depth", "rank", "scale"))
    on_document = pd.concat(
        [each.among(classifier) for each in (*runs.DEPTHS.values(), runs.RANK_2, runs.NEAR_ZERO, runs.LARGE_SCALE)]
    )
    nets = []
    for _, net in shown.groupby(["depth", "rank", "scale"]):
        like = net[["depth", "init", "rank", "scale", "learning_rate", "target_loss"]].drop_duplicates()
        values = 100 * api.last_rows(api.rows_of(net, "test_accuracy")).groupby("data_seed")["value"].mean()
        nets.append((runs.variant_name(net.iloc[0]), values, _end_accuracies(on_document.merge(like))))
    first, linear, _ = nets[0]
    nets.sort(key=lambda net: net[1].mean())
    axes = sheet.panels(1, 2, figsize=(6.9, 1.2 + 0.3 * max(len(nets), 2)), sharey=True)
    axes[0].set_xlabel("test accuracy (%)")
    for height, (_, values, inits) in enumerate(nets):
        _draw_points(axes[0], height, values, "C0", f"{values.mean():.1f}, sd {_deviation_text(values)}")
        if len(inits) > 1:
            _draw_points(axes[0], height - 0.35, inits, "C1", f"{inits.mean():.1f}, sd {_deviation_text(inits)}")
    axes[0].set_yticks(range(len(nets)), [name for name, *_ in nets])
    axes[0].set_ylim(-0.7, len(nets) - 0.6)
    handles = [axes[0].plot([], [], "o", color=colour)[0] for colour in ("C0", "C1")]
    names = ["draws of the points", "starts on the document's points"]
    sheet.figure.legend(handles, names, loc="outside upper center", ncols=2)

    paired = [(height, (values - linear).dropna()) for height, (name, values, _) in enumerate(nets) if name != first]
    if not any(len(values) for _, values in paired):
        raise api.NotRecordedError("no two nets have a data set in common")
    for height, values in paired:
        mean, margin = values.mean(), 2 * values.sem()
        better = f"{(values > 0).sum()} of {len(values)}"
        text = f"{mean:+.1f} ± {margin:.1f}, {better}" if len(values) > 1 else f"{mean:+.1f}, {better}"
        _draw_points(axes[1], height, values, "C0", text, margin)
    axes[1].axvline(0, color="0.5", lw=0.6)
    axes[1].set_xlabel(f"gain (points) over {first}")
    return sheet.finish()


def _text_with_error(mean: float, error: float | None) -> str:
    return f"{mean:.1f}" if error is None else f"{mean:.1f} ± {error:.1f}"


def _end_accuracies(shown: pd.DataFrame) -> pd.Series:
    """Return the final test accuracy of each run, in percent."""
    return 100 * api.last_rows(api.rows_of(shown, "test_accuracy"))["value"]


def _draw_points(
    axis: Axes, height: float, values: pd.Series, colour: str, printed: str, margin: float | None = None
) -> None:
    """Draw values as points at one height, the mean of the values with an error bar, and text on the right."""
    axis.plot(values, np.full(len(values), height), "o", color=colour, ms=2, alpha=0.4, mew=0)
    axis.errorbar(values.mean(), height, xerr=margin, marker="o", ms=3, color=colour, linestyle="none")
    beside: dict[str, Any] = {"transform": axis.get_yaxis_transform(), "va": "center", "fontsize": 7}
    axis.text(1.02, height, printed, color=colour, **beside)


def _deviation_text(values: pd.Series) -> str:
    return f"{values.std():.1f}" if len(values) > 1 else "unknown"


def _singular_value_figure(classifier: api.Table, described: api.Selection) -> Figure:
    sheet = api.Sheet()
    shown = sheet.take_counted(described.shown(classifier), noun="repetition")
    rows = api.require_curve(shown, "singular_value")
    axes = sheet.panels(2, 1, figsize=(3.4, 3.8), sharex=True, x="training iteration", y=["singular value"] * 2)
    axes[1].set_yscale("log")
    for axis in axes:
        _draw_singular_values(axis, rows)
        api.label_lines(axis)
    return sheet.finish()


def _draw_singular_values(axis: Axes, rows: pd.DataFrame) -> None:
    linear = axis.get_yscale() == "linear"
    for mode in range(_MODES):
        # On a linear axis, the weak modes coincide.
        name = "modes 3 to 5" if linear and mode == 2 else f"{'_' * (linear and mode > 2)}mode {mode + 1}"
        values = api.by_seed(api.runs_of(rows, index=mode))
        for position, seed in enumerate(values.columns):
            first: dict[str, Any] = {"zorder": 3, "label": name}
            axis.plot(values[seed].dropna(), color=f"C{mode}", **({"lw": 0.4, "alpha": 0.3} if position else first))
