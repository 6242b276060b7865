"""A package of three modules with the layout of the real one. Tests change its sources."""

import shutil
import textwrap

from conftest import ROOT
from reproduce.code.closure import Closure
from reproduce.code.fingerprint import fingerprint
from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, PACKAGES, PINS, TRANSITIVE_PINS
from reproduce.code.science import SCIENCE as PACKAGE

PINNED = {"numpy": "2.0", "torch": "2.13.0"}
CONSTRAINTS = (
    "blas==3.0  # via numpy\nfortran==9.1  # via blas, cycles\nsympy==1.0  # via torch\nnumpy==2.0  # via torch\n"
)
SOURCES = {
    "__init__": "",
    "entry": '''
        """A module."""
        import numpy as np
        from deepnets import deep
        from deepnets.middle import halve, unused

        STEPS = 3
        IDLE = 1

        def run(spec):
            """Do it."""
            # a comment
            return [halve(step) + deep.offset(step) for step in range(STEPS)] + [np.zeros(2)]

        def other(spec):
            return IDLE
    ''',
    "middle": """
        from deepnets.deep import SCALE, Base

        class Half(Base):
            factor = 0.5

            def __call__(self, x):
                return x * self.factor * SCALE

        def halve(x):
            return Half()(x)

        def unused(x):
            return x - 1
    """,
    "deep": """
        import torch

        SCALE = 2.0
        SPARE = 7

        class Base:
            shift = 1

        def offset(x, by=10):
            return x + by

        def tensor(x):
            return torch.tensor(x)
    """,
}
ENTRY = f"{PACKAGE}.entry:run"


def package(folder, sources=SOURCES, pins=PINNED, constraints=CONSTRAINTS):
    requirements = folder / PINS
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()))
    (folder / TRANSITIVE_PINS).write_text(constraints)
    for name, text in sources.items():
        # A module of the mechanics has its whole name.
        path = folder / f"{name if name.split('/')[0] == MECHANICS else f'{PACKAGE}/{name}'}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return Package(folder)


def changed(module, old, new):
    """Return the sources with `old` replaced; all lines of `new` except the first are indented like the sources."""
    assert SOURCES[module].count(old) == 1, f"{old!r} in {module}"
    return {**SOURCES, module: SOURCES[module].replace(old, new.replace("\n", "\n        "))}


def joined(source, text):
    """Return a source with further lines at its end, indented like the source."""
    return source + "\n" + textwrap.indent(text, " " * 8) + "\n" if source else text


def fingerprint_of(folder, sources=SOURCES, *, pins=PINNED, constraints=CONSTRAINTS, entry=ENTRY):
    """Return the fingerprint of an entry of the package with these sources."""
    return fingerprint(Closure(package(folder, sources, pins, constraints)), entry)


def copied_sources(folder):
    """Copy the real package below a folder, where a test may edit it."""
    for each in PACKAGES:
        shutil.copytree(ROOT / "workflow" / each, folder / each, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
