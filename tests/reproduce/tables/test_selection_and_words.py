import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from reproduce.errors import UserError
from reproduce.tables import words
from reproduce.tables.axes import axes_of
from reproduce.tables.rows import runs_of
from reproduce.tables.selection import EVERY, NotTestableError, Selection, runs_in_words, shown_of
from reproduce.tables.table import Table

ROW = {"seed": 0, "step": 0, "metric": "loss", "index": 0}


def product(**axes):
    index = pd.MultiIndex.from_product(axes.values(), names=list(axes))
    return index.to_frame(index=False).assign(**ROW, value=range(len(index)))


def table(rows):
    """Return the table of a config with one grid, which has no settings."""
    axes = {name: sorted(rows[name].unique().tolist()) for name in axes_of(rows)}
    return Table(rows, [{"axes": axes, "settings": {}}])


def settings_of(runs):
    return list(runs[axes_of(runs, "seed")].drop_duplicates().itertuples(index=False, name=None))


DOCUMENT = Selection("toy", depth=2, scale=0.5)


def test_a_figure_draws_all_values_of_its_own_axes_and_the_documents_of_the_others():
    runs = table(product(depth=[1, 2, 3], scale=[0.1, 0.5, 1.0]))
    assert settings_of(DOCUMENT.shown(runs)[0]) == [(2, 0.5)]
    kept, note = DOCUMENT.shown(runs, "depth")
    assert (settings_of(kept), note) == ([(1, 0.5), (2, 0.5), (3, 0.5)], "")
    assert len(DOCUMENT.but(scale=EVERY).shown(runs)[0]) == 3
    assert settings_of(DOCUMENT.but(depth=[3, 1]).shown(runs)[0]) == [(1, 0.5), (3, 0.5)]


@given(st.sets(st.sampled_from([1, 2, 3])), st.sets(st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from([0.1, 0.5]))))
def test_a_figure_draws_the_runs_that_a_list_selects_for_a_claim(depths, without):
    runs = product(depth=[1, 2, 3], scale=[0.1, 0.5])
    runs = runs[[pair not in without for pair in zip(runs["depth"], runs["scale"], strict=True)]]
    listed = DOCUMENT.but(depth=sorted(depths))
    if len(runs) and listed.matches(table(runs)).any():
        assert listed.shown(table(runs))[0].equals(listed.rows(table(runs)))


def test_runs_in_words_leave_out_what_all_runs_of_a_block_have():
    wide, deep = (
        product(block=["wide"], depth=[1, 2], width=[8]),
        product(block=["deep"], depth=[3, 4, 5], width=[2, 4]),
    )
    tables = {"toy": table(pd.concat([wide, deep]))}
    for selections, expected in {
        (Selection("toy", block="wide", depth=[1, 2], width=8),): "toy with block wide",
        (Selection("toy", block="wide", depth=1, width=8),): "toy with block wide, depth 1",
        # Of a list, only what runs have; seven is no depth.
        (Selection("toy", block="deep", width=[2, 4], depth=[4, 5, 7]),): "toy with block deep, depth 4 or 5",
        (Selection("toy", width=2, depth=[3, 4, 5]),): "toy with width 2, depth 3 to 5",
        tuple(Selection("toy", block="deep", width=2, depth=depth) for depth in (3, 5)): (
            "toy with block deep, width 2, depth 3 or 5"
        ),
        (Selection("toy", block="deep", width=2, depth=3), Selection("toy", block="deep", width=4, depth=5)): (
            "toy with block deep: width 2, depth 3; width 4, depth 5"
        ),
        (Selection("toy", depth=EVERY), Selection("other", rate=1)): "toy; other with rate 1",
        (Selection("toy", depth=EVERY), Selection("toy", depth=3)): "toy: all; depth 3",
    }.items():
        assert runs_in_words(selections, tables) == expected


def test_a_config_without_the_documents_value_shows_its_own_and_the_note_says_so():
    kept, note = DOCUMENT.shown(table(product(depth=[4, 3], scale=[0.5])))
    assert (settings_of(kept), note) == ([(3, 0.5)], "depth 3 instead of 2")
    kept, note = Selection("toy", depth=[1, 2], width=5).shown(table(product(depth=[7], width=[8, 9])), "width")
    assert (kept["width"].tolist(), note) == ([8, 9], "depth 7 instead of 1 or 2")
    # Only runs of the described block are drawn: others belong to other figures.
    with pytest.raises(NotTestableError, match="no run has block main"):
        DOCUMENT.but(block="main").shown(table(product(block=["side"], depth=[2], scale=[0.5])))
    with pytest.raises(NotTestableError, match="the config contains no such runs"):
        DOCUMENT.shown(table(product(depth=[5], scale=[0.5])), instead=False)


