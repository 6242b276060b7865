import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from reproduce.claims.criteria import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    UNDECIDED,
    Between,
    Each,
    Every,
    Near,
    OneMoreDraw,
    Printed,
)
from reproduce.claims.differences import DIFFERENCES
from reproduce.claims.estimate import AtLeast, Estimate, estimate

# Four values with mean 10 and variance 20/3, as their deviations are −3, −1, 1 and 3.
SAMPLE = 10 + np.array([-3.0, -1.0, 1.0, 3.0])
ERROR = math.sqrt(20 / 3) / 2
# Half of the interval at 90 %, and of that for one more draw at 99 %, both from another part of SciPy than ours.
HALF = ERROR * t(3).ppf(0.95)
DRAW = 2 * ERROR * math.sqrt(5 / 4) * t(3).ppf(0.995)
# Half of that for one more mean with an error like ours.
MEAN = ERROR * math.sqrt(2) * t(3).ppf(0.995)
# "share" is an absolute difference of 0.03, "exponent" a tenth of the document's value.
ABSOLUTE, RELATIVE = DIFFERENCES["share"].size, DIFFERENCES["exponent"].size
SMALL = 10 + (SAMPLE - 10) * 1e-4


# Criteria whose region begins at 10; a sample; how far above 10 its mean must be for all of its interval to be inside,
# and the verdict if it is less far.
BEGIN_AT_10 = [
    (Between(least=10), SAMPLE, HALF, UNDECIDED),
    (Every(least=10), SAMPLE, 3, NOT_REPRODUCED),
    (Near(10 + ABSOLUTE, of="share"), SMALL, 1e-4 * HALF, UNDECIDED),
    (Near(10 + 1.5 * ABSOLUTE, of="share", reading=ABSOLUTE / 2), SMALL, 1e-4 * HALF, UNDECIDED),
    (Near(10 / (1 - RELATIVE), of="exponent"), SMALL, 1e-4 * HALF, UNDECIDED),
]


def reflected(criterion):
    """Return the criterion whose region is the same at the other side of 0."""
    if isinstance(criterion, Between | Every):
        return replace(criterion, least=-criterion.greatest, greatest=-criterion.least)
    return replace(criterion, value=-criterion.value)


@pytest.mark.parametrize(("criterion", "sample", "edge", "between"), BEGIN_AT_10)
def test_values_mirrored_at_a_bound_have_the_opposite_verdict(criterion, sample, edge, between):
    for shift, above, below in ((1.01, REPRODUCED, NOT_REPRODUCED), (0.99, between, between)):
        found = sample + shift * edge
        for each, sign in ((criterion, 1), (reflected(criterion), -1)):
            assert each.judge(sign * found).verdict == above
            assert each.judge(sign * (20 - found)).verdict == below


@pytest.mark.parametrize(
    ("criterion", "sample", "verdict"),
    [
        (Between(10 - 1.01 * HALF, 10 + 1.01 * HALF), SAMPLE, REPRODUCED),
        (Between(10 - 1.01 * HALF, 10 + 0.99 * HALF), SAMPLE, UNDECIDED),
        # One run, or equal runs, do not show how much runs differ.
        (Between(least=0), [1], UNDECIDED),
        (Between(least=0), [1, 1], UNDECIDED),
        (OneMoreDraw(10, of="exponent"), [10], UNDECIDED),
        (OneMoreDraw(10, of="exponent"), [10, 10], UNDECIDED),
        # The width of the interval counts as well as the distance of the mean.
        (Near(10, of="share"), 10 + (SAMPLE - 10) * 0.99 * ABSOLUTE / HALF, REPRODUCED),
        (Near(10, of="share"), 10 + (SAMPLE - 10) * 1.01 * ABSOLUTE / HALF, UNDECIDED),
        (OneMoreDraw(10, of="exponent"), 10 + (SAMPLE - 10) * 0.99 * 10 * RELATIVE * 10 / DRAW, REPRODUCED),
        (OneMoreDraw(10, of="exponent"), 10 + (SAMPLE - 10) * 1.01 * 10 * RELATIVE * 10 / DRAW, UNDECIDED),
        (OneMoreDraw(10 + 0.99 * DRAW, of="exponent"), SAMPLE, REPRODUCED),
        (OneMoreDraw(10 + 1.01 * DRAW, of="exponent"), SAMPLE, NOT_REPRODUCED),
        # The document's own error replaces the spread of single draws.
        (OneMoreDraw(10 + 0.99 * MEAN, of="exponent", error=ERROR), SAMPLE, REPRODUCED),
        (OneMoreDraw(10 + 1.01 * MEAN, of="exponent", error=ERROR), SAMPLE, NOT_REPRODUCED),
        (Printed(60.3, places=1), [60.25, 60.35], REPRODUCED),
        (Printed(60.3, places=1), [60.36], NOT_REPRODUCED),
        (Printed(60.3, places=1), [60.24], NOT_REPRODUCED),
        (Every(3, 3), [3, 3], REPRODUCED),
        (Every(3, 3), [3, 3.0001], NOT_REPRODUCED),
    ],
)
def test_the_number_and_the_spread_of_runs_decide_too(criterion, sample, verdict):
    assert criterion.judge(np.array(sample, dtype=float)).verdict == verdict


