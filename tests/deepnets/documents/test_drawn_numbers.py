"""Figures and charts draw the recorded numbers from thinned tables of the default config (tools/record.py)."""

import io
from functools import cache

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

import drawn_tables
from drawn_tables import changes_of, numbers_of, recorded
from entries import CHARTS, FIGURES
from reproduce.figures import drawn
from reproduce.figures.drawn import csv_text, drawn_numbers

RECORDED = recorded()


@pytest.mark.usefixtures("off_screen")
@pytest.mark.parametrize(("name", "table"), RECORDED)
def test_a_drawing_has_the_recorded_numbers_and_a_figures_csv_has_plain_names(name, table, monkeypatch):
    written, once = [], cache(drawn_numbers)
    # A drawing takes a second: its file is read in passing, and its numbers once for both.
    monkeypatch.setattr(drawn, "drawn_numbers", lambda figure: once(figure).copy())
    monkeypatch.setattr(
        drawn_tables, "drawn_numbers", lambda figure: (written.append(csv_text(figure)), once(figure))[1]
    )
    changes = changes_of(numbers_of(name, table), RECORDED[name, table])
    assert not changes, f"record them if they are meant: python tools/record.py\n{changes}"
    for text in written:
        rows = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
        names = rows[["panel", "x_axis", "y_axis", "series", "text"]]
        assert not names.stack().str.contains(r"[$\\\n]").any()
        assert rows.loc[rows["kind"] != "not listed", ["x_axis", "y_axis", "run"]].ne("").all(axis=None)


@pytest.mark.parametrize("name", FIGURES | CHARTS)
def test_the_numbers_of_every_figure_and_chart_are_recorded(name):
    assert any(name == recorded for recorded, _ in RECORDED), "record them: python tools/record.py"


@pytest.mark.usefixtures("off_screen")
def test_each_kind_of_mark_is_read_with_its_panel_and_series():
    figure, (first, second) = plt.subplots(1, 2)
    first.set_title("a\nsmall", loc="left")
    first.set(xlabel="updates", ylabel=r"loss $L$ (nats)")
    first.errorbar([1, 2], [3, 5], yerr=[1, 2], color="C1", label="mean: 4")
    first.fill_between([1, 2], [0, 1], [7, 9], color="C1")
    first.axhline(0.5, color="C2", label="_least")
    first.plot([6], [7], "C4-", label="net")
    first.plot([6], [8], "C4:", label="law")
    first.plot([8], [9], color="C3", visible=False)
    figure.legend()
    second.scatter([1, 2], [4, 5], label="nets")
    second.plot([3], [4], "C4:")
    second.imshow([[1, 2], [3, 4]])
    second.text(7, 8, "two\nwords")
    second.legend(title="of 3")
    head, *lines = csv_text(figure).splitlines()
    assert head == "panel,x_axis,y_axis,kind,series,run,x,y,low,high,value,text"
    of_first, of_second = '"a, small",updates,loss L (nats),', "2,column,row,"
    assert [line.replace(of_first, "a,").replace(of_second, "2,").rstrip(",") for line in lines] == [
        *("a,line,mean,1,1,3", "a,line,mean,1,2,5", "a,line,least,1,,0.5"),
        *("a,line,net,1,6,7", "a,line,law,1,6,8"),
        *("a,interval,mean,1,1,,2,4", "a,interval,mean,1,2,,3,7", "a,band,mean,1,1,,0,7", "a,band,mean,1,2,,1,9"),
        *("2,line,law,1,3,4", "2,point,nets,1,1,4", "2,point,nets,1,2,5"),
        *("2,cell,,1,0,0,,,1", "2,cell,,1,1,0,,,2", "2,cell,,1,0,1,,,3", "2,cell,,1,1,1,,,4"),
        *("2,text,,1,7,8,,,,two words", "2,text,,2,0,0,,,,of 3"),
    ]


@pytest.mark.usefixtures("off_screen")
def test_stairs_have_their_ends_and_what_is_not_listed_is_named():
    figure, axis = plt.subplots()
    axis.stairs([4, 5], [0, 1, 3])
    text = csv_text(figure)
    assert text.splitlines()[1:] == [f"1,position,position,stair,,1,,{stair},," for stair in ("4,0,1", "5,1,3")]
    axis.bar([1], [2])
    axis.axline((0, 0), slope=2)
    axis.add_collection(LineCollection([[(0, 0), (1, 1)]]))
    others = "".join(f",,,not listed,,,,,,,,{name}\n" for name in ("AxLine", "LineCollection", "Rectangle"))
    assert csv_text(figure) == text + others
    axis.set_yticks([0, 1], ["none", r"some $\gamma^{2}$"])
    assert csv_text(figure).splitlines()[1] == '1,position,"0: none, 1: some γ²",stair,,1,,4,0,1,,'
