"""What an entry function reaches inside this package, by name alone, and what importing it sets off.

A function counts where it is reached by name, through imports, transitively. What runs while a module is imported (a
decorator, a default argument, a constant that calls something) counts for every job that imports the module.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from workflow.deepnets.code.modules import ASIDE, PACKAGE, Module, Package, at_import, canonical, imports_among
from workflow.deepnets.code.refusals import check_code, check_foreign, check_module, check_own, check_root
from workflow.deepnets.errors import UserError

# The second half of a key "module:…" that stands for what runs when the module is imported, or started.
IMPORTED, STARTED = "<import>", "<start>"
# Calls that do nothing but return a value, or a function as it was.
_INERT = re.compile(
    r"abc\.|contextlib\.contextmanager|dataclasses\.|functools\.(cache|cached_property|lru_cache|wraps)$|math\.|pathlib\."
    r"|re\.compile|torch\.(inference_mode|no_grad)$|(classmethod|frozenset|int|float|len|property|range|staticmethod)$"
)
# Syntax that calls no method of what stands in it; any other may.
_PLAIN = (ast.stmt, ast.expr_context, ast.arguments, ast.arg, ast.keyword, ast.Constant, ast.Name, ast.Lambda)
_CONTAINERS = (ast.Tuple, ast.List, ast.Set, ast.Dict)


class Closure:
    """What entries reach in a package. Raises UserError where reached code cannot be followed."""

    def __init__(self, package: Package) -> None:
        check_root(package)
        self.package = package
        # Found once for all entries: most of what jobs reach, they share.
        self._edges: dict[str, list[str]] = {}
        self._statements: dict[str, list[ast.stmt]] = {}
        self._texts: dict[str, str] = {}

    def origins(self, *entries: str) -> dict[str, str]:
        """Return all that the entries reach, each with what first reached it.

        Keys are "module:name" inside the package, "module:<import>" for what a module runs when it is imported,
        "name==version" for pinned packages and "import name" for the standard library; an entry is reached from "".
        """
        reached = dict.fromkeys(entries, "")
        queue = list(entries)
        while queue:
            key = queue.pop()
            if key not in self._edges:
                self._edges[key] = list(self._reached_from(key)) if ":" in key else []
            for target in self._edges[key]:
                if target not in reached:
                    reached[target] = key
                    queue.append(target)
        return reached

    def statements(self, key: str) -> list[ast.stmt]:
        """Return the statements that a key stands for: none for other packages and imports that run nothing."""
        if key not in self._statements:
            name, colon, part = key.partition(":")
            if part == IMPORTED:
                self._statements[key] = _effects_of(self.package.module(name))
            elif part == STARTED:
                self._statements[key] = self.package.module(name).main
            else:
                self._statements[key] = self.package.module(name).defined(part) if colon else []
        return self._statements[key]

    def text(self, key: str) -> str:
        """Return the canonical text of a key's statements: layout, comments and docstrings left out."""
        if key not in self._texts:
            self._texts[key] = "\n".join(map(canonical, self.statements(key)))
        return self._texts[key]

    def import_order(self, *entries: str) -> list[str]:
        """Return the import keys that stand for statements, in the order in which these run."""
        order: dict[str, None] = {}

        def visit(keys: Iterable[str]) -> None:
            for key in keys:
                if key not in order:
                    order[key] = None
                    visit(self._imported(self.package.module(key.partition(":")[0]).loads))
                    # Moved behind its own imports; the early entry only ends circles.
                    order[key] = order.pop(key)

        visit(self._imported(entries))
        return [key for key in order if self.statements(key)]

    def _reached_from(self, key: str) -> Iterator[str]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            check_module(module)
            yield from self._imported([*module.loads, key])
        else:
            yield f"{name}:{IMPORTED}"
        if ASIDE.match(name):
            return
        if part == "main" and module.main:
            yield f"{name}:{STARTED}"
        for node in self.statements(key):
            check_code(node, module, self.package)
            parts = list(ast.walk(node))
            yield from self._references(parts, module, key)
            yield from self._imported(target for _, target in imports_among(parts, module.path))

    def _imported(self, targets: Iterable[str]) -> Iterator[str]:
        """Yield the import keys of the modules that importing "module" or "module:name" runs, outermost first."""
        for target in targets:
            names = target.replace(":", ".").split(".")
            for length in range(1, len(names) + 1) if names[0] == PACKAGE.split(".")[0] else ():
                module = ".".join(names[:length])
                if self.package.path_of(module) is not None:
                    yield f"{module}:{IMPORTED}"

    def _references(self, parts: list[ast.AST], module: Module, origin: str) -> Iterator[str]:
        bound = {name: [*targets] for name, targets in module.imports.items()}
        for name, target in imports_among(parts, module.path):
            bound.setdefault(name, []).append(target)
        followed = set()
        # Outer parts come before inner ones, so a chain a.b.c is met whole before its parts.
        for part in parts:
            names = _chain(part) if id(part) not in followed else []
            if not names:
                continue
            followed.update(id(link) for link in ast.walk(part))
            for target in bound.get(names[0], []):
                yield from self._resolved(target, names[1:], module, origin)
            if names[0] in module.definitions:
                yield f"{module.name}:{names[0]}"

    def _resolved(self, target: str, attributes: list[str], module: Module, origin: str) -> Iterator[str]:
        owner, _, name = target.partition(":")
        path = [*([name] if name else []), *attributes]
        if not _inside(owner):
            check_foreign(".".join([owner, *path]), module)
            yield self.package.foreign(owner, importer=module.path)
            return
        while path and self.package.path_of(f"{owner}.{path[0]}") is not None:
            owner = f"{owner}.{path.pop(0)}"
        if not path:
            raise UserError(
                f"{module.path}: {origin} uses the module {owner} as a value; name the function that it takes from it"
            )
        found = self.package.module(owner)
        if path[0] in found.imports:
            for exported in found.imports[path[0]]:
                yield from self._resolved(exported, path[1:], found, origin)
        else:
            found.defined(path[0], origin=origin)
            check_own(f"{owner}:{path[0]}", module)
            yield f"{owner}:{path[0]}"


