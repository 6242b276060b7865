"""Each Python computes the same fingerprints and marks the same functions."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from edits import read

from conftest import ROOT

EXAMPLE = """
example: return [lib.f(2), lib.g(1), lib.h(), [*lib.k()], lib.C().x, lib.C.y(), lib.C.z(), lib.C(3) == lib.C(3)] ::
  lib from functools import cache, wraps¶from dataclasses import dataclass¶def d(f):¶ @wraps(f)¶ def w(): return f()¶
   return w¶@cache¶def f(x: "Late", *y: list[int], z=[]) -> int:¶ 'doc'¶
   return f"{x:{x}}{'a'!r:>4}" 'b' f"{x=}{x:{x}}" u"\\N{EM DASH}" f"" f"{x!a}{{}}"¶
  def g(x):¶ match x:¶  case 1 | {"a": _}:¶   try: raise ExceptionGroup("g", [OSError()])¶   except* OSError: pass¶
   class D:¶  y = x¶  def m(self): pass¶ return [(lambda z=z: z + D.y)() for z in range(3) if (w := z)]¶
  @d¶def h():¶ 'doc'¶def k(): yield from map(len, ["a"])¶async def not_awaited(): pass¶@dataclass¶class C:¶
   'doc'¶ a: int = 1¶ @property¶ def x(self) -> int: return self.a¶ @staticmethod¶ def y(): return lambda: 0 and None¶
   @classmethod¶ def z(cls) -> "C": return cls.__name__, 1_0.0e-3, 0x10, 1j, b"\\0", ...
"""
# Prints the fingerprint of each module, the value of the example, and the functions that ran.
PROGRAM = """
import json, re
from reproduce import RAN
from reproduce.code.fingerprint import fingerprint
from reproduce.code.modules import Package
from reproduce.records.cache import Cache
sources = Package().sources
found = {name: fingerprint({name: ["*"]}, sources, Cache("none", "")) for name in sources}
from toy.experiments.e.run import run
value = re.sub(" at 0x.*?>", "", repr(run({})))
print(json.dumps([found, value, sorted(key for key in RAN if key.startswith("toy."))]))
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """A function that returns what PROGRAM prints in a Python, None if there is no such Python."""
    folder = tmp_path_factory.mktemp("sources")
    science = {"documents/__init__.py": "", "experiments/__init__.py": "", **read(EXAMPLE)["example"][0]}
    for path, text in science.items():
        (folder / "toy" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "toy" / path).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "workflow/deepnets/networks", folder / "toy/networks")
    (folder / "reproduce").symlink_to(ROOT / "workflow/reproduce")

    def run(python, version):
        # pyenv chooses by the variable.
        environment = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYENV_VERSION": version,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        if not shutil.which(python) or subprocess.run([python, "-V"], env=environment, capture_output=True).returncode:
            return None
        done = subprocess.run([python, "-c", PROGRAM], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_each_python_computes_the_same_fingerprints_and_marks_the_same_functions(printed, version):
    if (found := printed(f"python{version}", version)) is None:
        pytest.skip(f"there is no Python {version}")
    assert found == printed(sys.executable, "")
    ran = {"C.x", "C.y", "C.z", "d", "f", "g", "h", "k"}
    assert found[2] == sorted({f"toy.lib:{name}" for name in ran} | {"toy.experiments.e.run:run"})
