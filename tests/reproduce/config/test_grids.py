import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reproduce.config.grids import PlannedGrid, grids_of, points_of
from reproduce.config.seeds import expand_seeds
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
PLACES = ("results", "runs", "experiment=e", "experiment=f", "depth=1", "depth=2", "depth=01", "depth=1.0", "init=1")
PLACES += ("init=a", "biased=true", "biased=True", "biased=1", "scale=1", "scale=1.0", "scale=0.5", "scale=1e-12")
PLACES += ("seed=0", "seed=00", "seed=-0", "seed=٠", "seed=1", "seed=", "seed", "", ".", "run.parquet", "x.parquet")


@given(block=BLOCKS, data=st.data())
def test_a_path_is_found_if_and_only_if_the_list_of_points_contains_it(block, data):
    grids = grids_of("e", block).values()
    for grid in grids:
        listed = {point.path: point for point in grid.points()}
        lengths = [len(expand_seeds(values) if name == "seed" else values) for name, values in grid.axes.items()]
        assert len(listed) == math.prod(lengths)
        assert {path: grid.at(path) for path in listed} == listed
        # A real path in which one part is changed, omitted or doubled, or two parts are swapped.
        parts = data.draw(st.sampled_from(sorted(listed))).split("/")
        place = data.draw(st.integers(0, len(parts) - 1))
        length = data.draw(st.integers(0, 2))
        other = "/".join(
            parts[:place] + data.draw(st.lists(st.sampled_from(PLACES), max_size=2)) + parts[place + length :]
        )
        assert grid.at(other) == listed.get(other)
        swapped = "/".join(data.draw(st.permutations(parts)))
        assert grid.at(swapped) == listed.get(swapped)


@pytest.mark.parametrize("seed", ["9" * 5000, "1e0", "+1", "1_0", "²", "0x1"])
def test_no_grid_contains_a_text_that_is_no_seed(seed):
    grid = PlannedGrid("e", {"depth": [1], "init": ["a"], "seed": [[0, 99]]}, {})
    assert grid.at("results/runs/experiment=e/depth=1/init=a/seed=1/run.parquet").axes["seed"] == 1
    assert grid.at(f"results/runs/experiment=e/depth=1/init=a/seed={seed}/run.parquet") is None


@given(block=BLOCKS)
def test_grids_share_a_point_if_their_lists_do(block):
    first, *others = grids_of("e", block).values()
    for other in others:
        shared = {point.path for point in first.points()} & {point.path for point in other.points()}
        found = first.shared_with(other)
        assert (found.path in shared) if found else not shared


@given(block=BLOCKS)
def test_found_points_have_the_same_spec_as_listed_points(block):
    short = [{"axes": grid.axes, "settings": grid.settings} for grid in grids_of("e", block).values()]
    points = points_of("e", short)
    assert [list(point.axes.values()) for point in points] == sorted(list(point.axes.values()) for point in points)
    for grid in grids_of("e", block).values():
        mine = [point.spec for point in points if point.settings == grid.settings]
        assert sorted(mine) == sorted(grid.at(point.path).spec for point in grid.points())


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


def test_a_job_does_not_list_the_points_of_other_jobs(config, default_plan, planned, monkeypatch):
    def refuse(self):
        raise AssertionError("all points were listed")

    expected = default_plan.results
    run, *_ = (path for path in expected if path.startswith("results/runs"))
    figure = "results/figures/000-classifier/accuracy_by_variant.pdf"
    wanted = {path: expected[path] for path in (run, figure, "results/data/mnist.npz")}
    monkeypatch.setattr(PlannedGrid, "points", refuse)
    found = planned(config).results
    assert {path: found[path] for path in wanted} == wanted
    assert "results/runs/experiment=regression/depth=1/init=none/seed=1/run.parquet" not in found
    with pytest.raises(AssertionError, match="all points"):
        len(found)
