"""A result becomes stale if an edit changes its value: each edit is really run, before and after."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from edits import CHANGE, NEEDLESS, SAME, UNSEEN, read
from idioms import IDIOMS, LATE

from small_package import copied_sources


def run_all(folder, edits, *imported):
    """Return for each edit [value before, value after, whether the result is stale, footprint]."""
    copied_sources(folder / "workflow", "reproduce")
    (folder / "workflow/launch.py").touch()
    command = [sys.executable, Path(__file__).with_name("run_edits.py"), *imported]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder / "workflow")}
    done = subprocess.run(command, cwd=folder, env=environment, input=json.dumps(edits), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("table", "changes", "stale"),
    [(CHANGE, True, True), (SAME, False, False), (NEEDLESS, False, True), (UNSEEN, True, False)],
)
def test_a_result_becomes_stale_if_its_value_changes(tmp_path, table, changes, stale):
    edits = read(table)
    found = dict(zip(edits, run_all(tmp_path, [*edits.values()]), strict=True))
    wrong = {name: each for name, each in found.items() if (each[0] != each[1], each[2]) != (changes, stale)}
    assert wrong == {}
    # The edit may make the code fail, but the code before it runs.
    assert [name for name, each in found.items() if re.match(r"\w+: ", each[0])] == []


@pytest.mark.parametrize(
    ("table", "imported"), [(IDIOMS, ("pandas", "scipy.optimize", "torch", "matplotlib.pyplot")), (LATE, ())]
)
def test_what_physicists_write_gives_one_value_and_is_not_refused(tmp_path, table, imported):
    idioms = read(table)
    found = dict(zip(idioms, run_all(tmp_path, [*idioms.values()], *imported), strict=True))
    wrong = [name for name, each in found.items() if each[0] != each[1] or each[2] or re.match(r"\w+: ", each[0])]
    assert wrong == []
