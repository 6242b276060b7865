"""Each criterion with values that agree with a document, that disagree, and that disagree within noise."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deepnets.claims.criteria import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    WITHIN_NOISE,
    Each,
    Every,
    Is,
    Mean,
    MeanWithin,
    Near,
    OneMoreDraw,
    Printed,
)
from deepnets.claims.estimate import Estimate

# Four values with mean 10 and variance 20/3, as their deviations are −3, −1, 1 and 3.
SAMPLE = 10 + np.array([-3.0, -1.0, 1.0, 3.0])
ERROR = math.sqrt(20 / 3) / 2


@pytest.mark.parametrize(
    ("criterion", "sample", "verdict"),
    [
        (Printed(60.3, places=1), [60.25, 60.35], REPRODUCED),
        (Printed(60.3, places=1), [60.34], REPRODUCED),
        (Printed(60.3, places=1), [60.36], NOT_REPRODUCED),
        (Printed(60.3, places=1), [60.24], NOT_REPRODUCED),
        (Printed(9454, units=1), [9453], REPRODUCED),
        (Printed(9454, units=1), [9452], NOT_REPRODUCED),
        (Near(10 + 2.9 * ERROR), SAMPLE, REPRODUCED),
        (Near(10 - 2.9 * ERROR, precision=4), SAMPLE, REPRODUCED),
        (Near(10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        # The document's own error counts too: 4 = √(3² + 7) · 1.
        (Near(10 + 3.9 * ERROR, error=math.sqrt(7) / 3 * ERROR), SAMPLE, REPRODUCED),
        (Near(10 + 4.1 * ERROR, error=math.sqrt(7) / 3 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Near(10 + 1.1 * ERROR, errors=1), SAMPLE, NOT_REPRODUCED),
        # If the tolerance exceeds the precision, nothing is testable, even with a near mean.
        (Near(10, precision=2.9 * ERROR), SAMPLE, NOT_TESTABLE),
        (Near(10, precision=3.1 * ERROR), SAMPLE, REPRODUCED),
        (Near(7.7), SAMPLE, NOT_TESTABLE),
        (Near(7.8), SAMPLE, REPRODUCED),
        (Near(5), [5], REPRODUCED),
        (Near(5), [5.001], NOT_REPRODUCED),
        (OneMoreDraw(10 + 2.9 * 2 * ERROR * math.sqrt(5 / 4), precision=99), SAMPLE, REPRODUCED),
        (OneMoreDraw(10 + 3.1 * 2 * ERROR * math.sqrt(5 / 4), precision=99), SAMPLE, NOT_REPRODUCED),
        (OneMoreDraw(10, precision=3.1 * 2 * ERROR * math.sqrt(5 / 4)), SAMPLE, REPRODUCED),
        (OneMoreDraw(10, precision=2.9 * 2 * ERROR * math.sqrt(5 / 4)), SAMPLE, NOT_TESTABLE),
        (OneMoreDraw(10), [10], NOT_TESTABLE),
        (OneMoreDraw(10), [10, 10], REPRODUCED),
        (OneMoreDraw(11), [10, 10], NOT_REPRODUCED),
        (Every(least=7, greatest=13), SAMPLE, REPRODUCED),
        (Every(least=7.01), SAMPLE, NOT_REPRODUCED),
        (Every(greatest=12.99), SAMPLE, NOT_REPRODUCED),
        (Mean(least=10 - 3.1 * ERROR), SAMPLE, REPRODUCED),
        (Mean(least=10 - 2.9 * ERROR), SAMPLE, WITHIN_NOISE),
        (Mean(least=10 + 2.9 * ERROR), SAMPLE, WITHIN_NOISE),
        (Mean(least=10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Mean(greatest=10 + 3.1 * ERROR), SAMPLE, REPRODUCED),
        (Mean(greatest=10 - 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Mean(least=0), [1], NOT_TESTABLE),
        (Mean(least=0), [-1], NOT_TESTABLE),
        (MeanWithin(least=10), SAMPLE, REPRODUCED),
        (MeanWithin(least=10 + 2.9 * ERROR), SAMPLE, WITHIN_NOISE),
        (MeanWithin(least=10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (MeanWithin(greatest=10 - 2.9 * ERROR, precision=4), SAMPLE, WITHIN_NOISE),
        (MeanWithin(greatest=10 - 3.1 * ERROR, precision=4), SAMPLE, NOT_REPRODUCED),
        (MeanWithin(least=10, precision=2.9 * ERROR), SAMPLE + 5, NOT_TESTABLE),
        (MeanWithin(least=0, greatest=7.7), SAMPLE, NOT_TESTABLE),
        (Is(3), [3, 3], REPRODUCED),
        (Is(3), [3, 3.0001], NOT_REPRODUCED),
    ],
)
def test_verdicts_change_at_the_limit_of_each_criterion(criterion, sample, verdict):
    assert criterion.judge(np.array(sample, dtype=float)).verdict == verdict


CRITERIA = [
    Printed(1),
    Near(1),
    OneMoreDraw(1),
    Every(least=0),
    Mean(least=0),
    MeanWithin(least=1),
    Is(1),
]


@pytest.mark.parametrize("criterion", CRITERIA)
@given(where=st.integers(0, 3), value=st.sampled_from([math.nan, math.inf, -math.inf]))
def test_values_that_are_not_finite_reproduce_nothing(criterion, where, value):
    sample = np.ones(4)
    sample[where] = value
    judged = criterion.judge(sample)
    assert judged.verdict == NOT_REPRODUCED
    assert "1 of 4 values" in judged.remark


@pytest.mark.parametrize("criterion", CRITERIA)
def test_without_values_nothing_is_testable(criterion):
    assert criterion.judge(np.array([])).verdict == NOT_TESTABLE


@given(scale=st.floats(0.01, 100), shift=st.floats(-100, 100), value=st.floats(-20, 40))
def test_a_change_of_units_changes_no_verdict(scale, shift, value):
    spread = 2 * ERROR * math.sqrt(5 / 4)
    for criterion, unit in ((Near, ERROR), (OneMoreDraw, spread)):
        assume(abs(abs(value - 10) / unit - 3) > 1e-6)
        before = criterion(value, precision=99).judge(SAMPLE)
        after = criterion(value * scale + shift, precision=99 * scale).judge(SAMPLE * scale + shift)
        assert after.verdict == before.verdict


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        (Printed(60.3, places=1), "the mean rounds to 60.3"),
        (Printed(9454, units=1), "the mean is within 1 in the last digit of 9454"),
        (Near(57.5, error=1), "the mean is within 3 combined standard errors of 57.5 ± 1 (if that is at most 28.8)"),
        (Near(8, error=0), "the mean is within 3 combined standard errors of 8 (if that is at most 4)"),
        (Every(least=2, greatest=3), "every value is between 2 and 3"),
        (Every(least=1 - 1e-9, greatest=1 + 1e-9), "every value is 1, up to rounding"),
        (Every(least=2), "every value is 2 or more"),
        (Mean(greatest=2), "the mean is 2 or less, by 3 standard errors or more"),
        (
            MeanWithin(greatest=2),
            "the mean is 2 or less; within noise if it is beyond by at most 3 standard errors (if that is at most 1)",
        ),
        (Is(2), "every value is 2"),
        (Each({"a": Is(2), "b": Is(2)}), "for each: every value is 2"),
        (Each({"a": Is(2), "b": Is(3), "c": Is(2)}), "a, c: every value is 2; b: every value is 3"),
    ],
)
def test_each_criterion_has_its_words(criterion, words):
    assert criterion.words == words


def test_a_criterion_without_a_scale_needs_its_precision():
    for criterion in (Near, OneMoreDraw, MeanWithin):
        with pytest.raises(ValueError, match="give `precision`"):
            criterion(0)


def test_a_mean_without_single_values_is_judged_by_its_error():
    gap = Estimate(2.0, 0.5, (10, 10))
    assert Mean(least=0).judge(gap).verdict == REPRODUCED
    assert Mean(least=0).judge(Estimate(2.0, 0.7, (10, 10))).verdict == WITHIN_NOISE
    assert Near(3.4, precision=2).judge(gap).verdict == REPRODUCED
    lost = Mean(least=0).judge(Estimate(math.inf, 0.5, (10, 10)))
    assert (lost.verdict, lost.remark) == (NOT_REPRODUCED, "the mean is not finite")
    with pytest.raises(TypeError, match="judge its mean"):
        Every(least=0).judge(gap)


PARTS = Each({"first": Is(1), "second": Near(10, error=1), "third": Mean(least=0)})


@pytest.mark.parametrize(
    ("second", "third", "verdict", "remark"),
    [
        ([10], SAMPLE, REPRODUCED, ""),
        ([20], SAMPLE, NOT_REPRODUCED, "2 of 3 agree; second: not reproduced"),
        ([10], [-3, 4], WITHIN_NOISE, "2 of 3 agree; third: not reproduced, within noise (the mean is no further from"),
        ([10], ValueError("no runs"), NOT_TESTABLE, "2 of 3 agree; third: not testable here (no runs)"),
        ([20], ValueError("no runs"), NOT_REPRODUCED, "1 of 3 agree; second: not reproduced; third: not testable here"),
    ],
)
def test_the_worst_of_several_parts_decides(second, third, verdict, remark):
    judged = PARTS.judge({"first": [1], "second": second, "third": third})
    assert judged.verdict == verdict
    assert judged.remark.startswith(remark) and bool(judged.remark) == bool(remark)


def test_parts_with_the_same_verdict_are_named_together():
    criterion = Each({name: Is(1) for name in "abcd"})
    parts = {"a": [1], "b": [2], "c": [3], "d": ValueError("no runs")}
    remark = "1 of 4 agree; b, c: not reproduced (1 of 1 values are not); d: not testable here (no runs)"
    assert criterion.judge(parts).remark == remark
    assert criterion.judge({key: [2] for key in "abcd"}).remark == "1 of 1 values are not"


def test_parts_and_single_values_are_not_confused():
    with pytest.raises(TypeError, match="several parts"):
        PARTS.judge([1])
    with pytest.raises(TypeError, match="need Each"):
        Is(1).judge({"first": [1]})
