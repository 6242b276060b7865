"""The hash of everything that a job's entry function reaches inside this package, found without running it.

Snakemake does not look inside imported modules, so every job carries `ENTRY@FINGERPRINT` as a param: an edit reruns
exactly the jobs whose entry reaches it. Comments, docstrings and layout do not count. Other packages are not followed;
those that are reached count by the version that envs/requirements.txt pins. What cannot be followed is refused.
"""

import ast
import hashlib
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from workflow.deepnets.errors import UserError, exit_plainly

PACKAGE = "workflow.deepnets"
_ROOT = Path(__file__).parents[3]
_PINS = _ROOT / "envs" / "requirements.txt"
# Import names that differ from the name under which the package is pinned.
_DISTRIBUTIONS = {"yaml": "pyyaml"}
# These modules count by what others call of them, but are not followed: they can stop a job or tell its cost, never
# change its result. In this one alone a string becomes code, and it is the string that is hashed.
_ASIDE = {f"{PACKAGE}.code.fingerprint", f"{PACKAGE}.jobs._cost"}
_UNSEEN = {"eval", "exec", "compile", "globals", "locals", "vars", "__import__", "import_module", "__file__", "__doc__"}
_MUTATORS = {"append", "add", "extend", "insert", "update", "setdefault", "register"}


@dataclass
class Module:
    """One parsed source file: what it defines and what its names are bound to."""

    name: str
    path: Path
    tree: ast.Module
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    guarded: list[ast.stmt] = field(default_factory=list)


