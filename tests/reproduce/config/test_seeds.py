import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.config.grids import expand_seeds, shorten_seeds

SEEDS = st.lists(st.integers(0, 30), unique=True)


@pytest.mark.parametrize(
    ("seeds", "short"),
    [
        (range(5000), [[0, 4999]]),
        (range(1), [0]),
        ([2021], [2021]),
        ([7, 3, 4], [[3, 4], 7]),
        ([0, 2, 4, 5, 6], [0, 2, [4, 6]]),
        ([2**32 - 1, 2**32 - 2], [[2**32 - 2, 2**32 - 1]]),
    ],
)
def test_consecutive_seeds_are_written_as_first_and_last(seeds, short):
    assert shorten_seeds(seeds) == short


@given(seeds=SEEDS, data=st.data())
def test_equal_seeds_have_the_same_short_form_which_expands_to_them(seeds, data):
    short = shorten_seeds(seeds)
    assert expand_seeds(short) == sorted(seeds)
    assert expand_seeds(json.loads(json.dumps(short))) == sorted(seeds)
    assert shorten_seeds(data.draw(st.permutations(seeds))) == short
