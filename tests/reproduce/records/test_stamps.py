import io
import json
from dataclasses import asdict
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from reproduce.errors import UserError
from reproduce.records import datasets
from reproduce.records.charts import chart_text
from reproduce.records.pages import stamp_text
from reproduce.records.pictures import keywords_for, stamp_pdf, stamp_png
from reproduce.records.provenance import Provenance
from reproduce.records.stamps import Stamp, stamp_of

STAMP = Stamp("{}", "module:run@0", "{}", "", '{"python": "3.11"}')
SUFFIXES = ("npz", "pdf", "png", "svg", "csv")
CHART = {"title": "ν₂ </script>", "datasets": {"values": [{"step": 1, "value": 0.5}]}, "usermeta": {"live": ["x"]}}
KEPT = {"pdf": "Keywords", "png": "provenance"}


def drawn(suffix, title="", **metadata):
    """Return the bytes of a small picture."""
    figure, content = plt.figure(figsize=(1, 1)), io.BytesIO()
    figure.suptitle(title)
    figure.savefig(content, format=suffix, metadata=metadata)
    plt.close(figure)
    return content.getvalue()


def write(path, stamp, content=0):
    """Write a file with a stamp, as its job would. content: different numbers give different files with this stamp."""
    provenance = SimpleNamespace(as_stamp=lambda: stamp)
    if not isinstance(stamp, dict):
        write_any_stamp(path, stamp)
    elif path.suffix == ".npz":
        datasets.write(path, {"images": np.arange(3.0), "labels": np.arange(3) + content}, provenance)
    elif path.suffix in (".svg", ".csv"):
        path.write_text(stamp_text("<svg/>", provenance, csv=path.suffix == ".csv"))
    elif path.suffix == ".json":
        path.write_text(chart_text(CHART, provenance))
    elif path.suffix == ".pdf":
        picture = drawn("pdf", str(content), Keywords=keywords_for(provenance), CreationDate=None)
        path.write_bytes(stamp_pdf(picture))
    else:
        path.write_bytes(stamp_png(drawn("png", str(content)), provenance))


def write_any_stamp(path, stamp):
    text = json.dumps(stamp)
    if path.suffix == ".npz":
        np.savez(path, images=np.zeros(3), provenance=np.array(text))
    elif path.suffix in (".svg", ".csv"):
        path.write_text(f"<svg/>\n# provenance {text}\n")
    else:
        suffix = path.suffix[1:]
        path.write_bytes(drawn(suffix, **{KEPT[suffix]: text}))


