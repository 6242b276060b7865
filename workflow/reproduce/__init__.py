"""Mechanics: plan jobs from a config and from code, record where results come from, judge statements, make a page.

This file makes Python import the modules of both packages from bytecode only if it was compiled from their present
sources. By default, Python uses old bytecode if the source has the same size and the same second in its time stamp, so
after an edit within a second, the old code would run.

It also makes each function record that it ran, because a result depends on the code that made it (code/footprint.py):
each function of a module, and each method, begins with a line that adds its name to `RAN`.
"""

import builtins
import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

# A flag in bytecode files (PEP 552): the file contains a hash of the source, which is checked.
_BY_HASH = (3).to_bytes(4, "little")
# The functions that ran, as "module:name"; module → the source that was imported, None if there was none.
RAN: set[str] = set()
SOURCES: dict[str, bytes | None] = {}
# Ends the source of a package there: a module that becomes a package with the same text is another one.
PACKAGE = b"\n__path__\n"
# Python finds this name in every module.
builtins.__ran__ = RAN.add  # ty: ignore[missing-attribute]


class _Recorded(SourceFileLoader):
    """A loader of a module from its source, or from bytecode with the hash of the source and its path."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source, cached = self.get_data(path), cache_from_source(path)
        # With the path, because the code contains it, for messages.
        header = MAGIC_NUMBER + _BY_HASH + source_hash(source + path.encode() + b" records")
        SOURCES[fullname] = source + PACKAGE * self.is_package(fullname)
        with suppress(OSError, EOFError, ValueError, TypeError):
            data = self.get_data(cached)
            if data.startswith(header):
                return marshal.loads(data[len(header) :])
        code = compile(_recording(source, fullname, path), path, "exec", dont_inherit=True)
        if not sys.dont_write_bytecode:
            # `set_data` replaces the file at once, and does nothing if the folder is read-only.
            self.set_data(cached, header + marshal.dumps(code))
        return code


def _recording(source: bytes, module: str, path: str) -> "ast.Module":
    """Return the syntax tree of a module whose functions record that they ran."""
    # Imported here because most modules are read from bytecode.
    import ast

    def mark(node: ast.AST, owner: str) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                # The mark follows the docstring and has the line of the first statement. Inner functions run after it.
                place = int(ast.get_docstring(part, clean=False) is not None)
                (line,) = ast.parse(f"__ran__({f'{module}:{owner}{part.name}'!r})").body
                for each in ast.walk(line):
                    ast.copy_location(each, part.body[0])
                part.body.insert(place, line)
            elif isinstance(part, ast.stmt | ast.excepthandler | ast.match_case):
                mark(part, f"{owner}{part.name}." if isinstance(part, ast.ClassDef) else owner)

    try:
        tree = ast.parse(source, path)
    except SyntaxError as error:
        # Python names no file for one that contains null bytes.
        error.filename = path
        raise
    mark(tree, "")
    return tree


# The folder of both packages. Outside of a checkout, the packages of others lie beside them.
_FOLDER = os.path.dirname(__path__[0])


class _Finder(PathFinder):
    """A finder of both packages and of all modules below them, which gives them the loader above."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top != __name__ and not os.path.isfile(f"{_FOLDER}/{top}/experiments/__init__.py"):
            return None
        spec = super().find_spec(fullname, path or [_FOLDER], target)
        # A module that is missing counts too: a file of its name would be found.
        if path:
            SOURCES.setdefault(fullname, None)
        # A module from another folder, which a package adds to its path, counts as an opened file (jobs/isolation.py).
        place = os.path.join(_FOLDER, *fullname.split("."))
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or not spec.loader.path.startswith(place):
            return None
        spec.loader = _Recorded(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
