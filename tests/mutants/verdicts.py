"""Whether tests notice a mutant: the fast tests of its room, run in a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from changes import Mutant

# Beyond some times what the tests take as they are, a run will not end.
_PATIENCE, _START = 3, 30
_IGNORED = shutil.ignore_patterns("__pycache__", ".*", "results")
VERDICTS = ("killed", "endless", "survived", "untestable")
# What pytest's exit status says.
_VERDICT = {0: "survived", 1: "killed"}


def copied(root: Path, folder: Path) -> Path:
    """Copy the sources into a folder that is not there yet, and return it."""
    return shutil.copytree(root, folder, ignore=_IGNORED)


def limit_of(copy: Path, room: str) -> float:
    """Return the seconds that a room's tests are given, from what they take without a mistake, where they must pass."""
    start = time.monotonic()
    tests = _run_tests(copy, room)
    if tests.returncode != 0:
        sys.exit(f"tests/{room} fails without any mutant:\n{tests.stdout}{tests.stderr}")
    return _PATIENCE * (time.monotonic() - start) + _START


def verdict_on(copy: Path, room: str, path: Path, mutant: Mutant, limit: float) -> str:
    """Return what becomes of a mutant of the module at a path in the copy, and restore the module.

    killed: a test fails; endless: they take longer than the limit (seconds), as loops do that a mutant never leaves;
    survived: all pass; untestable: no test is collected.
    """
    original = (copy / path).read_text(encoding="utf-8")
    (copy / path).write_text(mutant.source, encoding="utf-8")
    try:
        return _VERDICT.get(_run_tests(copy, room, path, limit).returncode, "untestable")
    except subprocess.TimeoutExpired:
        return "endless"
    finally:
        (copy / path).write_text(original, encoding="utf-8")


def _run_tests(
    copy: Path, room: str, module: Path | None = None, limit: float | None = None
) -> subprocess.CompletedProcess:
    """Run the fast tests of a room up to the first that fails, those first whose files name the module at a path."""
    files = sorted((copy / "tests" / room).rglob("test_*.py"))
    if module:
        name = re.compile(rf"\b{module.parent.name}(\.| import ){module.stem}\b")
        files.sort(key=lambda file: not name.search(file.read_text(encoding="utf-8")))
    if room.startswith("documents/"):
        # All claims, judged by the default config's tables.
        files.append(copy / "tests/claims/test_default_tables.py")
    options = ["-x", "-q", "-m", "not slow", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    # Only the plugins that tests use: to load all that are installed takes a second.
    options += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
    command = [sys.executable, "-m", "pytest", *options, *map(str, files)]
    # A file that changes twice within a second would be taken for its compiled form.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=copy, env=environment, timeout=limit, check=False, **pipes)
