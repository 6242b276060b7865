"""Each figure of document 003 shows the values of its block."""

from itertools import pairwise

import numpy as np
import pytest
from hierarchy_table import PARROT, by_step, legend_of, lines, picture, table_of, values, words
from matplotlib.colors import to_rgba

from deepnets.documents.hierarchy.figures import data as of_data
from deepnets.documents.hierarchy.figures import learning, sliders
from deepnets.documents.hierarchy.figures import regression as comparison
from deepnets.documents.hierarchy.printed import TOLERANCE

pytestmark = pytest.mark.usefixtures("off_screen")


@pytest.fixture(scope="module")
def table():
    return table_of()


def test_the_training_loss_of_all_seeds_is_drawn_with_theory_and_its_plateaus(table):
    figure = learning.training_loss(table)
    drawn = lines(figure.axes[0])
    for line, seed in zip(drawn, (2021, 2022, 2023), strict=False):
        np.testing.assert_array_equal(line, values(table, "train_loss", seed=seed))
    np.testing.assert_array_equal(drawn[3], values(table, "theory_train_loss"))
    np.testing.assert_allclose([line[0] for line in drawn[4:]], values(table, "theory_plateau"))
    assert words(figure)[:5] == ["none", "level 0", "levels 0–1", "levels 0–2", "all"]
    assert legend_of(figure) == [r"rate 15, $\gamma$ = $10^{-2}$", "seed 2021", "2 more", "theory"]


def test_modes_are_coloured_by_the_level_of_the_tree(table):
    figure = learning.loss_and_modes(table)
    left, right = figure.axes
    np.testing.assert_array_equal(lines(left)[0], values(table, "train_loss"))
    modes = values(table, "singular_value").reshape(-1, 8)
    drawn = right.lines[:8]
    for mode, line in enumerate(drawn):
        np.testing.assert_array_equal(line.get_ydata(), modes[:, mode])
    colours = [to_rgba(line.get_color()) for line in drawn]
    assert [colours.index(colour) for colour in colours] == [0, 1, 2, 2, 4, 4, 4, 4]
    np.testing.assert_array_equal(lines(right)[24 + 3], values(table, "theory_mode_strength").reshape(-1, 8)[:, 3])
    assert legend_of(figure)[1:] == [
        "loss, seed 2021",
        "level 0: 1 mode",
        "level 1: 1 mode",
        "level 2: 2 modes",
        "level 3: 4 modes",
        "theory",
    ]


def test_the_tree_joins_the_items_that_share_a_branch(table):
    figure = of_data.tree(table)
    strengths = values(table, "theory_singular_value")
    said = [
        f"level {level}: {modes},\nsingular value {strengths[first]:.0f}"
        for level, modes, first in [(0, "1 mode", 0), (1, "1 mode", 1), (2, "2 modes", 2), (3, "4 modes", 4)]
    ]
    assert words(figure)[:4] == said
    edges = {tuple(line.get_xdata()) for line in figure.axes[0].lines if line.get_linestyle() != "None"}
    assert {(3.5, 1.5), (3.5, 5.5), (1.5, 0.5), (1.5, 2.5), (0.5, 0), (0.5, 1), (6.5, 7)} <= edges
    assert len(edges) == 1 + 2 + 4 + 8


@pytest.mark.parametrize(
    ("draw", "block", "names", "feature"),
    [
        (of_data.data_shark, "shark", ["Shark", "Tuna"], "has_bones"),
        (of_data.data_parrot, "parrot", ["Goldfish", "Tuna", "Robin", "Parrot"], "cannot_speak"),
    ],
)
def test_the_data_figures_show_the_last_features(table, draw, block, names, feature):
    labels, features = draw(table).axes[:2]
    np.testing.assert_array_equal(picture(labels), 2 * np.eye(8) - 1)
    np.testing.assert_array_equal(picture(features), values(table, "feature", block).reshape(8, 10))
    assert [text.get_text() for text in labels.get_yticklabels()][: len(names)] == names
    assert [text.get_text() for text in features.get_xticklabels()] == [feature]


