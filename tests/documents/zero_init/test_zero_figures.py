"""The figures of document 004, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.zero_init import figures
from deepnets.documents.zero_init.printed import TEST_COUNT, TEST_IMAGES, TEST_LOSS

pytestmark = pytest.mark.usefixtures("off_screen")


def run(ranks, *, block="widths", init="partial_identity", width=256, bias=0.01, depth=4, seed=1, tested=None):
    """Return a run with a rank every ten updates, a hundredth of it as the loss and a thousandth as the accuracy.

    tested: test accuracy and test loss
    """
    units = {"rank": 1, "train_loss": 100, "train_accuracy": 1000}
    records = [(10 * place, metric, rank / unit) for metric, unit in units.items() for place, rank in enumerate(ranks)]
    if tested:
        records += [(10, "test_accuracy", tested[0]), (10, "test_loss", tested[1])]
    axes = {"block": block, "init": init, "width": width, "bias": bias, "depth": depth, "seed": seed}
    return pd.DataFrame(records, columns=["step", "metric", "value"]).assign(index=0, **axes)


def diverged_run(**axes):
    return pd.concat([run([0], **axes), run([0], **axes).assign(metric="diverged", step=1, value=1.0).head(1)])


def lines_of(axis):
    return {line.get_label(): list(line.get_ydata()) for line in axis.get_lines()}


def title_of(figure):
    return figure.legends[0].get_title().get_text()


TABLE = pd.concat(
    [
        run([0, 100], width=300),
        run([0, 200], width=500, seed=2),
        run([0, 210], width=500, seed=3),
        run([0, 220], width=500, seed=1),
        run([0, 400], width=900, block="inits"),
        run([900, 900], width=900, block="inits", init="random"),
        run([0, 800], width=900, block="inits", init="zero"),
        run([0, 410], width=900, block="inits", init="one"),
        run([0, 105], width=300, block="widths_without_bias", bias=0),
        run([0, 405], width=900, block="inits_without_bias", bias=0),
        run([0, 805], width=900, block="inits_without_bias", bias=0, init="zero"),
    ]
)


def test_the_document_s_depth_and_biases_of_a_sweep_are_drawn():
    swept = [
        run([0, 100 * depth], width=width, bias=bias, depth=depth)
        for width in (64, 128, 256, 512)
        for bias in (0.001, 0.01)
        for depth in (3, 4)
    ]
    figure = figures.figure_3_left(pd.concat(swept))
    said = " ".join(title_of(figure).split())
    assert said.startswith("also swept: bias (0.001), depth (3), see "), said


def test_figure_3_left_shows_its_widths_and_the_partial_identity_of_figure_3_right():
    figure = figures.figure_3_left(TABLE)
    (axis,) = figure.axes
    assert lines_of(axis) == {
        "$n_h$ = 300": [0, 100],
        "$n_h$ = 500": [0, 220],
        "$n_h$ = 900": [0, 400],
        "784 inputs": [784, 784],
    }
    assert axis.get_lines()[0].get_xdata().tolist() == [0, 10]
    # The band of width 500 spans its three seeds.
    band = axis.collections[1].get_paths()[0].vertices
    assert (band[band[:, 0] == 10, 1].min(), band[band[:, 0] == 10, 1].max()) == (200, 220)
    assert title_of(figure) == "1 to 3 seeds\npartial identity, biases from 0.01"


def test_figure_3_right_shows_the_inits_of_the_document_at_their_width():
    figure = figures.figure_3_right(TABLE)
    inits = {"random": [900, 900], "partial identity": [0, 400], "ZerO": [0, 800], "784 inputs": [784, 784]}
    assert lines_of(figure.axes[0]) == inits
    assert title_of(figure) == "width 900 instead of 1024\n1 seed\n$n_h$ = 900, biases from 0.01"
    with_more = lines_of(figures.figure_3_right_all_inits(TABLE).axes[0])
    assert with_more == {**inits, "OnE": [0, 410]}


def test_figure_3_right_has_one_line_for_each_init_and_names_other_sweeps():
    more = [run([0, 7], width=950, block="inits"), run([0, 9], width=900, block="inits", depth=5)]
    figure = figures.figure_3_right(pd.concat([TABLE, *more]))
    assert lines_of(figure.axes[0]) == lines_of(figures.figure_3_right(TABLE).axes[0])
    note = title_of(figure).replace("\n", " ")
    assert note.startswith("width 900 instead of 1024; also swept: width (950), depth (5), see ")


def test_an_init_whose_runs_all_diverged_is_not_drawn():
    runs = [run([0, 400], width=900, block="inits"), diverged_run(width=900, block="inits", init="zero")]
    lines = lines_of(figures.figure_3_right(pd.concat(runs)).axes[0])
    assert lines["partial identity"] == [0, 400]
    assert "zero" not in {label.lower() for label in lines}


def test_figures_without_bias_use_the_authors_blocks():
    left, right = figures.figure_3_left_without_bias(TABLE), figures.figure_3_right_without_bias(TABLE)
    assert lines_of(left.axes[0]) == {"$n_h$ = 300": [0, 105], "$n_h$ = 900": [0, 405], "784 inputs": [784, 784]}
    assert lines_of(right.axes[0]) == {"partial identity": [0, 405], "ZerO": [0, 805], "784 inputs": [784, 784]}
    assert title_of(left) == "1 seed\npartial identity, no biases"
    assert title_of(right) == "1 seed\n$n_h$ = 900, no biases"


@pytest.mark.parametrize(
    "draw", [figures.figure_3_left, figures.figure_3_right_all_inits, figures.test_accuracy_and_loss, figures.training]
)
def test_a_figure_of_runs_that_diverge_at_once_has_a_message(draw):
    figure = draw(pd.concat([diverged_run(block="inits", seed=seed) for seed in (1, 2)]))
    for axis in figure.axes:
        assert "all 2 runs left the finite numbers at update 1" in axis.texts[0].get_text().replace("\n", " ")
        assert not axis.get_lines()
    # The panels have the message, so the note does not repeat it.
    assert "diverged" not in figure.get_suptitle() and "finite" not in figure.get_suptitle()


def test_a_run_that_diverged_is_counted_among_all_runs():
    table = pd.concat([TABLE, diverged_run(width=900, block="inits", init="zero", seed=2)])
    words = "1 of 4 runs left the finite numbers at update 1"
    assert words in title_of(figures.figure_3_right(table)).replace("\n", " ")
    assert words.replace("4", "5") in figures.training(table).get_suptitle()


def test_a_figure_without_its_block_has_a_message():
    (axis,) = figures.figure_3_right_without_bias(TABLE[TABLE["bias"] > 0]).axes
    assert "the config contains no such runs" in axis.texts[0].get_text().replace("\n", " ")


def runs_with_tests():
    return pd.concat(
        [
            run([0], tested=(0.94, 0.19)),
            run([0], tested=(0.96, 0.17), seed=2),
            run([0], block="inits", width=1024, tested=(0.95, 0.15)),
            # A network in both blocks counts once.
            run([0], width=1024, tested=(0.95, 0.15)),
            run([0], block="inits", width=1024, init="spray", tested=(0.3, 1.6)),
            run([0], block="inits_without_bias", width=1024, bias=0, tested=(0.93, 0.2)),
        ]
    )


def test_test_accuracy_and_loss_are_drawn_for_every_net_and_seed():
    figure = figures.test_accuracy_and_loss(runs_with_tests())
    accuracy, loss = figure.axes
    names = [label.get_text() for label in accuracy.get_yticklabels()]
    assert names == [
        "partial identity, 1024, no biases",
        "Spray, 1024",
        "partial identity, 1024",
        "partial identity, 256",
    ]
    for axis, seeds, means, printed in (
        (accuracy, [[93], [95], [94, 96]], [93, 95, 95], ["93.0", "30.0", "95.0", "95.0"]),
        (loss, [[0.2], [0.15], [0.19, 0.17]], [0.2, 0.15, 0.18], ["0.200", "1.600", "0.150", "0.180"]),
    ):
        circles = [line for line in axis.get_lines() if line.get_marker() == "o"]
        bars = [line for line in axis.get_lines() if line.get_marker() == "|"]
        # Spray is outside the axis, so only its number is drawn.
        for line, values, height in zip(circles, seeds, (0, 2, 3), strict=True):
            np.testing.assert_allclose(line.get_xdata(), values)
            assert set(line.get_ydata()) == {height}
        np.testing.assert_allclose([line.get_xdata()[0] for line in bars], means)
        assert [text.get_text() for text in axis.texts] == printed
        low, high = axis.get_xlim()
        assert high - low < 5 * np.ptp(means)
    for axis, value in ((accuracy, 100 * TEST_COUNT / TEST_IMAGES), (loss, TEST_LOSS)):
        (diamond,) = [line for line in axis.get_lines() if line.get_marker() == "D" and len(line.get_xdata())]
        np.testing.assert_allclose(diamond.get_xydata(), [[value, 3]])


def test_the_caption_has_the_numbers_of_the_document():
    caption = " ".join(figures.test_accuracy_and_loss.__doc__.split())
    assert f"Diamonds: {TEST_COUNT} of {TEST_IMAGES:,} and {TEST_LOSS}, which the document prints" in caption


def test_quoted_numbers_are_drawn_only_beside_their_net():
    figure = figures.test_accuracy_and_loss(run([0], width=512, tested=(0.94, 0.19)))
    assert not [line for line in figure.axes[1].get_lines() if line.get_marker() == "D"]


def test_training_shows_accuracies_and_their_differences_from_a_partial_identity():
    figure = figures.training(TABLE)
    panels = [lines_of(axis) for axis in figure.axes]
    assert panels[0]["$n_h$ = 300"] == pytest.approx([0, 10])
    # The seeds end at 20, 21 and 22 %.
    assert panels[0]["$n_h$ = 500"] == pytest.approx([0, 21])
    assert panels[1]["OnE"] == pytest.approx([0, 41])
    # Only seed 1 was also run with 300 units, so the differences are 22 − 10 % and 2.2 − 1.
    assert panels[2]["$n_h$ = 500"] == pytest.approx([0, 12])
    assert panels[4]["$n_h$ = 500"] == pytest.approx([0, 1.2])
    assert panels[3] == {
        "partial identity": [0, 0],
        "random": pytest.approx([90, 50]),
        "ZerO": pytest.approx([0, 40]),
        "OnE": pytest.approx([0, 1]),
    }
    assert panels[5]["random"] == pytest.approx([9, 5])
    assert [axis.get_title(loc="right") for axis in figure.axes[2:4]] == ["minus $n_h$ = 300", "minus partial identity"]


def test_the_training_figure_draws_a_net_of_two_blocks_once():
    more = [run([0, 7], width=950, block="inits", init="one"), run([0, 400], width=900)]
    figure = figures.training(pd.concat([TABLE, *more]))
    assert lines_of(figure.axes[0])["$n_h$ = 900"] == pytest.approx([0, 40])
    assert lines_of(figure.axes[1])["partial identity"] == pytest.approx([0, 40])
    assert "b, d, f: 1 seed" in figure.get_suptitle()


def test_numbers_of_the_test_figure_are_inside_its_frame():
    for axis in figures.test_accuracy_and_loss(runs_with_tests()).axes:
        assert all(text.get_position()[0] < 1 and text.get_ha() == "right" for text in axis.texts)
        low, high = axis.get_xlim()
        drawn = max(line.get_xdata().max() for line in axis.get_lines() if len(line.get_xdata()))
        assert (drawn - low) / (high - low) < 0.87
