"""The figures of document 004, drawn from tables of known numbers."""

import pandas as pd
import pytest

from deepnets.documents.zero_init import figures

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


def test_an_init_whose_runs_all_diverged_is_not_drawn():
    runs = [run([0, 400], width=900, block="inits"), diverged_run(width=900, block="inits", init="zero")]
    lines = lines_of(figures.figure_3_right(pd.concat(runs)).axes[0])
    assert lines["partial identity"] == [0, 400]
    assert "zero" not in {label.lower() for label in lines}


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


def test_quoted_numbers_are_drawn_only_beside_their_net():
    figure = figures.test_accuracy_and_loss(run([0], width=512, tested=(0.94, 0.19)))
    assert not [line for line in figure.axes[1].get_lines() if line.get_marker() == "D"]


def test_numbers_of_the_test_figure_are_inside_its_frame():
    for axis in figures.test_accuracy_and_loss(runs_with_tests()).axes:
        assert all(text.get_position()[0] < 1 and text.get_ha() == "right" for text in axis.texts)
        low, high = axis.get_xlim()
        drawn = max(line.get_xdata().max() for line in axis.get_lines() if len(line.get_xdata()))
        assert (drawn - low) / (high - low) < 0.87
