import os
import py_compile
import subprocess
import sys
from importlib.machinery import SourceFileLoader

import pytest

from reproduce.code.closure import Closure
from reproduce.code.fingerprint import code_of
from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.records.tables import read_run
from small_package import copied_sources

TOY = """
from reproduce.records.measurements import Measurements


def run(spec: dict) -> Measurements:
    measurements = Measurements()
    measurements.add(0, "value", 1.0)
    return measurements
"""


@pytest.fixture
def checkout(tmp_path):
    toy = copied_sources(tmp_path) / "deepnets/experiments/toy"
    toy.mkdir()
    (tmp_path / "launch.py").touch()
    (toy / "__init__.py").touch()
    (toy / "run.py").write_text(TOY)
    return tmp_path


def edit_unseen(path, old, new):
    """Edit a file that has bytecode, and keep its size and time stamp."""
    py_compile.compile(str(path), doraise=True)
    before, text = path.stat(), path.read_text(encoding="utf-8")
    assert text.count(old) == 1 and len(old) == len(new)
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    # Python itself would now run the old bytecode.
    assert old.strip('"') not in path.read_text(encoding="utf-8")
    code = SourceFileLoader(path.stem, str(path)).get_code(path.stem)
    assert old.strip('"') in repr(constants(code))


def constants(code):
    """Return all constants of a code object and of the functions inside it."""
    return [constants(each) if hasattr(each, "co_consts") else each for each in code.co_consts]


def test_a_job_runs_the_sources_of_its_fingerprint(checkout):
    edit_unseen(checkout / "deepnets/experiments/toy/run.py", "1.0", "2.0")
    edit_unseen(checkout / "reproduce/jobs/__main__.py", '"Run the program of a rule."', '"Has the program of a rule."')
    code = code_of("train", f"{PACKAGE}.experiments.toy.run:run", Closure(Package(checkout)))
    job = [sys.executable, "-m", "reproduce.jobs"]
    options = ["train", "--spec", "{}", "--code", code, "--output", "run.parquet"]
    subprocess.run([*job, *options], cwd=checkout, check=True)
    assert read_run(checkout / "run.parquet")["value"].to_pylist() == [2.0]
    assert b"Has the program of a rule." in subprocess.run([*job, "--help"], cwd=checkout, capture_output=True).stdout


def test_code_that_controls_imports_is_in_every_fingerprint(checkout):
    path = checkout / "reproduce/__init__.py"
    before = code_of("train", f"{PACKAGE}.experiments.toy.run:run", Closure(Package(checkout)))
    path.write_text(path.read_text().replace("Mechanics: ", "The mechanics: "))
    assert code_of("train", f"{PACKAGE}.experiments.toy.run:run", Closure(Package(checkout))) == before
    path.write_text(path.read_text().replace("source_to_code(source, path)", "source_to_code(source, fullname)"))
    assert code_of("train", f"{PACKAGE}.experiments.toy.run:run", Closure(Package(checkout))) != before
