import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from workflow.deepnets.figures.which_runs import (
    by_setting,
    choose,
    choose_in_blocks,
    lost,
    named,
    regardless_of_block,
    say_which_runs,
    settled,
    swept,
)

ROWS = {"seed": 0, "step": 0, "metric": "loss", "index": 0}
RUNS = pd.DataFrame({"depth": [3, 2, 2, 2], "scale": [0.1, 0.5, 1.0, 0.5], **ROWS, "value": [1.0, 2.0, 3.0, 4.0]})


def product(**axes):
    """A run for each combination of values."""
    index = pd.MultiIndex.from_product(axes.values(), names=list(axes))
    others = {name: value for name, value in ROWS.items() if name not in axes}
    return index.to_frame(index=False).assign(**others, value=range(len(index)))


def settings(runs):
    return list(runs[swept(runs)].drop_duplicates().itertuples(index=False, name=None))


def test_of_each_axis_the_smallest_value_is_kept_and_told():
    rows, words = choose(RUNS)
    # Scale 0.1 exists at depth 3 alone.
    assert rows["value"].tolist() == [2.0, 4.0]
    assert words == "only depth 2 (of 2, 3), scale 0.5 (of 0.1, 0.5, 1)"


def test_a_value_that_went_with_another_axis_is_told_too():
    rows, words = choose(product(depth=[2, 3], rate=[1]).assign(scale=[0.5, 0.1]))
    assert (rows["depth"].tolist(), words) == ([2], "only depth 2 (of 2, 3), scale 0.5 (of 0.1, 0.5)")


def test_seeds_and_records_are_no_axes_and_any_other_column_is_one():
    runs = product(seed=[0, 1], step=[0, 1], index=[0, 1], metric=["loss", "rank"], tomorrow=["b", "a"])
    rows, words = choose(runs)
    assert (len(rows), set(rows["tomorrow"]), words) == (16, {"a"}, "only tomorrow a (of a, b)")
    assert swept(runs) == ["tomorrow"]


def test_an_axis_that_follows_from_others_tells_no_runs_apart():
    runs = product(depth=[2, 3], seed=[0, 1], step=[0, 1])
    runs["rate"] = runs["depth"].map({2: 1.0, 3: 0.1})
    pd.testing.assert_frame_equal(settled(runs, "rate", "absent"), runs.drop(columns="rate"))
    # Two rates of one setting are kept apart, whatever else tells them apart: their seeds or steps do not.
    for axis in ("seed", "step"):
        runs["rate"] = runs[axis] + 1.0
        assert swept(settled(runs, "rate")) == ["depth", "rate"]
    # Of two that follow from each other one is left.
    runs = product(depth=[2, 3]).assign(rate=[1.0, 0.1], scale=[0.5, 0.2])
    assert swept(settled(runs.assign(depth=2), "rate", "scale")) == ["scale"]


def test_nothing_is_said_where_there_is_nothing_to_choose():
    runs = RUNS[RUNS["scale"] == 0.5]
    rows, words = choose(runs)
    pd.testing.assert_frame_equal(rows, runs)
    assert words == ""
    assert choose(runs[:0])[1] == ""


def test_as_many_settings_are_kept_as_there_are_lines():
    assert choose(RUNS, lines=3)[1] == ""
    # Three depths by two scales: the axis with fewer values gives way first.
    runs = product(depth=[5, 6, 7], scale=[1, 2])
    assert settings(choose(runs, lines=6)[0]) == settings(runs)
    rows, words = choose(runs, lines=5)
    assert (settings(rows), words) == ([(5,), (6,), (7,)], "only scale 1 (of 1, 2)")
    rows, words = choose(runs, lines=2)
    assert (settings(rows), words) == ([(5,), (7,)], "only depth 5, 7 (of 5, 6, 7), scale 1 (of 1, 2)")


def test_an_axis_with_room_of_its_own_takes_no_lines():
    runs = product(depth=range(1, 10), scale=[1, 2, 3])
    assert choose(runs, lines=3, depth=9)[1] == ""
    rows, words = choose(runs, depth=3)
    assert settings(rows) == [(1,), (5,), (9,)]
    assert words == "only depth 1, 5, 9 (of 9 values from 1 to 9), scale 1 (of 1, 2, 3)"
    assert settings(choose(runs, depth=2, scale=2)[0]) == [(1, 1), (1, 3), (9, 1), (9, 3)]


def test_each_block_has_its_own_settings():
    first, second = product(block=["a"], depth=[1, 2]), product(block=["b"], depth=[3])
    rows, words = choose_in_blocks(pd.concat([first, second]), lines=1)
    assert (settings(rows), words) == ([("a", 1), ("b", 3)], "a: only depth 1 (of 1, 2)")
    assert len(choose_in_blocks(first[:0], lines=1)[0]) == 0


def test_settings_come_in_order_by_the_axes_in_which_they_differ():
    found = [(setting, rows["value"].tolist()) for setting, rows in by_setting(RUNS)]
    assert found == [
        ({"depth": 2, "scale": 0.5}, [2, 4]),
        ({"depth": 2, "scale": 1.0}, [3]),
        ({"depth": 3, "scale": 0.1}, [1]),
    ]
    assert [setting for setting, _ in by_setting(RUNS, "scale")] == [{"depth": 2}, {"depth": 3}]
    one = RUNS[RUNS["scale"] == 0.1]
    ((setting, rows),) = by_setting(one)
    assert (setting, rows["value"].tolist()) == ({}, [1])
    assert by_setting(one[:0]) == []


def test_what_two_blocks_hold_alike_counts_once():
    runs = product(block=["a", "b"], depth=[1, 2], seed=[0, 1])
    rows = regardless_of_block(runs)
    assert (rows["value"].tolist(), "block" in rows) == ([0, 1, 2, 3], False)


def test_values_are_named_as_in_the_config():
    assert [named("scale", 1e-12), named("depth", 3), named("init", "zero")] == ["scale 1e-12", "depth 3", "init zero"]


def test_lost_tells_of_diverged_runs_alone():
    assert lost(RUNS) == ""
    assert lost(RUNS.assign(metric="diverged").head(1)) == "Here the only run left the finite numbers at update 0"


@pytest.mark.parametrize("legend", [True, False])
def test_words_lie_above_all_panels_and_on_no_legend(off_screen, legend):
    figure, axis = plt.subplots(figsize=(3.4, 2.5))
    axis.plot([1, 2], label="line")
    if legend:
        figure.legend(loc="outside upper center", title="what lines share")
    say_which_runs(figure, "", "only depth 2 (of 2, 3), scale 0.5 (of 0.5, 1.0), width 1024 (of 1024, 2048)", "Lost")
    figure.canvas.draw()
    (words,) = [text for text in figure.findobj(matplotlib.text.Text) if text.get_text().startswith("only")]
    assert words.get_text().replace("\n", " ").endswith("2048) Lost" + " what lines share" * legend)
    box = words.get_window_extent()
    assert 0 < box.x0 < box.x1 < figure.bbox.width
    assert axis.get_window_extent().y1 < box.y0 < box.y1 < figure.bbox.height
    if legend:
        (entry,) = figure.legends[0].get_texts()
        assert entry.get_window_extent().y1 < box.y0
