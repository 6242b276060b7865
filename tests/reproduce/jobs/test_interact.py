import json

import altair as alt
import pyarrow as pa
import pytest

from reproduce.jobs.interact import main, mark_chart_as_reduced
from reproduce.records.content import content_digest
from reproduce.records.job import Job
from reproduce.records.provenance import Provenance
from reproduce.records.stamps import stamp_of
from reproduce.records.tables import write_table
from reproduce.tables.rows import NotRecordedError

CODE = f"{__name__}:losses@0"


def losses(zero_init):
    return alt.Chart(zero_init.frame, title="Losses").mark_point().encode(x="step:Q", y="value:Q")


@pytest.fixture
def table(tmp_path):
    def write(reduced="", name="zero_init"):
        path = tmp_path / f"{name}.parquet"
        rows = pa.table({"step": [0, 1], "value": [2.0, 1.0]})
        write_table(path, rows, Provenance('{"grids": []}', "x@0", reduced=reduced))
        return path

    return write


def test_a_chart_has_a_stamp_and_the_same_bytes_twice(table, tmp_path):
    path, job = table(), Job('{"chart":"losses"}', CODE, ("altair",))
    outputs = [tmp_path / f"{name}.json" for name in ("first", "second")]
    for output in outputs:
        main(job, [path], output)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    stamp = stamp_of(outputs[0])
    assert (stamp.spec, stamp.code, stamp.reduced) == (job.spec_text, CODE, "")
    assert json.loads(stamp.inputs) == {"zero_init": content_digest(path)}
    assert "altair" in json.loads(stamp.versions)
    assert "not the document's numbers" not in outputs[0].read_text()


def test_a_chart_from_the_subset_has_a_notice(table, tmp_path):
    main(Job("{}", CODE), [table("half of the images")], tmp_path / "chart.json")
    title = json.loads((tmp_path / "chart.json").read_text())["title"]
    assert "Half of the images: not the document's numbers" in title["subtitle"]
    assert title["text"]


def rate_over_depth(zero_init):
    """Raise as charts of documents do whose runs the config lacks."""
    raise NotRecordedError("no run has block inits")


def test_a_chart_without_its_runs_gives_the_reason(table, tmp_path):
    job = Job('{"chart":"rate_over_depth"}', f"{__name__}:rate_over_depth@0")
    main(job, [table()], tmp_path / "chart.json")
    specification = json.loads((tmp_path / "chart.json").read_text())
    assert specification["title"]["text"] == "rate over depth"
    assert specification["description"] == "Nothing to show: no run has block inits"


@pytest.mark.parametrize("title", ["words", {"text": "words"}, {"text": "words", "subtitle": "more"}])
def test_every_kind_of_title_gets_the_notice(title):
    marked = mark_chart_as_reduced({"title": title, "mark": "bar"}, "half")
    assert marked["title"]["text"] == "words"
    assert marked["title"]["subtitle"][1:] == (["more"] if "subtitle" in title else [])
    assert marked["mark"] == "bar"


def test_a_chart_that_cannot_be_drawn_leaves_no_file(table, tmp_path):
    # The chart has no argument of the first name.
    paths = [table(name=name) for name in ("another", "zero_init")]
    with pytest.raises(TypeError):
        main(Job("{}", CODE), paths, tmp_path / "chart.json")
    assert sorted(tmp_path.iterdir()) == paths


def test_the_one_table_of_a_chart_may_be_of_any_experiment(table, tmp_path):
    main(Job("{}", CODE), [table(name="another")], tmp_path / "chart.json")
    assert json.loads(stamp_of(tmp_path / "chart.json").inputs).keys() == {"another"}
