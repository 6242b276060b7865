"""Each rule, both ways: what agrees with a document, what does not, and what the noise of seeds explains."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow.deepnets.claims.criteria import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    WITH_REMARK,
    Draw,
    Every,
    Is,
    Mean,
    MeanWithin,
    Near,
    Printed,
)

# Four values with mean 10, standard deviation √(20/3)/… known by hand: deviations −3, −1, 1, 3 give variance 20/3.
SAMPLE = 10 + np.array([-3.0, -1.0, 1.0, 3.0])
ERROR = math.sqrt(20 / 3) / 2


@pytest.mark.parametrize(
    ("rule", "sample", "verdict"),
    [
        (Printed(60.3, places=1), [60.25, 60.35], REPRODUCED),
        (Printed(60.3, places=1), [60.34], REPRODUCED),
        (Printed(60.3, places=1), [60.36], NOT_REPRODUCED),
        (Printed(60.3, places=1), [60.24], NOT_REPRODUCED),
        (Printed(9454, units=1), [9453], REPRODUCED),
        (Printed(9454, units=1), [9452], NOT_REPRODUCED),
        (Near(10 + 2.9 * ERROR), SAMPLE, REPRODUCED),
        (Near(10 - 2.9 * ERROR), SAMPLE, REPRODUCED),
        (Near(10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        # The document's own error counts too: 4 = √(3² + 7) · 1.
        (Near(10 + 3.9 * ERROR, error=math.sqrt(7) / 3 * ERROR), SAMPLE, REPRODUCED),
        (Near(10 + 4.1 * ERROR, error=math.sqrt(7) / 3 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Near(12.5, errors=1), SAMPLE, WITH_REMARK),
        (Near(13.5, errors=1), SAMPLE, NOT_REPRODUCED),
        (Near(5), [5], REPRODUCED),
        (Near(5), [5.001], NOT_REPRODUCED),
        (Draw(10 + 2.9 * 2 * ERROR * math.sqrt(5 / 4)), SAMPLE, REPRODUCED),
        (Draw(10 + 3.1 * 2 * ERROR * math.sqrt(5 / 4)), SAMPLE, NOT_REPRODUCED),
        (Draw(10), [10], NOT_TESTABLE),
        (Draw(10), [10, 10], REPRODUCED),
        (Draw(11), [10, 10], NOT_REPRODUCED),
        (Every(least=7, greatest=13), SAMPLE, REPRODUCED),
        (Every(least=7.01), SAMPLE, NOT_REPRODUCED),
        (Every(greatest=12.99), SAMPLE, NOT_REPRODUCED),
        (Mean(least=10 - 3.1 * ERROR), SAMPLE, REPRODUCED),
        (Mean(least=10 - 2.9 * ERROR), SAMPLE, WITH_REMARK),
        (Mean(least=10 + 2.9 * ERROR), SAMPLE, WITH_REMARK),
        (Mean(least=10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Mean(greatest=10 + 3.1 * ERROR), SAMPLE, REPRODUCED),
        (Mean(greatest=10 - 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Mean(least=0), [1], WITH_REMARK),
        (Mean(least=0), [-1], NOT_REPRODUCED),
        (MeanWithin(least=10), SAMPLE, REPRODUCED),
        (MeanWithin(least=10 + 2.9 * ERROR), SAMPLE, WITH_REMARK),
        (MeanWithin(least=10 + 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (MeanWithin(greatest=10 - 2.9 * ERROR), SAMPLE, WITH_REMARK),
        (MeanWithin(greatest=10 - 3.1 * ERROR), SAMPLE, NOT_REPRODUCED),
        (Is(3), [3, 3], REPRODUCED),
        (Is(3), [3, 3.0001], NOT_REPRODUCED),
    ],
)
def test_verdicts_on_either_side_of_each_rule(rule, sample, verdict):
    assert rule.judge(np.array(sample, dtype=float)).verdict == verdict


RULES = [Printed(1), Near(1), Draw(1), Every(least=0), Mean(least=0), MeanWithin(least=0), Is(1)]


@pytest.mark.parametrize("rule", RULES)
@given(where=st.integers(0, 3), value=st.sampled_from([math.nan, math.inf, -math.inf]))
def test_what_left_the_finite_numbers_reproduces_nothing(rule, where, value):
    sample = np.ones(4)
    sample[where] = value
    judged = rule.judge(sample)
    assert judged.verdict == NOT_REPRODUCED
    assert "1 of 4 values" in judged.remark


@pytest.mark.parametrize("rule", RULES)
def test_no_value_says_nothing(rule):
    assert rule.judge(np.array([])).verdict == NOT_TESTABLE


def test_deviations_count_in_combined_errors():
    assert Near(10 - ERROR).judge(SAMPLE).deviation == pytest.approx(1)
    assert Near(10 + ERROR, error=ERROR * math.sqrt(3)).judge(SAMPLE).deviation == pytest.approx(-1 / 2)
    assert Printed(60.3, places=1).judge(np.array([60.325])).deviation == pytest.approx(0.5)
    assert Draw(10 - 2 * ERROR * math.sqrt(5 / 4)).judge(SAMPLE).deviation == pytest.approx(1)
    assert math.isnan(Every(least=0).judge(SAMPLE).deviation)


@given(scale=st.floats(0.01, 100), shift=st.floats(-100, 100), value=st.floats(-20, 40))
def test_a_change_of_units_changes_no_verdict(scale, shift, value):
    for rule in (Near, Draw):
        before = rule(value).judge(SAMPLE)
        after = rule(value * scale + shift).judge(SAMPLE * scale + shift)
        if abs(abs(before.deviation) - 3) > 1e-6:
            assert after.verdict == before.verdict


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Printed(60.3, places=1), "the mean rounds to 60.3"),
        (Printed(9454, units=1), "the mean is within 1 in the last digit of 9454"),
        (Near(57.5, error=1), "the mean is within 3 combined standard errors of 57.5 ± 1"),
        (Every(least=2, greatest=3), "every value is between 2 and 3"),
        (Every(least=2), "every value is 2 or more"),
        (Mean(greatest=2), "the mean is 2 or less, by 3 standard errors or more"),
        (MeanWithin(greatest=2), "the mean is 2 or less, to within 3 standard errors"),
        (Is(2), "every value is 2"),
    ],
)
def test_rules_say_themselves_in_words(rule, words):
    assert rule.words == words
