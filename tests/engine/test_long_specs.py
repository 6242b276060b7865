"""A spec of any length reaches its program: a long one is written to a file, and the results are the same."""

import json
import os
from pathlib import Path

import pytest

from conftest import digests
from deepnets.code.modules import PACKAGE
from deepnets.engine.long_specs import argument_for, delete_old_specs
from deepnets.errors import UserError
from deepnets.jobs.__main__ import _parser
from deepnets.records.paths import SPECS

LONG, LONGER = (json.dumps({"text": "a\x1cb\u2028 @", "seeds": list(range(count))}) for count in (30_000, 30_001))


def parse_spec(argument):
    """Return the spec that a program reads from its command line."""
    return _parser("archive", {}).parse_args(["--spec", argument, "--code", f"{PACKAGE}@0"]).spec


@pytest.mark.parametrize(("specs", "files"), [(["short"], 0), ([LONG], 1), ([LONG, LONG], 1), ([LONG, LONGER], 2)])
def test_a_program_reads_specs_of_any_length(tmp_path, monkeypatch, specs, files):
    monkeypatch.chdir(tmp_path)
    arguments = list(map(argument_for, specs))
    assert list(map(parse_spec, arguments)) == specs
    assert all(len(argument) < 120_000 for argument in arguments)
    assert len(list(tmp_path.rglob("*.json"))) == files


def test_a_spec_file_is_deleted_after_a_month_without_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old, needed = (Path(argument_for(spec).removeprefix("@")) for spec in (LONG, LONGER))
    for path in (old, needed):
        os.utime(path, (0, 0))
    argument_for(LONGER)
    delete_old_specs()
    assert list(Path(SPECS).iterdir()) == [needed]
    # The file is written again if a plan needs it.
    assert parse_spec(argument_for(LONG)) == LONG


def test_the_error_for_an_unwritable_spec_file_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(".snakemake").write_text("no folder", encoding="utf-8")
    with pytest.raises(UserError, match=r"cannot write \.snakemake/specs/"):
        argument_for(LONG)


@pytest.mark.slow
def test_tables_and_archive_are_the_same_if_specs_are_in_files(copied):
    # Few figures are drawn from these tables, so the test is shorter.
    tables = ("results/tables/regression.parquet", "results/tables/input_correlations.parquet")
    before = digests(copied)
    copied.edit("workflow/deepnets/engine/long_specs.py", "_LONGEST = 120_000", "_LONGEST = 20")
    assert "Nothing to be done" in copied.snakemake().stderr
    done = copied.snakemake("--printshellcmds", "archive", "timings", *tables, "--forcerun", *tables)
    assert done.returncode == 0, done.stderr
    # Tables, archive and timings are made again; the page is not, since the content of the tables did not change.
    assert done.stderr.count("jobs aggregate --spec @.snakemake/specs/") == len(tables)
    assert done.stderr.count("--spec @.snakemake/specs/") >= len(tables) + 2
    after = digests(copied)
    assert {path: after[path] for path in before} == before
    (copied.folder / "results/archive.tar.gz").unlink()
    assert "Nothing to be done" in copied.snakemake().stderr
