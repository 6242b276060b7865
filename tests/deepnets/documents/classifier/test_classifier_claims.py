import numpy as np
import pytest

from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from reproduce.claims.judging import row_of
from reproduce.tables.rows import NotRecordedError

CLAIMS = Claims("classifier")
measured, verdict = CLAIMS.measured, CLAIMS.verdict
SETTINGS = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
# The axes of each block; in the sweep, depth and rate are added.
BLOCKS = {
    "linear": {"depth": 1, "init": "zeros", "rank": 0, "scale": 1.0, "learning_rate": 10.0},
    "two_layers": {"depth": 2, "init": "xavier_normal", "rank": 0, "scale": 1.0, "learning_rate": 1.0},
    "rank_2": {"depth": 2, "init": "xavier_normal", "rank": 2, "scale": 1.0, "learning_rate": 1.0},
    "data_sets": {"init": "xavier_normal", "rank": 0, "scale": 1.0},
}
NEAR_ZERO = {"depth": 3, "scale": 1e-4, "learning_rate": 100.0}
RATES = {1: 10.0, 2: 1.0, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}


def run(block, seed, metrics, **axes):
    return {"block": block, "seed": seed, "data_seed": 0, **BLOCKS.get(block, BLOCKS["data_sets"]), **axes}, metrics


def evidence(*runs):
    return of_one_grid("classifier", table(runs), ("block", "seed", "data_seed", *BLOCKS["linear"]), SETTINGS)


def end(metric, value, index=0):
    # The claims must not read the value at step 0.
    return {metric: {(0, index): -1.0, (100, index): value}}


def accuracies(block, *values, **axes):
    return [run(block, seed, end("test_accuracy", value / 100), **axes) for seed, value in enumerate(values)]


def test_a_mean_is_over_the_first_ten_repetitions_with_the_document_s_rate():
    found = evidence(*accuracies("rank_2", *range(13)), *accuracies("rank_2", *range(10), learning_rate=2))
    assert measured("rank_2_accuracy", found) == pytest.approx(range(10))
    row = row_of(CLAIMS["rank_2_accuracy"], evidence(*accuracies("rank_2", *[50] * 9)))
    assert row["verdict"] == NOT_TESTABLE
    assert row["remark"] == "the document averages over 10 repetitions, but only 9 were run"


def test_deep_nets_have_more_inits_than_the_document():
    blocks = ("depths", 5, 60, 70), ("depths", 6, 61, 71), ("more_inits", 5, 80), ("more_inits", 6, 90, 98)
    runs = [
        each for block, depth, *ends in blocks for each in accuracies(block, *ends, depth=depth, learning_rate=0.03)
    ]
    found = measured("each_layer_adds", evidence(*runs))["6 layers minus 5"]
    assert (found.mean, found.counts) == (pytest.approx((61 + 71 + 90 + 98) / 4 - 70), (4, 3))


def test_the_printed_uncertainty_is_a_standard_error_with_divisor_n():
    found = evidence(*accuracies("two_layers", 57, 63, *[58, 62] * 4))
    assert measured("two_layers_uncertainty", found) == pytest.approx([np.sqrt(50 / 10 / 10)])
    assert verdict("two_layers_uncertainty", found) == NOT_REPRODUCED
    closer = evidence(*accuracies("two_layers", *[58, 62] * 5))
    assert verdict("two_layers_uncertainty", closer) == REPRODUCED


