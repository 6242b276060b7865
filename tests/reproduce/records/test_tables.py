from contextlib import nullcontext

import numpy as np
import pyarrow.parquet as pq
import pytest

from reproduce.errors import UserError
from reproduce.records import datasets
from reproduce.records.files import guard_inputs, sha256_of
from reproduce.records.measurements import Measurements, add_finite
from reproduce.records.tables import metadata_of, read_run, read_table, write_run, write_table

METADATA = '{"depth":2}', "half"


@pytest.fixture
def run(tmp_path, measurements):
    """The path of a written run, whose axes must not become columns."""
    path = tmp_path / "depth=2/seed=0/run.parquet"
    path.parent.mkdir(parents=True)
    write_run(path, measurements, *METADATA)
    return path


@pytest.fixture
def measurements():
    measurements = Measurements()
    measurements.add(0, "train_loss", 2.5)
    measurements.add(0, "singular_value", np.array([3.0, 1.0]))
    measurements.add(7, "multiply_adds", np.array([5.0]), index=np.array([50_000]))
    return measurements


def test_a_written_run_is_read_unchanged_with_its_spec(run):
    read = read_run(run)
    assert read.to_pylist() == [
        {"step": 0, "metric": "train_loss", "index": 0, "value": 2.5},
        {"step": 0, "metric": "singular_value", "index": 0, "value": 3.0},
        {"step": 0, "metric": "singular_value", "index": 1, "value": 1.0},
        {"step": 7, "metric": "multiply_adds", "index": 50_000, "value": 5.0},
    ]
    types = "int64, dictionary<values=string, indices=int32, ordered=0>, int32, double"
    assert ", ".join(str(field.type) for field in read.schema) == types
    assert metadata_of(read) == {"spec": '{"depth":2}', "reduced": "half"}


@pytest.mark.parametrize(
    ("step", "value", "index", "message"),
    [
        (0, np.zeros((2, 2)), None, "expected a scalar or a vector"),
        *((step, 1, None, "a step is a whole number; record the number of updates done") for step in (0.5, np.nan)),
        *((0, [1], [index], "an index is a whole number of 32 bits; record") for index in (0.2, 2**31, np.nan)),
        *((0, value, None, "is no real number; record numbers") for value in ([1, None], 1j, "1.5")),
        (0, np.array(1, dtype="datetime64[s]"), None, "is no real number"),
        (0, [1.0, 2.0], [[0], [1]], "2 values for 2 indices"),
    ],
)
def test_what_a_run_cannot_record_as_it_is_is_refused(step, value, index, message):
    with pytest.raises(ValueError, match=message):
        Measurements().add(step, "loss", value, index=index)


def test_whole_numbers_of_any_type_are_steps_and_indices():
    measurements = Measurements()
    measurements.add(np.float64(3), "loss", [True, False], index=[1.0, np.int64(2)])
    columns = measurements.columns()
    assert [columns[name].tolist() for name in ("step", "index", "value")] == [[3, 3], [1, 2], [1, 0]]


@pytest.mark.parametrize("again", [{"value": 2.0}, {"value": [2.0, 3.0], "index": [4, 0]}])
def test_a_value_that_is_recorded_twice_is_refused(again):
    measurements = Measurements()
    measurements.add(3, "loss", 1.0)
    measurements.add(3, "loss", 1.0, index=[1])
    measurements.add(3, "loss", **again)
    with pytest.raises(ValueError, match="loss at step 3: an index was recorded twice; record each once"):
        measurements.columns()


def test_a_table_without_a_spec_or_a_column_is_refused(run, tmp_path):
    table = read_table(run)
    pq.write_table(table.replace_schema_metadata(None), tmp_path / "foreign.parquet")
    with pytest.raises(UserError, match="was not made by this workflow"):
        read_table(tmp_path / "foreign.parquet")
    write_table(tmp_path / "narrow.parquet", table.drop_columns(["index"]), *METADATA)
    with pytest.raises(UserError, match="is no run: its columns are step, metric, value"):
        read_run(tmp_path / "narrow.parquet")


@pytest.mark.parametrize("content", [{"images": [1.0]}, {"reduced": [{"a": 1}]}])
def test_a_data_set_without_its_words_or_with_a_pickle_is_damaged(tmp_path, content):
    np.savez(tmp_path / "mnist.npz", **{name: np.array(each) for name, each in content.items()})
    with pytest.raises(UserError, match=r"mnist\.npz is damaged; rebuild it with: snakemake"):
        datasets.read(tmp_path / "mnist.npz")


@pytest.mark.parametrize(
    ("new", "message"), [("one", None), ("two", "changed while this job read it"), (None, "is missing")]
)
def test_only_inputs_whose_content_changes_while_they_are_read_are_reported(tmp_path, new, message):
    path = tmp_path / "table"
    path.write_text("one")
    refused = pytest.raises(UserError, match=message) if message else nullcontext()
    with refused, guard_inputs({"table": [path]}) as digests:
        assert digests == {"table": sha256_of(path)}
        path.write_text(new) if new else path.unlink()


def test_values_that_are_not_finite_are_omitted_and_the_others_keep_their_index():
    measurements = Measurements()
    add_finite(measurements, 4, "half_time", np.array([np.nan, 2.5, np.inf, 7.0]))
    columns = measurements.columns()
    assert (columns["step"].tolist(), columns["metric"]) == ([4, 4], ["half_time"] * 2)
    assert (columns["index"].tolist(), columns["value"].tolist()) == ([1, 3], [2.5, 7.0])
