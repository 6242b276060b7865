"""Before a plan, Snakemake's metadata of each file is overwritten with the file's own stamp."""

import json
from pathlib import Path

import pytest

from reproduce.config.plan import Result
from reproduce.engine.metadata import inputs_param, sync_snakemake_metadata
from reproduce.engine.snakemake_internals import Metadata
from reproduce.records.cache import FileCache
from reproduce.records.measurements import Measurements
from reproduce.records.provenance import Provenance, sha256_of
from reproduce.records.tables import write_run

RUN = "results/runs/experiment=toy/depth=1/run.parquet"
MNIST = "results/data/mnist.npz"
RESULT = Result('{"depth":1}', "module:run@1", {"mnist": (MNIST,)})


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The cache of a folder with a data set and a run whose stamp records that it read this data set."""
    monkeypatch.chdir(tmp_path)
    for path in (MNIST, RUN):
        Path(path).parent.mkdir(parents=True)
    Path(MNIST).write_text("images", encoding="utf-8")
    write_run(RUN, Measurements(), Provenance('{"depth":1}', "module:run@1", {"mnist": sha256_of(MNIST)}))
    return FileCache(tmp_path / "cache", "f")


def sync_metadata(result, cache):
    """Sync Snakemake's metadata; return the params of the run and the checksums of its inputs."""
    sync_snakemake_metadata({RUN: result}, cache)
    record = Metadata().read(RUN)
    return set(record.params), record.input_checksums


def params(spec, code, mnist):
    return {repr(spec), repr(code), repr(json.dumps({"mnist": mnist}))}


@pytest.mark.parametrize("planned", [RESULT, Result('{"depth":2}', "module:run@2", {"mnist": (MNIST,)})])
def test_a_file_without_metadata_gets_those_of_its_stamp_for_every_plan(cache, planned):
    digest = sha256_of(MNIST)
    assert sync_metadata(planned, cache) == (params('{"depth":1}', "module:run@1", digest), {MNIST: f"sha256:{digest}"})


def test_metadata_of_a_different_file_are_replaced(cache):
    sync_metadata(RESULT, cache)
    write_run(RUN, Measurements(), Provenance('{"depth":1}', "module:run@0", {"mnist": "a"}))
    found, checksums = sync_metadata(RESULT, cache)
    assert found == params('{"depth":1}', "module:run@0", "a")
    # The run read a different input, so no checksum is written, and Snakemake compares only its time stamp.
    assert checksums == {}


def test_a_data_set_is_current_if_its_content_is_the_same_from_a_different_source(cache):
    source = Result('{"source":"auto"}', "module:run@1", {"mnist": (MNIST,)}, stamps=('{"depth":1}',))
    assert repr('{"source":"auto"}') in sync_metadata(source, cache)[0]


def test_metadata_of_a_damaged_file_are_cleared(cache):
    Path(RUN).write_text("half", encoding="utf-8")
    assert sync_metadata(RESULT, cache) == (set(), {})


def test_params_change_with_the_content_of_the_inputs(cache):
    before = inputs_param(RUN, RESULT, cache)
    assert json.loads(before) == {"mnist": sha256_of(MNIST)}
    Path(MNIST).write_text("others", encoding="utf-8")
    assert json.loads(inputs_param(RUN, RESULT, cache)) == {"mnist": sha256_of(MNIST)} != json.loads(before)


@pytest.mark.parametrize("run_is_there", [True, False])
def test_a_missing_input_has_the_digest_recorded_by_the_run(cache, run_is_there):
    before = inputs_param(RUN, RESULT, cache)
    sync_snakemake_metadata({RUN: RESULT}, cache)
    Path(MNIST).unlink()
    if not run_is_there:
        Path(RUN).unlink()
        sync_snakemake_metadata({RUN: RESULT}, cache)
    assert inputs_param(RUN, RESULT, cache) == before
