import json
import random

import numpy as np
import pytest
import torch

from reproduce.errors import UserError
from reproduce.jobs.train import main
from reproduce.records.atomic import replacing
from reproduce.records.content import content_digest
from reproduce.records.datasets import read_file
from reproduce.records.job import Job
from reproduce.records.measurements import Measurements
from reproduce.records.tables import metadata_of, read_table


def draw(spec):
    """Record one number of each generator that all callers share."""
    measurements = Measurements()
    weights = torch.nn.Linear(2, 1).weight.detach().numpy().ravel()
    measurements.add(0, "drawn", [random.random(), np.random.rand(), *weights])
    return measurements


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that runs a function as an experiment, on data files, and returns the table of the run."""

    def run(function, *files, spec="{}"):
        monkeypatch.setattr("reproduce.jobs.isolation.import_function", lambda entry: function)
        main(Job(spec, "deepnets.experiments.toy.run:run@0"), [], list(files), tmp_path / "run.parquet")
        return read_table(tmp_path / "run.parquet")

    return run


def test_draws_without_a_generator_depend_on_the_spec(run):
    first, again, other = (run(draw, spec=f'{{"seed": {seed}}}')["value"].to_pylist() for seed in (1, 1, 2))
    assert first == again
    assert all(one != pytest.approx(another) for one, another in zip(first, other, strict=True))


def test_a_run_does_not_replace_the_result_of_a_job_that_began_later(run, tmp_path, monkeypatch):
    def overtaken(*_):
        with replacing(tmp_path / "run.parquet") as newer:
            newer.write_text("newer")

    monkeypatch.setattr("reproduce.jobs.train.write_run", overtaken)
    with pytest.raises(UserError, match="another job began to write"):
        run(draw)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["newer"]


def copy(spec, curve):
    """Record the columns of a data file."""
    measurements = Measurements()
    for name in ("time", "loss"):
        measurements.add(0, name, curve[name])
    return measurements


def test_a_run_takes_a_data_file_as_named_columns_and_records_its_digest(run, tmp_path):
    curve = tmp_path / "curve.csv"
    curve.write_text("\ufefftime, loss\n1,2.5\n2,1e-3\n\n", encoding="utf-8")
    table = run(copy, curve)
    assert table["value"].to_pylist() == [1, 2, 2.5, 1e-3]
    assert json.loads(metadata_of(table)["inputs"]) == {"curve": content_digest(curve)}
    assert read_file(curve).reduced == ""
    curve.write_text("time,loss\n1,2\n2\n")
    with pytest.raises(
        UserError, match=r"curve.csv cannot be read: line 3: \['2'\] has 1 values, but there are 2 columns"
    ):
        run(copy, curve)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,loss,time\n1,2,3\n", "line 1: 'time', 'loss', 'time'; give each column its own name"),
        ("time,loss, time \n1,2,3\n", "give each column its own name"),
        ("time,\n1,2\n", "give each column its own name"),
        ("time;loss\n1;2\n", "line 1: one column is called 'time;loss'; separate columns by commas"),
        ("time\tloss\n1\t2\n", "separate columns by commas"),
        ("1,2.5\n2,1e-3\n", "line 1: 1, 2.5 are numbers; write the names of the columns above"),
        ("time,loss\n1,2\n\n2,\n", r"line 4: \['2', ''\] has an empty value; write nan"),
        ("time,loss\n1,2\n ,3\n", "line 3: .* has an empty value"),
        ("time,loss\n1,2\n2,NA\n", "line 3: 'NA' in column 'loss' is no number; write nan"),
        ("time,loss\n1,2\n2,3_0\n", "line 3: '3_0' in column 'loss' is no number"),
        *(
            (
                f"time,loss\n1,{text}\n",
                f"line 2: float64 cannot hold '{text}' in column 'loss'; begin names with a letter",
            )
            for text in ("9007199254740993", "9007199254740993.5", "-1e400", "1e-400", "1.2345e-320", "9" * 400)
        ),
        ("time,loss\n1,nan\n2,-\n3,1\n", "line 3: '-' in column 'loss'"),
        ('time,loss\n1,"2,5"\n2,"3,5"\n', "line 2: '2,5' in column 'loss' is no number; .* a point instead of a comma"),
        ('name,loss\n"a\nb",1\n"c",x\n', "line 4: 'x' in column 'loss'"),
        ('name,loss\n"a,1\n', "cannot be read: "),
        ("name,loss\nab\0,1\n", "line 2: contains the character NUL, which NumPy drops; delete it"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_data_file_that_would_be_misread_is_refused_with_its_line(tmp_path, text, message, end):
    path = tmp_path / "curve.csv"
    path.write_bytes(text.replace("\n", end).encode())
    with pytest.raises(UserError, match=message):
        read_file(path)


def test_a_data_file_may_contain_texts_and_arrays(tmp_path):
    (tmp_path / "nets.csv").write_text('name,depth\n"deep, linear",3\n', encoding="utf-8")
    assert read_file(tmp_path / "nets.csv")["name"].tolist() == ["deep, linear"]
    (tmp_path / "gaps.csv").write_text('a,b\r\nnan,"x\ny"\r\n1,inf\r\n', encoding="utf-8", newline="")
    gaps = read_file(tmp_path / "gaps.csv")
    assert np.array_equal(gaps["a"], [np.nan, 1], equal_nan=True) and gaps["b"].tolist() == ["x\ny", "inf"]
    np.savez(tmp_path / "curve.npz", loss=np.eye(2))
    read = read_file(tmp_path / "curve.npz")
    assert read["loss"].tolist() == [[1, 0], [0, 1]]
    assert read.digest == content_digest(tmp_path / "curve.npz")
