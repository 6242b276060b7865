import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.errors import UserError
from reproduce.jobs.job import Job
from reproduce.records import datasets
from reproduce.records.files import sha256_of
from reproduce.records.ledgers import LedgerRow, read_ledger, write_ledger
from reproduce.records.measurements import Measurements
from reproduce.records.packages import versions
from reproduce.records.record import Record, read_record, record_at, record_of, write_record
from reproduce.records.sealed import read_sealed, write_sealed
from reproduce.records.tables import read_run, read_table, write_run, write_table

RECORD = Record(
    spec='{"depth":2,"scale":0.1}',
    code="module:run@0123456789abcdef01234567",
    footprint={"module": ["run"], "reproduce.jobs": ["*"]},
    inputs={"whitened": "ab" * 32},
    files={"deepnets/experiments/e/curve.csv": ""},
    packages={"numpy": "2.0", "python": "3.11.7"},
    reduced="half of ν₂",
    outputs={"run.parquet": "cd" * 32},
)


def test_a_written_record_is_read_unchanged_and_contains_no_place_or_time(tmp_path):
    for name in ("a.json", "b/a.json"):
        write_record(tmp_path / name, RECORD)
        assert read_record(tmp_path / name) == RECORD
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b/a.json").read_bytes()
    *content, (last, _) = json.loads((tmp_path / "a.json").read_text()).items()
    assert dict(content) == {**asdict(RECORD), "spec": {"depth": 2, "scale": 0.1}} and last == "sha256"


@pytest.mark.parametrize(
    ("path", "record"),
    [
        (
            "results/runs/experiment=e/depth=1/seed=0/run.parquet",
            "results/records/runs/experiment=e/depth=1/seed=0.json",
        ),
        ("results/tables/e.parquet", "results/records/tables/e.json"),
        *((f"results/figures/d/f.{suffix}", "results/records/figures/d/f.json") for suffix in ("pdf", "png", "csv")),
        ("results/claims.md", "results/records/claims.json"),
        ("results/claims/d.parquet", "results/records/claims/d.json"),
        ("results/report-d.html", "results/records/report-d.json"),
        # On a storage, and in a checkout below a folder of that name.
        ("/a/results/b/results/data/mnist.npz", "/a/results/b/results/records/data/mnist.json"),
        ("/tmp/3.parquet", "/tmp/3.json"),
    ],
)
def test_the_path_of_a_record_mirrors_that_of_its_result(path, record):
    assert record_of(path) == record_of(Path(path)) == record


@given(st.integers(0), st.integers(0, 999), st.binary(max_size=9) | st.sampled_from([b"null", b"[]", b'""', b"1"]))
def test_a_record_with_any_other_text_is_an_empty_one(tmp_path_factory, place, length, new):
    write_record(path := tmp_path_factory.getbasetemp() / "damaged.json", RECORD)
    text = path.read_bytes()
    for start in (0, place % len(text), len(text)):
        path.write_bytes(other := text[:start] + new + text[start + length :])
        assert other == text or read_record(path) == Record()


def test_a_record_that_is_missing_or_of_a_version_with_other_fields_is_an_empty_one(tmp_path):
    assert read_record(tmp_path / "a.json") == Record()
    for content in ({}, {"spec": {}}, {**asdict(RECORD), "new": 1}):
        write_sealed(tmp_path / "a.json", content)
        assert read_sealed(tmp_path / "a.json") == content and read_record(tmp_path / "a.json") == Record()


def write_files(folder):
    """Write a file of each kind, from equal contents, with a record of all; return each with its reader."""
    folder.mkdir(exist_ok=True)
    measurements = Measurements()
    measurements.add(3, "loss", [2.5, 1.0])
    metadata = '{"depth":2}', "half"
    datasets.write(folder / "a.npz", {"images": np.arange(300.0), "labels": np.arange(3)}, "half")
    write_run(folder / "run.parquet", measurements, *metadata)
    write_table(folder / "table.parquet", pa.table({"depth": [1, 2]}), *metadata)
    write_ledger(folder / "ledger.parquet", [LedgerRow(kind="number", verdict="reproduced")], *metadata)
    readers = {"a.npz": datasets.read, "run.parquet": read_run, "table.parquet": read_table}
    return {folder / name: read for name, read in {**readers, "ledger.parquet": read_ledger}.items()}


def test_a_file_of_any_kind_is_equal_for_equal_contents_and_damaged_with_any_other_byte(tmp_path):
    files, others = write_files(tmp_path / "one"), write_files(tmp_path / "other")
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in others]
    for path, read in files.items():
        content = path.read_bytes()
        write_record(record_of(path), replace(RECORD, outputs={path.name: sha256_of(path)}))
        read(path)
        for place in range(0, len(content), len(content) // 25):
            path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
            with suppress(UserError):
                read(path)
            with pytest.raises(UserError, match="was changed after the workflow wrote it"):
                record_at(path)
        path.write_bytes(content[: len(content) // 2])
        with pytest.raises(UserError, match=f"{path} is damaged; rebuild it with: snakemake --cores 1 --force {path}"):
            read(path)
        path.unlink()
        with pytest.raises(UserError, match=f"{path} is missing; rebuild it with"):
            read(path)


def test_a_job_records_its_code_its_inputs_and_the_bytes_of_its_results(tmp_path, monkeypatch):
    monkeypatch.setattr("reproduce.jobs.job.taken", lambda: ("12" * 12, {"module": ["run"]}, ("numpy",)))
    unfinished, opened = tmp_path / ".partial", {"deepnets/__init__.py": "of another content"}
    unfinished.write_bytes(b"rows")
    job = Job('{"depth":2}', "module:run", tmp_path / "records/run.json")
    job.write_record({tmp_path / "run.parquet": unfinished}, {"mnist": "ab"}, "half")
    assert read_record(job.record) == Record(
        '{"depth":2}',
        f"module:run@{'12' * 12}",
        {"module": ["run"]},
        {"mnist": "ab"},
        {},
        versions(["numpy"]),
        "half",
        {"run.parquet": sha256_of(unfinished)},
    )
    with pytest.raises(UserError, match=r"^deepnets/__init__\.py changed while this job read it; start"):
        replace(job, opened=opened).write_record({}, {})
