"""Isolate the science of a job: it reaches its arguments and installed code, and nothing else of the machine.

Static analysis (code/refusals.py) refuses most of this before the first job, and cannot be complete. Python announces
each file, socket and process that code opens (audit hooks, PEP 578), so no detour hides them from a job.
"""

import hashlib
import os
import random
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from functools import cache
from traceback import walk_stack
from types import MethodType
from typing import Any

import numpy as np
from numpy.random import bit_generator

from reproduce.code.modules import READERS
from reproduce.code.science import MECHANICS, PACKAGES, ROOT
from reproduce.errors import UserError
from reproduce.records.job import Job, import_function

_FILE_EVENTS = {"ctypes.dlopen", "open", "os.listdir", "os.scandir"}
_FORBIDDEN_EVENTS = re.compile(
    r"(ftplib|http|pty|shutil|smtplib|socket|sqlite3|subprocess|tempfile|urllib)\."
    r"|builtins\.input$|os\.(exec|fork|forkpty|link|mkdir|posix_spawn|remove|rename|rmdir|spawn|symlink|system|truncate)$"
)
# This workflow sets the first ones for all jobs. The variables of CUDA and NVIDIA name the GPU that a cluster allows.
_KEPT = re.compile(r"(MPLBACKEND|MATPLOTLIBRC|TZ|\w+_NUM_THREADS|CUDA_\w+|NVIDIA_\w+)$")


@contextmanager
def isolated(job: Job) -> Generator[Callable]:
    """Yield the entry of a job's code, for a block that calls it and opens nothing itself.

    The generators start from a seed that depends on the spec. Only code that reads sources of data may open files.
    Raises UserError if the import of the entry draws random numbers: other constants there would change them.
    """
    entry = job.code.partition("@")[0]
    seed = int.from_bytes(hashlib.sha256(job.spec_text.encode()).digest()[:4])
    # Code may import torch later, after the generators are seeded.
    if "torch" in job.packages:
        import_function("torch:manual_seed")
    with seeded(seed), nullcontext() if READERS.match(entry) else closed(gpu=job.spec.get("device") == "cuda"):
        function = import_function(entry)
        if have_drawn(seed):
            raise UserError(
                f"the import of {entry} draws random numbers (a constant, a default argument, or an attribute of a "
                "class, there or in an imported module); draw them in a function, from a generator with a seed"
            )
        yield function


@contextmanager
def seeded(seed: int) -> Generator[None]:
    """Seed the generators that all callers share, and for a block also those that are made without a seed.

    Libraries draw from the shared ones, such as `torch.nn.Linear` its weights. The others take a seed from a stream of
    the same seed in place of the operating system, such as those of SciPy's `eigsh`.

    seed: 32 bits, for the generators of Python, NumPy and, if it is imported, torch
    """
    entropy = random.Random(seed)
    given, shared = random.Random.seed, random.seed
    randbits = bit_generator.randbits  # ty: ignore[missing-attribute]

    # Python calls this function, and NumPy `randbits`, for each generator without a seed.
    def seed_python(generator: random.Random, a: Any = None, version: int = 2) -> None:
        given(generator, entropy.getrandbits(256) if a is None else a, version)

    random.Random.seed = seed_python  # ty: ignore[invalid-assignment]
    random.seed = MethodType(seed_python, shared.__self__)  # ty: ignore[invalid-assignment]
    bit_generator.randbits = entropy.getrandbits  # ty: ignore[missing-attribute]
    _seed(seed)
    try:
        yield
    finally:
        random.Random.seed, random.seed = given, shared
        bit_generator.randbits = randbits  # ty: ignore[missing-attribute]


def have_drawn(seed: int) -> bool:
    """Return whether a shared generator has drawn since it was seeded; seed all again."""
    drawn = _draw()
    _seed(seed)
    expected = _draw()
    _seed(seed)
    return drawn != expected


def _draw() -> list[float]:
    torch = sys.modules.get("torch")
    return [random.random(), np.random.random(), torch.rand(1).item() if torch else 0.0]


def _seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


@contextmanager
def closed(*, gpu: bool) -> Generator[None]:
    """Refuse files, the network and other processes in a block, and hide the environment, and GPUs unless `gpu`.

    Raises UserError, with the line, also if the block catches the error.
    """
    hook, environment = _hook(), dict(os.environ)
    os.environ.clear()
    os.environ.update({name: value for name, value in environment.items() if _KEPT.match(name)})
    if not gpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    hook.on, hook.refusals = True, []
    try:
        yield
    finally:
        hook.on = False
        os.environ.clear()
        os.environ.update(environment)
        # Code that catches the error, or a library that replaces it by its own, does not hide it.
        if hook.refusals:
            raise hook.refusals[0]


class _Hook:
    """An audit hook, which Python cannot remove: it refuses events while it is on, and keeps the refusals."""

    on = False

    def __init__(self) -> None:
        self.refusals: list[UserError] = []

    def __call__(self, event: str, arguments: tuple) -> None:
        if not self.on:
            return
        if event in _FILE_EVENTS:
            path = arguments[0]
            if isinstance(path, int) or _is_code(os.path.abspath(os.fsdecode(path or "."))):
                return
            reason = (
                f"opens {os.fsdecode(path or '.')}, which is no input of this job; take a file of the experiment's "
                "folder as an argument with its name (docs/adding.md, section 1)"
            )
        elif _FORBIDDEN_EVENTS.match(event):
            reason = f"reaches files, the network or a process ({event}), and no result may depend on these"
        else:
            return
        if place := _place():
            self.refusals.append(UserError(f"{place}: {reason}"))
            raise self.refusals[-1]


@cache
def _own() -> tuple[str, ...]:
    """Return the folders of this project's code."""
    return tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)


@cache
def _hook() -> _Hook:
    hook = _Hook()
    sys.addaudithook(hook)
    return hook


def _is_code(path: str) -> bool:
    """Return whether a path belongs to Python or an installed package."""
    folders = [os.path.abspath(folder) for folder in sys.path if folder]
    return path in folders or path.startswith(tuple(f"{folder}{os.sep}" for folder in folders))


def _place() -> str:
    """Return FILE:LINE of this project's code that runs; "" for what may open sources: imports, messages, the API."""
    for frame, line in walk_stack(sys._getframe()):
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib") and frame.f_code.co_name == "_find_and_load":
            return ""
        if frame.f_globals.get("__name__") in ("linecache", f"{MECHANICS}.api"):
            return ""
        # Neither this module nor the loader of modules (reproduce/__init__.py) is the code of a job.
        if file.startswith(_own()) and frame.f_globals.get("__name__") not in (__name__, MECHANICS):
            return f"{file}:{line}"
    return ""
