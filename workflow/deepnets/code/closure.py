"""What an entry function reaches inside this package by name, and what runs when its modules are imported.

A function counts if it is reached by name, through imports, transitively. What runs while a module is imported (a
decorator, a default argument, a constant that calls something) counts for every job that imports the module.
"""

import ast
from collections.abc import Iterable, Iterator

from workflow.deepnets.code.canonical import canonical
from workflow.deepnets.code.effects import has_effect
from workflow.deepnets.code.modules import (
    NOT_FOLLOWED,
    PACKAGE,
    READERS,
    Module,
    Package,
    at_import,
    chain,
    imports_among,
    inside_package,
    is_text,
)
from workflow.deepnets.code.refusals import check_code, check_foreign, check_module, check_own, check_root
from workflow.deepnets.errors import UserError

# The second half of a key "module:…" for what runs when the module is imported, or started.
IMPORTED, STARTED = "<import>", "<start>"


class Closure:
    """What entries reach in a package. Raises UserError where reached code cannot be followed."""

    def __init__(self, package: Package) -> None:
        check_root(package)
        self.package = package
        # Found once for all entries: jobs share most of what they reach.
        self._edges: dict[str, list[str]] = {}
        self._statements: dict[str, list[ast.stmt]] = {}
        self._texts: dict[str, str] = {}
        # The parts of each statement, by its identity: to walk all statements takes half of the time.
        self._parts: dict[int, list[ast.AST]] = {}

    def origins(self, *entries: str) -> dict[str, str]:
        """Return all that the entries reach: key → the key that first reached it, "" for an entry.

        Keys are "module:name" inside the package, "module:<import>" for what a module runs when it is imported,
        "name==version" for pinned packages and "import name" for the standard library.
        """
        reached = dict.fromkeys(entries, "")
        queue = list(entries)
        while queue:
            key = queue.pop()
            if key not in self._edges:
                others = self.package.transitive_pins.get(key.partition("==")[0], [])
                self._edges[key] = list(self._reached_from(key)) if ":" in key else others
            for target in self._edges[key]:
                if target not in reached:
                    reached[target] = key
                    queue.append(target)
        return reached

    def statements(self, key: str) -> list[ast.stmt]:
        """Return the statements of a key: none for other packages and for imports without effect."""
        if key not in self._statements:
            self._statements[key] = self._statements_of(key) if ":" in key else []
        return self._statements[key]

    def text(self, key: str) -> str:
        """Return what counts of a key: its statements without layout, comments and docstrings, and what its names mean.

        For a module with an effect at import: all that runs then, in order.
        """
        if key not in self._texts:
            self._texts[key] = self._text_of(key) if ":" in key else ""
        return self._texts[key]

    def import_order(self, *entries: str) -> list[str]:
        """Return the import keys that have statements, in the order in which these run."""
        order: dict[str, None] = {}

        def visit(keys: Iterable[str]) -> None:
            for key in keys:
                if key not in order:
                    order[key] = None
                    visit(self._import_keys(self.package.module(key.partition(":")[0]).loads))
                    # Moved after its own imports; the early entry only ends circles.
                    order[key] = order.pop(key)

        visit(self._import_keys(entries))
        # Then those that functions import when they run.
        visit(key for key in sorted(self.origins(*entries)) if key.endswith(f":{IMPORTED}"))
        return [key for key in order if self.statements(key)]

    def _statements_of(self, key: str) -> list[ast.stmt]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            effect = any(has_effect(node, module) for node in module.body)
            return [node for node in module.body if not is_text(node)] if effect else []
        # A name that a module only passes on has no statement of its own.
        return module.main if part == STARTED else module.definitions.get(part, [])

    def _text_of(self, key: str) -> str:
        name, _, part = key.partition(":")
        module, nodes = self.package.module(name), self.statements(key)
        # At import, no body of a function runs unless a statement has an effect.
        taken = module.definitions.keys() | module.imports.keys()
        # A claim or a figure may show the message of an error in its own code, but never runs a reader of files.
        told = bool(READERS.match(name))
        lines = [
            canonical(node, bodies=part != IMPORTED or has_effect(node, module), taken=taken, told=told)
            for node in nodes
        ]
        used = {each.id for node in nodes for each in self._parts_of(node) if isinstance(each, ast.Name)} | {part}
        bound = module.imports.items() if nodes or part in module.imports else ()
        # Future statements change the meaning of all others.
        used |= {name for name, targets in bound if targets[0].startswith("__future__:")}
        lines += sorted(f"{name} = {', '.join(targets)}" for name, targets in bound if name in used)
        return "\n".join(lines)

    def _reached_from(self, key: str) -> Iterator[str]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            check_module(module, self.package)
            yield from self._import_keys([*module.loads, key])
            # Another package need not be named to run.
            for target in module.loads:
                if not inside_package(target):
                    self.package.foreign(target.partition(":")[0], importer=module.path)
        else:
            yield f"{name}:{IMPORTED}"
        if NOT_FOLLOWED.match(key):
            return
        for target in module.imports.get(part, []):
            # A name that a module only passes on.
            if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                yield from self._resolve(target, [], module, key)
        if part == "main" and module.main:
            yield f"{name}:{STARTED}"
        for node in self.statements(key):
            if part == IMPORTED and not has_effect(node, module):
                yield from self._references(list(at_import(node)), module, key)
                continue
            parts = self._parts_of(node)
            check_code(parts, module, self.package)
            yield from self._references(parts, module, key)
            # An import inside a function counts as a whole: code may reach it through an attribute.
            for _, target in imports_among(parts, module.path):
                yield from self._import_keys([target])
                if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                    yield from self._resolve(target, [], module, key)

    def _parts_of(self, node: ast.stmt) -> list[ast.AST]:
        """Return all parts of a statement, outer ones before inner ones."""
        if id(node) not in self._parts:
            self._parts[id(node)] = list(ast.walk(node))
        return self._parts[id(node)]

    def _import_keys(self, targets: Iterable[str]) -> Iterator[str]:
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
        # Outer parts come before inner ones: a chain a.b.c comes before its parts.
        for part in parts:
            names = chain(part) if id(part) not in followed else []
            if not names:
                continue
            followed.update(id(link) for link in ast.walk(part))
            for target in bound.get(names[0], []):
                yield from self._resolve(target, names[1:], module, origin)
            if names[0] in module.definitions:
                yield f"{module.name}:{names[0]}"

    def _resolve(self, target: str, attributes: list[str], module: Module, origin: str) -> Iterator[str]:
        owner, _, name = target.partition(":")
        path = [*([name] if name else []), *attributes]
        if owner == "__future__":
            return
        if not inside_package(owner):
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
        for exported in found.imports.get(path[0], []):
            yield from self._resolve(exported, path[1:], found, origin)
        if path[0] not in found.imports:
            found.defined(path[0], origin=origin)
        check_own(f"{owner}:{path[0]}", module)
        yield f"{owner}:{path[0]}"
