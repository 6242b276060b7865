"""The figure after Saxe et al. 2013, Fig. 2, drawn from a table of known numbers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.saxe_2013.figures.phase_portrait import phase_portrait

pytestmark = pytest.mark.usefixtures("off_screen")

FIRST = {0: [0.5, -1.0], 100: [1.0, -1.5], 200: [2.0, -2.0]}
SECOND = {0: [0.1, -0.2], 100: [1.5, -0.5], 200: [2.0, -1.9]}


rows = partial(evidence.rows, depth=2, init="given", seed=0)


def table(seed=0):
    parts = [
        rows("singular_value", 4, seed=seed),
        rows("half_time", [100, 50], seed=seed),
        rows("theory_half_time", [98, 50], seed=seed),
    ]
    for step in FIRST:
        parts.append(rows("first_layer", FIRST[step], step=step, seed=seed))
        parts.append(rows("second_layer", SECOND[step], step=step, seed=seed))
        # At the end, theory of the second run differs by (0.03, 0.04).
        off = np.array([0, 1]) * (step == 200)
        parts.append(rows("theory_first_layer", FIRST[step] - 0.03 * off, step=step, seed=seed))
        parts.append(rows("theory_second_layer", SECOND[step] + 0.04 * off, step=step, seed=seed))
    return pd.concat(parts)


def test_runs_are_drawn_in_the_plane_with_theory_over_them():
    figure = phase_portrait(table())
    (axis,) = figure.axes
    lines = [line.get_xydata() for line in axis.get_lines()]
    # These are the two branches of ab = s.
    for branch, sign in zip(lines[:2], (1, -1), strict=True):
        np.testing.assert_allclose(np.prod(branch, axis=1), 4)
        assert np.all(sign * branch > 0)
    np.testing.assert_allclose(lines[2].sum(axis=1), 0)
    np.testing.assert_allclose(lines[3], [[0.5, 0.1], [1, 1.5], [2, 2]])
    np.testing.assert_allclose(lines[4], [[0.5, 0.1], [1, 1.5], [2, 2]])
    np.testing.assert_allclose(lines[5], [[-1, -0.2], [-1.5, -0.5], [-2, -1.9]])
    np.testing.assert_allclose(lines[6], [[-1, -0.2], [-1.5, -0.5], [-2.03, -1.86]])
    np.testing.assert_allclose(lines[7], [[0.5, 0.1], [-1, -0.2]])


def test_errors_are_relative_to_the_singular_value():
    (legend,) = phase_portrait(table()).legends
    # The distance is 0.05 and √s = 2. a² − b² goes from 0.24 to −1.25 and s = 4. Half times differ by 2 of 98 updates.
    assert legend.get_title().get_text().splitlines() == [
        "largest distance 0.025 √s, largest change of $a^2 - b^2$ 0.37 s",
        "half times at most 2 % from eq. 26",
    ]


def test_arrows_point_down_the_gradient():
    (axis,) = phase_portrait(table()).axes
    (arrows,) = (artist for artist in axis.collections if hasattr(artist, "U"))
    for x, y, u, v in zip(arrows.X, arrows.Y, arrows.U, arrows.V, strict=True):
        slope = np.array([y, x]) * (4 - x * y)
        if np.linalg.norm(slope) > 1e-6:
            np.testing.assert_allclose([u, v], slope / np.linalg.norm(slope), atol=1e-9)


def test_hyperbolas_are_those_of_the_starts():
    (axis,) = phase_portrait(table()).axes
    levels = sorted(artist.levels[0] for artist in axis.collections if hasattr(artist, "levels"))
    np.testing.assert_allclose(levels, [0.24, 0.96])
    # The flow conserves a² − b².
    for artist in axis.collections:
        if hasattr(artist, "levels"):
            points = np.concatenate([path.vertices for path in artist.get_paths()])
            np.testing.assert_allclose(points[:, 0] ** 2 - points[:, 1] ** 2, artist.levels[0], atol=1e-3)


def test_equal_seeds_are_drawn_once():
    once, twice = (phase_portrait(rows).axes[0].get_lines() for rows in (table(), pd.concat([table(), table(1)])))
    assert len(once) == len(twice)


def test_a_run_that_diverged_at_once_has_a_message():
    kept = table().query("step == 0 and metric != 'half_time'")
    (axis,) = phase_portrait(pd.concat([kept, rows("diverged", 1, step=1)])).axes
    assert "left the finite numbers at update 1" in axis.texts[0].get_text().replace("\n", " ")
