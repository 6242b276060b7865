import numpy as np
import pytest
from scipy import stats

from evidence import evidence, loss_claim
from reproduce.claims.criteria import NOT_TESTABLE, REPRODUCED, UNDECIDED, Between, Every, Near, OneMoreDraw, Printed
from reproduce.claims.estimate import AtLeast, estimate
from reproduce.claims.families import family
from reproduce.claims.judging import row_of
from reproduce.claims.measures import (
    Measure,
    at_step,
    difference_of_means,
    each_run,
    extreme,
    final,
    measure,
    ratio_of_means,
    reduce_values,
    time_or_end,
    total,
    updates,
)
from reproduce.errors import UserError
from reproduce.tables.matrices import recordings
from reproduce.tables.rows import NotRecordedError, rows_of
from reproduce.tables.selection import EVERY, NotTestableError, Selection

TOY = Selection("toy")


def run(seed, values, **axes):
    return {"seed": seed, **axes}, {"loss": {(step, 0): value for step, value in enumerate(values)}}


# In the table, the steps need not be in order.
SCRAMBLED = ({"seed": 2}, {"loss": {(2, 0): 30.0, (0, 0): 10.0, (1, 0): 50.0}, "mode": {(0, 0): 7.0, (0, 1): 8.0}})
TWO = [run(1, [1.0, 5.0]), SCRAMBLED]


def test_values_are_taken_at_the_end_at_a_step_or_at_extremes():
    found = evidence(TWO)
    assert final(TOY, "loss")(found).tolist() == [5, 30]
    assert (100 * final(TOY.but(seed=2), "loss"))(found).tolist() == [3000]
    assert at_step(TOY, "loss", 0)(found).tolist() == [1, 10]
    assert extreme(TOY, "loss", pick="max")(found).tolist() == [5, 50]
    assert extreme(TOY, "loss", pick="min")(found).tolist() == [1, 10]
    assert updates(TOY, "loss")(found).tolist() == [1, 2]
    assert total(TOY, "loss")(found).tolist() == [6, 90]
    # Indices are summed too. A run without the metric has no sum, rather than 0.
    assert np.array_equal(total(TOY, "mode")(found), [np.nan, 15], equal_nan=True)


def test_a_measure_that_returns_a_matrix_is_refused():
    def losses(runs):
        return recordings(runs, "loss")[:, :, 0]

    with pytest.raises(UserError, match="losses returns 2 × 3 values; return one value for each run"):
        measure(losses, TOY)(evidence(TWO))


def test_an_index_is_selected_and_a_run_without_it_is_missing():
    found = evidence(TWO)
    assert np.array_equal(final(TOY, "mode", index=1)(found), [np.nan, 8], equal_nan=True)
    # Run 1 has no second step.
    assert np.array_equal(at_step(TOY, "loss", 2)(found), [np.nan, 30], equal_nan=True)
    with pytest.raises(NotRecordedError, match="recorded no mode"):
        final(TOY, "mode", index=2)(found)
    with pytest.raises(NotRecordedError, match="no loss at step 9"):
        at_step(TOY, "loss", 9)(found)


def test_differences_and_ratios_pair_runs_or_use_one_value_for_all():
    found = evidence([run(1, [2.0, 6.0]), run(2, [5.0, 10.0])])
    start, end = at_step(TOY, "loss", 0), final(TOY, "loss")
    assert (end - start)(found).tolist() == [4, 5]
    assert (end / start)(found).tolist() == [3, 2]
    assert (end - final(TOY.but(seed=1), "loss"))(found).tolist() == [0, 4]
    assert (end + start)(found).tolist() == [8, 15] and (end - start).apply(np.square)(found).tolist() == [16, 25]
    assert reduce_values(end, np.max)(found).tolist() == [10]


def test_runs_are_paired_by_seed_and_not_by_place():
    first, second = (final(TOY.but(depth=depth), "loss") for depth in (1, 2))
    greatest = measure(
        lambda rows: rows[rows["metric"] == "loss"].groupby("seed")["value"].max().to_numpy(), TOY.but(depth=EVERY)
    )
    for seeds in ([1, 2, 4], [4, 1, 2], [2, 4, 1]):
        runs = [run(seed, [10.0 * seed], depth=1) for seed in (1, 2, 4)]
        found = evidence([*runs, *(run(seed, [11.0 * seed], depth=2) for seed in seeds)])
        assert (second - first)(found).tolist() == seeds
        assert (time_or_end(TOY.but(depth=2), "time") - first)(found).values.tolist() == [-10 * seed for seed in seeds]
        # A measure may have one value for each seed, in their order.
        assert (greatest - second)(found).tolist() == [0, 0, 0]
    found = evidence([*runs, *(run(seed, [11.0 * seed], depth=2) for seed in (1, 2, 3))])
    with pytest.raises(NotTestableError, match="cannot be paired: seed 3, 4 has more runs on one side"):
        (second - first)(found)


