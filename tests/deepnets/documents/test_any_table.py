"""Every chart with sliders is drawn from tables of random grids, offers only existing values, names missing ones."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
import vl_convert
from cycler import cycler
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from matplotlib import rc_params_from_file

import small_tables
from chart_reader import places_of
from conftest import NIGHTLY, ROOT
from entries import CHARTS as EVERY_CHART
from entries import of_one_table
from reproduce.charts import charts
from reproduce.charts.charts import rounded
from reproduce.records.charts import chart_text, stamp_of_chart
from reproduce.records.provenance import Provenance
from swept import configs, table_of

# These charts are of an experiment that has a small table.
CHARTS = of_one_table(EVERY_CHART, vars(small_tables))
LARGEST = 300_000
PROVENANCE = Provenance("{}", "module:chart@0")


def write_chart(draw, table):
    """Return a chart's file as its job writes it."""
    return chart_text(draw(table).to_dict(), PROVENANCE)


def values_of(specification, name):
    return next(each["value"] for each in specification["params"] if each["name"] == name)


@st.composite
def drawings(draw):
    name = draw(st.sampled_from(sorted(CHARTS)))
    _, experiment = CHARTS[name]
    return name, draw(configs(experiment).filter(bool))


def check_chart(name, grids):
    draw, experiment = CHARTS[name]
    table = table_of(experiment, grids)
    text = write_chart(draw, table)
    assert len(text.encode()) <= LARGEST
    specification = json.loads(text)
    assert specification["description"]
    assert specification["title"]["text"]
    picture = vl_convert.vegalite_to_svg(specification)
    said = "Nothing to show: " in picture
    # Without data, the chart has at most the empty data set that altair adds.
    assert said == (specification.get("datasets", {}).keys() <= {"empty"})
    labels = specification["usermeta"]["labels"]
    for signal, texts in labels.items():
        if signal.startswith("place_"):
            # The control offers only values that were run.
            existing = {f"{value:.6g}" for value in table.points[signal.removeprefix("place_")].unique()}
            assert set(texts) <= existing
    if "key" in [each["name"] for each in specification.get("params", ())] and "said" in text:
        keys = {row["key"] for rows in specification["datasets"].values() for row in rows if "key" in row}
        said = values_of(specification, "said").keys()
        assert keys <= said
        if "absent" in [each["name"] for each in specification["params"]]:
            # Each position of the controls has a sentence: on the run, or on where the nearest run is.
            absent = values_of(specification, "absent")
            lists = [each["bind"]["labels"] for each in specification["params"] if "options" in each.get("bind", {})]
            assert len(said | absent.keys()) >= math.prod(map(len, [*labels.values(), *lists]))
            assert not said & absent.keys() and all("at" in words or "nearest" in words for words in absent.values())


# The same grids in every run, since a test that fails at random is soon ignored.
@given(drawings())
@settings(
    max_examples=30 if NIGHTLY else 6,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_a_chart_is_drawn_from_any_table(drawing):
    check_chart(*drawing)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_of_an_empty_table_says_that_there_are_no_runs(name):
    draw, experiment = CHARTS[name]
    table = getattr(small_tables, experiment)().pipe(pd.DataFrame.head, 0)
    assert "Nothing to show: the config contains no such runs" in write_chart(draw, table)


@pytest.mark.parametrize("name", CHARTS)
def test_the_first_picture_is_drawn_without_a_browser(name):
    draw, experiment = CHARTS[name]
    table = getattr(small_tables, experiment)()
    text = write_chart(draw, table)
    # The same table gives the same bytes.
    assert write_chart(draw, table) == text
    picture = vl_convert.vegalite_to_svg(json.loads(text))
    assert picture.count("<path") > 10
    assert "Nothing to show" not in picture
    assert "not simulated" not in picture


def test_the_stamp_of_a_chart_can_be_read_from_its_file():
    draw, experiment = CHARTS[min(CHARTS)]
    specification = draw(getattr(small_tables, experiment)()).to_dict()
    text = chart_text(specification, PROVENANCE)
    assert stamp_of_chart(text)["code"] == "module:chart@0"
    assert json.loads(text)["usermeta"]["labels"] == specification["usermeta"]["labels"]


def test_charts_and_figures_have_the_same_colours():
    style = rc_params_from_file(ROOT / "workflow/reproduce/figures/column.mplstyle", use_default_template=False)
    colours = (charts.BLUE, charts.RED, charts.GREEN, charts.PINK, charts.ORANGE, charts.SKY, charts.BLACK)
    assert style["axes.prop_cycle"] == cycler("color", [*colours, charts.YELLOW])


def test_numbers_keep_their_first_digits():
    assert rounded([123456, 0.00123456, -2, 0, np.nan, np.inf]) == [123500.0, 0.001235, -2.0, 0.0, None, None]


@pytest.mark.parametrize("name", CHARTS)
def test_every_position_of_the_controls_has_a_picture_or_a_reason(reader, name):
    draw, experiment = CHARTS[name]
    chart = draw(getattr(small_tables, experiment)()).to_dict()
    reader.open(chart)
    # Try at most four places of each control, including the first and the last.
    controls = {
        signal: sorted({round(share * (count - 1)) for share in (0, 0.4, 0.6, 1)})
        for signal, count in places_of(chart).items()
    }
    for places in itertools.product(*controls.values()):
        reader.move(**dict(zip(controls, places, strict=True)))
        assert len(reader.told()) > 20
        drawn = [mark for mark in reader.drawn() if {"step", "count", "cell", "accuracy"} & mark.keys()]
        assert drawn or reader.told().count("only at") or "nearest is" in reader.told()
