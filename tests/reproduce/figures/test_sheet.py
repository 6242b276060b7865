from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from reproduce.figures.curves import label_lines, require_curve
from reproduce.figures.sheet import Sheet, draw_or_explain
from reproduce.tables.rows import require_rows

pytestmark = pytest.mark.usefixtures("off_screen")
NOTHING = "Nothing to show: "


def runs(*diverged, depth=2):
    """Return the rows of one run per seed: two losses, or one loss and the step at which the run diverged."""
    rows = [(seed, 0, "loss", 1.0) for seed in range(len(diverged))]
    rows += [
        (seed, 1, "loss", 0.5) if step is None else (seed, step, "diverged", 1.0) for seed, step in enumerate(diverged)
    ]
    table = pd.DataFrame(rows, columns=["seed", "step", "metric", "value"])
    return table.assign(depth=depth, index=0)


def texts(parent):
    return [text.get_text().replace("\n", " ") for text in parent.findobj(Text) if text.get_text()]


def notes(figure):
    return figure.get_suptitle().split("\n") if figure.get_suptitle() else []


def pixels(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())


def test_a_sheet_draws_the_same_pixels_as_plain_matplotlib():
    sheet = Sheet()
    sheet.take((runs(None), "only depth 2 (of 2, 3)"))
    axes = sheet.panels(2, 1, figsize=(3.4, 3), sharex=True)
    for axis in axes:
        axis.plot([0, 1], label="loss")
    sheet.add_legend(title="one seed")
    figure, by_hand = plt.subplots(2, 1, figsize=(3.4, 3), sharex=True)
    for axis, letter in zip(by_hand, "ab", strict=True):
        axis.set_title(letter, loc="left", fontweight="bold")
        axis.plot([0, 1], label="loss")
    legend = figure.legend(*axis.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    legend.set_title("only depth 2 (of 2, 3)\none seed", prop={"size": 7})
    legend.get_title().set_multialignment("center")
    assert np.array_equal(pixels(sheet.finish()), pixels(figure))


def test_a_panel_without_data_gives_the_reason():
    sheet = Sheet(step="layer")
    sheet.take((runs(None, None), ""))
    drawn, written, empty = sheet.panels(1, 3)
    drawn.plot([0, 1])
    written.text(0.5, 0.5, "not recorded")
    sheet.finish()
    assert [[text.get_text() for text in axis.texts] for axis in (drawn, written)] == [[], ["not recorded"]]
    assert NOTHING + "all 2 runs recorded no such values" in texts(empty)
    assert not any(label.get_visible() for label in empty.get_xticklabels())


def test_a_part_without_its_runs_gives_the_reason_and_the_other_parts_are_drawn():
    sheet = Sheet()
    sheet.take((runs(None), ""))
    first, *others = sheet.panels(1, 3)
    with sheet.part(*others):
        require_rows(runs(None), "accuracy")
    with sheet.part():
        require_curve(runs(4), "loss")
    first.plot(require_curve(runs(None), "loss")["value"])
    assert notes(sheet.finish()) == []
    assert all(NOTHING + "the runs recorded no accuracy" in texts(axis) for axis in others)
    # Other errors are no reason.
    with pytest.raises(ValueError, match="wrong"), sheet.part(*others):
        raise ValueError("wrong")


def test_a_figure_without_its_runs_is_the_reason_and_leaves_no_other_figure_open():
    def draw():
        sheet = Sheet()
        sheet.panel()
        require_curve(runs(4), "loss", step="layer")

    before = plt.get_fignums()
    figure = draw_or_explain(draw)
    assert texts(figure.axes[0])[-1] == NOTHING + "the only run left the finite numbers at layer 4"
    assert set(plt.get_fignums()) - set(before) == {figure.number}
    drawn = plt.figure()
    assert draw_or_explain(lambda: drawn) is drawn
    plt.close("all")


@pytest.mark.parametrize("note_divergence", [True, False])
def test_notes_name_values_and_seeds_and_then_diverged_runs_unless_panels_mark_them(note_divergence):
    sheet = Sheet(note_divergence=note_divergence)
    nets = pd.concat([runs(None, None, None), runs(None, depth=5)])
    assert sheet.take_counted((nets, "only width 1e-05 (of 2, 3)"), "depth", name="b") is nets
    sheet.take_counted((runs(None), ""), noun="net")
    for name in "ac":
        sheet.take((runs(None, 3), "only depth 2"), name=name)
    sheet.panel().plot([0, 1])
    sheet.note("", "one half time lies beyond the runs", "one half time lies beyond the runs")
    assert notes(sheet.finish()) == [
        *("b: depth 2 to 5, 1 to 3 seeds; only width 10⁻⁵ (of 2, 3)", "1 net", "a, c: only depth 2"),
        "one half time lies beyond the runs",
        *["a, c: Here 1 of 2 runs left the finite numbers at update", "3"] * note_divergence,
    ]


def test_a_legend_explains_each_label_once():
    sheet = Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 2))
    sheet.add_legend()
    assert sheet.figure.legends == []
    axes[0].plot([0, 1], color="red", label="deep")
    axes[1].plot([0, 1], color="green", label="deep")
    axes[1].plot([0, 1], color="blue", label="shallow")
    sheet.add_legend(columns=1, title="nets")
    sheet.add_legend(axes[1:], loc="outside lower center")
    upper, lower = sheet.figure.legends
    assert [text.get_text() for text in upper.get_texts()] == ["deep", "shallow"]
    assert [to_hex(line.get_color()) for line in upper.get_lines()] == [to_hex("red"), to_hex("blue")]
    assert [to_hex(line.get_color()) for line in lower.get_lines()] == [to_hex("green"), to_hex("blue")]
    assert upper.get_title().get_text() == "nets"