class Package:
    """The sources of a package, parsed on demand.

    root: the folder that holds the package's top folder; package: its dotted name;
    pins: distribution → version (lower-case names).
    """

    def __init__(self, *, root: Path = _ROOT, package: str = PACKAGE, pins: dict[str, str] | None = None) -> None:
        self.root, self.package = root, package
        self._pins = pins
        self._modules: dict[str, Module] = {}

    @cached_property
    def pins(self) -> dict[str, str]:
        """The pinned versions: lower-case distribution → version."""
        return read_pins(_PINS) if self._pins is None else self._pins

    def fingerprint(self, *entries: str) -> str:
        """Return 16 hexadecimal digits that change when, and only when, code reached from the entries changes.

        entries: "module:name". Raises UserError where reached code cannot be followed.
        """
        digest = hashlib.sha256()
        for key, text in self.texts(*entries).items():
            digest.update(f"{key}\n{text}\n".encode())
        return digest.hexdigest()[:16]

    def texts(self, *entries: str) -> dict[str, str]:
        """Return what is hashed: each key of the closure, in order, with its canonical text ("" for packages)."""
        return {key: self._text(key) for key in sorted(self.closure(*entries))}

    def closure(self, *entries: str) -> dict[str, str]:
        """Return all that the entries reach, each with what first reached it.

        Keys are "module:name" inside the package, "name==version" for pinned packages and "import name" for
        the standard library; an entry is reached from "".
        """
        reached = dict.fromkeys(entries, "")
        queue = list(entries)
        while queue:
            key = queue.pop()
            for target in self._edges(key):
                if target not in reached:
                    reached[target] = key
                    queue.append(target)
        return reached

    def module(self, name: str) -> Module:
        """Return a module of the package by its dotted name; raises UserError where there is none."""
        if name not in self._modules:
            path = self._path(name)
            if path is None:
                raise UserError(f"there is no module {name} in {self.root}")
            self._modules[name] = _parsed(name, path)
        return self._modules[name]

    def public_functions(self, module: str) -> dict[str, ast.FunctionDef]:
        """Return the functions that a module defines without a leading underscore, in their order."""
        return {
            name: nodes[-1]
            for name, nodes in self.module(module).definitions.items()
            if isinstance(nodes[-1], ast.FunctionDef) and not name.startswith("_")
        }

    def arguments(self, entry: str) -> list[str]:
        """Return the names of a function's arguments."""
        module, name = entry.split(":")
        node = self._nodes(module, name, "")[-1]
        if not isinstance(node, ast.FunctionDef):
            raise UserError(f"{entry} is no function")
        return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]

    def docstring(self, entry: str) -> str:
        """Return a function's docstring without its indentation; "" where it has none."""
        module, name = entry.split(":")
        return ast.get_docstring(self._nodes(module, name, "")[-1]) or ""

    def constant(self, module: str, name: str) -> object:
        """Return the value of a module's literal constant."""
        node = self._nodes(module, name, "")[-1]
        return ast.literal_eval(node.value)

    def _path(self, module: str) -> Path | None:
        base = self.root.joinpath(*module.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path
        return None

    def _inside(self, name: str) -> bool:
        return name == self.package or name.startswith(self.package + ".")

    def _nodes(self, module: str, name: str, origin: str) -> list[ast.stmt]:
        source = self.module(module)
        if name == "__main__":
            return source.guarded
        if name not in source.definitions:
            raise UserError(f"{module} defines no {name!r}" + (f", which {origin} uses" if origin else ""))
        return source.definitions[name]

    def _text(self, key: str) -> str:
        if ":" not in key:
            return ""
        module, name = key.split(":")
        return "\n".join(_canonical(node) for node in self._nodes(module, name, ""))

    def _edges(self, key: str) -> Iterator[str]:
        if ":" not in key:
            return
        module, name = key.split(":")
        if module in _ASIDE:
            return
        source = self.module(module)
        _refuse_unseen_statements(source)
        if name == "main" and source.guarded:
            yield f"{module}:__main__"
        for node in self._nodes(module, name, ""):
            _refuse_unseen_code(node, source)
            self._refuse_files(node, source)
            yield from self._references(node, source, key)

    def _refuse_files(self, node: ast.stmt, source: Module) -> None:
        """Refuse names of source files: what a job reads from them is an input, and to be declared as one."""
        texts = (part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in texts:
            path = part.value
            if "/" in path and "\n" not in path and len(path) < 200 and (self.root / path).is_file():
                raise UserError(
                    f"{source.path}:{part.lineno}: {path!r} is a file that no fingerprint sees; "
                    "declare it as an input of the rule and pass its path"
                )

    def _references(self, node: ast.stmt, source: Module, origin: str) -> Iterator[str]:
        bound = {**source.imports, **_bindings(ast.walk(node), source)}
        followed = set()
        # ast.walk goes from the outside in, so a chain a.b.c is met whole before its parts.
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute):
                chain = _chain(part)
                if chain and chain[0].id in bound:
                    followed.update(id(link) for link in ast.walk(part))
                    yield from self._resolved(bound[chain[0].id], chain[1:], source, origin)
            elif isinstance(part, ast.Name) and id(part) not in followed:
                if part.id in bound:
                    yield from self._resolved(bound[part.id], [], source, origin)
                elif part.id in source.definitions:
                    yield f"{source.name}:{part.id}"

    def _resolved(self, target: str, attributes: list[str], source: Module, origin: str) -> Iterator[str]:
        module, _, name = target.partition(":")
        if not self._inside(module):
            yield self._foreign(module, source)
            return
        path = [*([name] if name else []), *attributes]
        while path and self._path(f"{module}.{path[0]}") is not None:
            module = f"{module}.{path.pop(0)}"
        if not path:
            raise UserError(
                f"{source.path}: {origin} uses the module {module} as a value; name the function that it takes from it"
            )
        found = self.module(module)
        if path[0] in found.imports and path[0] not in found.definitions:
            yield from self._resolved(found.imports[path[0]], path[1:], found, origin)
            return
        self._nodes(module, path[0], origin)
        yield f"{module}:{path[0]}"

    def _foreign(self, module: str, source: Module) -> str:
        top = module.split(".")[0]
        if top in sys.stdlib_module_names:
            return f"import {top}"
        distribution = _DISTRIBUTIONS.get(top, top).lower()
        if distribution not in self.pins:
            raise UserError(f"{source.path}: imports {top}, which envs/requirements.txt does not pin")
        return f"{distribution}=={self.pins[distribution]}"


def read_pins(path: Path) -> dict[str, str]:
    """Return the exact pins of a requirements file: lower-case name → version."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return {
        name.strip().lower(): version.strip()
        for name, _, version in (line.partition("==") for line in lines)
        if version
    }


def code_of(entry: str, *, program: str, package: Package) -> str:
    """Return `ENTRY@FINGERPRINT`: what a job of `program` is given as its code, and executes."""
    return f"{entry}@{package.fingerprint(program, entry)}"


def verify(code: str, *, program: str) -> None:
    """Raise UserError if the sources changed since `ENTRY@FINGERPRINT` was taken.

    The result would be filed under code that did not make it.
    """
    entry, _, expected = code.partition("@")
    if Package().fingerprint(program, entry) != expected:
        raise UserError(f"the code behind {entry} changed after this job was planned; start snakemake again")


def load(code: str, *, program: str) -> Callable:
    """Return the function that `ENTRY@FINGERPRINT` names, once `verify` has passed."""
    verify(code, program=program)
    module, name = code.partition("@")[0].split(":")
    return getattr(importlib.import_module(module), name)


def _parsed(name: str, path: Path) -> Module:
    module = Module(name, path, ast.parse(path.read_text(), filename=str(path)))
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.definitions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        module.definitions.setdefault(part.id, []).append(node)
        elif isinstance(node, ast.If) and _is_main_guard(node):
            module.guarded.extend(node.body)
    module.imports = _bindings(module.tree.body, module)
    return module


def _is_main_guard(node: ast.If) -> bool:
    return ast.unparse(node.test) == "__name__ == '__main__'" and not node.orelse


def _bindings(nodes: Iterator[ast.AST] | list[ast.stmt], source: Module) -> dict[str, str]:
    """Map local names to "module" or "module:name" for the import statements among the nodes."""
    bound = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                # `import a.b` binds a; `import a.b as c` binds the whole.
                bound[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
                if not alias.asname and alias.name.startswith(PACKAGE.split(".")[0] + "."):
                    raise UserError(
                        f"{source.path}:{node.lineno}: write `from … import …` for a module of this package"
                    )
        elif isinstance(node, ast.ImportFrom):
            if node.level or any(alias.name == "*" for alias in node.names):
                raise UserError(
                    f"{source.path}:{node.lineno}: relative and star imports cannot be followed; import by full name"
                )
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}:{alias.name}"
    return bound


def _chain(node: ast.Attribute) -> list | None:
    """Return [Name, attribute, attribute, …] for a.b.c, None for an attribute of anything but a name."""
    attributes = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return [node, *attributes] if isinstance(node, ast.Name) else None


def _refuse_unseen_statements(source: Module) -> None:
    """Refuse statements that act while a module is imported: nothing that a function reaches would show them."""
    allowed = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
    for node in source.tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (isinstance(node, allowed) or docstring or (isinstance(node, ast.If) and _is_main_guard(node))):
            raise UserError(
                f"{source.path}:{node.lineno}: `{ast.unparse(node).splitlines()[0]}` acts at import, which no "
                "fingerprint sees; put it into a function (allowed: imports, functions, classes, constants)"
            )


def _refuse_unseen_code(node: ast.stmt, source: Module) -> None:
    """Refuse what static analysis cannot follow: names made from strings, state changed from elsewhere."""
    for part in ast.walk(node):
        reason = None
        if (isinstance(part, ast.Name) and part.id in _UNSEEN) or (
            isinstance(part, ast.Attribute) and part.attr in _UNSEEN
        ):
            reason = f"`{ast.unparse(part)}` reaches code or files by name"
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "getattr":
            if len(part.args) < 2 or not isinstance(part.args[1], ast.Constant):
                reason = "`getattr` with a computed name reaches code by string"
        elif isinstance(part, ast.Global):
            reason = "`global` changes what other functions see"
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
            if isinstance(part.value, ast.Name) and _is_module_state(part.value.id, node, source):
                reason = f"`{ast.unparse(part)} = …` fills a registry from elsewhere"
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _MUTATORS:
            base = part.func.value
            if isinstance(base, ast.Name) and _is_module_state(base.id, node, source):
                reason = f"`{ast.unparse(part.func)}` fills a registry from elsewhere"
        if reason:
            raise UserError(f"{source.path}:{part.lineno}: {reason}, which no fingerprint sees")


def _is_module_state(name: str, node: ast.stmt, source: Module) -> bool:
    if name not in source.definitions:
        return False
    local = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    local |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return name not in local


def _canonical(node: object) -> str:
    """Write a syntax tree without positions, docstrings and empty fields: the same text on every Python 3.11+."""
    if isinstance(node, ast.AST):
        fields = []
        for name, value in ast.iter_fields(node):
            if name in ("ctx", "kind", "type_comment") or value is None or value == []:
                continue
            if name == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                value = _without_docstring(value)
            fields.append(f"{name}={_canonical(value)}")
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(_canonical, node))}]"
    return f"{type(node).__name__}:{node!r}"


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    documented = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if documented else body


def main() -> None:
    """Print what an entry reaches and why: `python -m workflow.deepnets.code.fingerprint MODULE:NAME …`."""
    entries = sys.argv[1:]
    if not entries or not all(":" in entry for entry in entries):
        raise UserError("usage: python -m workflow.deepnets.code.fingerprint MODULE:NAME [MODULE:NAME …]")
    package = Package()
    for key, origin in sorted(package.closure(*entries).items()):
        print(f"{key:70} {'entry' if not origin else 'from ' + origin}")
    print(package.fingerprint(*entries))


if __name__ == "__main__":
    exit_plainly(main)
