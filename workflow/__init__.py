"""The workflow folder is a package, so that a foreign package of the same name cannot shadow it.

The modules below it run as their sources are. Python would take the bytecode of an earlier start where the source has
the same size and the same second of its time stamp: an edit within a second would run the old code. Here, bytecode
counts only if it was made of the very text of the source.
"""

import marshal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from types import CodeType, ModuleType

# A flag of Python's format of bytecode (PEP 552): the file holds a hash of the source, and the hash is checked.
_BY_HASH = (3).to_bytes(4, "little")


class _CheckedByHash(SourceFileLoader):
    """Loads a module from its source, or from bytecode whose hash is that of the source and its path."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source, kept = self.get_data(path), cache_from_source(path)
        # The path, since it is part of the code: messages show it.
        header = MAGIC_NUMBER + _BY_HASH + source_hash(source + path.encode())
        with suppress(OSError, EOFError, ValueError, TypeError):
            data = self.get_data(kept)
            if data.startswith(header):
                return marshal.loads(data[len(header) :])
        code = self.source_to_code(source, path)
        if not sys.dont_write_bytecode:
            # Replaces the file whole; where it may not be written, nothing happens.
            self.set_data(kept, header + marshal.dumps(code))
        return code


class _Finder(PathFinder):
    """Finds the modules below this package as Python does."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = super().find_spec(fullname, path, target) if fullname.startswith("workflow.") else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _CheckedByHash(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
