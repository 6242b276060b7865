"""What Snakemake remembers of a file, before a plan, is what the file says of itself."""

import json
from pathlib import Path

import pytest
from snakemake.io import IOFile
from snakemake.persistence.file import FilePersistence

from workflow.deepnets.config.results import Result
from workflow.deepnets.engine.metadata import all_inputs_param, inputs_param, remind
from workflow.deepnets.records.cache import FileCache
from workflow.deepnets.records.measurements import Measurements
from workflow.deepnets.records.paths import MNIST
from workflow.deepnets.records.provenance import Provenance, sha256_of
from workflow.deepnets.records.tables import write_run

RUN = "results/runs/experiment=toy/depth=1/run.parquet"
RESULT = Result('{"depth":1}', "module:run@1", {"mnist": (MNIST,)})


@pytest.fixture
def facts(tmp_path, monkeypatch):
    """A folder with a data set, and a run that says that it read it."""
    monkeypatch.chdir(tmp_path)
    for path in (MNIST, RUN):
        Path(path).parent.mkdir(parents=True)
    Path(MNIST).write_text("images", encoding="utf-8")
    write_run(RUN, Measurements(), Provenance('{"depth":1}', "module:run@1", {"mnist": sha256_of(MNIST)}))
    return FileCache(tmp_path / "cache", "f")


def recorded(result, facts):
    """The params of the run, and its inputs' checksums, as Snakemake reads them after a reminder."""
    remind({RUN: result}, facts)
    record = FilePersistence(nolock=True).metadata(IOFile(RUN))
    return set(record.params), record.input_checksums


def params(spec, code, mnist):
    return {repr(spec), repr(code), repr(json.dumps({"mnist": mnist}))}


def test_a_file_without_a_record_gets_what_it_says(facts):
    digest = sha256_of(MNIST)
    assert recorded(RESULT, facts) == (params('{"depth":1}', "module:run@1", digest), {MNIST: f"sha256:{digest}"})


def test_the_record_is_the_file_s_own_whatever_the_plan_says(facts):
    other = Result('{"depth":2}', "module:run@2", {"mnist": (MNIST,)})
    assert recorded(other, facts)[0] == params('{"depth":1}', "module:run@1", sha256_of(MNIST))


def test_the_record_of_another_file_is_replaced(facts):
    recorded(RESULT, facts)
    write_run(RUN, Measurements(), Provenance('{"depth":1}', "module:run@0", {"mnist": "a"}))
    found, checksums = recorded(RESULT, facts)
    assert found == params('{"depth":1}', "module:run@0", "a")
    assert checksums == {MNIST: "sha256:a"}


def test_a_spec_that_any_source_gives_is_the_one_that_is_asked_for(facts):
    source = Result('{"source":"auto"}', "module:run@1", {"mnist": (MNIST,)}, stamps=('{"depth":1}',))
    assert repr('{"source":"auto"}') in recorded(source, facts)[0]


def test_a_damaged_file_is_of_no_params(facts):
    Path(RUN).write_text("half", encoding="utf-8")
    assert recorded(RESULT, facts) == (set(), {})


def test_the_param_is_that_of_the_inputs_that_are_there(facts):
    before = inputs_param(RUN, RESULT, facts)
    assert json.loads(before) == {"mnist": sha256_of(MNIST)}
    everything = all_inputs_param({RUN: RESULT, MNIST: RESULT}, facts)
    Path(MNIST).write_text("others", encoding="utf-8")
    assert json.loads(inputs_param(RUN, RESULT, facts)) == {"mnist": sha256_of(MNIST)} != json.loads(before)
    assert all_inputs_param({RUN: RESULT, MNIST: RESULT}, facts) != everything


@pytest.mark.parametrize("run_is_there", [True, False])
def test_a_missing_input_is_taken_for_what_was_read(facts, run_is_there):
    before = inputs_param(RUN, RESULT, facts)
    remind({RUN: RESULT}, facts)
    Path(MNIST).unlink()
    if not run_is_there:
        Path(RUN).unlink()
        remind({RUN: RESULT}, facts)
    assert inputs_param(RUN, RESULT, facts) == before