def test_our_data_are_drawn_beside_those_of_the_document(table):
    labels, made_up, sampled = of_data.data(table).axes[:3]
    names = ["Goldfish", "Tuna", "Robin", "Canary", "Rose", "Daisy", "Pine", "Oak"]
    for axis in (labels.xaxis, labels.yaxis):
        assert [text.get_text() for text in axis.get_ticklabels()] == names
    np.testing.assert_array_equal(picture(sampled), values(table, "feature").reshape(8, 10))
    # This is `im2` of `plot_tree_data`, with a feature per row.
    document = "11111111 00000000 00001111 11110000 00000011 00110000 11000000 00001100 01110000 00001101"
    expected = [[1 if sign == "1" else -1 for sign in feature] for feature in document.split()]
    np.testing.assert_array_equal(picture(made_up).T, expected)


@pytest.mark.parametrize(
    ("draw", "block", "label"),
    [
        (learning.illusory_shark, "shark", "prediction for Shark: has_bones"),
        (learning.illusory_parrot, "parrot", "prediction for Parrot: cannot_speak"),
        (learning.bones_of_all_animals, "bones", "prediction for Goldfish: has_bones"),
    ],
)
def test_an_illusion_figure_shows_the_prediction_for_its_item(table, draw, block, label):
    left, right = draw(table).axes
    np.testing.assert_array_equal(lines(left)[0], values(table, "illusory_prediction", block))
    np.testing.assert_array_equal(lines(left)[-2], values(table, "theory_illusory_prediction", block))
    np.testing.assert_array_equal(lines(right)[4], values(table, "singular_value", block).reshape(-1, 8)[:, 4])
    assert left.get_ylabel() == label


def test_an_illusion_of_a_different_item_has_a_label_of_its_own():
    own = {**PARROT, "data": {"draw": 2, "added_feature": [1, 1, -1, 1, 1, 1, 1, 1], "illusory_item": 2}}
    table = table_of({"parrot": [own]})
    assert learning.illusory_parrot(table).axes[0].get_ylabel() == "prediction for Robin: added feature"
    labels = [text.get_text() for text in of_data.data_parrot(table).axes[0].get_yticklabels()]
    assert labels[3] == "Canary"


def test_similarities_are_those_of_the_epochs_in_the_titles(table):
    figure = learning.rsm_over_epochs(table)
    epochs = [int(axis.get_title().split()[1]) for axis in figure.axes[:-1] if axis.get_title()]
    simulated, theory = by_step(table, "rsm"), by_step(table, "theory_rsm")
    for column, epoch in enumerate(epochs):
        np.testing.assert_allclose(picture(figure.axes[column]), simulated[epoch] / simulated.max())
        np.testing.assert_allclose(picture(figure.axes[len(epochs) + column]), theory[epoch] / simulated.max())
    loss, plateaus = values(table, "train_loss"), values(table, "theory_plateau")
    for before, after in pairwise(plateaus):
        assert int(np.flatnonzero(loss <= before - 0.9 * (before - after))[0]) in epochs


@pytest.mark.parametrize(("slider", "shown"), [(20, 20), (61, 60)])
def test_the_epoch_nearest_to_the_slider_s_is_drawn_on_two_scales(table, monkeypatch, slider, shown):
    monkeypatch.setattr(learning, "SLIDER_EPOCH", slider)
    document, own = learning.loss_modes_and_rsm(table).axes[1:3]
    similarities = by_step(table, "rsm")
    np.testing.assert_allclose(picture(document), similarities[shown] / similarities.max())
    np.testing.assert_allclose(picture(own), similarities[shown] / similarities[shown].max())


def test_the_zero_depth_loss_is_that_of_the_net_without_a_hidden_layer(table):
    drawn = lines(comparison.zero_depth_loss(table).axes[0])
    expected = [values(table, "train_loss", "zero_depth", seed=seed) for seed in (2021, 2022)]
    np.testing.assert_array_equal(drawn, [*expected, values(table, "theory_train_loss", "zero_depth")])


