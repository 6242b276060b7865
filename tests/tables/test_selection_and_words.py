from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from deepnets.tables import words
from deepnets.tables.axes import swept_axes
from deepnets.tables.old_selection import (
    evenly_spaced,
    select_settings,
    select_settings_in_blocks,
    select_values,
    thin_steps,
)

ROW = {"seed": 0, "step": 0, "metric": "loss", "index": 0}


def product(**axes):
    """Return one run for each combination of values."""
    index = pd.MultiIndex.from_product(axes.values(), names=list(axes))
    return index.to_frame(index=False).assign(**ROW, value=range(len(index)))


def settings(runs):
    return list(runs[swept_axes(runs)].drop_duplicates().itertuples(index=False, name=None))


@given(st.integers(0, 200), st.integers(1, 50))
def test_evenly_spaced_positions_include_both_ends(count, most):
    places = evenly_spaced(count, most).tolist()
    assert (len(places), places[:1]) == (min(count, most), [0][:count])
    assert places[-1:] == ([count - 1] if count > 0 and most > 1 else [0][:count])
    assert thin_steps(np.array([*range(count), *range(count)]), most).tolist() == places
    gaps = {after - before for before, after in pairwise(places)}
    assert max(gaps, default=1) - min(gaps, default=1) <= 1 <= min(gaps, default=1)


def test_the_smallest_value_of_each_axis_is_kept_and_named():
    # Scale 0.1 occurs only at depth 3.
    runs = product(depth=[2, 3], scale=[0.1, 0.5, 1.0])[1:]
    kept, note = select_settings(runs)
    assert (kept["value"].tolist(), note) == ([1], "only depth 2 (of 2, 3), scale 0.5 (of 0.1, 0.5, 1)")


def test_the_axis_with_the_fewest_values_loses_values_first_unless_it_has_room():
    runs = product(depth=range(1, 10), scale=[1, 2, 3])
    assert settings(select_settings(runs, lines=10)[0]) == [(depth,) for depth in range(1, 10)]
    assert settings(select_settings(runs, lines=2)[0]) == [(1,), (9,)]
    assert select_settings(runs, lines=3, depth=9)[1] == ""
    kept, note = select_settings(runs, depth=3)
    assert settings(kept) == [(1,), (5,), (9,)]
    assert note == "only depth 1, 5, 9 (of 9 values from 1 to 9), scale 1 (of 1, 2, 3)"


def test_the_values_of_the_document_are_kept_before_others():
    runs = product(depth=[1, 2, 3, 4], scale=[0.1, 0.5, 1.0])
    kept, note = select_settings(runs, {"depth": 3, "scale": 0.5, "width": 9})
    assert kept[["depth", "scale"]].to_numpy().tolist() == [[3, 0.5]]
    assert note == "only depth 3 (of 1, 2, 3, 4), scale 0.5 (of 0.1, 0.5, 1)"
    # Values may be a list, and there may be several descriptions; other values fill the remaining room.
    described = {"depth": [4, 2], "scale": 1}, {"depth": 3}
    for room, depths in ((1, [2]), (2, [2, 4]), (3, [2, 3, 4]), (4, [1, 2, 3, 4])):
        kept, _ = select_settings(runs, *described, depth=room)
        assert (kept["depth"].unique().tolist(), kept["scale"].unique().tolist()) == (depths, [1])
    # A value that was not run changes nothing.
    pd.testing.assert_frame_equal(select_settings(runs, {"depth": 7})[0], select_settings(runs)[0])


@with_settings(max_examples=40)
@given(
    st.sets(st.tuples(st.integers(1, 5), st.integers(1, 3), st.sampled_from("abc")), min_size=1),
    st.tuples(st.integers(1, 5), st.integers(1, 3), st.sampled_from("abc")),
    st.integers(1, 4),
)
def test_the_setting_of_the_document_is_kept_if_it_was_run(points, own, lines):
    runs = pd.DataFrame(sorted(points | {own}), columns=["depth", "scale", "init"]).assign(**ROW, value=0.0)
    kept, _ = select_settings(runs, dict(zip(("depth", "scale", "init"), own, strict=True)), lines=lines)
    assert own in set(kept[["depth", "scale", "init"]].itertuples(index=False, name=None))


