from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.tables.estimates import evenly_spaced, fit_line, fit_power_law, thin_steps
from reproduce.tables.rows import NotRecordedError


@given(st.floats(-3, 3), st.floats(0.1, 10))
def test_fits_recover_lines_and_power_laws(exponent, factor):
    positions = [1, 2, 4, 9]
    power_law = factor * np.array(positions, dtype=float) ** exponent
    assert fit_power_law(positions, power_law) == pytest.approx([exponent, np.log(factor)], abs=1e-9)
    lines = np.stack([exponent * np.array(positions) + factor, np.full(4, factor)], axis=1)
    np.testing.assert_allclose(fit_line(positions, lines), [[exponent, 0], [factor, factor]], atol=1e-9)


def test_one_position_determines_no_slope():
    with pytest.raises(NotRecordedError, match="a slope needs runs at two positions"):
        fit_power_law([0.1], [[2.0, 3.0]])


@given(st.integers(0, 200), st.integers(1, 50))
def test_evenly_spaced_positions_include_both_ends(count, most):
    places = evenly_spaced(count, most).tolist()
    assert (len(places), places[:1]) == (min(count, most), [0][:count])
    assert places[-1:] == ([count - 1] if count > 0 and most > 1 else [0][:count])
    assert thin_steps(np.array([*range(count), *range(count)]), most).tolist() == places
    gaps = {after - before for before, after in pairwise(places)}
    assert max(gaps, default=1) - min(gaps, default=1) <= 1 <= min(gaps, default=1)
