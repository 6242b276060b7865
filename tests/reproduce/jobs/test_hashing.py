import os
import subprocess

import pytest

from reproduce.records.command import command_line

PROGRAM = 'import sys; print(list({"classifier", "hierarchy", "propagation", "zero_init", "relu", "tanh"}), sys.argv)'


@pytest.mark.parametrize("variables", [{"PYTHONHASHSEED": "random"}, {"PYTHONHASHSEED": "1", "PYTHONPATH": "."}, {}])
def test_sets_of_texts_have_one_order_in_all_jobs(variables):
    command = command_line(["-c", PROGRAM], "train", "{}", "", {})
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    found = {subprocess.check_output(command, shell=True, env={**kept, **variables}) for _ in range(2)}
    found.add(subprocess.check_output(command, shell=True, env={**kept, "PYTHONHASHSEED": "0"}))
    assert len(found) == 1
