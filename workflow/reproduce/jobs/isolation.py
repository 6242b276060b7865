"""Isolate the science of a job: it reaches its arguments, installed packages and this repository, and nothing else.

Python announces each file, socket and process that code opens (audit hooks, PEP 578), so no detour hides them. Files of
the repository become a part of what the result depends on, like the code.
"""

import gc
import hashlib
import os
import random
import re
import site
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from traceback import walk_stack
from types import FrameType, MethodType, ModuleType
from typing import Any

import numpy as np

from reproduce.code.imports import taken
from reproduce.code.science import MECHANICS, PACKAGES, ROOT
from reproduce.errors import UserError
from reproduce.jobs.job import Job, import_function
from reproduce.records.files import REPOSITORY, digest_of_opened, name_of

# The programs of data sets may read sources of data.
_READERS = re.compile(r"\w+\.data\.\w+\.\w+:")
_FILES = {"open", "os.listdir", "os.scandir", "import", "ctypes.dlopen"}
_NETWORK_OR_PROCESS = re.compile(
    r"(socket|sqlite3|subprocess|urllib)\.|os\.(exec|fork|forkpty|posix_spawn|spawn|system)$|builtins\.input$"
)
# This workflow sets the first ones for all jobs. The variables of CUDA and NVIDIA name the GPU that a cluster allows.
# Libraries import modules later, for which Python may use the others.
_KEPT = re.compile(r"(MPLBACKEND|MATPLOTLIBRC|TZ|\w+_NUM_THREADS|CUDA_\w+|NVIDIA_\w+)$")


@contextmanager
def isolated(job: Job) -> Generator[Callable]:
    """Yield the entry of a job's code, for a block that calls it and opens nothing itself.

    Generators start from a seed that depends on the spec. Only code that reads sources of data may open files outside
    of this repository.
    """
    seed = int.from_bytes(hashlib.sha256(job.spec_text.encode()).digest()[:4])
    strict = not _READERS.match(job.entry)
    with seeded(seed), _watched(job, strict=strict), _hidden_environment(job) if strict else nullcontext():
        # Modules are never freed, and searching them for garbage would take a tenth of a job's start.
        gc.disable()
        function = import_function(job.entry)
        gc.freeze()
        gc.enable()
        # Packages may draw when they are imported.
        _seed(seed)
        yield function


@contextmanager
def seeded(seed: int) -> Generator[None]:
    """Seed the generators that all callers share, and for a block also those that are made without a seed.

    Libraries draw from the shared ones, such as `torch.nn.Linear` its weights. The others, such as those of SciPy's
    `eigsh`, draw from a stream of the same seed in place of the operating system; so do `secrets` and `uuid4`.

    seed: 32 bits, for the generators of Python, NumPy and, as soon as it is imported, torch
    """
    entropy, torch, given = random.Random(seed), _SeededTorch(seed), random.Random.seed

    def urandom(size: int, flags: int = 0) -> bytes:
        return entropy.getrandbits(8 * size).to_bytes(size)

    # Python calls this function for each generator without a seed. NumPy draws from `secrets`.
    def seed_python(generator: random.Random, a: Any = None, version: int = 2) -> None:
        given(generator, entropy.getrandbits(256) if a is None else a, version)

    shared = MethodType(seed_python, random.seed.__self__)
    system = [(os, "urandom", urandom), (os, "getrandom", urandom), (random, "_urandom", urandom)]
    replaced = [(random.Random, "seed", seed_python), (random, "seed", shared), *system]
    kept = [(place, name, getattr(place, name, None)) for place, name, _ in replaced]
    for each in replaced:
        setattr(*each)
    sys.meta_path.insert(0, torch)
    _seed(seed)
    try:
        yield
    finally:
        sys.meta_path.remove(torch)
        for each in kept:
            setattr(*each)


def _seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


class _SeededTorch(MetaPathFinder):
    """A finder of torch that seeds it when it is imported, which a function may do after the seeding."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the module's own specification with a loader that also seeds it; None for other modules."""
        if fullname != "torch" or not (spec := PathFinder.find_spec(fullname)) or not spec.loader:
            return None
        load = spec.loader.exec_module

        def load_and_seed(module: ModuleType) -> None:
            load(module)
            module.manual_seed(self._seed)

        spec.loader.exec_module = load_and_seed
        return spec


@contextmanager
def _hidden_environment(job: Job) -> Generator[None]:
    """Hide the environment in a block, and GPUs unless the job's spec asks for one."""
    environment = dict(os.environ)
    os.environ.clear()
    os.environ.update({name: value for name, value in environment.items() if _KEPT.match(name)})
    if job.spec.get("device") != "cuda":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(environment)


@contextmanager
def _watched(job: Job, *, strict: bool) -> Generator[None]:
    """Record the files of this repository that a block opens. If strict, refuse others, the network and processes.

    Raises UserError, with the line, also if the block catches the error.
    """
    hook = _hook()
    # Known before the job's code can change the path of modules.
    _installed()
    hook.job, hook.strict, hook.refusals, hook.path = job, strict, [], [*sys.path]
    try:
        yield
    finally:
        hook.job = None
        # Code that catches the error, or a library that replaces it by its own, does not hide it.
        if hook.refusals:
            raise hook.refusals[0]


