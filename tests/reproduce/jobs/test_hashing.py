import os
import subprocess
import sys
from functools import partial

import pytest

from conftest import ROOT
from reproduce.records.command import command_line

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from reproduce.jobs.hashing import restart_if_steered
restart_if_steered()
assert not sys.flags.optimize
print(list({{"classifier", "hierarchy", "propagation", "zero_init", "relu", "tanh"}}), sys.argv)
"""


@pytest.mark.parametrize(
    "variables", [{"PYTHONHASHSEED": "random"}, {"PYTHONHASHSEED": "1"}, {"PYTHONOPTIMIZE": "1"}, {}]
)
def test_sets_of_texts_have_one_order(variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | variables
    program = ["-X", "utf8", "-c", PROGRAM.format(folder=str(ROOT / "workflow"))]
    command, isolated = [sys.executable, "-s", "-P", *program], [sys.executable, "-I", *program]
    # A program that starts again and again never ends.
    run = partial(subprocess.run, capture_output=True, check=True, timeout=20)
    found = {run([*command, "--spec", "{}"], env=environment).stdout for _ in range(3)}
    found.add(run([*command, "--spec", "{}"], env={"PYTHONHASHSEED": "0"}).stdout)
    found.add(run([*isolated, "--spec", "{}"], env=environment).stdout)
    assert len(found) == 1
    assert b"['-c', '--spec', '{}']" in found.pop()


def test_a_rule_starts_python_once_with_the_variables_that_machines_often_set():
    variables = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "7", "PYTHONPATH": "."}
    program = f"import os; os.execve = lambda *arguments: os._exit(1){PROGRAM.format(folder=str(ROOT / 'workflow'))}"
    command = command_line(["-c", program], "train", "{}", "", {})
    subprocess.run(command, shell=True, env={**os.environ, **variables}, check=True)
