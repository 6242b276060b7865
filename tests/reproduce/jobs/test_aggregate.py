import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from reproduce.config.grids import points_of
from reproduce.errors import UserError
from reproduce.jobs import aggregate
from reproduce.jobs.job import Job
from reproduce.records.files import digest_of, sha256_of
from reproduce.records.measurements import Measurements
from reproduce.records.record import record_at
from reproduce.records.tables import metadata_of, read_table, write_run

GRIDS = [{"axes": {"depth": [3, 1], "init": ["xavier"], "scale": [0.5], "seed": [0]}, "settings": {}}]


@pytest.fixture
def points(tmp_path, monkeypatch):
    """The points of three runs of an experiment with two axes, in a temporary working folder."""
    monkeypatch.chdir(tmp_path)
    points = points_of("classifier", GRIDS)
    for point in points:
        write(point)
    return points


def write(point, *, spec="", metrics=("train_loss",)):
    measurements = Measurements()
    for metric in metrics:
        measurements.add(0, metric, 10.0 * point.axes["depth"])
    path = Path(point.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, measurements, spec or point.spec, "half")


def join_runs(points, output):
    types = {"depth": "integer", "init": "string", "scale": "number", "seed": "integer"}
    spec = {"experiment": "classifier", "grids": GRIDS, "types": types}
    job = Job(json.dumps(spec), "aggregate", output.with_suffix(".json"))
    aggregate.main(job, [Path(point.path) for point in points], output)
    return read_table(output)


def test_a_table_written_in_pieces_has_the_same_rows(points, tmp_path, monkeypatch):
    for point, metrics in zip(points, (("b", "a"), ("c", "a", "b")), strict=True):
        write(point, metrics=metrics)
    whole = join_runs(points, tmp_path / "whole.parquet")
    monkeypatch.setattr(aggregate, "_ROWS", 1)
    pieces = join_runs(points, tmp_path / "pieces.parquet")
    assert pq.ParquetFile(tmp_path / "pieces.parquet").num_row_groups == 2
    assert pieces.to_pylist() == whole.to_pylist()
    assert metadata_of(pieces) == metadata_of(whole)
    rows = [(row["depth"], row["metric"]) for row in whole.to_pylist()]
    assert rows == [(1, "b"), (1, "a"), (3, "c"), (3, "a"), (3, "b")]
    # With the same categories.
    pd.testing.assert_series_equal(*(table.to_pandas()["metric"] for table in (pieces, whole)))
    join_runs(points, tmp_path / "again.parquet")
    assert sha256_of(tmp_path / "again.parquet") == sha256_of(tmp_path / "pieces.parquet")


def test_runs_are_joined_in_the_order_of_their_axes(points, tmp_path):
    table = join_runs(points, tmp_path / "table.parquet")
    assert table.to_pandas()[["depth", "init", "scale", "seed", "value"]].to_numpy().tolist() == [
        [1, "xavier", 0.5, 0, 10.0],
        [3, "xavier", 0.5, 0, 30.0],
    ]
    assert table.column_names[:5] == ["experiment", "depth", "init", "scale", "seed"]
    record = record_at(tmp_path / "table.parquet")
    assert metadata_of(table)["reduced"] == record.reduced == "half"
    assert record.inputs == {"runs": digest_of([point.path for point in points], sha256_of)}


def test_a_run_with_another_spec_is_refused(points, tmp_path):
    write(points[1], spec="{}")
    with pytest.raises(UserError, match=r"depth=3/.* contains a run with another spec: \{\} instead of"):
        join_runs(points, tmp_path / "table.parquet")
    assert not (tmp_path / "table.parquet").exists()
