import hashlib
import json
from dataclasses import asdict

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.charts import chart_text
from workflow.deepnets.records.pages import stamped
from workflow.deepnets.records.provenance import Provenance
from workflow.deepnets.records.stamps import Stamp, stamp_of

STAMP = Stamp("{}", "module:run@0", "{}", "full", '{"python": "3.11"}')
SUFFIXES = ("npz", "pdf", "png", "svg")


def write(path, stamp):
    """Write a file that carries a stamp, as its jobs do."""
    text = json.dumps(stamp)
    if path.suffix == ".npz":
        np.savez(path, images=np.zeros(3), provenance=np.array(text))
    elif path.suffix == ".svg":
        if isinstance(stamp, dict):
            text = json.dumps({**stamp, "text": hashlib.sha256(b"<svg/>").hexdigest()})
        path.write_text(f"<svg/>\n<!-- provenance {text} -->\n")
    elif path.suffix == ".json":
        path.write_text(chart_text({"title": "ν₂", "usermeta": {"live": []}}, Provenance(stamp["spec"], stamp["code"])))
    else:
        figure = plt.figure(figsize=(1, 1))
        name = "Keywords" if path.suffix == ".pdf" else "provenance"
        figure.savefig(path, metadata={name: text})
        plt.close(figure)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_stamp_comes_back(tmp_path, suffix):
    path = tmp_path / f"result.{suffix}"
    write(path, asdict(STAMP))
    assert stamp_of(path) == STAMP


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("stamp", "message"),
    [
        ([], "no mapping, but list"),
        (3, "no mapping, but int"),
        ({}, "no text for 'spec'"),
        ({**asdict(STAMP), "code": 1}, "no text for 'code'"),
        ({**asdict(STAMP), "inputs": "[]"}, "no JSON object for 'inputs'"),
        ({**asdict(STAMP), "versions": "3.11"}, "no JSON object for 'versions'"),
        ({**asdict(STAMP), "versions": "{"}, "JSONDecodeError"),
    ],
)
def test_a_stamp_of_another_shape_is_damage(tmp_path, suffix, stamp, message):
    path = tmp_path / f"result.{suffix}"
    write(path, stamp)
    with pytest.raises(UserError, match=message):
        stamp_of(path)


@pytest.mark.parametrize("suffix", [*SUFFIXES, "json"])
@given(data=st.data())
def test_a_damaged_file_never_ends_in_a_traceback(tmp_path_factory, suffix, data):
    path = tmp_path_factory.mktemp("damaged") / f"result.{suffix}"
    write(path, asdict(STAMP))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        stamp_of(path)
    except UserError as error:
        assert str(error)


def test_a_damaged_array_beside_the_stamp_is_seen(tmp_path):
    path = tmp_path / "result.npz"
    write(path, asdict(STAMP))
    content = path.read_bytes()
    path.write_bytes(content.replace(np.zeros(3).tobytes(), np.ones(3).tobytes()))
    with pytest.raises(UserError, match=r"images\.npy"):
        stamp_of(path)


def test_a_picture_with_other_pixels_is_damaged(tmp_path):
    path = tmp_path / "result.png"
    write(path, asdict(STAMP))
    content = bytearray(path.read_bytes())
    content[content.index(b"IDAT") + 20] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError):
        stamp_of(path)


@pytest.mark.parametrize("suffix", ["svg", "html", "md"])
def test_a_text_that_was_edited_is_damaged(tmp_path, suffix):
    path = tmp_path / f"result.{suffix}"
    path.write_text(stamped("<svg>1</svg>\n", Provenance("{}", "module:run@0")))
    assert stamp_of(path).code == "module:run@0"
    path.write_text(path.read_text().replace("<svg>1", "<svg>2"))
    with pytest.raises(UserError, match="its text was changed after the workflow wrote it"):
        stamp_of(path)


def test_a_file_that_no_job_makes_is_none(tmp_path):
    with pytest.raises(UserError, match="no kind of file that the workflow makes"):
        stamp_of(tmp_path / "result.txt")
