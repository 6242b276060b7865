"""Specifications of charts contain their stamp in a field that Vega-Lite leaves to users."""

import json
import math

import pytest

from deepnets.errors import UserError
from deepnets.records.charts import chart_text, stamp_of_chart
from deepnets.records.provenance import Provenance
from deepnets.records.stamps import stamp_of

PROVENANCE = Provenance('{"chart": "curve"}', "module:curve@0", {"table": "00"}, "full")
SPECIFICATION = {
    "title": "ν₂",
    "datasets": {"values": [{"step": 1, "value": 0.5}]},
    "usermeta": {"live": [{"kind": "x"}]},
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "chart.json"
    path.write_text(chart_text(SPECIFICATION, PROVENANCE), encoding="utf-8")
    return path


def test_a_stamp_is_read_beside_the_chart_s_own_metadata(path):
    stamp = stamp_of(path)
    assert (stamp.spec, stamp.code, stamp.mnist) == (PROVENANCE.spec, PROVENANCE.code, PROVENANCE.mnist)
    assert json.loads(stamp.inputs) == PROVENANCE.inputs
    written = json.loads(path.read_text())
    del written["usermeta"]["provenance"]
    assert written == SPECIFICATION


def test_a_chart_without_metadata_has_a_stamp(path):
    path.write_text(chart_text({"title": "a"}, PROVENANCE), encoding="utf-8")
    assert stamp_of(path).code == PROVENANCE.code


def test_text_is_sorted_and_readable(path):
    text = path.read_text()
    assert text.endswith("}\n")
    assert "ν₂" in text
    assert list(json.loads(text)) == sorted(SPECIFICATION)


@pytest.mark.parametrize(("old", "new"), [("0.5", "0.6"), ('"kind":"x"', '"kind":"y"'), ("ν₂", "μ₂")])
def test_an_edited_chart_is_damaged(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(UserError, match="was changed after the workflow wrote it"):
        stamp_of(path)


def test_a_different_layout_of_the_same_chart_is_no_damage(path):
    path.write_text(json.dumps(json.loads(path.read_text()), indent=1))
    assert stamp_of(path).code == PROVENANCE.code


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "no provenance"),
        ("{}", "no provenance"),
        ('{"usermeta": {}}', "no provenance"),
        ('{"usermeta": {"provenance": 3}}', "no mapping, but int"),
        ('{"usermeta": {"provenance": {}}}', "was changed after"),
        ("{", "JSONDecodeError"),
    ],
)
def test_a_file_that_is_no_chart_is_damaged(path, content, message):
    path.write_text(content)
    with pytest.raises(UserError, match=message):
        stamp_of(path)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_number_that_json_lacks_is_reported(number):
    with pytest.raises(UserError, match="a number that JSON lacks"):
        chart_text({"datasets": {"values": [number]}}, PROVENANCE)


def test_text_with_markup_is_escaped():
    text = chart_text({"title": "</script><b>"}, PROVENANCE)
    assert stamp_of_chart(text)["spec"] == PROVENANCE.spec
    assert json.loads(text)["title"] == "</script><b>"
