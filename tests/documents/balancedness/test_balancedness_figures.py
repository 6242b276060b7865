"""The figures on what gradient descent conserves, drawn from tables of known numbers."""

import numpy as np
import pytest

from deepnets.documents.balancedness import figures
from evidence import table

pytestmark = pytest.mark.usefixtures("off_screen")
METRICS = {"matrix_drift": 1, "neuron_drift": 2, "layer_drift": 3}


def net(activation, rate, end, *, seed=0, **more):
    """Return a run of two updates, whose drift of the matrix ends at a value, and the others at multiples of it."""
    axes = {"experiment": "balancedness", "depth": 3, "init": "gaussian", "activation": activation, "seed": seed}
    drifts = {name: {(step, 0): factor * end * step / 2 for step in range(3)} for name, factor in METRICS.items()}
    return {**axes, "learning_rate": rate}, {**drifts, **more}


def mode(imbalance, strengths, rate=0.001):
    """Return a run that records these strengths at times 0, 1, 2, …, and grows by 1 per unit of time."""
    axes = {"experiment": "unequal_layers", "depth": 2, "init": "unequal", "imbalance": imbalance, "seed": 0}
    series = {
        "training_time": range(len(strengths)),
        "strength": strengths,
        "closed_form": strengths,
        "growth": np.ones(len(strengths)),
    }
    metrics = {name: {(step, 0): value for step, value in enumerate(values)} for name, values in series.items()}
    return {**axes, "learning_rate": rate}, metrics


def lines_of(axis):
    return [np.transpose(line.get_data()).tolist() for line in axis.get_lines()]


def test_drifts_are_drawn_against_time_at_the_lowest_rate_and_against_the_rate_at_the_end():
    runs = [net("linear", rate, 8 * rate, seed=seed) for rate in (0.25, 0.5) for seed in (0, 1)]
    over_time, over_rate = figures.drifts(table(runs)).axes
    np.testing.assert_allclose(lines_of(over_time)[0], [[0.25, 1], [0.5, 2]])
    ends, guide = lines_of(over_rate)
    np.testing.assert_allclose(ends, [[0.25, 2], [0.5, 4]])
    np.testing.assert_allclose(guide, [[0.25, 5], [0.5, 10]])


def test_each_label_is_that_of_its_metric_and_net():
    over_time, _ = figures.drifts(table([net("linear", 0.25, 8), net("relu", 0.25, 4)])).axes
    assert {line.get_label(): line.get_ydata()[-1] for line in over_time.get_lines()} == {
        **{"linear net: matrix": 8, "ReLU net: matrix": 4},
        **{"ReLU net: each neuron": 8, "ReLU net: each layer": 12},
    }


def test_a_single_rate_has_markers_and_a_run_that_diverged_is_not_drawn():
    lost = net("relu", 0.25, 9.0, diverged={(2, 0): 1.0})
    over_time, over_rate = figures.drifts(table([net("linear", 0.25, 2.0), lost])).axes
    np.testing.assert_allclose(lines_of(over_time), [[[0.25, 1], [0.5, 2]]])
    ends = over_rate.get_lines()[0]
    assert (ends.get_xydata().tolist(), ends.get_marker()) == ([[0.25, 2]], "o")
    for axis in figures.drifts(table([lost])).axes:
        assert "left the finite numbers at update 2" in " ".join(axis.texts[0].get_text().split())


def test_strengths_are_drawn_with_the_closed_form_and_its_growth():
    over_time, over_strength = figures.strengths(table([mode(3, [0.1, 0.2, 0.5])])).axes
    closed_form, circles = lines_of(over_time)
    assert closed_form == circles == [[1, 0.2], [2, 0.5]]
    expected, measured = map(np.array, lines_of(over_strength))
    # √(λ² + 4s²) (1 − s) / (λ + 2), with λ = 3.
    np.testing.assert_allclose(expected[2], [0.5, 10**0.5 * 0.5 / 5])
    np.testing.assert_allclose(measured[:, 1], 1 / 5)


def test_a_strength_that_oscillates_is_drawn():
    _, over_strength = figures.strengths(table([mode(0, [0.95, 0.8, 0.7, 0.85, 0.9])])).axes
    assert np.isfinite(lines_of(over_strength)[1]).all()
