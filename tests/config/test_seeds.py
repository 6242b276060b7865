import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow.deepnets.config.seeds import expand_seeds, holds, shorten_seeds, smallest_common

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
def test_a_run_of_seeds_is_its_first_and_last(seeds, short):
    assert shorten_seeds(seeds) == short


@given(seeds=SEEDS, data=st.data())
def test_the_same_seeds_have_one_short_form_which_lists_them(seeds, data):
    short = shorten_seeds(seeds)
    assert expand_seeds(short) == sorted(seeds)
    assert expand_seeds(json.loads(json.dumps(short))) == sorted(seeds)
    assert shorten_seeds(data.draw(st.permutations(seeds))) == short


@given(some=SEEDS, others=SEEDS)
def test_what_short_forms_hold_and_share_is_what_their_lists_do(some, others):
    short = shorten_seeds(some)
    assert [seed for seed in range(32) if holds(short, seed)] == sorted(some)
    assert smallest_common(short, shorten_seeds(others)) == min(set(some) & set(others), default=None)
