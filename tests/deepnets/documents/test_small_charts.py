"""Every chart with sliders is drawn from thinned tables, offers only existing values, and names missing ones."""

import inspect
import itertools
import json

import numpy as np
import pytest
import vl_convert

from chart_reader import places_of
from drawn_tables import table_of
from entries import CHARTS
from reproduce.charts.charts import rounded
from reproduce.jobs.interact import chart_text

LARGEST = 300_000


def chart_of(name):
    """Return the specification of a chart, and the tables that it is drawn from."""
    tables = [table_of(experiment, "whole") for experiment in inspect.signature(CHARTS[name]).parameters]
    return CHARTS[name](*tables).to_dict(), tables


def values_of(specification, name):
    return next(each["value"] for each in specification["params"] if each["name"] == name)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_drawn_without_a_browser_and_offers_only_what_was_run(name):
    specification, (table, *_) = chart_of(name)
    text = chart_text(specification)
    # The same table gives the same bytes.
    assert chart_text(chart_of(name)[0]) == text
    assert len(text.encode()) <= LARGEST
    specification = json.loads(text)
    assert specification["description"] and specification["title"]["text"]
    picture = vl_convert.vegalite_to_svg(specification)
    assert picture.count("<path") > 10
    assert "not simulated" not in picture
    labels = specification["usermeta"]["labels"]
    for signal, texts in labels.items():
        if signal.startswith("place_"):
            # The control offers only values that were run.
            assert set(texts) <= {f"{value:.6g}" for value in table.points[signal.removeprefix("place_")].unique()}
    if "said" in [each["name"] for each in specification.get("params", [])]:
        # Each setting has a sentence, and each place of a control a setting.
        keys = {row["key"] for rows in specification["datasets"].values() for row in rows if "key" in row}
        said = values_of(specification, "said").keys()
        assert keys <= said
        assert [len(set(places)) for places in zip(*(key.split() for key in said), strict=True)] == [
            places_of(specification).get(each["name"], 1)
            for each in specification["params"]
            if "place_" in each["name"]
        ]


def test_numbers_keep_their_first_digits():
    assert rounded([123456, 0.00123456, -2, 0, np.nan, np.inf]) == [123500.0, 0.001235, -2.0, 0.0, None, None]


@pytest.mark.parametrize("name", CHARTS)
def test_every_position_of_the_controls_has_a_picture(reader, name):
    chart, _ = chart_of(name)
    if "program" in chart["usermeta"]:
        pytest.skip("it computes its data in the page: tests of its document move its controls")
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
        assert drawn and "not simulated" not in reader.texts()