@pytest.mark.parametrize("suffix", [*SUFFIXES, "json"])
def test_a_written_stamp_is_read_unchanged_and_the_same_content_gives_the_same_bytes(tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        write(path, asdict(STAMP))
    assert stamp_of(paths[0]) == STAMP
    assert paths[0].read_bytes() == paths[1].read_bytes()


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
def test_a_file_with_a_malformed_stamp_is_damaged(tmp_path, suffix, stamp, message):
    path = tmp_path / f"result.{suffix}"
    write(path, stamp)
    with pytest.raises(UserError, match=message):
        stamp_of(path)


@pytest.mark.parametrize("suffix", [*SUFFIXES, "json"])
@given(data=st.data())
def test_a_damaged_file_never_causes_a_traceback(tmp_path_factory, suffix, data):
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


def test_a_damaged_array_beside_the_stamp_is_noticed(tmp_path):
    path = tmp_path / "result.npz"
    write(path, asdict(STAMP))
    content = path.read_bytes()
    path.write_bytes(content.replace(np.arange(3.0).tobytes(), np.ones(3).tobytes()))
    with pytest.raises(UserError, match=r"images\.npy"):
        stamp_of(path)


@pytest.mark.parametrize("suffix", ["pdf", "png"])
@given(data=st.data())
def test_a_picture_with_any_changed_bit_is_damaged(tmp_path_factory, suffix, data):
    path = tmp_path_factory.mktemp("flipped") / f"result.{suffix}"
    write(path, asdict(STAMP))
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with pytest.raises(UserError):
        stamp_of(path)


def with_stamp_of(path, other):
    """Replace the stamp of a picture or a data set by that of a different one, as a user might by hand."""
    if path.suffix == ".npz":
        with np.load(path) as foreign, np.load(other) as own:
            np.savez(path, **{**foreign, "provenance": own["provenance"]})
    elif path.suffix == ".pdf":
        writer = pypdf.PdfWriter(clone_from=path)
        writer.add_metadata({"/Keywords": pypdf.PdfReader(other).metadata["/Keywords"]})
        writer.write(path)
    else:
        with Image.open(other) as image:
            stamp = image.info["provenance"]
        with Image.open(path) as image:
            information = PngInfo()
            information.add_text("provenance", stamp)
            image.save(path, pnginfo=information)


@pytest.mark.parametrize("suffix", ["npz", "pdf", "png"])
def test_different_content_with_the_same_stamp_is_damaged(tmp_path, suffix):
    path, other = tmp_path / f"result.{suffix}", tmp_path / f"other.{suffix}"
    write(path, asdict(STAMP))
    write(other, asdict(STAMP), content=1)
    assert stamp_of(path) == stamp_of(other)
    with_stamp_of(path, other)
    with pytest.raises(UserError, match="changed after the workflow wrote it"):
        stamp_of(path)


@pytest.mark.parametrize("suffix", ["svg", "html", "md"])
def test_an_edited_text_is_damaged(tmp_path, suffix):
    path = tmp_path / f"result.{suffix}"
    path.write_text(stamp_text("<svg>1</svg>\n", Provenance("{}", "module:run@0")))
    assert stamp_of(path).code == "module:run@0"
    path.write_text(path.read_text().replace("<svg>1", "<svg>2"))
    with pytest.raises(UserError, match="its text was changed after the workflow wrote it"):
        stamp_of(path)


def test_a_suffix_that_no_job_writes_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"the workflow makes no files with the suffix '\.txt'"):
        stamp_of(tmp_path / "result.txt")


@pytest.fixture
def chart(tmp_path):
    path = tmp_path / "chart.json"
    write(path, asdict(STAMP))
    return path


def test_a_chart_has_sorted_readable_text_and_keeps_its_own_metadata(chart):
    text = chart.read_text()
    assert text.endswith("}\n") and "ν₂" in text
    written = json.loads(text)
    assert list(written) == sorted(CHART)
    del written["usermeta"]["provenance"]
    assert written == CHART
    # Another layout is no damage.
    chart.write_text(json.dumps(json.loads(text), indent=1))
    assert stamp_of(chart) == STAMP
    # A chart may lack metadata of its own.
    chart.write_text(chart_text({"title": "a"}, Provenance("{}", "module:run@0")))
    assert stamp_of(chart).code == "module:run@0"
    with pytest.raises(UserError, match="a number that JSON lacks"):
        chart_text({"datasets": {"values": [np.inf]}}, Provenance("{}", "module:run@0"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *(("[]", "no provenance"), ("{}", "no provenance"), ('{"usermeta": {}}', "no provenance")),
        ('{"usermeta": {"provenance": 3}}', "no mapping, but int"),
        ('{"usermeta": {"provenance": {}}}', "was changed after"),
        ("{", "JSONDecodeError"),
        # Edits of a chart.
        *((edit, "was changed after the workflow wrote it") for edit in (("0.5", "0.6"), ('"x"', '"y"'), ("ν₂", "μ₂"))),
    ],
)
def test_an_edited_chart_and_a_file_that_is_no_chart_are_damaged(chart, content, message):
    chart.write_text(content if isinstance(content, str) else chart.read_text().replace(*content))
    with pytest.raises(UserError, match=message):
        stamp_of(chart)
