import numpy as np
import pytest

from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.documents.saxe_2013.runs import CURVES, DECOUPLED
from evidence import Claims, cells, of_one_grid, table
from reproduce.claims.criteria import NOT_TESTABLE
from reproduce.claims.judging import row_of
from reproduce.tables.axes import axes_of

CLAIMS = Claims("saxe_2013")
verdict = CLAIMS.verdict


def evidence(experiment, runs, **settings):
    """Return tables of runs of one experiment, each (axes, metrics), in one grid with these settings."""
    frame = table(runs).assign(experiment=experiment)
    return of_one_grid(experiment, frame, axes_of(frame, "experiment"), settings)


LEARNING = {**CURVES.wanted, **DECOUPLED.wanted, "max_steps": 1700}


def net(init, depth, time=None, *, seed=0, block="depths", width=100, last=50, **metrics):
    metrics = {name: cells(values) for name, values in metrics.items()} | {"train_loss": {(0, 0): 1, (last, 0): 0.1}}
    if time:
        metrics["learning_time"] = {(time, 0): time}
    return {"block": block, "depth": depth, "init": init, "width": width, "seed": seed}, metrics


def test_a_net_that_has_not_learned_counts_with_its_last_update():
    runs = [net("gaussian", 9, 10), net("gaussian", 9, 20, seed=1), net("gaussian", 99, seed=1)]
    runs += [net("gaussian", 99, 40), *(net("orthogonal", 99, 30, seed=seed) for seed in (1, 0))]
    for seed in (0, 1):
        for init, time in (("gaussian", 12), ("orthogonal", 3)):
            runs += [net(init, 4, time, seed=seed), net(init, 5, 2 * time - 1, seed=seed, block="six_layers")]
    found = evidence("learning_time", runs, **LEARNING)
    grown, magnified = (CLAIMS[name].measure(found) for name in ("gaussian_grows", "gap_is_magnified_by_depth"))
    # At 100 layers the gap is 50/30 and 40/30, at 5 layers 4.
    assert grown.values.tolist() == [2.5, 4.0] and magnified.values == pytest.approx([5 / 12, 4 / 12])
    assert row_of(CLAIMS["gaussian_grows"], found).ours.startswith("at least 3.25")
    assert CLAIMS["gap_is_modest_at_6_layers"].measure(found) == pytest.approx([23 / 5, 23 / 5])
    none = evidence("learning_time", [net("gaussian", 9, 10), net("gaussian", 99)], **LEARNING)
    assert CLAIMS["gaussian_grows"].measure(none).values == pytest.approx([5])
    for other in ({"threshold": 0.1}, {"max_steps": 100}):
        assert verdict("gaussian_grows", evidence("learning_time", runs, **{**LEARNING, **other})) == NOT_TESTABLE


def test_pretraining_counts_its_own_updates():
    runs = [net("pretrained", 4, 15, block="learning_curves", width=200, pretraining_updates=[10, 12, 8, 1])]
    runs += [net("small_gaussian", 4, 48, block="learning_curves", width=200)]
    found = evidence("learning_time", runs, **LEARNING)
    assert CLAIMS["pretraining_speeds_learning"].measure(found) == pytest.approx([33])
    # 48 updates are 1.04 times as many as 15 + 31.
    assert CLAIMS["pretraining_pays"].measure(found) == [0]
    runs[1:] = [net("small_gaussian", 4, block="learning_curves", width=200, last=100)]
    # At least 100 updates are 2.2 times as many, four times a factor of 1.19.
    assert CLAIMS["pretraining_pays"].measure(evidence("learning_time", runs, **LEARNING)).values == [4]


def test_distances_equal_the_statistic_of_kolmogorov_and_smirnov():
    # Just below the third of four values the law has 0.9, and the share of values is a half.
    assert distance_from_law(np.array([0.95, 0.2, 0.9, 0.25])) == pytest.approx(0.4)
    # At the last of the three values the law has only 0.3.
    assert distance_from_law(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.7)
    assert distance_from_law(np.array([0.1, 0.3, 0.8, 0.9]), above=0.5) == pytest.approx(0.3)
    assert distance_from_law(np.array([0.1]), above=0.5) == 0