def _effects_of(module: Module) -> list[ast.stmt]:
    """Return the statements that act while a module is imported, and those that may read what these changed."""
    effective = [node for node in module.body if _has_effect(node, module)]
    computing = [node for node in module.body if isinstance(node, ast.Assign | ast.AnnAssign) and _computes(node)]
    return [node for node in module.body if node in effective or (effective and node in computing)]


def _computes(node: ast.stmt) -> bool:
    """Whether a statement applies anything to a value at import, be it only to take it apart."""
    for part in at_import(node):
        unpacks = isinstance(getattr(part, "ctx", None), ast.Store) or None in getattr(part, "keys", [])
        if not isinstance(part, _PLAIN) and (unpacks or not isinstance(part, _CONTAINERS)):
            return True
    return False


def _has_effect(node: ast.stmt, module: Module) -> bool:
    """Whether a statement does more, while its module is imported, than to bind a value that nothing else sees."""
    called, names = [], set()
    for part in at_import(node):
        called += [part.func] if isinstance(part, ast.Call) else []
        called += [each for each in getattr(part, "decorator_list", []) if not isinstance(each, ast.Call)]
        # Making a class runs what ancestors from elsewhere do then; Python's own and those beside it do nothing.
        called += [each for each in getattr(part, "bases", []) if not _chain(each) or _chain(each)[0] in module.imports]
        names.update(_chain(part)[:1])
    inside = {name for name, targets in module.imports.items() if any(map(_inside, targets))}
    inert = all(_INERT.match(_full_name(each, module)) for each in called)
    return not inert or bool(inside & names and _computes(node))


def _full_name(node: ast.AST, module: Module) -> str:
    """Return the dotted name of what a reference names: from its import, from this module, or as it stands."""
    first, *rest = _chain(node) or [""]
    owner = f"{module.name}:{first}" if first in module.definitions else first
    return ".".join([module.imports.get(first, [owner])[0].replace(":", "."), *rest])


def _inside(target: str) -> bool:
    return f"{target.replace(':', '.')}.".startswith(f"{PACKAGE}.")


def _chain(node: ast.AST) -> list[str]:
    """Return ["a", "b", "c"] for a.b.c; [] for anything but attributes of a name."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return [node.id, *attributes] if isinstance(node, ast.Name) else []
