import json
from pathlib import Path

import pytest

from reproduce.jobs.__main__ import _parser
from reproduce.records.command import shorten

LONG, LONGER = (json.dumps({"text": "a\x1cb\u2028 @", "seeds": list(range(count))}) for count in (30_000, 30_001))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def parse(spec, paths=()):
    """Return the spec and the paths that a program reads from its command line."""
    files = {"results": list[Path]}
    read = _parser("list_claims", files).parse_args(
        ["--spec", *spec, "--entry", "m:f", "--record", "r", "--results", *paths]
    )
    return [read.spec], list(map(str, read.results))


@pytest.mark.parametrize(("specs", "files"), [(["short"], 0), ([LONG], 1), ([LONG, LONG], 1), ([LONG, LONGER], 2)])
def test_a_program_reads_specs_of_any_length(tmp_path, specs, files):
    words = [shorten([spec]) for spec in specs]
    assert [parse(spec)[0] for spec in words] == [[spec] for spec in specs]
    assert all(len(word) < 16_000 for (word,) in words)
    assert len(list(tmp_path.rglob("*.txt"))) == files


@pytest.mark.parametrize("count", [0, 1, 10, 30_000])
def test_a_program_reads_any_number_of_paths(count):
    paths = [f"results/a b/{number}" for number in range(count)]
    assert parse(["short"], shorten(paths)) == (["short"], paths)
    assert len(shorten(paths)) <= 10
