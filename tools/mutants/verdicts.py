"""Run the fast tests of a mutant's room in a copy of the sources, and find whether they notice it."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from changes import Mutant

# A run counts as endless after this multiple of the tests' usual time, plus a start (seconds).
_PATIENCE, _START = 3, 30
_IGNORED = shutil.ignore_patterns("__pycache__", ".*", "results")
VERDICTS = ("killed", "endless", "survived", "untestable")
# By pytest's exit status.
_VERDICT = {0: "survived", 1: "killed"}


def copied(root: Path, folder: Path) -> Path:
    """Copy the sources into a new folder, and return it."""
    shutil.copytree(root, folder, ignore=_IGNORED)
    # A test reads this file; all others there are results.
    (folder / "results").mkdir()
    shutil.copy(root / "results/README.md", folder / "results")
    return folder


def limit_of(copy: Path, room: str) -> float:
    """Return the time limit of a room's tests (seconds), based on a run without mistakes, in which all must pass."""
    start = time.monotonic()
    tests = _run_tests(copy, room)
    if tests.returncode != 0:
        sys.exit(f"tests/{room} fails without any mutant:\n{tests.stdout}{tests.stderr}")
    return _PATIENCE * (time.monotonic() - start) + _START


def verdict_on(copy: Path, room: str, path: Path, mutant: Mutant, limit: float) -> str:
    """Return the verdict on a mutant of the module at a path in the copy, and restore the module.

    killed: a test fails; endless: the tests take longer than the limit (seconds), for instance in an endless loop;
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
    """Run the fast tests of a room until one fails. Files that name the module at the given path are first."""
    choice, files = [], sorted((copy / "tests" / room).rglob("test_*.py"))
    if module:
        name = re.compile(rf"\b{module.parent.name}(\.| import ){module.stem}\b")
        files.sort(key=lambda file: not name.search(file.read_text(encoding="utf-8")))
    if room.startswith("documents/"):
        # These files judge all claims, and draw all figures and charts, from the default config's tables.
        files += [copy / "tests/claims/test_default_tables.py", copy / "tests/figures/test_drawn_numbers.py"]
        files += [copy / "tests/charts/test_drawn_charts.py"]
        document = re.search(
            r'^ID = "(.+)"', (copy / f"workflow/deepnets/{room}/__init__.py").read_text(), re.MULTILINE
        )
        choice = ["-k", f"not recorded_numbers or {document[1]}"]
    options = ["-x", "-q", "-m", "not slow", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    # Only the plugins that tests use, since loading all installed ones takes a second.
    options += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
    command = [sys.executable, "-m", "pytest", *options, *choice, *map(str, files)]
    # Without this, Python would run old bytecode of a file that changes twice within a second.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=copy, env=environment, timeout=limit, check=False, **pipes)
