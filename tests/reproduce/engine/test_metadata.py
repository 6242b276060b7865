"""Before a plan, Snakemake's metadata of each file is overwritten with what the file's own record contains."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from reproduce.config.plan import Result
from reproduce.config.staleness import Staleness
from reproduce.engine.metadata import sync_snakemake_metadata
from reproduce.engine.snakemake_internals import Metadata
from reproduce.records.cache import FileCache
from reproduce.records.digests import sha256_of
from reproduce.records.record import Record, record_of, write_record

RUN = "results/runs/experiment=toy/depth=1/seed=0/run.parquet"
MNIST = "results/data/mnist.npz"
RESULT = Result('{"depth":1}', "module:run", {"mnist": (MNIST,)})


def write_run(**changed):
    fields = {"spec": '{"depth":1}', "code": "module:run@1", "inputs": {"mnist": sha256_of(MNIST)}, **changed}
    write_record(record_of(RUN), Record(**fields, outputs={"run.parquet": sha256_of(RUN)}))


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The cache of a folder with a data set and a run whose record contains its digest."""
    monkeypatch.chdir(tmp_path)
    for path in (MNIST, RUN):
        Path(path).parent.mkdir(parents=True)
        Path(path).write_text("numbers", encoding="utf-8")
    write_run()
    return FileCache(tmp_path / "cache")


def sync_metadata(result, cache, path=RUN):
    """Sync Snakemake's metadata; return the params of the run, or of its record, and the checksums of its inputs."""
    staleness = Staleness(SimpleNamespace(codes=None), cache)
    sync_snakemake_metadata({RUN: result}, staleness, cache)
    found = Metadata().read(path)
    return found and set(found.params), found and found.input_checksums


def params(spec, code, mnist):
    return {repr(spec), repr(code), repr(json.dumps({"mnist": mnist}))}


@pytest.mark.parametrize("planned", [RESULT, Result('{"depth":2}', "module:other", {"mnist": (MNIST,)})])
@pytest.mark.parametrize("path", [RUN, record_of(RUN)])
def test_a_result_without_metadata_and_its_record_get_what_the_record_contains_for_every_plan(cache, planned, path):
    digest = sha256_of(MNIST)
    expected = params('{"depth":1}', "module:run@1", digest), {MNIST: f"sha256:{digest}"}
    assert sync_metadata(planned, cache, path) == expected


def test_metadata_of_a_different_file_are_replaced(cache):
    sync_metadata(RESULT, cache)
    write_run(code="module:run@0", inputs={"mnist": "a"})
    found, checksums = sync_metadata(RESULT, cache)
    assert found == params('{"depth":1}', "module:run@0", "a")
    # The run read a different input, so no checksum is written, and Snakemake compares only its time stamp.
    assert checksums == {}


def test_a_data_set_is_current_if_its_content_is_the_same_from_a_different_source(cache):
    source = Result('{"source":"auto"}', "module:run", {"mnist": (MNIST,)}, recorded_specs=('{"depth":1}',))
    assert repr('{"source":"auto"}') in sync_metadata(source, cache)[0]


def test_metadata_of_a_damaged_file_or_record_are_cleared_and_those_of_a_missing_one_stay(cache):
    before = sync_metadata(RESULT, cache)
    Path(RUN).unlink()
    # The record of a missing result still contains what made it.
    shutil.rmtree(".snakemake")
    assert sync_metadata(RESULT, cache) == before
    Path(RUN).write_text("half", encoding="utf-8")
    assert sync_metadata(RESULT, cache) == (set(), {})
    Path(RUN).write_text("numbers", encoding="utf-8")
    assert sync_metadata(RESULT, cache) == before
    Path(record_of(RUN)).write_text("{", encoding="utf-8")
    assert sync_metadata(RESULT, cache) == (set(), {})
