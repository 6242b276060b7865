import subprocess
import sys

from conftest import ROOT

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import fingerprint
from workflow.deepnets.code.modules import PACKAGE, Package

ENTRY = f"{PACKAGE}.experiments.regression:run"


def reached(*entries):
    command = [sys.executable, "-m", f"{PACKAGE}.tools.reached", *entries]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_each_definition_is_listed_with_what_reached_it_and_the_hash_of_all():
    *rows, last = reached(ENTRY).stdout.splitlines()
    listed = {key: origin for key, _, origin in (row.partition(" ") for row in rows)}
    assert listed[ENTRY].strip() == "entry"
    assert listed[f"{PACKAGE}.networks.linear:least_squares"].strip() == f"from {ENTRY}"
    assert any(key.startswith("numpy==") for key in listed)
    assert last == fingerprint(Closure(Package()), ENTRY)


def test_what_is_no_entry_is_told():
    done = reached(PACKAGE)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {PACKAGE} is no entry; write MODULE:NAME")
    assert "there is no module" in reached("workflow.deepnets.absent:run").stderr
