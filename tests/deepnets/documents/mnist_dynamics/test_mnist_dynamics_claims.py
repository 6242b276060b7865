import numpy as np
import pytest

from default_tables import default_tables
from evidence import Claims, cells, curve, of_one_grid, table
from reproduce.claims.judging import row_of
from reproduce.tables.selection import NotTestableError

CLAIMS = Claims("mnist_dynamics")
measured, verdict = CLAIMS.measured, CLAIMS.verdict
SETTINGS = {"hidden": 32, "steps": 100, "learning_rate": 0.1}
IMAGES, INPUTS, OUTPUTS = 50_000, 100, 10
# Every run records these costs, as (step, index): value.
COSTS = {
    "multiply_adds": {(0, 1): 7.0, (0, IMAGES): 7.0},
    "multiply_adds_setup": {(0, images): images * (INPUTS**2 + INPUTS * OUTPUTS) for images in (1, IMAGES)},
}


def evidence(*runs):
    """Return evidence of runs in one grid, each (rule, seed, {metric: {(step, index): value}})."""
    axes = {"depth": 2, "init": "row_normalized"}
    frame = table([({**axes, "rule": rule, "seed": seed}, {**COSTS, **metrics}) for rule, seed, metrics in runs])
    return of_one_grid("mnist_dynamics", frame, (*axes, "rule", "seed"), SETTINGS)


# A product with 1 in its first cell and 0 in all others.
PRODUCT = {"product": cells(np.arange(INPUTS * OUTPUTS) == 0)}


def losses(*values):
    return {"train_loss": curve(values)}


def test_rules_are_compared_for_equal_seeds_by_their_largest_cells():
    def run(rule, seed, *steps):
        cells = {(step, cell): value for step, pair in enumerate(steps) for cell, value in enumerate(pair)}
        return rule, seed, {"product": cells}

    name = "covariances_suffice"
    found = evidence(
        run("covariance", 0, (1.0, -4.0), (2.0, 8.0)),
        run("samples", 0, (1.0, -4.0), (1.0, 8.0)),
        run("covariance", 1, (2.0, -4.0), (2.0, 8.0)),
        run("samples", 1, (2.0, -3.0), (3.0, 8.0)),
        run("covariance", 2, (1.0, 1.0), (1.0, 1.0)),
    )
    assert measured(name, found).tolist() == [1 / 8, 1 / 4]
    assert verdict(name, found) == "not reproduced"
    assert verdict(name, evidence(run("covariance", 0, (1.0, 2.0)))) == "not testable here"
    with pytest.raises(NotTestableError, match="no seed has the rules covariance and samples"):
        measured(name, evidence(run("covariance", 0, (1.0, 2.0)), run("samples", 1, (1.0, 2.0))))


def test_the_second_loss_is_compared_at_the_document_s_first_loss():
    def found(after, seeds=10):
        before = np.linspace(1, 1.2, seeds)
        metrics = (losses(*pair) | PRODUCT for pair in zip(before, 0.4 * before + after, strict=True))
        return evidence(*(("covariance", seed, each) for seed, each in enumerate(metrics)))

    offset = 0.594968 - 0.4 * 0.936852
    for shift in (0, 0.1):
        on_line = measured("loss_after_1_step", found(offset + shift))
        assert (on_line.mean, on_line.error) == pytest.approx((0.594968 + shift, 0), abs=1e-9)
    # The error is that of a least-squares line at the document's first loss, from the textbook's matrix.
    scatter = 0.01 * np.array([1, -2, 1, 0, 0, 1, -1, -1, 2, -1])
    places = np.stack([np.linspace(1, 1.2, 10), np.ones(10)], axis=1)
    (rest,), at = np.linalg.lstsq(places, scatter)[1], np.array([0.936852, 1])
    error = np.sqrt(rest / 8 * at @ np.linalg.inv(places.T @ places) @ at)
    scattered = measured("loss_after_1_step", found(offset + scatter))
    assert (scattered.error, scattered.freedom) == (pytest.approx(error), 8)
    with pytest.raises(NotTestableError, match="9 seeds are too few for a line"):
        measured("loss_after_1_step", found(offset, seeds=9))


def test_on_the_subset_no_printed_number_is_testable():
    printed = ("accuracies", "loss_of_first_draw", "loss_before_training", "loss_after_1_step", "network_learns")
    for name in printed:
        assert row_of(CLAIMS[name], default_tables(), "subset").verdict == "not testable here"