@pytest.mark.parametrize("sample", [[1.0], [1.0, 1.0]])
def test_runs_without_draws_are_exact(sample):
    def verdict(criterion):
        return criterion.judge(np.array(sample), exact=True).verdict

    assert [verdict(Between(least=each)) for each in (0.999, 1, 1.001)] == [REPRODUCED, NOT_REPRODUCED, NOT_REPRODUCED]
    assert [verdict(Between(greatest=each)) for each in (1.001, 1, 0.999)] == [REPRODUCED, *[NOT_REPRODUCED] * 2]
    near = [Near(value, of="replay", reading=0.1) for value in (1.09, 1.11)]
    assert [verdict(each) for each in near] == [REPRODUCED, NOT_REPRODUCED]
    # A spread shows that something is random after all.
    assert Between(least=0).judge(np.array([1.0, -0.9]), exact=True).verdict == UNDECIDED


def test_a_difference_within_the_region_but_beyond_noise_is_named():
    assert Near(10, of="share").judge(SMALL).remark == ""
    assert Near(10.02, of="share").judge(SMALL).remark == "differs by less than matters"
    assert Near(10.02, of="share", reading=0.02).judge(SMALL).remark == ""


def test_a_draw_that_may_differ_by_more_than_matters_is_only_not_contradicted():
    wide = 10 + (SAMPLE - 10) * 2 * RELATIVE * 10 / DRAW
    assert OneMoreDraw(10, of="exponent").judge(wide).remark == "not contradicted: draws like ours differ by up to 2"
    assert OneMoreDraw(10, of="exponent").judge(SMALL).remark == ""


def test_positive_quantities_are_compared_by_their_logarithms():
    positive, kind = np.exp(SAMPLE), "effective rank"
    for shift, verdict in ((1.01, REPRODUCED), (0.99, UNDECIDED)):
        below, above = math.exp(10 - shift * HALF), math.exp(10 + shift * HALF)
        assert Between(below, above, of=kind).judge(positive).verdict == verdict
        assert Between(least=below, of=kind).judge(AtLeast(positive)).verdict == verdict
    # All values are positive, and so is the interval.
    assert "between 2.418 and 90.45" in Between(least=5.8, of=kind).judge(np.array([11.1, 19.7])).remark
    near = Near(10, of=kind)
    assert [near.judge(value * np.exp((SAMPLE - 10) * 1e-4)).verdict for value in (7.49, 7.51, 12.49, 12.51)] == [
        *(NOT_REPRODUCED, REPRODUCED, REPRODUCED, NOT_REPRODUCED)
    ]
    assert Between(least=0, of=kind).judge(np.array([2.0, 3.0, 0.0])).verdict == NOT_REPRODUCED
    # A ratio of means has no single values: its relative error is that of its logarithm.
    ratio = Estimate(2.0, 0.5, (10, 10), 18)
    edge = 2 * math.exp(-0.25 * t(18).ppf(0.95))
    assert [Between(least=edge * by, of=kind).judge(ratio).verdict for by in (0.99, 1.01)] == [REPRODUCED, UNDECIDED]