def test_degrees_of_freedom_are_those_of_welch():
    samples = [np.array([1.0, 2.0, 4.0]), np.array([5.0, 5.5, 9.0, 7.0])]
    first, second = (Measure(lambda _, values=values: values) for values in samples)
    found = difference_of_means(second, first)({})
    theirs = stats.ttest_ind(samples[1], samples[0], equal_var=False)
    assert found.freedom == pytest.approx(theirs.df)
    low, _ = theirs.confidence_interval(0.9)
    # The end of the interval decides, by the criterion as by SciPy's test.
    assert [Between(least=low + shift).judge(found).verdict for shift in (-1e-6, 1e-6)] == [REPRODUCED, UNDECIDED]
    # A group of equal values adds no error, but the other group's freedom stays.
    assert difference_of_means(second, Measure(lambda _: np.ones(5)))({}).freedom == pytest.approx(3)


def test_lower_bounds_stay_lower_bounds():
    ended, bound = Measure(lambda _: np.array([2.0, 4.0])), Measure(lambda _: AtLeast(np.array([8.0, 10.0])))
    assert (bound / ended)({}).values.tolist() == [4, 2.5]
    assert (bound / ended).apply(np.trunc)({}).values.tolist() == [4, 2]
    assert ratio_of_means(bound, ended)({}).at_least and estimate((bound - 1)({})).at_least
    for unbounded in (ratio_of_means(ended, bound), ended / bound):
        with pytest.raises(NotTestableError, match="no bound"):
            unbounded({})


def test_differences_and_ratios_of_means_combine_standard_errors_and_relative_ones():
    found = evidence([run(1, [2.0], depth=1), run(2, [4.0], depth=1), run(1, [7.0], depth=2), run(2, [13.0], depth=2)])
    one, two = (final(TOY.but(depth=depth), "loss") for depth in (1, 2))
    gap, quotient = (of_means(two, one)(found) for of_means in (difference_of_means, ratio_of_means))
    assert gap.mean == pytest.approx(10 - 3)
    # Standard errors: 3 of 7 and 13, 1 of 2 and 4.
    assert gap.error == pytest.approx(np.sqrt(3**2 + 1**2))
    assert (gap.count, len(gap.values)) == ("2 + 2", 0)
    assert (quotient.mean, quotient.counts) == (pytest.approx(10 / 3), (2, 2))
    assert quotient.error == pytest.approx(10 / 3 * np.hypot(3 / 10, 1 / 3))
    # A single run has no error, so a difference from it has none.
    assert np.isnan(difference_of_means(two, final(TOY.but(depth=1, seed=1), "loss"))(found).error)


def test_a_time_that_never_came_is_at_least_the_last_recorded_step():
    lost = {"loss": {(step, 0): 1.0 for step in range(3)}, "diverged": {(3, 0): 1.0}}
    runs = [run(1, [1.0, 5.0]), ({"seed": 2}, {"loss": {(0, 0): 9.0}, "time": {(4, 0): 4.0}})]
    found = time_or_end(TOY, "time")(evidence(runs))
    assert isinstance(found, AtLeast)
    assert found.values.tolist() == [1, 4]
    assert time_or_end(TOY.but(seed=2), "time")(evidence(runs)).tolist() == [4]
    # A run that diverged has no time.
    assert np.isnan(time_or_end(TOY, "time")(evidence([*runs, ({"seed": 3}, lost)])).values[-1])


def test_runs_that_differ_in_an_unnamed_axis_are_not_testable():
    runs = [run(seed, [seed + 10.0 * depth], depth=depth, scale=scale) for seed in (1, 2) for depth, scale in SWEEP]
    found = evidence(runs)
    assert final(TOY.but(depth=1, scale=5), "loss")(found).tolist() == [11, 12]
    with pytest.raises(NotTestableError, match=r"differ in scale \(5 or 6\), and the claim selects no value"):
        final(TOY.but(depth=1), "loss")(found)
    with pytest.raises(NotTestableError, match=r"differ in depth .* and scale"):
        final(TOY, "loss")(found)
    # Each of these depths has its own scale, and a list of values names the axis.
    assert len(final(TOY.but(depth=[2, 3]), "loss")(found)) == 4
    assert len(final(TOY.but(depth=1, scale=EVERY), "loss")(found)) == 4
    measured = final(TOY.but(depth=1, scale=5), "loss") - final(TOY.but(depth=[2, 3]), "loss")
    assert [str(each) for each in measured.selections] == ["toy with depth 1, scale 5", "toy with depth 2 or 3"]


