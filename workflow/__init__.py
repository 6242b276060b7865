"""The workflow folder is a package, so that a foreign package of the same name cannot shadow it.

All modules below it are compiled from their sources at every start. Python takes the bytecode of an earlier start where
the source has the same size and the same second of its time stamp: an edit within a second would run the old code.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType


class _Compiling(SourceFileLoader):
    """Loads a module from its source alone, and keeps no bytecode of it."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Finder(PathFinder):
    """Finds the modules below this package as Python does, to be compiled."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = super().find_spec(fullname, path, target) if fullname.startswith("workflow.") else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Compiling(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