def test_without_a_hidden_layer_singular_values_rise_from_a_small_start(table):
    figure = comparison.zero_depth_loss(table)
    modes = values(table, "singular_value", "zero_depth_from_small").reshape(-1, 8)
    np.testing.assert_array_equal(np.transpose(lines(figure.axes[1])), modes)
    assert legend_of(figure)[:2] == [r"b: rate 50, $\gamma$ = $10^{-12}$, 1 seed", "level 0: 1 mode"]


def test_weights_are_compared_with_those_of_the_regression(table):
    figure = comparison.weights_compared(table)
    for axis, metric, block in zip(
        figure.axes, ("least_squares_weight", "weight", "weight"), ("main", "zero_depth", "main"), strict=False
    ):
        np.testing.assert_array_equal(picture(axis), values(table, metric, block).reshape(8, 10))
    bottom = next(axis for axis in figure.axes if axis.lines)
    for line, block, seed in zip(lines(bottom), ("zero_depth", "zero_depth", "main"), (2021, 2022, 2021), strict=False):
        np.testing.assert_array_equal(line, values(table, "weight_difference", block, seed))
    assert bottom.lines[-1].get_ydata() == [TOLERANCE, TOLERANCE]
    final = max(values(table, "weight_difference", "main", seed)[-1] for seed in (2021, 2022, 2023))
    legend = [text.get_text() for part in figure.subfigs for legend in part.legends for text in legend.get_texts()]
    assert any(text.startswith(f"deep, at the end ≤ {final:.1e}\n") for text in legend)


def panel_of(figure, column, row, columns=2):
    return figure.axes[columns * row + column]


def test_half_times_of_the_sliders_are_at_their_rate_and_scale(table):
    first, last, *_ = sliders.sweep_loss(table).axes
    for axis, mode in ((first, 0), (last, 7)):
        assert [label.get_text() for label in axis.get_xticklabels()] == ["$10^{-12}$", "1"]
        assert [label.get_text() for label in axis.get_yticklabels()] == ["15", "100000"]
        time = values(table, "half_time", "sliders", scale=1, learning_rate=15, index=mode)[0]
        np.testing.assert_allclose(axis.images[0].get_array().filled(-1), [[-1, time], [-1, -1]])
        # The four settings are not learned in time, learned, not run, and diverged.
        said = {text.get_position(): text.get_text() for text in axis.texts}
        assert said == {(0, 0): "–", (1, 0): f"{time:.0f}", (0, 1): "", (1, 1): "×"}


def test_losses_of_the_sliders_are_drawn_over_those_of_theory(table):
    figure = sliders.sweep_loss(table)
    by_scale, by_rate = figure.axes[2:]
    for place, scale in enumerate((1e-12, 1)):
        for metric, position in (("train_loss", 2 * place), ("theory_train_loss", 2 * place + 1)):
            expected = values(table, metric, "sliders", scale=scale, learning_rate=15)
            np.testing.assert_array_equal(lines(by_scale)[position], expected)
    assert by_scale.get_title() == "rate 15"
    assert [text.get_text() for text in by_scale.get_legend().get_texts()] == [
        r"$\gamma$ = $10^{-12}$",
        r"$\gamma$ = 1",
    ]
    np.testing.assert_array_equal(lines(by_rate)[0], values(table, "train_loss", "sliders", scale=1e-12))
    assert by_rate.get_title() == r"$\gamma$ = $10^{-12}$"


def test_a_run_of_the_sliders_that_diverges_is_drawn_up_to_its_last_record(table):
    only = table[(table["block"] != "sliders") | (table["scale"] == 1)]
    by_rate = sliders.sweep_loss(only).axes[3]
    stopped = only.loc[(only["metric"] == "diverged") & (only["block"] == "sliders"), "step"].item()
    labels = [text.get_text() for text in by_rate.get_legend().get_texts()]
    assert labels == ["rate 15", f"rate 100000, diverged at {stopped}"]
    # Losses above 10²⁰, just before they overflow, do not change the limits of the axis.
    assert by_rate.get_ylim()[1] == 2


