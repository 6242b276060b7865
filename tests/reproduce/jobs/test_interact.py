import json

import altair as alt
import pyarrow as pa
import pytest

from reproduce.jobs.interact import main
from reproduce.jobs.job import Job
from reproduce.records.files import sha256_of
from reproduce.records.record import read_record
from reproduce.records.tables import write_table
from reproduce.tables.rows import NotRecordedError


def losses(zero_init):
    return alt.Chart(zero_init.frame, title="Losses").mark_point().encode(x="step:Q", y="value:Q")


@pytest.fixture
def table(tmp_path):
    def write(reduced="", name="zero_init"):
        path = tmp_path / f"{name}.parquet"
        rows = pa.table({"step": [0, 1], "value": [2.0, 1.0]})
        write_table(path, rows, '{"grids": []}', reduced)
        return path

    return write


@pytest.fixture
def draw(tmp_path):
    """A function that draws a chart of this module from tables, and returns its path."""

    def draw(function, *tables, name="chart"):
        path = tmp_path / f"{name}.json"
        spec = json.dumps({"chart": function.__name__})
        main(Job(spec, f"{__name__}:{function.__name__}", tmp_path / f"{name}.record"), list(tables), path)
        return path

    return draw


def test_a_chart_has_the_same_bytes_twice_and_a_record(table, draw):
    path = table()
    first, second = draw(losses, path), draw(losses, path, name="second")
    assert first.read_bytes() == second.read_bytes()
    record = read_record(first.with_suffix(".record"))
    assert (record.spec, record.code.partition("@")[0]) == ('{"chart":"losses"}', f"{__name__}:losses")
    assert (record.inputs, record.reduced) == ({"zero_init": sha256_of(path)}, "")
    assert record.outputs == {"chart.json": sha256_of(first)} and "altair" in record.packages
    assert "not the document's numbers" not in first.read_text()


def test_a_chart_from_the_subset_has_a_notice(table, draw):
    title = json.loads(draw(losses, table("half of the images")).read_text())["title"]
    assert "Half of the images: not the document's numbers" in title["subtitle"]
    assert title["text"]


def rate_over_depth(zero_init):
    """Raise as charts of documents do whose runs the config lacks."""
    raise NotRecordedError("no run has block inits")


def test_a_chart_without_its_runs_gives_the_reason(table, draw):
    specification = json.loads(draw(rate_over_depth, table()).read_text())
    assert specification["title"]["text"] == "rate over depth"
    assert specification["description"] == "Nothing to show: no run has block inits"
