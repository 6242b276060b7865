from io import StringIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.errors import UserError
from reproduce.tables import axes, matrices, rows, words
from reproduce.tables.rows import rows_of, runs_of
from reproduce.tables.selection import Selection
from reproduce.tables.table import Table

# Seed 2 precedes seed 1, and diverges at step 10 with depth 3. Only runs of depth 2 record modes.
ROWS = """2 2 0 loss 0 8
2 2 0 mode 1 0.5
2 2 0 mode 0 0.25
2 2 10 loss 0 4
2 1 0 loss 0 7
2 1 5 loss 0 6
2 1 5 mode 1 3
3 2 0 loss 0 9
3 2 10 diverged 0 1"""
COLUMNS = ["depth", "seed", "step", "metric", "index", "value"]
TABLE = pd.read_csv(StringIO(ROWS), sep=" ", names=COLUMNS, dtype={"metric": "category", "value": float})
DEPTH_2 = runs_of(TABLE, depth=2)


def test_axes_are_all_columns_that_do_not_belong_to_a_record():
    assert axes.axes_of(TABLE) == ["depth", "seed"]
    assert axes.axes_of(TABLE.assign(tomorrow=1), "seed", "absent") == ["depth", "tomorrow"]
    assert axes.swept_axes(TABLE.assign(scale=1)) == ["depth"]
    assert axes.swept_axes(DEPTH_2) == axes.swept_axes(TABLE[:0]) == []
    # A run is one combination of axes.
    assert axes.run_index(TABLE).to_list() == [(2, 2), (2, 1), (3, 2)]


@pytest.mark.parametrize("name", ["size", "count", "mean", "nunique", "level_0", "values", "self"])
def test_an_axis_may_have_the_name_that_pandas_or_a_function_gives_to_something_else(name):
    own, chosen = TABLE.rename(columns={"depth": name}), Selection("toy", **{name: 1}).but(**{name: 2})
    assert chosen.rows(Table.by_hand(own))["value"].tolist() == chosen.shown(Table.by_hand(own))[0]["value"].tolist()
    losses = [rows_of(each, "loss", step=0) for each in (own, TABLE)]
    assert np.array_equal(*(matrices.by_run(each) for each in losses), equal_nan=True)
    for read in (words.absence_reason, lambda runs: words.standstill_note(runs.assign(value=1.0)), words.runs_text):
        assert read(own) == read(TABLE).replace("depth", words.words_of(name))
    note = words.standstill_note(own.assign(value=1.0))
    assert note == f"Here nothing changed in 2 of 3 runs ({words.words_of(name)} 2, seed 1): all gradients may be 0"


def test_a_run_of_which_several_nets_diverged_counts_once():
    two = pd.concat([TABLE, TABLE[-1:].assign(index=1)])
    assert words.divergence_note(two) == "Here 1 of 3 runs left the finite numbers at update 10"


# The rows of a run need not be adjacent, and an axis may have a missing value.
@given(st.lists(st.tuples(st.sampled_from([1.0, 2.0, float("nan")]), st.sampled_from("ab"), st.integers(0, 2))))
def test_the_index_contains_each_run_once_in_the_order_of_its_first_row(drawn):
    table = pd.DataFrame(drawn, columns=["rate", "init", "seed"]).astype({"init": pd.CategoricalDtype(list("ab"))})
    pd.testing.assert_index_equal(axes.run_index(table), pd.MultiIndex.from_frame(table.drop_duplicates()), exact=True)
    runs = Table(table, [])
    pd.testing.assert_frame_equal(runs.points, table.drop_duplicates().reset_index(drop=True))
    pd.testing.assert_frame_equal(runs.points.iloc[runs.of_row].reset_index(drop=True), table)


def test_a_setting_is_one_combination_of_axes_except_the_seed():
    found = [(setting, len(each)) for setting, each in axes.group_by_setting(TABLE)]
    assert found == [({"depth": 2}, 7), ({"depth": 3}, 2)]
    for runs, besides in ((TABLE, ["depth"]), (DEPTH_2, [])):
        ((setting, each),) = axes.group_by_setting(runs, *besides)
        assert (setting, len(each)) == ({}, len(runs))
    assert axes.group_by_setting(TABLE[:0]) == []