def test_the_note_names_the_values_that_were_not_selected():
    runs = product(activation=["linear", "tanh"], depth=[1, 2])
    kept, note = select_values(runs, activation="tanh")
    assert (kept["value"].tolist(), note) == ([2, 3], "only activation tanh (of linear, tanh)")
    assert select_values(kept, activation="tanh")[1] == select_values(kept[:0], activation="tanh")[1] == ""
    assert select_values(kept, activation="relu")[1] == "only activation none (of tanh)"


@with_settings(max_examples=40)
@given(
    st.sets(st.tuples(st.integers(1, 6), st.integers(1, 3), st.sampled_from("abc")), min_size=1),
    st.integers(1, 5),
    st.dictionaries(st.sampled_from(["depth", "init"]), st.integers(1, 4)),
)
def test_a_selection_fits_its_room_and_the_note_names_the_rest(points, lines, room):
    runs = pd.DataFrame(sorted(points), columns=["depth", "scale", "init"]).assign(**ROW, value=0.0)
    kept, note = select_settings(runs, lines=lines, **room)
    sharing = [axis for axis in runs.columns[:3] if axis not in room]
    assert 0 < len(kept[sharing].drop_duplicates()) <= lines
    assert all(kept[axis].nunique() <= most for axis, most in room.items())
    assert all((f"{axis} " in note) == (kept[axis].nunique() < runs[axis].nunique()) for axis in runs.columns[:3])
    assert (note == "") == (len(kept) == len(runs))


def test_each_block_has_its_own_room():
    first, second = product(block=["a"], depth=[1, 2]), product(block=["b"], depth=[3])
    kept, note = select_settings_in_blocks(pd.concat([first, second]), lines=1)
    assert (settings(kept), note) == ([("a", 1), ("b", 3)], "a: only depth 1 (of 1, 2)")
    described = {"block": ["b", "a"], "depth": 2}, {"block": "c", "depth": 1}
    kept, note = select_settings_in_blocks(pd.concat([first, second]), *described, lines=1)
    assert (settings(kept), note) == ([("a", 2), ("b", 3)], "a: only depth 2 (of 1, 2)")
    assert select_settings_in_blocks(first[:0], lines=1)[0].empty
    assert select_settings(first[:0])[1] == ""


def test_values_are_written_as_in_the_config():
    texts = [words.text_of(value) for value in (1e-12, 0.1 + 0.2, 100.0, 2048, 10_000_000, "fan_in", True)]
    assert texts == ["1e-12", "0.3", "100", "2048", "10000000", "fan_in", "True"]
    assert [words.text_of("fan_in", spaces=True), words.label_of("scale", 0.5)] == ["fan in", "scale 0.5"]
    assert [words.count_text(count, "seed") for count in range(3)] == ["0 seeds", "1 seed", "2 seeds"]


def test_the_words_on_divergence_say_how_many_runs_and_when():
    runs = product(depth=[1, 2, 3])
    assert words.absence_reason(runs) == "all 3 runs recorded no such values"
    assert words.divergence_note(runs) == words.divergence_suffix(runs) == ""
    for steps, reason in (
        ([4], "1 of 3 runs left the finite numbers at layer 4"),
        ([4, 4, 4], "all 3 runs left the finite numbers at layer 4"),
        ([4, 2], "2 of 3 runs left the finite numbers between layers 2 and 4"),
    ):
        diverged = pd.concat([runs, runs.head(len(steps)).assign(metric="diverged", step=steps)])
        assert words.divergence_note(diverged, step="layer") == f"Here {reason}"
        assert words.divergence_suffix(diverged) == f", diverged at {min(steps)}"
        assert words.divergence_suffix(diverged, step="layer") == f", diverged at layer {min(steps)}"
    assert words.absence_reason(runs[:0]) == "the config contains no such runs"
    assert words.absence_reason(runs[:1]) == "the only run recorded no such values"