@pytest.mark.parametrize("with_legend", [False, True])
def test_notes_stay_within_the_figure_and_leave_panels_and_legend_their_places(with_legend):
    def drawn(notes):
        sheet = Sheet()
        axis = sheet.panel(figsize=(3.4, 2.3), layout="constrained")
        axis.plot([1, 2], label="a net" if with_legend else None)
        if with_legend:
            sheet.add_legend()
        sheet.note(*(f"only depth {each} (of 2, 3), scale 0.5 (of 0.5, 1.0), width 1024 (of 1024)" for each in notes))
        figure = sheet.finish()
        figure.draw_without_rendering()
        return figure, axis.get_window_extent()

    for notes in (range(1), range(15)):
        figure, panel = drawn(notes)
        assert panel.height > 0.6 * drawn(())[1].height
        (title,) = [text for text in figure.findobj(Text) if text.get_text().startswith("only")]
        box = title.get_window_extent()
        assert 0 < box.x0 < box.x1 < figure.bbox.width
        assert panel.y1 < box.y0 < box.y1 < figure.bbox.height + 0.1 * figure.dpi
        for legend in figure.legends:
            assert legend.get_texts()[0].get_window_extent().y1 < box.y0
    plt.close("all")


def test_names_of_lines_are_apart_and_beside_the_last_points():
    figure, axis = plt.subplots()
    for name, end in (("strong", 5), ("weak", 1), ("weaker", 1)):
        axis.plot([0, 1], [0, end], label=name)
    axis.plot([0, 1, 2], [0, 3, np.nan], label="lost")
    axis.plot([0, 1], [0, 4], label="_hidden")
    axis.errorbar([0, 1], [2, 2], 0.1, label="bars")
    label_lines(axis)
    figure.canvas.draw()
    ends = {text.get_text(): text.xy[1] for text in axis.texts}
    assert ends == {"strong": 5, "weak": 1, "weaker": 1, "lost": 3, "bars": 2}
    boxes = sorted((text.get_window_extent() for text in axis.texts), key=lambda box: box.y0)
    assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))
