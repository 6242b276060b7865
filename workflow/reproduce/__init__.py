"""Mechanics: plan jobs from a config and from code, record where results come from, judge statements, make a page.

This file makes Python import the modules of both packages from bytecode only if it was compiled from their present
sources. By default, Python uses old bytecode if the source has the same size and the same second in its time stamp, so
after an edit within a second, the old code would run.
"""

import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from types import CodeType, ModuleType

# A flag in bytecode files (PEP 552): the file contains a hash of the source, which is checked.
_BY_HASH = (3).to_bytes(4, "little")


class _CheckedByHash(SourceFileLoader):
    """A loader of a module from its source, or from bytecode with the hash of the source and its path."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source, cached = self.get_data(path), cache_from_source(path)
        # With the path, because the code contains it, for messages.
        header = MAGIC_NUMBER + _BY_HASH + source_hash(source + path.encode())
        with suppress(OSError, EOFError, ValueError, TypeError):
            data = self.get_data(cached)
            if data.startswith(header):
                return marshal.loads(data[len(header) :])
        code = self.source_to_code(source, path)
        if not sys.dont_write_bytecode:
            # `set_data` replaces the file at once, and does nothing if the folder is read-only.
            self.set_data(cached, header + marshal.dumps(code))
        return code


# The folder of a checkout's packages; "" outside of one, where the packages of others lie beside this one.
_FOLDER = next((folder for folder in [os.path.dirname(__path__[0])] if os.path.isfile(f"{folder}/launch.py")), "")


class _Finder(PathFinder):
    """A finder of the packages of a checkout and of all modules below them, which gives them the loader above."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not _FOLDER or (path and not path[0].startswith(f"{_FOLDER}/")):
            return None
        spec = super().find_spec(fullname, path or [_FOLDER], target)
        # A file beside the packages is nobody's module.
        if (
            spec is None
            or not isinstance(spec.loader, SourceFileLoader)
            or not (path or spec.submodule_search_locations)
        ):
            return None
        spec.loader = _CheckedByHash(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
