"""One module decides what is stale: the plan, the end of each job, and the audit ask it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from reproduce.config.plan import Result
from reproduce.config.staleness import Staleness
from reproduce.records import files
from reproduce.records.cache import FileCache
from reproduce.records.files import sha256_of
from reproduce.records.record import Record, record_of, write_record

RUN = "results/runs/experiment=toy/depth=1/seed=0/run.parquet"
MNIST = "results/data/mnist.npz"
RESULT = Result('{"depth":1}', "module:run", {"mnist": (MNIST,)})
# The fingerprint of the present code: 16 digits of the code, 8 of the packages.
CODE = f"{'1' * 16}{'2' * 8}"


class Codes:
    def of(self, entry, record):
        return f"{entry}@{CODE}"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "_PACKAGES", tmp_path)
    for path in (MNIST, RUN):
        Path(path).parent.mkdir(parents=True)
        Path(path).write_text("numbers", encoding="utf-8")
    return FileCache(tmp_path / "cache")


@pytest.fixture
def staleness(cache):
    return Staleness(SimpleNamespace(codes=Codes()), cache)


def write_run(**changed):
    fields = {"spec": '{"depth":1}', "code": f"module:run@{CODE}", "inputs": {"mnist": sha256_of(MNIST)}, **changed}
    write_record(record_of(RUN), Record(**fields, outputs={"run.parquet": sha256_of(RUN)}))


@pytest.mark.parametrize(
    ("changed", "reasons"),
    [
        ({}, ()),
        ({"spec": '{"depth":2}'}, ("spec",)),
        ({"code": f"module:run@{'3' * 16}{'2' * 8}"}, ("code",)),
        ({"code": f"module:other@{CODE}"}, ("code",)),
        ({"code": f"module:run@{'1' * 16}{'3' * 8}"}, ("package",)),
        ({"inputs": {"mnist": "ab"}}, ("inputs",)),
        ({"inputs": {}}, ("inputs",)),
        # The code looked for this file, and found none then and now.
        ({"files": {"curve.csv": ""}}, ()),
        ({"files": {"curve.csv": "ab"}}, ("inputs",)),
        ({"spec": "{}", "code": "module:run@", "inputs": {}}, ("spec", "code", "inputs")),
    ],
)
def test_a_result_is_stale_if_what_its_record_contains_differs_from_now(staleness, changed, reasons):
    write_run(**changed)
    assert staleness.reasons(RUN, RESULT) == reasons


def test_a_file_that_the_code_opened_counts_by_its_content_and_a_folder_by_its_names(staleness, tmp_path):
    (tmp_path / "folder").mkdir()
    names = ("curve.csv", "folder")
    (tmp_path / "curve.csv").write_text("1")
    write_run(files=files.digests_of(names))
    assert staleness.reasons(RUN, RESULT) == ()
    (tmp_path / "folder/__pycache__").mkdir()
    assert staleness.reasons(RUN, RESULT) == ()
    (tmp_path / "folder/new").touch()
    assert staleness.reasons(RUN, RESULT) == ("inputs",)
    (tmp_path / "folder/new").unlink()
    (tmp_path / "curve.csv").write_text("2")
    assert staleness.reasons(RUN, RESULT) == ("inputs",)
    (tmp_path / "curve.csv").unlink()
    assert staleness.reasons(RUN, RESULT) == ("inputs",)


def test_a_missing_result_and_one_with_other_bytes_or_without_record_are_named(staleness):
    assert staleness.reasons(RUN, RESULT) == ("damaged",)
    write_run()
    Path(RUN).write_text("half", encoding="utf-8")
    assert staleness.reasons(RUN, RESULT) == ("damaged",)
    Path(RUN).unlink()
    assert staleness.reasons(RUN, RESULT) == ("missing",)


def test_a_missing_input_makes_nothing_stale_if_its_record_is_there_and_another_content_does(staleness):
    write_run()
    write_record(record_of(MNIST), Record("{}", outputs={"mnist.npz": sha256_of(MNIST)}))
    Path(MNIST).unlink()
    assert staleness.reasons(RUN, RESULT) == ()
    # A job that fails leaves neither its old results nor their record.
    record = Path(record_of(MNIST)).rename("record")
    assert staleness.reasons(RUN, RESULT) == ("inputs",)
    record.rename(record_of(MNIST))
    Path(MNIST).write_text("others", encoding="utf-8")
    assert staleness.reasons(RUN, RESULT) == ("inputs",)


def test_a_data_set_of_another_source_is_current_if_its_content_may_be_recorded(staleness):
    write_run(spec='{"reduced":""}')
    assert staleness.reasons(RUN, Result('{"source":"auto"}', "module:run", RESULT.inputs, ('{"reduced":""}',))) == ()
    assert staleness.reasons(RUN, Result('{"source":"auto"}', "module:run", RESULT.inputs)) == ("spec",)


def test_a_missing_result_differs_by_its_record_and_one_without_record_by_nothing(staleness):
    write_run(spec='{"depth":2}')
    Path(RUN).unlink()
    assert staleness.differences(RUN, RESULT) == ("spec",)
    Path(record_of(RUN)).unlink()
    assert staleness.differences(RUN, RESULT) == ()
