"""The figures of document 001, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.mnist_dynamics import figures
from deepnets.documents.mnist_dynamics import printed as document

pytestmark = pytest.mark.usefixtures("off_screen")


def rows(metric, values, *, step=0, index=None, rule="covariance", depth=2, seed=0):
    """Return the rows of one run for a metric at a step."""
    values = np.atleast_1d(values).astype(float)
    index = np.arange(len(values)) if index is None else index
    axes = {"rule": rule, "depth": depth, "init": "row_normalized", "seed": seed}
    return pd.DataFrame({**axes, "step": step, "metric": metric, "index": index, "value": values})


LOSSES = {"covariance": {0: [1.0, 1.2, 1.1], 1: [0.6, 0.8, 0.7]}, "samples": {0: [1.0, 1.2], 1: [0.6, 0.8]}}


def losses_and_accuracies(**axes):
    parts = [rows("optimal_loss", 0.05, seed=0, **axes)]
    for rule, steps in LOSSES.items():
        for step, values in steps.items():
            for seed, value in enumerate(values):
                parts.append(rows("train_loss", value, step=step, rule=rule, seed=seed, **axes))
                parts.append(rows("train_accuracy", value / 2, step=step, rule=rule, seed=seed, **axes))
    return pd.concat(parts)


def test_printed_values_of_the_document_are_drawn_with_z_scores():
    figure = figures.loss_and_accuracy(losses_and_accuracies())
    loss, accuracy = ({line.get_label(): line.get_xydata() for line in axis.get_lines()} for axis in figure.axes)
    np.testing.assert_allclose(loss["document"], [*document.LOSSES.items()])
    np.testing.assert_allclose(loss["document, first draw"], [[0, document.LOSS_OF_FIRST_DRAW]])
    percent = [(step, 100 * value) for step, value in document.ACCURACIES.items()]
    np.testing.assert_allclose(accuracy["document"], percent)
    # The seeds are at 1.0, 1.1, 1.2 and 0.6, 0.7, 0.8: one more would have a deviation of 0.115 from 1.1 and 0.7.
    scores = {text.xy: text.get_text() for text in figure.axes[0].texts}
    first, before, after = (0, document.LOSS_OF_FIRST_DRAW), (0, document.LOSSES[0]), (1, document.LOSSES[1])
    assert scores == {first: "z = 0.0", before: "z = 1.4", after: "z = 0.9"}


def test_the_rule_difference_is_relative_to_the_largest_entry_and_for_equal_seeds():
    parts = []
    for step, error in ((0, 0), (1, 2e-15), (5, 8e-15)):
        for seed in (0, 1):
            parts.append(rows("product", [1, -4, 2], step=step, seed=seed))
        parts.append(rows("product", [1, -4, 2 - error], step=step, rule="samples"))
    figure = figures.rule_difference(pd.concat(parts))
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    # At 0 the rules are equal, and seed 1 has only one rule. The tolerance is for rounding of 2 − 2e-15 itself.
    np.testing.assert_allclose(lines["seed 0"].get_xydata(), [[1, 5e-16], [5, 2e-15]], rtol=0.2)
    assert set(lines) == {"seed 0", "spacing of float64"}
    assert lines["spacing of float64"].get_ydata()[0] == 2.0**-52


def runs_in_place(losses, products, **axes):
    """Return rows with losses at 0, 1, 2 and products at 0, 1, 5 updates, by seed."""
    parts = []
    for seed, values in enumerate(losses):
        parts += [rows("train_loss", value, step=step, seed=seed, **axes) for step, value in enumerate(values)]
    for seed, values in enumerate(products):
        at = zip((0, 1, 5), values, strict=True)
        parts += [rows("product", value, step=step, seed=seed, **axes) for step, value in at]
    return pd.concat(parts)


def test_updates_in_place_are_compared_by_the_largest_entry_and_by_the_loss():
    matrix = np.array([1.0, -4.0, 2.0])
    table = pd.concat(
        [
            runs_in_place([[1, 0.5, 0.2], [1, 0.5, 0.25], [9, 9, 9]], [[matrix] * 3] * 3),
            runs_in_place(
                [[1, 0.55, 0.19], [1, 0.51, 0.24]],
                [[matrix, [1, -4, 2.4], [0.8, -4, 2]], [matrix, [1, -3.2, 2.1], matrix]],
                rule="covariance_in_place",
            ),
            runs_in_place([[7, 7, 7]], [[matrix * 7] * 3], rule="samples"),
        ]
    )
    figure = figures.updates_in_place(table)
    expected = [([0, 1, 5], [0, 15, 2.5], [0, 20, 5]), ([0, 1, 2], [0, 6, -4.5], [0, 10, -4])]
    for axis, (steps, means, highest) in zip(figure.axes, expected, strict=True):
        line = axis.get_lines()[1]
        np.testing.assert_allclose(line.get_xdata(), steps)
        np.testing.assert_allclose(line.get_ydata(), means, atol=1e-12)
        band = axis.collections[0].get_paths()[0].vertices
        for step, mean, high in zip(steps, means, highest, strict=True):
            ends = band[band[:, 0] == step, 1]
            np.testing.assert_allclose([ends.min(), ends.max()], [2 * mean - high, high], atol=1e-12)
    assert [axis.get_title(loc="right") for axis in figure.axes] == [
        "largest: 20 %, after 1 update",
        "largest: 10 %, after 1 update",
    ]
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["2 seeds"]


def test_updates_in_place_without_a_common_seed_have_a_message():
    table = pd.concat([losses_and_accuracies(), runs_in_place([[1, 2, 3]], [], rule="covariance_in_place", depth=2)])
    table = table[(table["rule"] != "covariance") | (table["seed"] > 0)]
    for axis in figures.updates_in_place(table).axes:
        assert "no seed runs under both forms" in axis.texts[0].get_text().replace("\n", " ")
