import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.claims.claims_in_words import estimate_in_words, mean_with_error, number_in_words, range_in_words
from reproduce.claims.estimate import estimate


def words(values, **options):
    return estimate_in_words(estimate(np.array(values, dtype=float)), **options).all


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([60.3], "60.3"),
        ([60, 61, 62.5, 57.8], "60.33 ± 0.99 (n = 4, from 57.8 to 62.5)"),
        ([1200, 1500, 1330], "1343 ± 87 (n = 3, from 1200 to 1500)"),
        ([123456, 154321], "139000 ± 15000 (n = 2)"),
        ([1e-9, 3e-9], "(2.0 ± 1.0)e-09 (n = 2)"),
        ([-7.4e-5, -7.6e-5, -7.5e-5], "(-7.500 ± 0.058)e-05 (n = 3, from -7.6e-05 to -7.4e-05)"),
        ([0.99993, 0.99994, 0.99995], "0.99994 (n = 3, from 0.9999 to 1.0000)"),
        ([-1, -1 + 1e-12], "-1 (n = 2)"),
        ([2, 2], "2 (n = 2)"),
        ([1, math.nan, 3], "2.0 ± 1.0 (n = 2)"),
        ([math.nan], "no value"),
        ([], "no value"),
    ],
)
def test_numbers_have_as_many_digits_as_their_errors(values, text):
    assert words(values) == text


@pytest.mark.parametrize(
    ("value", "document", "text"),
    [
        (0.68894321, math.nan, "0.6889"),
        (0.68894321, 0.689, "0.6889"),
        (1.14454321, 1.1448, "1.1445"),
        (1.14454321, 1.1043516264560895, "1.14454"),
        (0.0066381234, 0.0075209, "0.0066381"),
        (-6.27861e-6, -6.2786e-6, "-6.2786e-06"),
        (9460, 9454, "9460"),
        (11190.0, math.nan, "11190"),
        (1343.21, math.nan, "1343"),
        (92.727, 52, "92.73"),
        (-0.0, math.nan, "0"),
        (3.862e-15, 0, "4e-15"),
        (5e307, math.nan, "5e+307"),
    ],
)
def test_a_number_without_error_has_the_document_s_digits_and_at_least_four(value, document, text):
    assert number_in_words(value, document) == text


@pytest.mark.parametrize(
    ("least", "greatest", "text"),
    [
        (1.0803, 1.2384, "from 1.080 to 1.238"),
        (57, 63, "from 57 to 63"),
        (57.8, 62.5, "from 57.8 to 62.5"),
        (-8, 2.5, "from -8.0 to 2.5"),
        (4.409e-5, 0.0033331, "from 0.000044 to 0.003333"),
        (20, 100, "from 20 to 100"),
        (0, 1.53, "from 0.00 to 1.53"),
        (0.000582, 1.53, "from 0.000582 to 1.53"),
        (-0.0710, 1200.4, "from -0.071 to 1200"),
        (1.1e-9, 2.22222e-9, "from 1.1e-09 to 2.222e-09"),
    ],
)
def test_both_ends_of_a_range_have_the_same_last_digit_unless_one_would_vanish(least, greatest, text):
    assert range_in_words(least, greatest) == text


THREE, OF_SEEDS = [79.94, 82, 83.61], {"extreme": True, "of": "seeds"}


@pytest.mark.parametrize(
    ("values", "bounds", "options", "text"),
    [
        (THREE, (80, math.inf), OF_SEEDS, "least 79.94 (2 of 3 seeds)"),
        (THREE, (-math.inf, 82.5), OF_SEEDS, "greatest 83.61 (2 of 3 seeds)"),
        (THREE, (79.94, 83), OF_SEEDS, "from 79.94 to 83.61 (2 of 3 seeds)"),
        (THREE, (0, 100), OF_SEEDS, "from 79.94 to 83.61 (3 of 3 seeds)"),
        # If the mean is judged, it comes before the count.
        (THREE, (80, math.inf), {}, "81.9 ± 1.1 (2 of 3 values, least 79.94)"),
        # Equal values have no spread.
        ([4, 4], (4, 4), {"of": "seeds"}, "4 (2 of 2 seeds)"),
        ([0.7764, 0.7764], (0.99, 1), OF_SEEDS, "0.7764 (0 of 2 seeds)"),
        # A value that is not finite keeps no bound.
        ([1, math.inf, 3, 2], (0, math.inf), {"extreme": True}, "least 1 (3 of 4 values)"),
        # Round-off far below a bound has one digit.
        ([1.234e-12, 5.678e-12], (-math.inf, 0.01), {"extreme": True}, "greatest 6e-12 (2 of 2 values)"),
        ([0.001234, 0.005678], (-math.inf, 0.01), {"extreme": True}, "greatest 0.005678 (2 of 2 values)"),
    ],
)
def test_bounds_have_a_count_of_the_values_that_keep_them_and_the_extreme(values, bounds, options, text):
    assert words(values, bounds=bounds, **options) == text


@given(mean=st.floats(-1e12, 1e12), error=st.floats(1e-12, 1e12))
def test_mean_and_error_have_the_same_last_digit_and_at_most_six_digits(mean, error):
    text = mean_with_error(mean, error)
    if "±" not in text:
        assert float(text) == pytest.approx(mean, rel=1e-4)
        return
    factor = 1.0
    if text.startswith("("):
        text, _, power = text.removeprefix("(").partition(")e")
        factor = 10.0 ** int(power)
    texts = text.split(" ± ")
    assert len({len(each.partition(".")[2]) for each in texts}) == 1
    assert max(len(each.lstrip("-0.").replace(".", "").rstrip("0")) for each in texts) <= 7
    written = [factor * float(each) for each in texts]
    # Rounding changes both numbers by at most half a unit of the second digit of the error.
    assert written == pytest.approx([mean, error], abs=0.0501 * error)