class _Hook:
    """An audit hook, which Python cannot remove: while there is a job, it records or refuses what code opens."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.strict = True
        self.refusals: list[UserError] = []
        self.path: list[str] = []
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple) -> None:
        job = self.job
        if job is None or not (event in _FILES or (self.strict and _NETWORK_OR_PROCESS.match(event))):
            return
        frame, paths = sys._getframe(1), arguments[:1]
        if imports := taken(event, arguments, frame, self.path):
            event, (frame, paths) = "import", imports
        # Python opens sources itself for imports and messages.
        if not (paths if imports else _place(frame)):
            return
        if event in _FILES:
            # To look at a file opens others.
            self.job = None
            try:
                reason = next(filter(None, (_record(job, event, (path, *arguments[1:])) for path in paths)), "")
            finally:
                self.job = job
        else:
            reason = f"reaches the network or a process ({event}), and no result may depend on these"
        if reason and (self.strict or imports):
            self.refusals.append(UserError(": ".join(filter(None, (_place(frame), reason)))))
            raise self.refusals[-1]


# One per process.
_hook = cache(_Hook)


def _record(job: Job, event: str, arguments: tuple) -> str:
    """Record a file or folder that code opens, if it is in this repository; return why it may not be opened, or ""."""
    if isinstance(given := arguments[0], int):
        return ""
    spelled = os.path.abspath(os.fsdecode(given or "."))
    path = os.path.realpath(spelled)
    if event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR) and not path.startswith("/dev/"):
        return f"writes {path}; a job writes nothing but its results"
    if not f"{path}{os.sep}".startswith(_own()):
        # Python and its packages list each folder on the path of modules. Ours is there only in some installations.
        if event not in ("open", "import") and spelled in _hook().path and path != str(ROOT.resolve()):
            return ""
        # An environment may be a link, or consist of links to files elsewhere.
        elsewhere = not _lies_in_repository(path)
        if _is_installed(path) or (elsewhere and _is_installed(spelled)):
            return ""
        if elsewhere:
            other = "install it without -e, and pin it in envs" if event == "import" else "make a data set of it"
            return (
                f"opens {path}, which others do not have; put the file beside this code, or {other} "
                "(docs/adding.md, section 1)"
            )
    if event == "import" and "__pycache__" in path:
        # Python then reads the source: bytecode may be of an older one.
        raise OSError(f"{path} is not read")
    name = name_of(path)
    if name not in job.opened and not name.endswith("__pycache__"):
        job.opened[name] = digest_of_opened(name)
    return ""


def _is_installed(path: str) -> bool:
    """Return whether a file belongs to Python, its packages or the operating system.

    An environment may lie in the repository, and the repository in a folder of packages: the deepest folder decides.
    """
    known = (*_installed(), f"{REPOSITORY}{os.sep}")
    return max(filter(f"{path}{os.sep}".startswith, known), key=len, default="") in _installed()


def _lies_in_repository(path: str) -> bool:
    return f"{path}{os.sep}".startswith(f"{REPOSITORY}{os.sep}")


def _is_ours(path: str) -> bool:
    return path.startswith(_own()) or (_lies_in_repository(path) and not _is_installed(path))


@cache
def _installed() -> frozenset[str]:
    """Return the folders of Python, its packages and the operating system, as they are spelled and real ones."""
    # Of the path of modules, only folders of packages: an editable installation adds a folder of somebody's sources.
    packages = [*site.getsitepackages(), *(each for each in sys.path if each.endswith("-packages"))]
    known = [sys.prefix, sys.base_prefix, sys.base_exec_prefix, *packages, "/proc", "/sys", "/dev", "/etc", "/usr"]
    # Of a checkout, the path of modules contains the folder of our packages. Installed, they lie among others.
    ours = {str(ROOT.resolve()), str(REPOSITORY)} if ROOT.resolve() != REPOSITORY else set()
    both = {path for each in filter(None, known) for path in (os.path.abspath(each), os.path.realpath(each))}
    return frozenset(f"{each}{os.sep}" for each in both if os.path.realpath(each) not in ours)


@cache
def _own() -> tuple[str, ...]:
    """Return the folders of this project's code."""
    return tuple(f"{(ROOT / package).resolve()}{os.sep}" for package in PACKAGES)


def _place(top: FrameType | None) -> str:
    """Return FILE:LINE of this project's code that runs; "" if it is Python that opens a file: imports and messages."""
    for frame, line in walk_stack(top):
        file, module = frame.f_code.co_filename, frame.f_globals.get("__name__")
        if (file.startswith("<frozen importlib") and frame.f_code.co_name == "_find_and_load") or module == "linecache":
            return ""
        # Neither this module nor the loader of modules (reproduce/__init__.py) is the code of a job.
        others = (__name__, MECHANICS, f"{MECHANICS}.records.files")
        if file[0] != "<" and _is_ours(os.path.realpath(file)) and module not in others:
            return "" if module == f"{MECHANICS}.api" else f"{file}:{line}"
    return ""
