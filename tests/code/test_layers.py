"""Rooms import only in the direction that pyproject.toml allows."""

import subprocess
import sys

from conftest import ROOT


def test_rooms_import_only_from_those_below_them():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
