import json

import altair as alt
import pyarrow as pa
import pytest

from reproduce.jobs.interact import main
from reproduce.jobs.job import Job
from reproduce.records.tables import write_table
from reproduce.tables.rows import NotRecordedError


def losses(zero_init):
    return alt.Chart(zero_init.frame, title="Losses").mark_point().encode(x="step:Q", y="value:Q")


def rate_over_depth(zero_init):
    """Raise as charts of documents do whose runs the config lacks."""
    raise NotRecordedError("no run has block inits")


@pytest.fixture
def draw(tmp_path):
    """A function that returns a chart of this module, drawn from a table of a data set, whole or reduced."""

    def draw(function, reduced=""):
        table, path = tmp_path / "zero_init.parquet", tmp_path / "chart.json"
        write_table(table, pa.table({"step": [0, 1], "value": [2.0, 1.0]}), '{"grids": []}', reduced)
        spec = json.dumps({"chart": function.__name__})
        main(Job(spec, f"{__name__}:{function.__name__}", tmp_path / "chart.record"), [table], path)
        return json.loads(path.read_text())

    return draw


def test_a_chart_from_the_subset_has_a_notice(draw):
    assert "not the document's numbers" not in str(draw(losses))
    title = draw(losses, "half of the images")["title"]
    assert "Half of the images: not the document's numbers" in title["subtitle"]
    assert title["text"]


def test_a_chart_without_its_runs_gives_the_reason(draw):
    specification = draw(rate_over_depth)
    assert specification["title"]["text"] == "rate over depth"
    assert specification["description"] == "Nothing to show: no run has block inits"
