import io
import json
from contextlib import suppress
from dataclasses import asdict
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.errors import UserError
from reproduce.records import datasets
from reproduce.records.charts import chart_text
from reproduce.records.content import content_digest
from reproduce.records.measurements import Measurements
from reproduce.records.pages import stamp_text
from reproduce.records.pictures import keywords_for, stamp_pdf, stamp_png
from reproduce.records.provenance import Provenance, versions
from reproduce.records.stamps import Stamp, stamp_of
from reproduce.records.tables import read_table, write_run, write_table

PROVENANCE = Provenance('{"depth":2}', "module:run@0123", {"whitened": "ab" * 32}, "half", ("numpy",))
VERSIONS = json.dumps(versions(["numpy"]), sort_keys=True)
STAMP = Stamp('{"depth":2}', "module:run@0123", json.dumps({"whitened": "ab" * 32}), "half", VERSIONS)
CHART = {"title": "ν₂ </script>", "datasets": {"values": [{"step": 1, "value": 0.5}]}, "usermeta": {"live": ["x"]}}
RUN = "experiment=toy/seed=0/run.parquet"
FILES = ["data.npz", "table.parquet", f"results/runs/{RUN}", "chart.json", "figure.pdf", "figure.png"]
FILES += [f"text.{suffix}" for suffix in ("svg", "csv", "html", "md")]


def drawn(suffix, title, **metadata):
    """Return the bytes of a small picture."""
    figure, content = plt.figure(figsize=(1, 1)), io.BytesIO()
    figure.suptitle(title)
    figure.savefig(content, format=suffix, metadata=metadata)
    plt.close(figure)
    return content.getvalue()