def test_undecided_verdicts_say_how_many_nets_would_decide():
    def reason(criterion, measured):
        return criterion.judge(measured).remark.partition(";")[0]

    # The mean keeps its distance from the border, 1, and the spread stays. Then 20 values decide, and 19 do not.
    spread = 2 * ERROR
    assert [spread / math.sqrt(n) * t(n - 1).ppf(0.95) < 1 for n in (19, 20)] == [False, True]
    for border in (Between(least=9), Between(least=11), Between(greatest=9), Between(9, 15)):
        assert reason(border, SAMPLE) == "too few nets: 20 would decide"
    # With two parts, to be outside takes more than to be inside.
    each = Each({"a": Between(least=9), "b": Between(least=11)}).judge({"a": SAMPLE, "b": SAMPLE}).remark
    assert "a: undecided (too few nets: 20 would decide" in each and "b: undecided (too few nets: 29 would" in each
    assert reason(Between(least=8.5), Estimate(10.0, 1.0, (5, 4), 7)) == "too few nets: 8 + 6 would decide"
    assert reason(Between(least=9.9), SAMPLE) == "the value lies on the border: about 1,800 nets would be needed"
    assert reason(Between(least=10), SAMPLE) == "the value lies on the border: more than 10,000 nets would be needed"
    assert reason(Between(least=0), [0, 0]) == "the value lies on the border: all nets have it"
    assert reason(Between(least=11), AtLeast(SAMPLE)) == "too few updates: some nets had not learned by then"
    assert reason(Between(least=9), AtLeast(SAMPLE)) == "too few nets: 20 would decide"
    assert reason(Between(least=9), [10, 10]).endswith("(if they draw nothing at random, mark the claim `no draws`)")


def test_a_main_statement_on_a_mean_needs_four_nets_unless_it_is_exact():
    three, four, above = np.array([10, 10.1, 10.2]), np.array([10, 10.1, 10.2, 10.3]), Between(least=9)
    few = "too few nets: a main statement needs 4"
    assert (above.judge(three, main=True).verdict, above.judge(three, main=True).remark) == (UNDECIDED, few)
    assert Each({"a": above}).judge({"a": three}, main=True).verdict == UNDECIDED
    for enough in ({"main": True, "exact": True}, {}):
        assert above.judge(three, **enough).verdict == REPRODUCED
    assert above.judge(four, main=True).verdict == Every(least=9).judge(three, main=True).verdict == REPRODUCED


@pytest.mark.parametrize(
    ("criterion", "verdict"),
    [
        # The true values may be greater than any number.
        (Between(least=10 - 1.01 * HALF), REPRODUCED),
        (Between(greatest=10 - 1.01 * HALF), NOT_REPRODUCED),
        (Between(least=10 + 1.01 * HALF), UNDECIDED),
        (Between(greatest=100), UNDECIDED),
        (Every(least=6), REPRODUCED),
        (Every(least=8), UNDECIDED),
        (Every(greatest=14), UNDECIDED),
        (Every(greatest=12), NOT_REPRODUCED),
        (Printed(10), UNDECIDED),
        (OneMoreDraw(10, of="exponent"), UNDECIDED),
    ],
)
def test_lower_bounds_decide_only_what_greater_values_would_too(criterion, verdict):
    assert criterion.judge(AtLeast(SAMPLE)).verdict == verdict


CRITERIA = [Printed(1), Near(1, of="share"), OneMoreDraw(1, of="share"), Every(least=0), Between(least=0), Every(1, 1)]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_without_finite_values_nothing_is_reproduced(criterion):
    for value in (math.nan, math.inf, -math.inf):
        assert criterion.judge(np.array([1, 1, value, 1])).verdict == NOT_REPRODUCED
    assert criterion.judge(np.array([])).verdict == NOT_TESTABLE


