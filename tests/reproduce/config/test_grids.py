import json
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reproduce.config.grids import expand_seeds, grids_of, points_by_path, points_of, shorten_seeds
from reproduce.errors import UserError


def some(values, most=3):
    return st.lists(values, min_size=1, max_size=most, unique=True)


# Few values, so that grids often share points. There are a text "1", an integer 1, a whole float and a fraction.
AXES = st.fixed_dictionaries(
    {
        "depth": some(st.integers(1, 3)),
        "init": some(st.sampled_from(["a", "b", "1"])),
        "scale": some(st.sampled_from([1, 2.0, 0.5, 1e-12, 1e20])),
        "biased": some(st.booleans(), 2),
        "seeds": st.integers(1, 4) | some(st.integers(0, 6), 4),
    }
)
BLOCKS = st.builds(
    lambda each: {"steps": 3, "grids": {str(n): {"axes": axes, "rate": n} for n, axes in enumerate(each)}},
    st.lists(AXES, min_size=1, max_size=3),
)


@given(block=BLOCKS)
def test_a_grid_has_all_combinations_and_no_point_is_in_two_grids(block):
    grids = grids_of("e", block)
    for grid in grids.values():
        lengths = [len(expand_seeds(values) if name == "seed" else values) for name, values in grid.axes.items()]
        assert len({point.path for point in grid.points()}) == math.prod(lengths)
    paths = [point.path for grid in grids.values() for point in grid.points()]
    if len(set(paths)) == len(paths):
        assert list(points_by_path("e", grids)) == paths
    else:
        with pytest.raises(UserError, match="hold the same point"):
            points_by_path("e", grids)


@given(block=BLOCKS)
def test_points_of_a_spec_have_the_order_of_their_table(block):
    short = [{"axes": grid.axes, "settings": grid.settings} for grid in grids_of("e", block).values()]
    points = points_of("e", short)
    assert [list(point.axes.values()) for point in points] == sorted(list(point.axes.values()) for point in points)
    for grid in grids_of("e", block).values():
        mine = [point.spec for point in points if point.settings == grid.settings]
        assert sorted(mine) == sorted(point.spec for point in grid.points())


@given(block=BLOCKS)
def test_a_list_and_a_count_of_the_same_seeds_are_the_same_grid(block):
    for grid in block["grids"].values():
        assume(isinstance(grid["axes"]["seeds"], int))
    before = grids_of("e", block)
    for grid in block["grids"].values():
        grid["axes"]["seeds"] = list(range(grid["axes"]["seeds"]))[::-1]
    assert grids_of("e", block) == before


def test_a_point_in_two_grids_is_refused(config, planned):
    grids = config["experiments"]["regression"]["grids"]
    grids["again"] = {"axes": {"depth": 1, "init": "none", "seeds": [3000, 2024, 2025]}}
    message = r"grids: 'exercise' and 'again' hold the same point \(experiment regression, .*, seed 2024\)"
    with pytest.raises(UserError, match=message):
        planned(config)


SEEDS = st.lists(st.integers(0, 30), unique=True)


@pytest.mark.parametrize(
    ("seeds", "short"),
    [
        (range(5000), [[0, 4999]]),
        ([2021], [2021]),
        ([7, 3, 4], [[3, 4], 7]),
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
