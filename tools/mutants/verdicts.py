"""Run the fast tests of a mutant's room in a copy of the sources, and find whether they notice it."""

import math
import os
import re
import resource
import shutil
import signal
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from changes import Mutant

# These files judge all claims, and draw all figures and charts, from the default config's tables.
_RECORDS = [f"tests/deepnets/documents/test_{name}.py" for name in ("default_tables", "drawn_numbers")]
# A run counts as endless after this multiple of the tests' usual processor time, plus a start (seconds).
_PATIENCE, _START = 3, 30
# The same for tests of other rooms, whose usual time is not measured (seconds).
_ELSEWHERE = 600
# Seconds after which tests hang, also beside other programs.
_HANGS = 3600
# Most tests import these packages.
_PRELOADED = (
    "altair",
    "matplotlib.pyplot",
    "pandas",
    "pyarrow.parquet",
    "pydantic",
    "scipy.stats",
    "torch",
    "vl_convert",
)
_IGNORED = shutil.ignore_patterns("__pycache__", ".*", "results")
VERDICTS = ("killed", "endless", "survived", "untestable")
# By pytest's exit status.
_VERDICT = {0: "survived", 1: "killed", -signal.SIGXCPU: "endless", -signal.SIGKILL: "endless"}


def begin(root: Path, folder: Path) -> None:
    """Copy the sources into a folder of this process, and import packages, so that tests start sooner."""
    global _copy
    _copy = shutil.copytree(root, folder / str(os.getpid()), ignore=_IGNORED)
    # A test reads this file; all others there are results.
    (_copy / "results").mkdir()
    shutil.copy(root / "results/README.md", _copy / "results")
    # As tests/conftest.py does, which is too late for what is imported here.
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    for name in _PRELOADED:
        import_module(name)


def limit_of(room: str) -> int:
    """Return the time limit of a room's tests (seconds), based on a run without mistakes, in which all must pass."""
    status, seconds = _run_tests(room)
    if status != 0:
        raise SystemExit(f"tests/{room} fails without any mutant:\n{_copy.with_suffix('.log').read_text()}")
    return int(_PATIENCE * seconds + _START)


def verdict_on(room: str, path: Path, mutant: Mutant, limit: int) -> str:
    """Return the verdict on a mutant of the module at a path in this process's copy, and restore the module.

    killed: a test fails; endless: the tests take more processor time than the limit (seconds), or they hang;
    survived: all pass; untestable: no test is collected.
    """
    original = (_copy / path).read_text(encoding="utf-8")
    (_copy / path).write_text(mutant.source, encoding="utf-8")
    try:
        verdict = _VERDICT.get(_run_tests(room, path, limit)[0], "untestable")
        if verdict == "survived" and (files := _tests_elsewhere(room, path)):
            verdict = _VERDICT.get(_run_files(files, [], _ELSEWHERE)[0], verdict)
        return verdict
    finally:
        (_copy / path).write_text(original, encoding="utf-8")


def _run_tests(room: str, module: Path | None = None, limit: int = _ELSEWHERE) -> tuple[int, float]:
    """Run the fast tests of a room until one fails. Files that name the module at the given path are first."""
    choice, files = [], sorted((_copy / "tests" / room).rglob("test_*.py"))
    if module:
        files.sort(key=lambda file: not _names(file, module))
    if room.startswith("deepnets/documents/"):
        files += [_copy / path for path in _RECORDS]
        # A document of four files has no such module. A mutant of it has other quotes.
        source = "".join(path.read_text(encoding="utf-8") for path in (_copy / "workflow" / room).glob("__init__.py"))
        (name,) = re.findall(r"""^ID = ["'](.+)["']""", source, re.MULTILINE) or [Path(room).name.replace("_", "-")]
        choice = ["-k", f"not recorded_numbers or {name}"]
    return _run_files(files, choice, limit)


def _tests_elsewhere(room: str, module: Path) -> list[Path]:
    """Return the test files of other rooms that name a module or one that imports it, and the records.

    The mechanics determine the records too.
    """
    importers = [path.relative_to(_copy) for path in (_copy / "workflow").rglob("*.py") if _names(path, module)]
    named = [
        file
        for file in sorted((_copy / "tests").rglob("test_*.py"))
        if _copy / "tests" / room not in file.parents and any(_names(file, path) for path in (module, *importers))
    ]
    records = [_copy / path for path in _RECORDS if room.startswith("reproduce/")]
    return [*named, *(path for path in records if path not in named)]


def _names(file: Path, module: Path) -> bool:
    name = rf"\b{module.parent.name}(\.| import ){module.stem}\b"
    return re.search(name, file.read_text(encoding="utf-8")) is not None


def _run_files(files: list[Path], choice: list[str], limit: int) -> tuple[int, float]:
    """Return the exit status of pytest in a process of its own, and its processor time, at most `limit` (seconds)."""
    options = ["-x", "-q", "-m", "not slow", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    # Only the plugins that tests use, since loading all installed ones takes a second.
    options += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.setsid()
        os.chdir(_copy)
        # Without the first, Python would run old bytecode of a file that changes twice within a second. Without the
        # last, programs that tests start would find the installed library.
        os.environ |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        os.environ["PYTHONPATH"] = sys.path[0] = str(_copy / "workflow")
        sys.dont_write_bytecode = True
        log = os.open(_copy.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), log, log)):
            os.dup2(file, number)
        status = 1
        try:
            status = pytest.main([*options, *choice, *map(str, files)])
        finally:
            # Whatever a mutant raises, this process must not go on as a second worker.
            os._exit(status)
    end, ended = time.monotonic() + _HANGS, 0
    while not ended:
        time.sleep(0.05)
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            end = math.inf
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
