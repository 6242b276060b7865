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


def taken(
    event: str, arguments: tuple, frame: FrameType | None, path: Sequence[str]
) -> tuple[FrameType | None, tuple[str, ...]] | None:
    """Return the code that asks for a module, the files that Python takes, and where one might hide them or appear.

    None for an event that is none of an import.

    frame: the code that causes the event
    path: the path of modules before the job's code changed it
    """
    if event not in _LIBRARIES and (event != "open" or frame is None or frame.f_code.co_filename not in _IMPORTERS):
        return None
    while frame and frame.f_code.co_filename.startswith("<frozen "):
        frame = frame.f_back
    added = [each for each in arguments[2] or () if each not in path] if event == "import" else []
    # With this prefix, bytecode lies elsewhere.
    found = os.fsdecode(arguments[_LIBRARIES.get(event, 0)] or "").removeprefix(sys.pycache_prefix or "\0")
    # The loader records what it takes, as code. The system finds a library without a folder.
    marked = frame is not None and frame.f_globals.get("__name__") == MECHANICS
    return frame, (*((found, os.path.dirname(found)) if os.sep in found and not marked else ()), *added)