def test_modes_of_the_sliders_are_shares_of_the_largest_singular_value(table):
    figure = sliders.sweep_modes(table)
    modes = values(table, "singular_value", "sliders", scale=1, learning_rate=15).reshape(-1, 8)
    largest = values(table, "data_singular_value", "sliders", scale=1, learning_rate=15).max()
    np.testing.assert_allclose(np.transpose(lines(figure.axes[1])), modes / largest)
    assert [axis.get_title() for axis in figure.axes] == [r"$\gamma$ = $10^{-12}$", r"$\gamma$ = 1"]
    assert legend_of(figure)[0] == "rate 15, seed 2021"


def test_similarities_of_the_sliders_have_one_scale(table):
    figure = sliders.sweep_rsm(table)
    idle, learned = (by_step(table, "rsm", "sliders", scale=scale, learning_rate=15)[-1] for scale in (1e-12, 1))
    np.testing.assert_allclose(picture(panel_of(figure, 0, 0)), idle / learned.max())
    np.testing.assert_allclose(picture(panel_of(figure, 1, 0)), learned / learned.max())
    assert not panel_of(figure, 1, 1).images
    # Nothing is learned at this setting, so its similarities are near zero.
    assert picture(panel_of(figure, 0, 0)).max() < 1e-3


def test_a_larger_scale_is_drawn_below_the_scale_of_the_document(table):
    figure = sliders.larger_scale(table)
    rows = [figure.axes[:7], figure.axes[7:14]]
    largest = max(by_step(table, "rsm", block).max() for block in ("main", "larger_scale"))
    for (left, *panels), block in zip(rows, ("main", "larger_scale"), strict=True):
        loss, plateaus = values(table, "train_loss", block), values(table, "theory_plateau", block)
        np.testing.assert_array_equal(lines(left)[0], loss)
        reached = [np.flatnonzero(loss <= 0.1 * high + 0.9 * low) for high, low in pairwise(plateaus)]
        wanted = [0, *(steps[0] if len(steps) else None for steps in reached), 60]
        similarities = by_step(table, "rsm", block)
        for panel, epoch in zip(panels, wanted, strict=True):
            if epoch is None:
                assert [text.get_text() for text in panel.texts] == ["not\nreached"]
            else:
                np.testing.assert_allclose(picture(panel), similarities[epoch] / largest)
                assert panel.get_title().endswith(f"epoch {epoch}")
    assert rows[1][0].get_title() == r"rate 4, $\gamma$ = 1"


def test_the_spectrum_has_the_singular_values_of_all_samples(table):
    upper, lower = of_data.data_spectrum(table).axes
    samples = np.array([values(table, "data_singular_value", seed=seed) for seed in (2021, 2022, 2023)])
    theory = values(table, "theory_singular_value")
    for axis, expected in ((upper, samples), (lower, samples / theory)):
        points = np.concatenate([bars.lines[0].get_ydata() for bars in axis.containers]).astype(float)
        np.testing.assert_allclose(points, expected.mean(axis=0))
        ends = np.concatenate([np.array(bars.lines[2][0].get_segments())[:, :, 1] for bars in axis.containers])
        np.testing.assert_allclose(np.diff(ends)[:, 0] / 2, expected.std(axis=0))


def test_half_times_are_compared_seed_by_seed(table):
    upper, lower = learning.half_times(table).axes
    measured, own = (
        [values(table, metric, seed=seed) for seed in (2021, 2022, 2023)]
        for metric in ("half_time", "predicted_half_time")
    )
    shared = min(len(times) for times in measured)
    np.testing.assert_allclose(
        upper.containers[0].lines[0].get_ydata()[:shared].astype(float),
        np.mean([times[:shared] for times in measured], axis=0),
    )
    for line, found, predicted in zip(lower.lines[1:], measured, own, strict=True):
        np.testing.assert_allclose(
            np.array(line.get_ydata()[:shared], float), (found - predicted[: len(found)])[:shared], atol=1e-12
        )
