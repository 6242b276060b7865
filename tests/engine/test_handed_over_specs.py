import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from workflow.deepnets.code.modules import PACKAGE
from workflow.deepnets.engine import long_specs as handover
from workflow.deepnets.engine.long_specs import argument_for
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs.__main__ import _parser


def given(argument):
    """What a program is given as its spec."""
    return _parser("archive", {}).parse_args(["--spec", argument, "--code", f"{PACKAGE}@0"]).spec


def test_a_spec_reaches_its_program_however_long(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seeds, files in ((10, 0), (30_000, 1), (30_001, 2)):
        spec = json.dumps({"text": "a\x1cb\u2028 @", "seeds": list(range(0, 2 * seeds, 2))})
        argument = argument_for(spec)
        assert given(argument) == spec
        assert len(argument) < 120_000
        assert len(list(tmp_path.rglob("*.json"))) == files
        assert argument_for(spec) == argument


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own, in which every spec but the shortest goes through a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(handover, "_LONGEST", 20)
    monkeypatch.setattr(handover, "_held", {})
    yield tmp_path
    for file in handover._held.values():
        file.close()


def spec_of(name):
    return json.dumps({"name": name, "text": "long enough for a file"})


# What another workflow of the same folder does: it takes up a spec, says so, and lives until it is told to end.
OTHER = """\
import sys
from workflow.deepnets.engine import long_specs as handover
handover._LONGEST = 20
print(handover.argument_for(sys.argv[1]), flush=True)
sys.stdin.readline()
"""


def test_a_sweep_leaves_what_is_needed_and_what_another_workflow_holds(folder):
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, spec_of("other")],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        held = other.stdout.readline().strip()
        mine, needed, old = map(handover.argument_for, map(spec_of, ("mine", "needed", "old")))
        for argument in (needed, old):
            handover._held.pop(Path(argument.removeprefix("@"))).close()
        handover.sweep([spec_of("needed"), "short"])
        assert {given(argument) for argument in (held, mine, needed)} == {
            spec_of(n) for n in ("other", "mine", "needed")
        }
        assert not Path(old.removeprefix("@")).exists()
        other.communicate("\n")
    handover.sweep([])
    assert [f"@{path}" for path in Path(handover.SPECS).iterdir()] == [mine]
    # What was swept is written again for whoever asks for it.
    assert given(handover.argument_for(spec_of("old"))) == spec_of("old")


def test_what_a_killed_workflow_left_half_written_is_swept(folder):
    handover.argument_for(spec_of("mine"))
    partial = Path(handover.SPECS, ".abc.xyz.partial.json")
    partial.write_text("half", encoding="utf-8")
    handover.sweep([])
    assert not partial.exists()


def test_a_file_that_is_swept_while_it_is_taken_up_is_written_again(folder, monkeypatch):
    path = Path(handover.argument_for(spec_of("mine")).removeprefix("@"))
    handover._held.popitem()[1].close()
    real, times = handover.fcntl.flock, []

    def swept_before(file, operation):
        # Between opening and locking, the first time.
        if not times:
            path.unlink()
        times.append(operation)
        real(file, operation)

    monkeypatch.setattr(handover.fcntl, "flock", swept_before)
    assert given(handover.argument_for(spec_of("mine"))) == spec_of("mine")
    assert len(times) == 2


def test_a_spec_that_cannot_be_written_is_told(folder, monkeypatch):
    monkeypatch.setattr(handover, "_PAUSE", 0)
    (folder / ".snakemake").write_text("no folder", encoding="utf-8")
    with pytest.raises(UserError, match="cannot write"):
        handover.argument_for(spec_of("mine"))
