"""Every job has the same order of sets, whatever the environment says."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from reproduce.jobs.hashing import restart_without_random_hashes
restart_without_random_hashes()
assert not sys.flags.optimize
print(list({{"classifier", "hierarchy", "propagation", "zero_init", "relu", "tanh"}}), sys.argv)
"""


@pytest.mark.parametrize("seed", ["random", "1"])
def test_sets_of_texts_have_one_order(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONOPTIMIZE": "1"}
    command = [sys.executable, "-I", "-X", "utf8", "-c", PROGRAM.format(folder=str(ROOT / "workflow")), "--spec", "{}"]
    found = {subprocess.run(command, env=environment, capture_output=True, check=True).stdout for _ in range(3)}
    assert len(found) == 1
    assert b"['-c', '--spec', '{}']" in found.pop()