def write(path, number=0):
    """Write a file as its job would. number: different numbers give different files with the same stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    measurements = Measurements()
    measurements.add(number, "loss", [2.5, float(number)])
    match path.suffix:
        case ".npz":
            datasets.write(path, {"images": np.arange(300.0), "labels": np.arange(3) + number}, PROVENANCE)
        case ".parquet" if path.name == "run.parquet":
            write_run(path, measurements, PROVENANCE)
        case ".parquet":
            write_table(path, pa.table({"depth": [1, 2], "value": [0.5, float(number)]}), PROVENANCE)
        case ".json":
            path.write_text(chart_text({**CHART, "width": number}, PROVENANCE))
        case ".pdf":
            picture = drawn("pdf", str(number), Keywords=keywords_for(PROVENANCE), CreationDate=None)
            path.write_bytes(stamp_pdf(picture))
        case ".png":
            path.write_bytes(stamp_png(drawn("png", str(number)), PROVENANCE))
        case _:
            path.write_text(stamp_text(f"<svg>{number}</svg>\n", PROVENANCE, csv=path.suffix == ".csv"))


def content_of(path):
    """Return what the readers of a file use."""
    if path.suffix == ".npz":
        return {name: array.tolist() for name, array in datasets.read(path).arrays.items()}
    if path.suffix == ".parquet":
        return read_table(path).to_pydict()
    if path.suffix == ".json":
        chart = json.loads(path.read_text(encoding="utf-8"))
        del chart["usermeta"]["provenance"]
        return chart
    # Any other byte of a picture is covered, but the last line of a text is its stamp.
    return path.read_bytes() if path.suffix in (".pdf", ".png") else path.read_text(encoding="utf-8").splitlines()[:-1]


@pytest.mark.parametrize("name", FILES)
def test_a_written_stamp_is_read_unchanged_and_the_same_content_gives_the_same_bytes(tmp_path, name):
    one, same, other = (tmp_path / folder / name for folder in ("one", "same", "other"))
    for path, number in ((one, 0), (same, 0), (other, 1)):
        write(path, number)
        assert stamp_of(path) == STAMP
    assert one.read_bytes() == same.read_bytes()
    assert content_of(one) != content_of(other)


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
def test_a_file_with_a_changed_bit_or_cut_off_is_damaged_or_has_the_same_content(tmp_path_factory, name, data):
    path = tmp_path_factory.mktemp("damaged") / name
    write(path)
    before, content = content_of(path), bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content[: data.draw(st.just(len(content)) | st.integers(0, len(content) - 2))])
    try:
        stamp_of(path)
    except UserError as error:
        assert str(error)
    else:
        assert content_of(path) == before


@pytest.mark.parametrize("name", FILES[3:])
@pytest.mark.parametrize(
    "change",
    {
        "newline": lambda content: content + b"\n",
        "no newline": lambda content: content[:-1],
        "newline before": lambda content: b"\n" + content,
        "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
        "CR at the end": lambda content: content + b"\r",
        "blank": lambda content: content + b" ",
        "layout of the stamp": lambda content: content.replace(b'"code": ', b'"code":  ').replace(
            b'"code":"', b'"code": "'
        ),
        "byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    }.values(),
)
def test_any_other_byte_of_a_text_or_picture_is_noticed(tmp_path, name, change):
    path = tmp_path / name
    write(path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(UserError):
        stamp_of(path)


def test_a_bit_of_a_run_that_no_reader_uses_makes_neither_the_run_nor_its_readers_stale(tmp_path):
    path = tmp_path / RUN
    write(path)
    content, digest, current = path.read_bytes(), content_digest(path), []
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with suppress(UserError):
            if stamp_of(path) == STAMP:
                current.append(content_digest(path) == digest)
    assert current and all(current)


@pytest.mark.parametrize("name", ["data.npz", "table.parquet", f"results/runs/{RUN}"])
def test_other_content_with_the_same_stamp_is_damaged(tmp_path, name):
    # Both formats have checksums of their own, which a tool that rewrites a file writes anew.
    path, other = tmp_path / name, tmp_path / "other" / name
    write(path)
    write(other, 1)
    if path.suffix == ".npz":
        with np.load(path) as own, np.load(other) as foreign:
            np.savez(path, **{**foreign, "provenance": own["provenance"]})
    else:
        pq.write_table(read_table(other).replace_schema_metadata(read_table(path).schema.metadata), path)
    with pytest.raises(UserError, match="changed after the workflow wrote it"):
        stamp_of(path)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", [b"", b"half", b"{}", b"[]", b'{"usermeta": {"provenance": 3}}'])
def test_a_file_that_no_job_wrote_is_damaged(tmp_path, name, content):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    with pytest.raises(UserError):
        stamp_of(path)
    with pytest.raises(UserError, match=r"the workflow makes no files with the suffix '\.txt'"):
        stamp_of(tmp_path / "result.txt")


@pytest.mark.parametrize(
    ("stamp", "message"),
    [
        ([], "no mapping, but list"),
        ({}, "no text for 'spec'"),
        ({**asdict(STAMP), "code": 1}, "no text for 'code'"),
        ({**asdict(STAMP), "inputs": "[]"}, "no JSON object for 'inputs'"),
        ({**asdict(STAMP), "versions": "{"}, "JSONDecodeError"),
    ],
)
def test_a_file_with_a_malformed_stamp_is_damaged(tmp_path, stamp, message):
    if isinstance(stamp, dict):
        datasets.write(tmp_path / "data.npz", {"images": np.zeros(3)}, SimpleNamespace(as_stamp=lambda: stamp))
    else:
        np.savez(tmp_path / "data.npz", images=np.zeros(3), provenance=np.array(json.dumps(stamp)))
    with pytest.raises(UserError, match=message):
        stamp_of(tmp_path / "data.npz")


def test_a_chart_has_sorted_readable_text_and_keeps_its_own_metadata(tmp_path):
    path = tmp_path / "chart.json"
    path.write_text(chart_text(CHART, PROVENANCE))
    text = path.read_text()
    assert text.endswith("}\n") and "ν₂" in text
    assert list(json.loads(text)) == sorted(CHART) and content_of(path) == CHART
    path.write_text(json.dumps(json.loads(text), indent=1))
    with pytest.raises(UserError, match="the chart was changed"):
        stamp_of(path)
    # A chart may lack metadata of its own.
    path.write_text(chart_text({"title": "a"}, PROVENANCE))
    assert stamp_of(path) == STAMP
    with pytest.raises(UserError, match="a number that JSON lacks"):
        chart_text({"datasets": {"values": [np.inf]}}, PROVENANCE)
