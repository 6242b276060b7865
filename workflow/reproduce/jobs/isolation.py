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
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from functools import cache, wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from threading import get_ident
from types import FrameType, MethodType, ModuleType
from typing import Any

import numpy as np

from reproduce.code.imports import taken
from reproduce.code.science import MECHANICS, PACKAGES, ROOT
from reproduce.errors import UserError
from reproduce.jobs.job import Job, import_function
from reproduce.records.files import REPOSITORY, digests_of, follow, name_of

# The programs of data sets may read sources of data.
_READERS = re.compile(r"\w+\.data\.\w+\.\w+:")
_CHANGES = re.compile(r"os\.(chflags|chmod|chown|link|mkdir|remove|rename|rmdir|setxattr|symlink|truncate|utime)")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
# Making a socket reaches nothing: an event loop makes a pair for itself.
_REACHES = re.compile(r"socket\.(?!__)|sqlite3|subprocess|urllib|os\.(exec|fork|posix_spawn|spawn|system)|builtins\.in")
_SEEN = re.compile(rf"{_CHANGES.pattern}|{_REACHES.pattern}|open$|os\.(listdir|scandir|stat)|import|ctypes\.dlopen$")
# Python announces neither questions about files, nor the folder that a name is relative to.
_SILENT = ("access", "lstat", "open", "readlink", "rmdir", "stat", "unlink")
# Whose a file is that no job may read.
_OTHERS = ("", "temporary")
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
        spec.loader.exec_module = lambda module: load(module) or module.manual_seed(self._seed)
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
    """Record the files of this repository that a block reads. If strict, refuse others, changes, network and processes.

    Raises UserError, with the line, also if the block catches the error.
    """
    hook, silent = _hook(), {name: getattr(os, name) for name in _SILENT}
    # Before the block hides the environment, and adds to the path of modules.
    _known()
    hook.job, hook.strict, hook.refusals, hook.made, hook.path = job, strict, [], set(), [*sys.path]
    vars(os).update({name: _announced(function) for name, function in silent.items()})
    try:
        yield
    finally:
        hook.job = None
        vars(os).update(silent)
        # Code that catches the error, or a library that replaces it by its own, does not hide it.
        if hook.refusals:
            raise hook.refusals[0]


@cache
def _announced(function: Callable) -> Callable:
    """Return a function of `os` that announces a question about a file of this repository, by its whole path."""

    @wraps(function)
    def announce(path: Any, *rest: Any, dir_fd: int | None = None, **options: Any) -> Any:
        if dir_fd is not None:
            path = os.path.join(os.readlink(f"/proc/self/fd/{dir_fd}"), os.fsdecode(path))
        # Libraries ask about thousands of files when they are imported.
        if not isinstance(path, int) and _leads_here(os.path.join(os.getcwd(), os.path.dirname(os.fsdecode(path)))):
            sys.audit("os.stat", path)
        return function(path, *rest, **options)

    return announce


