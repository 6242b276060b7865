"""Figures and charts draw the recorded numbers from thinned tables of the default config (tools/record.py)."""

import io

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from drawn_tables import changes_of, numbers_of, recorded
from entries import CHARTS, FIGURES
from reproduce.figures.drawn import csv_text

RECORDED = recorded()


@pytest.mark.usefixtures("off_screen")
@pytest.mark.parametrize(("name", "table"), RECORDED)
def test_a_drawing_has_the_recorded_numbers(name, table):
    changes = changes_of(numbers_of(name, table), RECORDED[name, table])
    assert not changes, f"record them if they are meant: python tools/record.py\n{changes}"


def test_the_numbers_of_every_figure_and_chart_are_recorded():
    assert (FIGURES | CHARTS).keys() == {name for name, _ in RECORDED}, "record them: python tools/record.py"


@pytest.mark.usefixtures("off_screen")
def test_each_kind_of_mark_is_read_with_its_panel_and_series():
    figure, (first, second) = plt.subplots(1, 2)
    first.set_title("a", loc="left")
    first.set(xlabel="updates", ylabel="loss")
    first.errorbar([1, 2], [3, 5], yerr=[1, 2], color="C1", label="mean")
    first.fill_between([1, 2], [0, 1], [7, 9], color="C1")
    first.axhline(0.5, color="C2")
    first.plot([8], [9], color="C3", visible=False)
    figure.legend()
    second.scatter([1, 2], [4, 5], label="nets")
    second.imshow([[1, 2], [3, 4]])
    second.text(7, 8, "two\nwords")
    second.legend(title="of 3")
    text = csv_text(figure)
    assert text.startswith("# a x: updates; y: loss\npanel,kind,series,x,y,low,high,value\n")
    assert [line.rstrip(",") for line in text.splitlines()[2:]] == [
        *("a,line,mean,1,3", "a,line,mean,2,5", "a,line,1,,0.5"),
        *("a,interval,mean,1,,2,4", "a,interval,mean,2,,3,7", "a,band,mean,1,,0,7", "a,band,mean,2,,1,9"),
        *("2,point,nets,1,4", "2,point,nets,2,5"),
        *("2,cell,1,0,0,,,1", "2,cell,1,1,0,,,2", "2,cell,1,0,1,,,3", "2,cell,1,1,1,,,4"),
        *("2,text,two words,7,8", "2,text,of 3,0,0"),
    ]
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 15


@pytest.mark.usefixtures("off_screen")
def test_stairs_have_their_ends_and_what_is_not_listed_is_named():
    figure, axis = plt.subplots()
    axis.stairs([4, 5], [0, 1, 3])
    text = csv_text(figure)
    assert text.splitlines()[1:] == ["1,stair,1,,4,0,1,", "1,stair,1,,5,1,3,"]
    axis.bar([1], [2])
    axis.axline((0, 0), slope=2)
    axis.add_collection(LineCollection([[(0, 0), (1, 1)]]))
    head = "# Also drawn, without numbers here: AxLine, LineCollection, Rectangle\n"
    assert csv_text(figure) == head + text
