"""Run the fast tests of a mutant's room in a copy of the sources, and find whether they notice it."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from changes import Mutant

# These files judge all claims, and draw all figures and charts, from the default config's tables.
_RECORDS = [f"tests/deepnets/documents/test_{name}.py" for name in ("default_tables", "drawn_numbers")]
# A run counts as endless after this multiple of the tests' usual time, plus a start (seconds).
_PATIENCE, _START = 3, 30
# The same for tests of other rooms, whose usual time is not measured (seconds).
_ELSEWHERE = 600
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
        verdict = _VERDICT.get(_run_tests(copy, room, path, limit).returncode, "untestable")
        if verdict == "survived" and (files := _tests_elsewhere(copy, room, path)):
            verdict = _VERDICT.get(_run_files(copy, files, [], _ELSEWHERE).returncode, verdict)
        return verdict
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
        files.sort(key=lambda file: not _names(file, module))
    if room.startswith("deepnets/documents/"):
        files += [copy / path for path in _RECORDS]
        # The module may lack; a mutant of it has other quotes.
        source = "".join(path.read_text(encoding="utf-8") for path in (copy / "workflow" / room).glob("__init__.py"))
        (name,) = re.findall(r"""^ID = ["'](.+)["']""", source, re.MULTILINE) or [Path(room).name.replace("_", "-")]
        choice = ["-k", f"not recorded_numbers or {name}"]
    return _run_files(copy, files, choice, limit)


def _tests_elsewhere(copy: Path, room: str, module: Path) -> list[Path]:
    """Return the test files of other rooms that name a module or one that imports it, and the records.

    The mechanics determine the records too.
    """
    importers = [path.relative_to(copy) for path in (copy / "workflow").rglob("*.py") if _names(path, module)]
    named = [
        file
        for file in sorted((copy / "tests").rglob("test_*.py"))
        if copy / "tests" / room not in file.parents and any(_names(file, path) for path in (module, *importers))
    ]
    records = [copy / path for path in _RECORDS if room.startswith("reproduce/")]
    return [*named, *(path for path in records if path not in named)]


def _names(file: Path, module: Path) -> bool:
    name = rf"\b{module.parent.name}(\.| import ){module.stem}\b"
    return re.search(name, file.read_text(encoding="utf-8")) is not None


def _run_files(copy: Path, files: list[Path], choice: list[str], limit: float | None) -> subprocess.CompletedProcess:
    options = ["-x", "-q", "-m", "not slow", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    # Only the plugins that tests use, since loading all installed ones takes a second.
    options += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
    command = [sys.executable, "-m", "pytest", *options, *choice, *map(str, files)]
    # Without this, Python would run old bytecode of a file that changes twice within a second.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    # Programs that tests start would find the installed library.
    environment["PYTHONPATH"] = str(copy / "workflow")
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=copy, env=environment, timeout=limit, check=False, **pipes)