class _Hook:
    """An audit hook, which Python cannot remove: while there is a job, it records or refuses what code reaches."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.strict = True
        self.refusals: list[UserError] = []
        self.path: list[str] = []
        # The temporary files of the job, and the threads in which this hook looks at files, and so opens others.
        self.made, self._looking = set[str](), set[int]()
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple) -> None:
        if (thread := get_ident()) in self._looking or not (job := self.job) or not _SEEN.match(event):
            return
        self._looking.add(thread)
        try:
            frame = sys._getframe(1)
            if imports := taken(event, arguments, frame, self.path):
                event, (frame, arguments) = "import", imports
            place = _place(job, frame) or (job.entry if imports else "")
            reason = place and self._look(job, event, arguments)
        finally:
            self._looking.remove(thread)
        if reason and (self.strict or imports):
            self.refusals.append(UserError(f"{place}: {reason}"))
            raise self.refusals[-1]

    def _look(self, job: Job, event: str, arguments: tuple) -> str:
        """Record the files and folders of this repository that code reads; return why it may not read or act, or ""."""
        if _REACHES.match(event):
            return f"reaches the network or a process ({event}), and no result may depend on these"
        flags = (arguments[2] or 0) if event == "open" else os.O_EXCL * (event == "os.mkdir")
        # A link and a new name have two files; a symbolic link has a text first.
        count = len(arguments) if event == "import" else 1 + (event in {"os.link", "os.rename", "os.symlink"})
        for given in arguments[event == "os.symlink" : count]:
            spelled = Path(os.getcwd(), os.fsdecode(given or ".") if not isinstance(given, int) else os.devnull)
            *links, path = [os.path.normpath(each) for each in follow(spelled)]
            # A job may read and change what it made itself, such as `tempfile.TemporaryDirectory`.
            if any(f"{path}{os.sep}".startswith(f"{each}{os.sep}") for each in self.made):
                continue
            if _CHANGES.match(event) or flags & _WRITING:
                if flags & os.O_EXCL and _home(path) == "temporary" and not os.path.lexists(path):
                    self.made.add(path)
                # A device keeps nothing, and to open a folder writes nothing.
                elif event != "open" or os.path.isfile(path) or not os.path.exists(path):
                    return f"writes or removes {path}; a job writes nothing but its results"
                continue
            # An environment may be a link, or consist of links to files elsewhere.
            if _home(path) != "ours" and _home(os.path.normpath(spelled)) == "installed":
                continue
            if event == "import" and "__pycache__" in path:
                # Python then reads the source: bytecode may be of an older one.
                raise OSError(f"{path} is not read")
            # Python and its packages list each folder on the path of modules. Ours is on it only in some installations.
            if event in {"os.listdir", "os.scandir"} and str(spelled) in self.path and path != str(ROOT.resolve()):
                continue
            for link in links:
                # The way to the repository may contain links; no other link of this machine leads into it.
                if _home(link) in _OTHERS and not f"{REPOSITORY}{os.sep}".startswith(
                    f"{os.path.realpath(link)}{os.sep}"
                ):
                    path = link
            # Python reads bytecode in place of a source.
            source = re.sub(r"__pycache__/([^./]+)\.[^/]*$", r"\1.py", path)
            read = [each for each in (*links, source) if _home(each) == "ours" and "__pycache__" not in each]
            names = {"./" * (event == "os.stat" and each is source) + name_of(each) for each in read}
            job.opened.update(digests_of(names - job.opened.keys()))
            if event != "os.stat" and _home(path) in _OTHERS:
                other = "install it without -e, and pin it in envs" if event == "import" else "make a data set of it"
                return (
                    f"opens {path}, which others do not have; put the file beside this code, or {other} "
                    "(docs/adding.md, section 1)"
                )
        return ""


# One per process.
_hook = cache(_Hook)


def _home(path: str) -> str:
    """Return whose a file is, by the deepest folder that contains it: "installed", "ours", "temporary", or ""."""
    deepest = max(filter(f"{path}{os.sep}".startswith, _known()), key=len, default="")
    return _known().get(deepest, "")


@cache
def _known() -> dict[str, str]:
    """Return folder → whose it is. Those of Python, its packages and the operating system are as spelled, and real."""
    # Of the path of modules, only folders of packages: an editable installation adds a folder of somebody's sources.
    packages = [*site.getsitepackages(), *(each for each in sys.path if each.endswith("-packages"))]
    known = [sys.prefix, sys.base_prefix, sys.base_exec_prefix, *packages, "/proc", "/sys", "/dev", "/etc", "/usr"]
    # Of a checkout, the path of modules contains the folder of our packages. Installed, they lie among others.
    ours = {str(ROOT.resolve()), str(REPOSITORY)} if ROOT.resolve() != REPOSITORY else set()
    both = {path for each in filter(None, known) for path in (os.path.abspath(each), os.path.realpath(each))}
    folders = {os.path.realpath(tempfile.gettempdir()): "temporary", str(REPOSITORY): "ours"}
    folders |= {each: "installed" for each in both if os.path.realpath(each) not in ours}
    folders |= {str((ROOT / package).resolve()): "ours" for package in PACKAGES}
    return {f"{folder}{os.sep}": whose for folder, whose in folders.items()}


@cache
def _leads_here(path: str) -> bool:
    return os.path.isabs(path) and _home(os.path.realpath(path)) == "ours"


def _place(job: Job, frame: FrameType | None) -> str:
    """Return FILE:LINE of this project's code that runs, the entry if a thread has none; "" if Python imports."""
    while frame:
        file, name, module = frame.f_code.co_filename, frame.f_code.co_name, frame.f_globals.get("__name__")
        imports = file.startswith("<frozen importlib") and name in {"_find_and_load", "_cache_bytecode"}
        # A warning shows its line, and the debugger, which doctest makes, looks for the user's settings.
        if imports or name == "_formatwarnmsg_impl" or module == "pdb":
            return ""
        # Neither this module nor the loader of modules (reproduce/__init__.py) is the code of a job.
        if module not in (__name__, MECHANICS) and _leads_here(file):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return f"{job.entry}, in a thread"
