"""A spec that no command line holds makes the same results, by way of a file."""

import pytest
from conftest import digests

pytestmark = pytest.mark.slow
# Few figures are drawn from them.
TABLES = ("results/tables/regression.parquet", "results/tables/input_correlations.parquet")


def test_tables_and_archive_are_the_same_by_way_of_a_file(copied):
    before = digests(copied)
    copied.edit("workflow/deepnets/engine/long_specs.py", "_LONGEST = 120_000", "_LONGEST = 20")
    assert "Nothing to be done" in copied.snakemake().stderr
    done = copied.snakemake("--printshellcmds", "archive", "timings", *TABLES, "--forcerun", *TABLES)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("--spec @.snakemake/specs/") == len(TABLES) + 3
    # Page, archive and timings have one each besides.
    tables = list(copied.folder.glob("results/tables/*.parquet"))
    assert len(list(copied.folder.glob(".snakemake/specs/*.json"))) == len(tables) + 3
    after = digests(copied)
    assert {path: after[path] for path in before} == before
    (copied.folder / "results/archive.tar.gz").unlink()
    assert "Nothing to be done" in copied.snakemake().stderr
