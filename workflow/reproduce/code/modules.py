"""Parse the modules of both packages: what each defines.

No module is executed. Of another package, only the name of its installed distribution is looked up.
"""

import ast
import hashlib
import os
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path

from reproduce import PACKAGE
from reproduce.code.science import MECHANICS, PACKAGES, PINS, ROOT, SCIENCE, TRANSITIVE_PINS, rooms_with
from reproduce.errors import UserError
from reproduce.records.packages import metadata_of
from reproduce.records.paths import shown

# In a checkout, a file beside the packages, which starts every job.
LAUNCHER = "launch"


def launcher() -> tuple[str, ...]:
    """Return what Python starts for a job: in a checkout, the file beside the packages, for the planned sources."""
    file = ROOT / f"{LAUNCHER}.py"
    return (shown(file),) if file.is_file() else ("-m", f"{MECHANICS}.jobs")


class Package:
    """The sources of this package in a root folder, parsed on demand."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self._definitions: dict[str, dict[str, ast.stmt]] = {}
        self._sources: dict[str, bytes] = {}
        self._paths: dict[str, Path | None] = {}

    @cached_property
    def versions(self) -> dict[str, str]:
        """The versions of the pinned packages and of those that these bring along: lower-case name → version."""
        return read_pins(self.root / TRANSITIVE_PINS) | read_pins(self.root / PINS)

    def definitions(self, module: str) -> dict[str, ast.stmt]:
        """Return name → the last statement that binds it in a module; raises UserError if there is no such module."""
        if module not in self._definitions:
            found = self._definitions[module] = {}
            for node in self._tree(module).body:
                names = [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
                if isinstance(node, ast.Assign | ast.AnnAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
                found |= dict.fromkeys(names, node)
        return self._definitions[module]

    def _tree(self, module: str) -> ast.Module:
        if not (path := self.path_of(module)):
            raise UserError(f"there is no module {module} in {self.root}")
        try:
            # As bytes, so that Python decodes a byte order mark or another encoding.
            return ast.parse(self.source(module))
        except (SyntaxError, ValueError) as error:
            raise UserError(f"{path}:{getattr(error, 'lineno', None) or 1}: not Python: {error}") from error

    def source(self, module: str) -> bytes:
        """Return the content of a module's file at its first reading; empty if there is no such module."""
        if module not in self._sources:
            path = self.path_of(module)
            self._sources[module] = path.read_bytes() + PACKAGE * (path.stem == "__init__") if path else b""
        return self._sources[module]

    def modules_in(self, room: str) -> list[str]:
        """Return the dotted names of the modules in a room without a leading underscore, in order.

        room: a folder ("toy/documents/one/figures") or, without the suffix, a single module.
        """
        folder, name = self.root / room, room.replace("/", ".")
        if folder.with_suffix(".py").is_file():
            return [name]
        # Python can import no other names than identifiers: hidden files and copies are no modules.
        return [f"{name}.{path.stem}" for path in sorted(folder.glob("[!_]*.py")) if path.stem.isidentifier()]

    def rooms_in(self, room: str) -> list[str]:
        """Return the names of the folders with modules in a room of the science, in order."""
        # One of these makes a folder a data set, an experiment or a document.
        modules = ("__init__", "run", "claims")
        return sorted(set().union(*(rooms_with(name, self.root / SCIENCE / room) for name in modules)))

    def path_of(self, module: str) -> Path | None:
        """Return the file of a module; None if there is no such module."""
        # Cached: called thousands of times with few distinct names.
        if module not in self._paths:
            base = self.root.joinpath(*module.split("."))
            # A folder before a file, as Python finds them.
            candidates = (base / "__init__.py", base.with_suffix(".py"))
            self._paths[module] = next((path for path in candidates if path.is_file()), None)
        return self._paths[module]

    def file(self, name: str) -> str:
        """Return the path of a file of a package, such as "reproduce/figures/column.mplstyle"."""
        return shown(self.root / name)

    def data_files(self, room: str, suffix: str) -> list[str]:
        """Return the paths of the files of a room with a suffix, in order."""
        return [shown(path) for path in sorted((self.root / SCIENCE / room).glob(f"[!.]*.{suffix}"))]

    def path_shown(self, module: str) -> str:
        """Return the file of a module, for messages."""
        return shown(self.path_of(module) or self.root)

    def distributions(self, modules: Collection[str]) -> list[str]:
        """Return the pinned packages, and those that these bring along, that contain one of these modules."""
        return [name for name in self.versions if not _modules_of(name).isdisjoint(modules)]

    def digest_of_pins(self, packages: Iterable[str]) -> str:
        """Return 8 hexadecimal digits of the pinned versions of packages."""
        pins = "".join(f"{name}=={self.versions.get(name)}\n" for name in sorted(packages))
        return hashlib.sha256(pins.encode()).hexdigest()[:8]

    @property
    def sources(self) -> dict[str, bytes]:
        """Module → its source, for all modules of both packages and the launcher."""
        folders = (self.root / package for package in PACKAGES)
        paths = (path.relative_to(self.root) for folder in folders for path in sorted(folder.rglob("*.py")))
        names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
        return {name: self.source(name) for name in [*names, LAUNCHER] if self.path_of(name)}

    def public_functions(self, module: str) -> list[str]:
        """Return the names of the functions of a module without a leading underscore, in order."""
        definitions = self.definitions(module).items()
        return [name for name, node in definitions if isinstance(node, ast.FunctionDef) and name[0] != "_"]

    def arguments(self, entry: str) -> list[str]:
        """Return the names of the arguments of a function."""
        arguments = self._function(entry).args
        return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]

    def docstring(self, entry: str) -> str:
        """Return the docstring of a function without indentation; "" if it has none."""
        return ast.get_docstring(self._function(entry)) or ""

    def title(self, module: str) -> str:
        """Return the beginning of a module's docstring, up to a colon."""
        return (ast.get_docstring(self._tree(module)) or "").partition(":")[0] if self.path_of(module) else ""

    def constant(self, module: str, name: str) -> object:
        """Return the value of a constant; raises UserError if it is no literal."""
        node = self._definition(f"{module}:{name}")
        try:
            return ast.literal_eval(getattr(node, "value", node))
        except ValueError:
            raise UserError(
                f"{self.path_shown(module)}:{node.lineno}: {name} is not a literal; write its value out"
            ) from None

    def _function(self, entry: str) -> ast.FunctionDef:
        node = self._definition(entry)
        if not isinstance(node, ast.FunctionDef):
            raise UserError(f"{entry} is not a function")
        return node

    def _definition(self, entry: str) -> ast.stmt:
        module, name = entry.split(":")
        definitions = self.definitions(module)
        if name not in definitions:
            raise UserError(f"{module} defines no {name!r}")
        return definitions[name]


def read_pins(path: Path) -> dict[str, str]:
    """Return the pins with == of a requirements file: lower-case name → version."""
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("==") for line in lines)
    return {name.strip().lower(): version.strip() for name, _, version in pairs if version}


def _modules_of(distribution: str) -> set[str]:
    """Return the names of the modules that an installed package provides: by default its own name."""
    listed = Path(metadata_of(distribution) or os.devnull, "top_level.txt")
    return {distribution.replace("-", "_"), *(listed.read_text(encoding="utf-8").split() if listed.exists() else ())}