def test_a_run_that_two_blocks_recorded_counts_once():
    both = pd.concat([TABLE.assign(block="a"), TABLE[3:5].assign(block="b", value=0)])
    pd.testing.assert_frame_equal(axes.merge_blocks(both), TABLE)


def test_runs_are_selected_by_one_or_several_values():
    assert runs_of(TABLE, depth=2, seed=1).index.to_list() == [4, 5, 6]
    assert runs_of(TABLE, seed=[1, 2], depth=(3, 4)).index.to_list() == [7, 8]
    assert rows.runs_except(TABLE, depth=2, seed=[2]).index.to_list() == [4, 5, 6, 7, 8]
    assert rows_of(TABLE, "loss", step=0)["value"].to_list() == [8, 7, 9]
    assert rows_of(TABLE, "loss", seed=3).empty
    assert rows.first_seed(TABLE)["seed"].unique() == [1]


def test_the_error_for_missing_rows_names_them():
    pd.testing.assert_frame_equal(rows.require_rows(TABLE, "loss", seed=1, step=5), TABLE[5:6])
    for named, wanted in (("loss", {"seed": 3}), ("loss at step 7", {"step": 7}), ("loss", {"index": 1})):
        with pytest.raises(rows.NotRecordedError, match=f"^the runs recorded no {named}$"):
            rows.require_rows(TABLE, "loss", **wanted)


def test_each_run_ends_at_its_own_step_or_diverges():
    assert rows.last_rows(rows_of(TABLE, "loss"))["value"].to_list() == [4, 6, 9]
    # Only the run of depth 3 diverged, and only it lacks modes.
    assert rows.divergence_steps(TABLE).to_list() == [10]
    pd.testing.assert_frame_equal(rows.drop_diverged(TABLE), DEPTH_2)
    pd.testing.assert_frame_equal(rows.runs_with_metric(TABLE, "mode", "absent"), DEPTH_2)
    assert len(rows.drop_diverged(TABLE[:0])) == len(rows.runs_with_metric(TABLE[:0], "loss")) == 0


def test_matrices_have_a_column_for_each_seed_run_or_simulation():
    losses = rows_of(DEPTH_2, "loss")
    expected = pd.DataFrame({1: [7.0, 6.0, None], 2: [8.0, None, 4.0]}, index=pd.Index([0, 5, 10], name="step"))
    pd.testing.assert_frame_equal(matrices.by_seed(losses), expected.rename_axis("seed", axis="columns"))
    pd.testing.assert_frame_equal(matrices.by_run(losses).droplevel("depth", axis="columns"), matrices.by_seed(losses))
    ends = rows.last_rows(rows_of(TABLE, "loss"))
    assert matrices.by_seed(ends, down="depth").loc[2].to_dict() == {1: 6, 2: 4}
    assert matrices.by_simulation(rows_of(TABLE, "mode")).loc[0].dropna().to_dict() == {(2, 0): 0.25, (2, 1): 0.5}
    assert matrices.by_index(rows_of(DEPTH_2, "mode", seed=2)).loc[0].to_list() == [0.25, 0.5]
    for matrix in (matrices.by_seed, matrices.by_simulation, matrices.by_run):
        assert matrix(losses[:0]).shape == (0, 0)
    # The functions do not average over settings.
    with pytest.raises(UserError, match="a matrix needs rows with one depth; select them"):
        matrices.by_seed(rows_of(TABLE, "loss"))


def test_values_by_index_are_sorted_and_from_the_first_row():
    assert rows.values_by_index(rows_of(TABLE, "mode")).to_dict() == {0: 0.25, 1: 0.5}


def test_recordings_have_an_element_for_every_run_step_and_index():
    values = matrices.recordings(TABLE, "mode")
    assert values.shape == (3, 2, 2)
    assert values[0, 0].tolist() == [0.25, 0.5]
    assert (values[1, 1, 1], pd.isna(values).sum()) == (3, 9)
    assert matrices.recordings(TABLE, "loss", step=0).ravel().tolist() == [8, 7, 9]
    with pytest.raises(rows.NotRecordedError):
        matrices.recordings(TABLE, "rank")