def test_several_selections_keep_the_rate_of_each_depth():
    runs = table(product(depth=[1, 2, 3], rate=[1, 2, 3]))
    rates = [Selection("toy", depth=depth, rate=rate) for depth, rate in ((1, 3), (2, 2))]
    kept, _ = shown_of(runs, rates, "depth")
    # The document has no depth 3, which has the first of the document's rates.
    assert settings_of(kept) == [(1, 3), (2, 2), (3, 2), (3, 3)]


def test_settings_of_grids_select_runs_and_unknown_names_are_refused():
    grids = [{"axes": {"depth": [depth]}, "settings": {"hidden": hidden}} for depth, hidden in ((1, 32), (2, 64))]
    runs = Table(product(depth=[1, 2]), grids)
    wide = Selection("toy", hidden=64)
    assert wide.rows(runs)["depth"].tolist() == wide.shown(runs)[0]["depth"].tolist() == [2]
    # A figure of other settings is not empty; a claim has no such runs.
    assert wide.but(hidden=5).shown(runs, "depth")[0]["depth"].tolist() == [1, 2]
    # The reason names what no run has, or all if each part is there.
    for other, reason in (({"hidden": 5}, "hidden 5"), ({"depth": 1}, "hidden 64, depth 1")):
        with pytest.raises(NotTestableError, match=f"no run of toy with {reason}$"):
            wide.but(**other).rows(runs)
    with pytest.raises(NotTestableError, match="depth"):
        Selection("toy", seed=0).rows(runs)
    with pytest.raises(UserError, match=r"'hiden' is no axis or setting of toy .* allowed: depth, hidden, seed"):
        wide.but(hiden=5).rows(runs)
    # Rows of a part of the table are found in this part, also if the part lacks an axis.
    assert wide.rows(runs.pipe(runs_of, depth=2))["value"].tolist() == [1]
    assert wide.but(depth=5).shown(runs.pipe(lambda rows: rows.drop(columns="depth")))[0]["value"].tolist() == [0, 1]


def test_runs_that_no_config_describes_are_found_by_any_setting():
    rows = product(depth=[1, 2], scale=[0.5, 1.0])
    own = Table.by_hand(rows)
    wide = DOCUMENT.but(hidden=64, rates={"lowest": 1}, block="main")
    assert wide.rows(own)["value"].tolist() == [2]
    assert wide.shown(own)[0]["value"].tolist() == [2]
    assert wide.seeds(own) == 1
    assert wide.settings(own, "depth") == [1, 2]
    for name in ("hidden", "rates.lowest"):
        with pytest.raises(NotTestableError, match="the given table contains no such grid of toy"):
            wide.settings(own, name)
    # Figures may drop an axis of such a table too.
    depths = own.pipe(lambda each: each.drop(columns="scale").drop_duplicates("depth"))
    assert wide.rows(depths)["value"].tolist() == [2]


@with_settings(max_examples=60)
@given(
    st.sets(st.tuples(st.integers(1, 5), st.integers(1, 3), st.sampled_from("abc")), min_size=1),
    st.tuples(st.integers(1, 5), st.integers(1, 3), st.sampled_from("abc")),
    st.sets(st.sampled_from(["depth", "scale", "init"])),
)
def test_what_is_shown_mixes_no_settings_and_contains_the_documents(points, own, free):
    axes = ("depth", "scale", "init")
    runs = pd.DataFrame(sorted(points), columns=list(axes)).assign(**ROW, value=0.0)
    # Each setting has as many seeds as its depth.
    runs = pd.concat([runs[runs["depth"] > seed].assign(seed=seed) for seed in range(5)], ignore_index=True)
    described = {**dict(zip(axes, own, strict=True)), "seed": [0, 1, 2]}
    kept, _ = Selection("toy", **described).shown(table(runs), *free)
    # For each combination of the figure's own axes there is one setting: no line averages.
    settings = kept[list(axes)].drop_duplicates()
    assert len(settings) == len(runs[sorted(free)].drop_duplicates()) if free else len(settings) == 1
    assert (kept.groupby(list(axes)).size() == kept.groupby(list(axes))["depth"].first().clip(upper=3)).all()
    assert (own in points) == (own in set(kept[list(axes)].itertuples(index=False, name=None)))


def test_values_are_written_as_in_the_config():
    texts = [words.text_of(value) for value in (1e-12, 0.1 + 0.2, 100.0, 2048, 10_000_000, "fan_in", True)]
    assert texts == ["1e-12", "0.3", "100", "2048", "10000000", "fan_in", "True"]
