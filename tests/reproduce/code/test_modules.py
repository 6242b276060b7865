import shutil
import subprocess
import sys

import pytest

from reproduce.code.science import rooms_with
from small_package import package


def test_a_pin_of_the_workflow_prevails_over_the_constraints(tmp_path):
    found = package(tmp_path, pins={"torch": "2.13.0"}, constraints="numpy==2.0  # via torch\ntorch==2.14.0\n")
    assert found.versions == {"torch": "2.13.0", "numpy": "2.0"}
    assert found.distributions({"numpy", "pytest"}) == ["numpy"]


@pytest.mark.parametrize("name", [".#accuracy", "._accuracy", "accuracy copy", "accuracy.bak", "accuracy~"])
def test_a_name_that_python_cannot_import_is_neither_a_module_nor_a_package(tmp_path, name):
    folder = tmp_path / "deepnets/documents/toy"
    found = package(tmp_path, {"documents/toy/__init__": "", "documents/toy/accuracy": ""})
    # Emacs locks an edited file with a link that leads nowhere.
    (folder / f"{name}.py").symlink_to("user@host.1:1")
    shutil.copytree(folder, folder.with_name(name), symlinks=True)
    shutil.copytree(tmp_path / "deepnets", tmp_path / name, symlinks=True)
    assert found.modules_in("deepnets/documents/toy") == ["deepnets.documents.toy.accuracy"]
    assert found.rooms_in("documents") == ["toy"]
    assert rooms_with("documents/toy/accuracy", tmp_path) == {"deepnets"}


def test_rooms_import_only_from_those_below_them():
    # In the directions that pyproject.toml allows.
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("room", "found"), [("experiments", 3), ("documents", 3), ("networks", 0)])
def test_ruff_finds_what_differs_from_run_to_run(room, found):
    text = "import time\nimport numpy as np\nfrom datetime import datetime\nnp.empty(2), time.time(), datetime.now()\n"
    command = ["ruff", "check", "--select=TID251", "--output-format=concise", "-"]
    file = f"--stdin-filename=workflow/deepnets/{room}/toy/run.py"
    done = subprocess.run([*command, file], input=text, capture_output=True, text=True)
    assert done.stdout.count(" is banned: ") == found