def test_a_mean_without_single_values_is_judged_by_its_error():
    gap = Estimate(2.0, 0.5, (10, 10), 18)
    edge = 2 - 0.5 * t(18).ppf(0.95)
    assert Between(least=edge - 0.01).judge(gap).verdict == REPRODUCED
    assert Between(least=edge + 0.01).judge(gap).verdict == UNDECIDED
    assert Between(least=0).judge(Estimate(math.inf, 0.5, (10, 10), 18)).verdict == NOT_REPRODUCED
    with pytest.raises(TypeError, match="judge its mean"):
        Every(least=0).judge(gap)


PARTS = Each({"first": Every(1, 1), "second": Near(10, of="share"), "third": Between(least=0)})


@pytest.mark.parametrize(
    ("second", "third", "verdict", "remark"),
    [
        (SMALL, SAMPLE, REPRODUCED, ""),
        (SMALL + 1, SAMPLE, NOT_REPRODUCED, "2 of 3 agree; second: not reproduced"),
        (SMALL, [-3, 4], UNDECIDED, "2 of 3 agree; third: undecided (the value lies on the border: about 270 "),
        (SMALL, ValueError("no runs"), NOT_TESTABLE, "2 of 3 agree; third: not testable here (no runs)"),
        (ValueError("no runs"), [-3, 4], NOT_TESTABLE, "1 of 3 agree; second: not testable here (no runs); third: und"),
        (SMALL + 1, ValueError("no runs"), NOT_REPRODUCED, "1 of 3 agree; second: not reproduced; third: not testable"),
    ],
)
def test_the_worst_of_several_parts_decides(second, third, verdict, remark):
    judged = PARTS.judge({"first": [1], "second": second, "third": third})
    assert judged.verdict == verdict
    assert judged.remark.startswith(remark) and bool(judged.remark) == bool(remark)


def test_parts_that_cannot_be_tested_are_not_counted_as_disagreeing():
    judged = PARTS.judge({name: ValueError(f"no {name}") for name in ("first", "second", "third")})
    assert judged.remark.startswith("first: not testable here (no first); second: ")


def test_a_part_contradicts_a_claim_at_the_error_divided_by_the_number_of_parts():
    width = ERROR * t(3).ppf(0.975)
    for factor, verdict in ((0.99, UNDECIDED), (1.01, NOT_REPRODUCED)):
        two = Each({"a": Between(least=10 + factor * width), "b": Between(least=0)})
        assert two.judge({"a": SAMPLE, "b": SAMPLE}).verdict == verdict
    # All parts inside need no division.
    inside = Each({name: Between(least=10 - 1.01 * HALF) for name in "ab"})
    assert inside.judge({"a": SAMPLE, "b": SAMPLE}).verdict == REPRODUCED


@pytest.mark.parametrize(
    ("criterion", "words", "region"),
    [
        (Near(8, of="share", reading=2), f"+25 %, {2 / ERROR:.1f} standard errors", 2.03 / 8),
        (Near(-10.5, of="loss"), f"+195 %, {20.5 / ERROR:.1f} standard errors", 0.05),
        # The document's draw varies as ours do.
        (
            OneMoreDraw(10.2, of="share"),
            f"-2.0 %, {0.2 / math.hypot(ERROR, 2 * ERROR):.1f} standard deviations of one more draw",
            0,
        ),
        (
            OneMoreDraw(10.2, of="share", error=3),
            f"-2.0 %, {0.2 / math.hypot(ERROR, 3):.1f} standard deviations of one more draw",
            0,
        ),
        (Near(0, of="share"), "", 0),
        (Printed(10.1), "", 0),
        (Between(least=0), "", 0),
    ],
)
def test_a_number_has_its_difference_in_per_cent_and_standard_errors(criterion, words, region):
    assert criterion.difference(estimate(SAMPLE)) == words
    assert criterion.region == pytest.approx(region)
    both = Each({"one": criterion, "other": Near(100, of="exponent")})
    assert both.region == pytest.approx(max(region, 0.1))
