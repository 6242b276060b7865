"""A small package with the layout of the real one, and a copy of the real one. Tests change their sources."""

import shutil
import textwrap

from conftest import ROOT
from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, PACKAGES, PINS, TRANSITIVE_PINS
from reproduce.code.science import SCIENCE as PACKAGE

PINNED = {"numpy": "2.0", "torch": "2.13.0"}
CONSTRAINTS = "blas==3.0  # via numpy\nsympy==1.0  # via torch\nnumpy==2.0  # via torch\n"


def package(folder, sources=(), pins=PINNED, constraints=CONSTRAINTS):
    """Return a package with these sources. A module of the mechanics has its whole name."""
    requirements = folder / PINS
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()))
    (folder / TRANSITIVE_PINS).write_text(constraints)
    for name, text in dict(sources).items():
        path = folder / f"{name if name.split('/')[0] == MECHANICS else f'{PACKAGE}/{name}'}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return Package(folder)


def copied_sources(folder, *packages):
    """Copy the real packages, by default both, below a folder, where a test may edit them."""
    for each in packages or PACKAGES:
        shutil.copytree(ROOT / "workflow" / each, folder / each, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
