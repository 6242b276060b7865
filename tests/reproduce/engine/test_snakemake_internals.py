import os
import subprocess
import sys

import pytest
from snakemake import __version__
from snakemake.persistence.file import FilePersistence

from conftest import ROOT
from reproduce.engine.snakemake_internals import Metadata, keep_locks_of_others
from reproduce.records.digests import sha256_of

CHANGED = f"Snakemake {__version__} writes its metadata otherwise than this project: adapt class Metadata"
# The smallest workflow that does what the project's rules do.
SNAKEFILE = """
rule all:
    input: "one", "two"


rule run:
    input: "data"
    output: "{name}"
    wildcard_constraints: name="one|two"
    params: **{"spec": lambda wildcards: '{"depth":1}', "command": lambda wildcards, output: "not compared"}
    shell: "cp {input} {output}"
"""


@pytest.fixture(scope="module")
def snakemake(tmp_path_factory):
    """A function that starts a workflow of two jobs in a new folder."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "data").write_text("images")

    def start(*arguments):
        command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
        variables = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done

    start.folder = folder
    start()
    return start


def test_snakemake_writes_metadata_as_we_do_and_compares_with_ours(snakemake, monkeypatch):
    monkeypatch.chdir(snakemake.folder)
    metadata = Metadata()
    record = metadata.read("one")
    assert record is not None, CHANGED
    assert not metadata.differs(record, ['{"depth":1}'], {"data": sha256_of("data")}), CHANGED
    assert record.input_checksums == {"data": f"sha256:{sha256_of('data')}"}, CHANGED
    for result, spec in (("one", '{"depth":1}'), ("two", '{"depth":2}')):
        metadata.write(result, metadata.read(result), [spec], {"data": sha256_of("data")})
    # With a new time stamp, Snakemake compares the input's checksum.
    (snakemake.folder / "data").touch()
    planned = snakemake("--dry-run").stdout
    assert "output: two" in planned, CHANGED
    assert "output: one" not in planned, CHANGED


def test_a_start_that_ends_leaves_the_locks_of_another_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep_locks_of_others()
    first, second, later, unlocking = (FilePersistence(nolock=True) for _ in range(4))
    first._write_locks("output", ["one"])
    second._write_locks("output", ["two"])
    first._delete_locks()
    assert list(later._read_locks()) == [("output", "two")]
    second._delete_locks()
    # Snakemake itself would have deleted the folder.
    later._write_locks("input", ["three"])
    unlocking._delete_locks()
    assert list(later._read_locks()) == []


def test_params_that_are_texts_are_compared_as_snakemake_does_but_without_pandas():
    code = """if True:
        import sys
        from snakemake.persistence.file import FilePersistence
        from reproduce.engine.snakemake_internals import compare_texts_without_pandas
        values, persistence = ["a'b", 1, [2.0], object()], FilePersistence.__new__(FilePersistence)
        serialize = FilePersistence._serialize_param.fget
        compare_texts_without_pandas()
        text = persistence._serialize_param(values[0])
        assert "pandas" not in sys.modules
        assert text == serialize(persistence)(values[0])
        assert list(map(persistence._serialize_param, values)) == list(map(serialize(persistence), values))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
