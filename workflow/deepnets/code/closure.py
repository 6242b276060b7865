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
# Decorators that give back the function or class, wrapped or not, and calls that make a value; they change nothing
# else.
_WRAPPERS = re.compile(
    r"(abc\.abstractmethod|contextlib\.contextmanager|dataclasses\.dataclass|functools\.(cache|cached_property|lru_cache)"
    r"|numpy\.errstate|torch\.(inference_mode|no_grad)|typing\.(final|overload|runtime_checkable)"
    r"|property|classmethod|staticmethod|\w+\.setter)$"
)
_MAKERS = re.compile(
    r"(dataclasses\.field|math\.\w+|pathlib\.\w+|re\.compile|typing\.(TypeVar|NewType)|types\.MappingProxyType"
    r"|numpy\.(array|arange|eye|float32|float64|geomspace|int64|linspace|log|logspace|ones|sqrt|zeros)"
    r"|matplotlib\.colors\.\w+"
    r"|pyarrow\.(bool_|dictionary|field|float64|int32|int64|schema|string)"
    r"|bool|bytes|dict|float|frozenset|int|len|list|range|round|set|str|sum|tuple)$"
)
# Making a class of these runs nothing of the class.
_BASES = re.compile(r"(abc\.ABC|typing\.(Generic|NamedTuple|Protocol|TypedDict)|torch\.nn\.Module)$")
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
            module = self.package.module(name) if colon else None
            if part == IMPORTED:
                self._statements[key] = module.body if any(_has_effect(node, module) for node in module.body) else []
            elif part == STARTED:
                self._statements[key] = module.main
            else:
                # A name that a module only passes on has no statement of its own.
                self._statements[key] = module.definitions.get(part, []) if colon else []
        return self._statements[key]

    def text(self, key: str) -> str:
        """Return what counts of a key: its statements, no layout, comments and docstrings, and what their names mean.

        Of a module that does something when it is imported: all that runs then, in order.
        """
        if key not in self._texts:
            name, colon, part = key.partition(":")
            module, nodes = self.package.module(name) if colon else None, self.statements(key)
            # Of what only stands beside, what runs now: no function's body.
            lines = [canonical(node, bodies=part != IMPORTED or _has_effect(node, module)) for node in nodes]
            used = {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
            if colon:
                bound = module.imports.items() if nodes or part in module.imports else ()
                # Future statements change the meaning of all others.
                used |= {name for name, targets in bound if targets[0].startswith("__future__:")} | {part}
                lines += sorted(f"{name} = {', '.join(targets)}" for name, targets in bound if name in used)
            self._texts[key] = "\n".join(lines)
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
        # Then those that functions import when they run.
        visit(key for key in sorted(self.origins(*entries)) if key.endswith(f":{IMPORTED}"))
        return [key for key in order if self.statements(key)]

    def _reached_from(self, key: str) -> Iterator[str]:
        name, _, part = key.partition(":")
        module = self.package.module(name)
        if part == IMPORTED:
            check_module(module, self.package)
            yield from self._imported([*module.loads, key])
            # Another package need not be named to run.
            for target in module.loads:
                if not _inside(target):
                    self.package.foreign(target.partition(":")[0], importer=module.path)
        else:
            yield f"{name}:{IMPORTED}"
        if ASIDE.match(key):
            return
        for target in module.imports.get(part, []):
            # A name that a module only passes on.
            if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                yield from self._resolved(target, [], module, key)
        if part == "main" and module.main:
            yield f"{name}:{STARTED}"
        for node in self.statements(key):
            if part == IMPORTED and not _has_effect(node, module):
                yield from self._references(list(at_import(node)), module, key)
                continue
            check_code(node, module, self.package)
            parts = list(ast.walk(node))
            yield from self._references(parts, module, key)
            # What is imported inside counts as a whole: it may be reached through an attribute.
            for _, target in imports_among(parts, module.path):
                yield from self._imported([target])
                if ":" in target and self.package.path_of(target.replace(":", ".")) is None:
                    yield from self._resolved(target, [], module, key)

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
        if owner == "__future__":
            return
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
        for exported in found.imports.get(path[0], []):
            yield from self._resolved(exported, path[1:], found, origin)
        if path[0] not in found.imports:
            found.defined(path[0], origin=origin)
        check_own(f"{owner}:{path[0]}", module)
        yield f"{owner}:{path[0]}"


def _has_effect(node: ast.stmt, module: Module) -> bool:
    """Whether a statement does more, while its module is imported, than to bind a value that nothing else sees."""
    parts = list(at_import(node))
    wraps = [each for part in parts for each in getattr(part, "decorator_list", [])]
    calls = [part for part in parts if isinstance(part, ast.Call) and part not in wraps]
    bases = [each for part in parts for each in getattr(part, "bases", [])]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    # A name that the statement binds for itself is not the one that is known.
    own = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    inside = {name for name, targets in module.imports.items() if any(map(_inside, targets))}
    # Python's own bases run nothing when a class is made, nor do those of this package, which may have no hooks.
    foreign = module.imports.keys() - inside

    def known(pattern: re.Pattern, each: ast.expr) -> bool:
        function = each.func if isinstance(each, ast.Call) else each
        return not own & {*_chain(function)[:1]} and bool(pattern.match(_full_name(function, module)))

    return (
        not all(known(_WRAPPERS, each) for each in wraps)
        or not all(known(_MAKERS, each) for each in calls)
        or not all(known(_BASES, each) for each in bases if not _chain(each) or _chain(each)[0] in foreign)
        or bool(inside & names and _computes(parts))
    )


def _computes(parts: list[ast.AST]) -> bool:
    """Whether a statement applies anything to a value, be it only to take it apart."""
    for part in parts:
        unpacks = isinstance(getattr(part, "ctx", None), ast.Store) or None in getattr(part, "keys", [])
        if not isinstance(part, _PLAIN) and (unpacks or not isinstance(part, _CONTAINERS)):
            return True
    return False


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
