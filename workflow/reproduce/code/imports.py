"""Find the files of modules and libraries that Python takes past the loader in reproduce/__init__.py, as it announces.

A job depends on them as on files that it opens: on all their bytes, wherever they lie and whatever their names are.
"""

import os
import sys
from collections.abc import Sequence
from types import FrameType

from reproduce.code.science import MECHANICS

# Events that name a compiled module or a library → the place of its path among their arguments.
_LIBRARIES = {"import": 1, "ctypes.dlopen": 0}
# The code of Python that opens modules.
_IMPORTERS = ("<frozen importlib._bootstrap_external>", "<frozen zipimport>")


def is_import(event: str, frame: FrameType) -> bool:
    """Return whether an event is one of an import, or loads a library. frame: the code that causes it."""
    return event in _LIBRARIES or (event == "open" and frame.f_code.co_filename in _IMPORTERS)


def asking(frame: FrameType | None) -> FrameType | None:
    """Return the frame that asks for a module: the first one that is not of Python's own imports."""
    while frame and frame.f_code.co_filename.startswith("<frozen "):
        frame = frame.f_back
    return frame


def taken_files(event: str, arguments: tuple, frame: FrameType | None, path: Sequence[str]) -> list[str]:
    """Return what an import takes, and the folders in which another file would hide it, or be found if there is none.

    frame: as of `asking`
    path: the path of modules before the code of the job changed it
    """
    # This loader records what it loads, as code.
    if frame and frame.f_globals.get("__name__") == MECHANICS:
        return []
    found = os.fsdecode(arguments[_LIBRARIES.get(event, 0)] or "")
    added = [each for each in arguments[2] or () if each not in path] if event == "import" else []
    # With this prefix, bytecode lies elsewhere. The system finds a library without a folder.
    found = found.removeprefix(sys.pycache_prefix or "\0")
    return [found, os.path.dirname(found), *added] if os.sep in found else added