def test_on_many_data_sets_depths_are_compared_for_each_data_set():
    def runs(accuracies):
        return [
            run("data_sets", 0, end("test_accuracy", value / 100), data_seed=draw, learning_rate=RATES[depth], **net)
            for (depth, rank), values in accuracies.items()
            for draw, value in enumerate(values)
            for net in [{"depth": depth, "rank": rank, "init": "zeros" if depth == 1 else "xavier_normal"}]
        ]

    found = evidence(*runs({(1, 0): (40, 60), (2, 0): (45, 66), (3, 0): (50, 70), (6, 0): (60, 81), (2, 2): (70, 83)}))
    steps = {name: values.tolist() for name, values in measured("deeper_is_better", found).items()}
    assert steps == {
        "2 layers minus 1": pytest.approx([5, 6]),
        "3 layers minus 2": pytest.approx([5, 4]),
        "6 layers minus 3": pytest.approx([10, 11]),
    }
    assert measured("rank_2_is_best_on_other_data", found) == pytest.approx([10, 2])
    # The factor on the product: each draw's mean of one and three layers, (45, 65), minus the accuracy at 1000.
    large = {"depth": 3, "scale": 1000.0, "learning_rate": 0.001}
    scaled = [
        run("data_sets", 0, end("test_accuracy", each), data_seed=draw, **large) for draw, each in ((0, 0.41), (1, 0.6))
    ]
    both = runs({(1, 0): (40, 60), (3, 0): (50, 70)})
    assert measured("scale_removes_the_bias", evidence(*both, *scaled)) == pytest.approx([4, 5])
    near = [run("data_sets", 0, end("test_accuracy", 0.8), data_seed=draw, **NEAR_ZERO) for draw in (0, 1)]
    found = evidence(*runs({(2, 2): (70, 83)}), *near)
    assert measured("near_zero_is_like_rank_2", found) == pytest.approx([10, -3])
    # Compare only data sets that both nets have; several inits on a data set count as their mean.
    fewer = runs({(6, 0): (60, 81), (2, 2): (0, 83)})
    more = {**fewer[1][0], "seed": 1}, end("test_accuracy", 0.79)
    assert measured("rank_2_is_best_on_other_data", evidence(fewer[1], fewer[3], more)) == pytest.approx([3])
    assert verdict("rank_2_is_best_on_other_data", evidence(fewer[0], fewer[3])) == NOT_TESTABLE
    # On half of the draws, the third layer changes nothing: ties are no wins, and four draws do not decide.
    ties = {(1, 0): (40, 41, 40, 41), (2, 0): (60, 61, 61, 60), (3, 0): (60, 61, 64, 64), (6, 0): (80, 81, 80, 81)}
    assert verdict("deeper_is_better", evidence(*runs(ties))) == UNDECIDED


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
    at_once = evidence(
        *(
            run("data_sets", 0, modes([0.5, 1, 100], [0, at, 2]), data_seed=each, **NEAR_ZERO)
            for each, at in enumerate((1, 1, 1, 0.9))
        )
    )
    assert verdict("modes_come_one_by_one", at_once) == NOT_REPRODUCED
    none = evidence(run("data_sets", 0, end("train_loss", 0.0), **NEAR_ZERO))
    assert verdict("modes_come_one_by_one", none) == NOT_TESTABLE


@pytest.mark.parametrize(
    ("part", "block", "rate", "target"),
    [("a tenth of each rate", "rates", 0.1, 0.01), ("a tenth of the threshold", "thresholds", 1, 0.001)],
)
def test_slopes_against_depth_use_a_tenth_of_each_rate_or_threshold(part, block, rate, target):
    name = "deeper_is_better_at_smaller_rates_and_thresholds"

    def runs(*slopes, block=block, depths=(1, 2, 3, 6)):
        """Return runs whose accuracy grows with depth by a slope for each seed; one layer has one seed."""
        found = []
        for depth in depths:
            axes = {"depth": depth, "learning_rate": rate * RATES[depth], "target_loss": target}
            axes |= {"init": "zeros"} if depth == 1 else {}
            for seed, slope in enumerate(slopes if depth > 1 else slopes[:1]):
                found.append(run(block, seed, end("test_accuracy", 0.5 + slope * (depth - 1)), **axes))
        return found

    def judged(*slopes):
        criterion = CLAIMS[name].criterion.parts[part]
        return criterion.judge(measured(name, evidence(*runs(*slopes)))[part], exact=True).verdict

    assert measured(name, evidence(*runs(0.02, 0.04)))[part] == pytest.approx([2, 4])
    assert (judged(0.03, 0.04), judged(-0.03, -0.04)) == (REPRODUCED, NOT_REPRODUCED)
    # The document's own runs do not replace missing runs of a sweep.
    assert isinstance(measured(name, evidence(*runs(0.1, block="depths")))[part], NotRecordedError)
    uneven = evidence(*runs(0.03, 0.04), *runs(0, 0, 0.1, depths=[6])[2:])
    assert "different numbers of repetitions" in str(measured(name, uneven)[part])
