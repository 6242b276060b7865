"""The figures of Arora et al. 2019, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.arora_2019 import figures as figures

pytestmark = pytest.mark.usefixtures("off_screen")


def rows(metric, values, *, step=0, **axes):
    """Return the rows that one run records of a metric at a step."""
    usual = {"block": "dynamics", "depth": 2, "init": "identity", "scale": 0.1, "rank": 5, "entries": 20, "seed": 0}
    values = np.atleast_1d(values).astype(float)
    index = np.arange(len(values))
    return pd.DataFrame({**usual, **axes, "step": step, "metric": metric, "index": index, "value": values})


def dynamics(factor=1.0, **axes):
    """Return the singular values of 2 modes after 0, 1000 and 2000 updates, and their rates at 1000."""
    modes = np.array([[0.1, 0.1], [4, 1], [5, 2]])
    parts = [rows("singular_value", factor * values, step=1000 * n, **axes) for n, values in enumerate(modes)]
    parts += [rows("effective_rank", factor * rank, step=1000 * n, **axes) for n, rank in enumerate((9, 3, 2.5))]
    parts += [
        rows("true_singular_value", factor * np.array([6, 3]), **axes),
        rows("test_loss", 1, **axes),
        rows("test_loss", 0.09, step=2000, **axes),
        rows("true_effective_rank", factor * 1.9, **axes),
        rows("singular_value_rate", factor * np.array([0.5, 0.30]), step=1000, **axes),
        rows("theory_singular_value_rate", factor * np.array([0.4, 0.29]), step=1000, **axes),
        rows("singular_value_rate", factor * np.array([0.1, 0.1]), step=1500, **axes),
        rows("theory_singular_value_rate", factor * np.array([0.1, 0.08]), step=1500, **axes),
    ]
    return pd.concat(parts)


def test_singular_values_are_drawn_by_depth_and_scale_with_those_of_the_true_matrix():
    # By the factor of a panel's values, its depth and scale.
    panels = {1: (2, 0.001), 2: (2, 0.1), 3: (4, 0.001), 4: (4, 0.1)}
    table = pd.concat([dynamics(factor, depth=depth, scale=scale) for factor, (depth, scale) in panels.items()][::-1])
    figure = figures.singular_values(pd.concat([table, dynamics(9, seed=1), dynamics(70, block="completion")]))
    assert len(figure.axes) == 4
    for axis, (factor, (depth, scale)) in zip(figure.axes, panels.items(), strict=True):
        solid = [line.get_xydata() for line in axis.get_lines() if line.get_linestyle() == "-"]
        expected = [
            np.transpose([[0, 1000, 2000], values * seed])
            for values in ([0.1, 4, 5], [0.1, 1, 2])
            for seed in ([factor, 9] if factor == 2 else [factor])
            for values in [np.array(values)]
        ]
        np.testing.assert_allclose(solid, expected)
        dotted = [line.get_ydata()[0] for line in axis.get_lines() if line.get_linestyle() == ":"]
        assert dotted == [6 * factor, 3 * factor]
        words = f"rank {2.5 * factor:.1f} ({1.9 * factor:.1f}), error 0.30\ndepth {depth}, scale {scale}"
        assert axis.get_title(loc="right") == words
    assert figure.get_suptitle() == "entries 20 instead of 2000\nentries 20, 1 to 2 seeds"


def test_rates_are_drawn_with_theory_and_the_largest_error():
    table = pd.concat([dynamics(), dynamics(3, seed=1)])
    (axis,) = figures.singular_value_flow(table).axes
    points = [line.get_xydata().tolist() for line in axis.get_lines() if line.get_marker() == "o"]
    assert points == [[[1000, 0.5], [1500, 0.1]], [[1000, 0.3], [1500, 0.1]]]
    lines = [line.get_xydata().tolist() for line in axis.get_lines() if line.get_marker() != "o"]
    assert lines == [[[1000, 0.4], [1500, 0.1]], [[1000, 0.29], [1500, 0.08]]]
    # The second seed's error is 3 × 0.1, theory's largest rate 3 × 0.4.
    assert axis.get_title(loc="right") == "largest error 25 %\ndepth 2, scale 0.1"


SEE = ", see results/figures/sweeps/matrix_completion.pdf"


def test_the_value_shown_of_another_swept_axis_is_named():
    table = pd.concat([dynamics(entries=entries) for entries in (30, 20)])
    for draw in (figures.singular_values, figures.singular_value_flow):
        note = f"entries 20 instead of 2000; also swept: entries (30){SEE}"
        assert " ".join(draw(table).get_suptitle().split()) == f"{note} entries 20, 1 seed"
        # If the paper's number of entries was run, it is shown.
        fewer = pd.concat([dynamics(entries=entries) for entries in (1000, 2000, 3000)])
        said = " ".join(draw(fewer).get_suptitle().split())
        assert said == f"also swept: entries (1000, 3000){SEE} entries 2000, 1 seed"


def test_panels_without_values_say_why():
    gone = [rows("singular_value", [1, 1], depth=3), rows("true_singular_value", [6, 3], depth=3)]
    table = pd.concat([dynamics(), *gone, rows("diverged", 1, step=4, depth=3)])
    for draw in (figures.singular_values, figures.singular_value_flow):
        figure = draw(table)
        text = figure.axes[1].texts[0].get_text().replace("\n", " ")
        assert "the only run left the finite numbers at update 4" in text
        assert "1 of 2 runs" in figure.get_suptitle()
        (axis,) = draw(dynamics(block="another")).axes
        assert "the config contains no such runs" in axis.texts[0].get_text().replace("\n", " ")


def completion_run(error, norm, effective_rank, **axes):
    """Return one run of `completion`: the properties of the true matrix, and the last records."""
    axes = {"block": "completion", "init": "gaussian", **axes}
    # The true matrix depends on the seed, but not on depth, scale or entries.
    true = {"true_nuclear_norm": 200 + 20 * axes["seed"], "true_effective_rank": 4 + axes["seed"]}
    ends = {"test_loss": error**2, "nuclear_norm": norm, "effective_rank": effective_rank}
    least = {"least_test_loss": 0.04, "least_nuclear_norm": 190 + axes["seed"], "least_effective_rank": 3.5}
    parts = [rows(metric, value, **axes) for metric, value in {**true, **least, "least_gap": 2e-5}.items()]
    parts += [rows(metric, 77, step=0, **axes) for metric in ends]
    return pd.concat(parts + [rows(metric, value, step=500, **axes) for metric, value in ends.items()])


@pytest.mark.parametrize(
    ("draw", "across", "values", "scale"),
    [
        (figures.completion_by_scale, "scale", (0.01, 1), "log"),
        (figures.completion_by_entries, "entries", (30, 50), "linear"),
    ],
)
def test_completion_shows_the_last_values_by_depth_and_their_range_over_seeds(draw, across, values, scale):
    ends = {
        (1, values[0]): [(0.8, 330, 70), (0.6, 310, 60), (0.75, 325, 62)],
        (1, values[1]): [(0.9, 340, 71), (0.8, 340, 71)],
        (3, values[0]): [(0.1, 200, 5), (0.3, 220, 6)],
        (3, values[1]): [(0.5, 230, 10), (0.7, 250, 30)],
    }
    table = pd.concat(
        [
            completion_run(*end, seed=seed, depth=depth, **{across: value})
            for (depth, value), runs in ends.items()
            for seed, end in enumerate(runs)
        ]
        # A run that diverged has no end.
        + [completion_run(50, 50, 50, seed=2, depth=3, **{across: values[0]})]
        + [rows("diverged", 1, step=9, block="completion", init="gaussian", seed=2, depth=3, **{across: values[0]})]
    )
    figure = draw(table)
    for place, (axis, true) in enumerate(zip(figure.axes, (None, 220, 5), strict=True)):
        assert axis.get_xscale() == scale
        drawn = {container.get_label(): container.lines for container in axis.containers}
        assert list(drawn) == ["depth 1", "depth 3"]
        for depth in (1, 3):
            line, _, (bars,) = drawn[f"depth {depth}"]
            found = [[end[place] for end in ends[depth, value]] for value in values]
            np.testing.assert_allclose(line.get_xydata(), np.transpose([values, list(map(np.mean, found))]))
            np.testing.assert_allclose(
                [segment[:, 1] for segment in bars.get_segments()],
                [[min(each), max(each)] for each in found],
            )
        dotted = [line.get_ydata()[0] for line in axis.get_lines() if line.get_linestyle() == ":"]
        assert dotted == ([] if true is None else [true])
        least = [line for line in axis.get_lines() if line.get_linestyle() == "--"]
        # The error is the root of a mean square; the norms are means over three seeds and over two.
        expected = ([0.2, 0.2], [191, 190.5], [3.5, 3.5])[place]
        assert [line.get_label() for line in least] == ["least nuclear norm (gap ≤ 2e-05)"]
        np.testing.assert_allclose(least[0].get_xydata(), np.transpose([values, expected]))
    assert [axis.get_yscale() for axis in figure.axes] == ["log", "linear", "log"]
    # Norms from 190 to 250, without those of depth 1.
    assert figure.axes[1].get_ylim() == pytest.approx((187, 253))
    assert "1 of 10 runs left the finite numbers at update 9" in figure.legends[0].get_title().get_text().replace(
        "\n", " "
    )


def test_completion_selects_one_value_of_each_axis_that_it_does_not_show():
    table = pd.concat(
        [
            completion_run(0.1 * entries, 1, 1, seed=0, entries=entries, scale=scale)
            for entries in (5, 3)
            for scale in (1, 0.1)
        ]
    )
    by_scale, by_entries = (draw(table) for draw in (figures.completion_by_scale, figures.completion_by_entries))
    np.testing.assert_allclose(by_scale.axes[0].get_lines()[0].get_xydata(), [[0.1, 0.3], [1, 0.3]])
    np.testing.assert_allclose(by_entries.axes[0].get_lines()[0].get_xydata(), [[3, 0.3], [5, 0.5]])
    titles = [" ".join(figure.legends[0].get_title().get_text().split()) for figure in (by_scale, by_entries)]
    assert titles == [
        f"entries 3 instead of 2000; also swept: entries (5){SEE} 1 seed",
        f"scale 0.1 instead of 0.001; also swept: scale (1){SEE} 1 seed",
    ]


def test_each_rank_has_a_column():
    ends = {(rank, entries): (0.1 / rank + entries / 100, 100 + rank, rank) for rank in (10, 5) for entries in (30, 50)}
    table = pd.concat(
        [completion_run(*end, seed=0, rank=rank, entries=entries) for (rank, entries), end in ends.items()]
    )
    figure = figures.completion_by_entries(table)
    for place, axis in enumerate(figure.axes):
        row, rank = place // 2, (5, 10)[place % 2]
        expected = [[entries, ends[rank, entries][row]] for entries in (30, 50)]
        np.testing.assert_allclose(axis.get_lines()[0].get_xydata(), expected)
    assert [axis.get_title(loc="right") for axis in figure.axes[:2]] == ["rank 5", "rank 10"]


def test_completion_says_that_all_runs_diverged():
    table = pd.concat(
        [completion_run(0.1, 1, 1, seed=0), rows("diverged", 1, step=3, block="completion", init="gaussian")]
    )
    for axis in figures.completion_by_scale(table).axes:
        assert "the only run left the finite numbers at update 3" in axis.texts[0].get_text().replace("\n", " ")
