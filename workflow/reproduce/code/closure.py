"""Find the code that an entry reaches inside this package.

A function or a constant is reached if the entry uses its name, directly or through others. Code that runs at import (a
decorator, a default argument, a constant that calls something) counts for every job that imports its module.
"""

import ast
from collections.abc import Iterable, Iterator

from reproduce.code.canonical import canonical_text
from reproduce.code.effects import has_effect, is_inert
from reproduce.code.modules import (
    LAUNCHER,
    NOT_FOLLOWED,
    PASSED,
    READERS,
    STARTED_BY_LAUNCHER,
    Module,
    Package,
    imports_among,
    inside_package,
    is_bare_constant,
    parts_at_import,
    split_name,
)
from reproduce.code.refusals import check_code, check_foreign, check_module, check_own
from reproduce.code.science import PACKAGES
from reproduce.errors import UserError

# The second half of a key for the code that runs when a module is imported, or is the main program.
IMPORTED, STARTED = "<import>", "<start>"


class Closure:
    """The code of a package that entries reach. Raises UserError if static analysis cannot follow reached code."""

    def __init__(self, package: Package) -> None:
        self.package = package
        # Cached, because jobs share most of the code that they reach.
        self._edges: dict[str, list[str]] = {}
        self._statements: dict[str, list[ast.stmt]] = {}
        self._texts: dict[str, str] = {}
        # id of a statement → its nodes: walking all statements takes half of the time.
        self._parts: dict[int, list[ast.AST]] = {}

    def origins(self, *entries: str) -> dict[str, str]:
        """Return everything that the entries reach: key → the key that first reached it, "" for an entry.

        Keys: "module:name", "module:<import>" for the code that runs at import, "module:<start>" for the code that runs
        as the main program, "name==version" for a pinned package, "import name" for the standard library.
        """
        reached = dict.fromkeys(entries, "")
        queue = list(entries)
        while queue:
            key = queue.pop()
            if key not in self._edges:
                others = self.package.transitive_pins.get(key.partition("==")[0], [])
                self._edges[key] = list(self._follow(key)) if ":" in key else others
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
        """Return the text of a key for the fingerprint: its canonical statements, and the targets of imported names.

        For "module:<import>": all statements that run at import, in order, if one of them has an effect; else "".
        """
        if key not in self._texts:
            self._texts[key] = self._text_of(key) if ":" in key else ""
        return self._texts[key]

    def import_order(self, *entries: str) -> list[str]:
        """Return the import keys with statements, in the order in which these run."""
        order: dict[str, None] = {}

        def visit(keys: Iterable[str]) -> None:
            for key in keys:
                if key not in order:
                    order[key] = None
                    visit(self._import_keys(self.package.module(key.partition(":")[0]).loads))
                    # A module runs after its imports; the first entry only ends cycles.
                    order[key] = order.pop(key)

        visit(self._import_keys(entries))
        # Then the modules that functions import when they run.
        visit(key for key in sorted(self.origins(*entries)) if key.endswith(f":{IMPORTED}"))
        return [key for key in order if self.statements(key)]

    def _statements_of(self, key: str) -> list[ast.stmt]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            effect = any(has_effect(node, module, self.package) for node in module.body)
            # A name of an inert statement counts where it is used.
            return [node for node in module.body if not is_bare_constant(node) and not is_inert(node)] if effect else []
        # A name that the module only re-exports has no statement.
        return module.main if part == STARTED else module.definitions.get(part, [])

    def _text_of(self, key: str) -> str:
        name, _, part = key.partition(":")
        module, nodes = self.package.module(name), self.statements(key)
        lines = [
            canonical_text(
                node,
                # Bodies of functions run at import only if the statement has an effect.
                bodies=part != IMPORTED or has_effect(node, module, self.package),
                module_names=module.definitions.keys() | module.imports.keys(),
                # Claims and figures may show messages of errors, but run only what is passed to them.
                skip_messages=bool(READERS.match(name)) and not PASSED.match(key),
            )
            for node in nodes
        ]
        used = {each.id for node in nodes for each in self._parts_of(node) if isinstance(each, ast.Name)} | {part}
        bound = module.imports.items() if nodes or part in module.imports else ()
        # A future statement changes the meaning of all others.
        used |= {name for name, targets in bound if targets[0].startswith("__future__:")}
        lines += sorted(f"{name} = {', '.join(targets)}" for name, targets in bound if name in used)
        return "\n".join(lines)

    def _follow(self, key: str) -> Iterator[str]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            check_module(module, self.package)
            yield from self._import_keys([*module.loads, key])
            # An imported package runs even if no code uses its name; then it is imported for what it does.
            for target in module.loads:
                if not inside_package(target):
                    requirement = self.package.requirement(target.partition(":")[0], importer=module.path)
                    if "==" in requirement and not self._uses(target, module):
                        yield requirement
        else:
            yield f"{name}:{IMPORTED}"
        if NOT_FOLLOWED.match(key):
            return
        for target in module.imports.get(part, []):
            # A name that the module only re-exports.
            if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                yield from self._resolve(target, [], module, key)
        if part == "main" and module.main:
            yield f"{name}:{STARTED}"
            if name == STARTED_BY_LAUNCHER and self.package.path_of(LAUNCHER) is not None:
                yield f"{LAUNCHER}:{STARTED}"
        for node in self.statements(key):
            if part == IMPORTED and not has_effect(node, module, self.package):
                yield from self._follow_names(list(parts_at_import(node)), module, key)
                continue
            parts = self._parts_of(node)
            check_code(parts, module, self.package)
            yield from self._follow_names(parts, module, key)
            # An import inside a function counts whole, because code may reach its names as attributes.
            for _, target in imports_among(parts, module.path):
                yield from self._import_keys([target])
                if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                    yield from self._resolve(target, [], module, key)

    def _parts_of(self, node: ast.stmt) -> list[ast.AST]:
        """Return all nodes of a statement, outer before inner ones."""
        if id(node) not in self._parts:
            self._parts[id(node)] = list(ast.walk(node))
        return self._parts[id(node)]

    def _uses(self, target: str, module: Module) -> bool:
        """Return whether a module uses a name that it imports from a target."""
        names = {name for name, targets in module.imports.items() if target in targets}
        return any(getattr(part, "id", "") in names for node in module.body for part in self._parts_of(node))

    def _import_keys(self, targets: Iterable[str]) -> Iterator[str]:
        """Yield the keys of the modules that run when "module" or "module:name" is imported, outermost first."""
        for target in targets:
            names = target.replace(":", ".").split(".")
            for length in range(1, len(names) + 1) if names[0] in PACKAGES else ():
                module = ".".join(names[:length])
                if self.package.path_of(module) is not None:
                    yield f"{module}:{IMPORTED}"
                elif length == len(names):
                    # A name that the module imports at its first use (reproduce/api.py).
                    owner = self.package.module(".".join(names[:-1]))
                    yield from self._import_keys(
                        each for each in owner.imports.get(names[-1], ()) if each not in owner.loads
                    )

    def _follow_names(self, parts: list[ast.AST], module: Module, origin: str) -> Iterator[str]:
        bound = {name: [*targets] for name, targets in module.imports.items()}
        for name, target in imports_among(parts, module.path):
            bound.setdefault(name, []).append(target)
        followed = set()
        # Outer parts come first: a.b.c comes before a.b.
        for part in parts:
            names = split_name(part) if id(part) not in followed else []
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
            yield self.package.requirement(owner, importer=module.path)
            return
        while path and self.package.path_of(f"{owner}.{path[0]}") is not None:
            owner = f"{owner}.{path.pop(0)}"
        if not path:
            raise UserError(
                f"{module.path}: {origin} uses the module {owner} as a value; write the function that it uses"
            )
        found = self.package.module(owner)
        for exported in found.imports.get(path[0], []):
            yield from self._resolve(exported, path[1:], found, origin)
        if path[0] not in found.imports:
            found.definition(path[0], origin=origin)
        elif "__getattr__" in found.definitions:
            # Python calls this function for a name that the module imports at its first use.
            yield from (f"{owner}:{each}" for each in found.definitions)
        check_own(f"{owner}:{path[0]}", module)
        yield f"{owner}:{path[0]}"
