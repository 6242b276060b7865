"""Every figure draws the recorded numbers from thinned tables of the default config (tools/drawn.py records them)."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from deepnets.figures.drawn import csv_text
from drawn_tables import NUMBERS, RECORD, numbers_of
from entries import FIGURES

WORDS = ["panel", "kind", "series"]


@pytest.mark.usefixtures("off_screen")
@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_figure_draws_the_recorded_numbers(name):
    every = pd.read_parquet(RECORD)
    recorded, drawn = every[every["figure"] == name].reset_index(drop=True), numbers_of(name)
    assert drawn[WORDS].to_numpy().tolist() == recorded[WORDS].to_numpy().tolist()
    for column in NUMBERS:
        ours, theirs = (each[column].to_numpy(float) for each in (drawn, recorded))
        # Sums, quotients and fits differ between processors in their last digits; zero may be a rounding error.
        size = np.nanmax(np.abs(theirs), initial=0)
        differs = ~np.isclose(ours, theirs, rtol=1e-4, atol=1e-9 * size, equal_nan=True)
        both = recorded[WORDS].assign(drawn=ours, recorded=theirs)[differs]
        assert both.empty, f"{column} of {name}:\n{both.head().to_string()}"


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
    second.bar([1], [6])
    second.imshow([[1, 2], [3, 4]])
    second.text(7, 8, "two\nwords")
    text = csv_text(figure)
    assert text.startswith("# a x: updates; y: loss\npanel,kind,series,x,y,low,high,value\n")
    assert [line.rstrip(",") for line in text.splitlines()[2:]] == [
        *("a,line,mean,1,3", "a,line,mean,2,5", "a,line,1,,0.5"),
        *("a,interval,mean,1,,2,4", "a,interval,mean,2,,3,7", "a,band,mean,1,,0,7", "a,band,mean,2,,1,9"),
        *("2,point,nets,1,4", "2,point,nets,2,5"),
        *("2,cell,1,0,0,,,1", "2,cell,1,1,0,,,2", "2,cell,1,0,1,,,3", "2,cell,1,1,1,,,4"),
        *("2,bar,2,1,6", "2,text,two words,7,8"),
    ]
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 15