SWEEP = [(1, 5), (1, 6), (2, 7), (3, 8)]


def test_comparisons_of_measures_make_tests_and_chains_are_refused():
    loss = final(TOY, "loss")
    made = [loss > 1, loss < 2, loss.between(1, 2), loss.every(1, 2), loss.equals(3), loss.prints(3, 1)]
    made += [loss.near(3, "share", 0.1), loss.draws(3, "share", 0.2)]
    assert all(each.measure is loss for each in made)
    assert [each.criterion for each in made] == [
        *(Between(least=1), Between(greatest=2), Between(1, 2), Every(1, 2), Every(3, 3), Printed(3, 1)),
        *(Near(3, of="share", reading=0.1), OneMoreDraw(3, of="share", error=0.2)),
    ]
    with pytest.raises(UserError, match="would test only one bound"):
        assert 0 < loss < 1
    with pytest.raises(UserError, match="write `a - b > 0`"):
        assert loss > final(TOY, "loss")


def test_a_family_names_the_parts_of_its_tests():
    found = evidence([run(1, [float(depth**2)], depth=depth) for depth in (1, 2, 3)])
    loss = family("depth", (1, 2, 3), lambda depth: final(TOY.but(depth=depth), "loss"))
    values = {name: test.measure(found).tolist() for name, test in (loss.steps() > 0).items()}
    assert values == {"depth 2 less depth 1": [3], "depth 3 less depth 2": [5]}
    assert {*(loss.less(1)[2, 3] > 0)} == {"depth 2 less depth 1", "depth 3 less depth 1"}
    halves = (loss / 2)[1, 3].every(0, 1)
    assert {name: test.measure(found).tolist() for name, test in halves.items()} == {"depth 1": [0.5], "depth 3": [4.5]}
    assert (halves["depth 3"].criterion, loss.between(0, 1)["depth 1"].criterion) == (Every(0, 1), Between(0, 1))
    assert loss.near(3, "share", 0.1)["depth 2"].criterion == Near(3, of="share", reading=0.1)
    assert (loss - loss)[3](found).tolist() == [0]


def test_a_value_of_each_run_is_missing_if_the_run_diverged_before_it_was_recorded():
    @each_run
    def last(rows):
        return recordings(rows, "loss")[0, -1, 0]

    diverged = {"seed": 4}, {"diverged": {(1, 0): 1.0}}
    assert np.isnan(last(TOY)(evidence([*TWO, diverged]))).tolist() == [False, False, True]


ENDED, INFINITE = {"diverged": {(1, 0): 1.0}}, {"other": {(1, 0): np.inf}}


@pytest.mark.parametrize(
    ("runs", "mark", "verdict", "remark"),
    [
        ([ENDED, INFINITE], {}, NOT_TESTABLE, "all runs of this claim diverged"),
        ([ENDED, INFINITE], {"diverged": True}, REPRODUCED, "2 of 2 runs diverged (seed 0, 1)"),
        ([{}, ENDED], {}, REPRODUCED, "1 of 2 runs diverged (seed 1)"),
        # One of three nets of a run.
        ([{"diverged": {(1, 2): 1 / 3}}], {}, REPRODUCED, ""),
        ([{"diverged": dict.fromkeys([(1, 0), (7, 1), (9, 2)], 1 / 3)}], {}, NOT_TESTABLE, "all runs of this claim d"),
    ],
)
def test_nets_that_diverged_are_no_evidence(runs, mark, verdict, remark):
    claim = loss_claim("loss", Every(2, 2), kind="bound")
    claim.measure = measure(lambda rows: rows_of(rows, "loss")["value"].to_numpy(), TOY, **mark)
    row = row_of(claim, evidence([({"seed": seed}, {"loss": {(0, 0): 2.0}, **own}) for seed, own in enumerate(runs)]))
    assert (row.verdict, row.remark[: len(remark or "-")]) == (verdict, remark)
