import numpy as np
import pytest

from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_TESTABLE, UNDECIDED
from reproduce.claims.judging import row_of

CLAIMS = Claims("classifier")
measured, verdict = CLAIMS.measured, CLAIMS.verdict
SETTINGS = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
# The axes of each block; in the last one, tests add depth and rate.
BLOCKS = {
    "rank_2": {"depth": 2, "class_rank": 2, "init": "xavier_normal", "rank": 2, "scale": 1.0, "learning_rate": 1.0},
    "data_sets": {"class_rank": 2, "init": "xavier_normal", "rank": 0, "scale": 1.0},
}
NEAR_ZERO = {"depth": 3, "scale": 1e-4, "learning_rate": 100.0}


def run(block, seed, metrics, **axes):
    return {"block": block, "seed": seed, "data_seed": 0, **BLOCKS.get(block, BLOCKS["data_sets"]), **axes}, metrics


def evidence(*runs):
    return of_one_grid("classifier", table(runs), ("block", "seed", "data_seed", *BLOCKS["rank_2"]), SETTINGS)


def end(metric, value):
    # The claims must not read the value at step 0.
    return {metric: {(0, 0): -1.0, (100, 0): value}}


def accuracies(block, *values, **axes):
    return [run(block, seed, end("test_accuracy", value / 100), **axes) for seed, value in enumerate(values)]


def test_a_mean_is_over_the_first_ten_repetitions_with_the_document_s_rate():
    found = evidence(*accuracies("rank_2", *range(13)), *accuracies("rank_2", *range(10), learning_rate=2))
    assert measured("rank_2_accuracy", found) == pytest.approx(range(10))
    row = row_of(CLAIMS["rank_2_accuracy"], evidence(*accuracies("rank_2", *[50] * 9)))
    assert row.verdict == NOT_TESTABLE
    assert row.remark == "the document averages over 10 repetitions, but only 9 were run"


def modes(*curves):
    values = {
        (10 * step, index): float(value) for index, curve in enumerate(curves) for step, value in enumerate(curve)
    }
    return {"singular_value": values, "train_loss": {(0, 0): 2.3, (20, 0): 0.009}}


def test_a_mode_appears_at_a_hundredth_of_the_first_mode_s_end():
    # The modes appear at 1, a hundredth of the first mode's end: after 10 and 30 updates. The runs differ in length.
    slow = run("data_sets", 0, modes([0.5, 1, 50, 100], [0, 0.5, 0.99, 1]), data_seed=1, **NEAR_ZERO)
    quick = run("data_sets", 0, modes([0.5, 4, 400], [0, 0.5, 5]), data_seed=2, **NEAR_ZERO)
    found = evidence(slow, quick)
    assert measured("modes_come_one_by_one", found).tolist() == [20, 10]
    assert verdict("modes_come_one_by_one", found) == UNDECIDED
    # The second mode is smallest relative to the first at the ends of both runs.
    assert measured("a_phase_of_rank_1_comes_first", found) == pytest.approx(np.log([0.01, 0.0125]))
