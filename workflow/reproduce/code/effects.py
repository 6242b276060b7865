"""Find the statements of a module that have an effect when it is imported: they count for every job that imports it.

A statement that only makes a value (a constant, function or class) counts only for the jobs that use this value.
"""

import ast
import re
from collections.abc import Iterator

from reproduce.code.modules import Module, Package, inside_package, parts_at_import, split_name

# Decorators that only return the function or class, wrapped or not.
_WRAPPERS = re.compile(
    r"(abc\.abstractmethod|contextlib\.contextmanager|dataclasses\.dataclass|functools\.(cache|cached_property|lru_cache)"
    r"|numpy\.errstate|torch\.(inference_mode|no_grad)|typing\.(final|overload|runtime_checkable)"
    r"|property|classmethod|staticmethod|\w+\.setter)$"
)
# Calls that only make a value.
_MAKERS = re.compile(
    r"(dataclasses\.field|math\.\w+|pathlib\.\w+|re\.compile|typing\.(TypeVar|NewType)|types\.MappingProxyType"
    r"|numpy\.(array|arange|eye|float32|float64|geomspace|int64|linspace|log|logspace|ones|sqrt|zeros)"
    r"|matplotlib\.colors\.\w+"
    r"|pyarrow\.(bool_|dictionary|field|float64|int32|int64|schema|string)"
    r"|bool|bytes|dict|float|frozenset|int|len|list|range|round|set|str|sum|tuple)$"
)
# Base classes that run no code of a class when it is made.
_BASES = re.compile(r"(abc\.ABC|typing\.(Generic|NamedTuple|Protocol|TypedDict)|torch\.nn\.Module)$")
# Syntax that calls no method of its parts. Other syntax may.
_PLAIN = (ast.stmt, ast.expr_context, ast.arguments, ast.arg, ast.keyword, ast.Constant, ast.Name, ast.Lambda)
_CONTAINERS = (ast.Tuple, ast.List, ast.Set, ast.Dict)
# Statements with only such parts have no effect, and give the same value wherever they stand in a module.
_INERT = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.arguments, ast.arg),
    *(ast.Assign, ast.AnnAssign, ast.Constant, ast.expr_context),
    *(ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop),
)


def is_inert(node: ast.stmt) -> bool:
    """Return whether a statement only names a constant, or a function without decorators and computed defaults."""
    return all(
        isinstance(part, _INERT) or (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        for part in parts_at_import(node)
    )


def has_effect(node: ast.stmt, module: Module, package: Package) -> bool:
    """Return whether a statement does more at import than bind a name to a new value."""
    parts = list(parts_at_import(node))
    wraps = [each for part in parts for each in getattr(part, "decorator_list", [])]
    calls = [part for part in parts if isinstance(part, ast.Call) and part not in wraps]
    bases = [each for part in parts for each in getattr(part, "bases", [])]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    # A name that the statement itself binds does not mean the imported function.
    own = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    inside = {name for name, targets in module.imports.items() if any(map(inside_package, targets))}
    # Base classes of Python run no code when a class is made.
    foreign = module.imports.keys() - inside

    def matches(pattern: re.Pattern, each: ast.expr) -> bool:
        function = each.func if isinstance(each, ast.Call) else each
        return not own & {*split_name(function)[:1]} and bool(pattern.match(_full_name(function, module)))

    return (
        not all(matches(_WRAPPERS, each) for each in wraps)
        or not all(matches(_MAKERS, each) for each in calls)
        or not all(matches(_BASES, each) for each in bases if not split_name(each) or split_name(each)[0] in foreign)
        or bool(inside & names and _computes(parts))
        or any(_runs_hook(part, module, package) for part in parts)
    )


def _runs_hook(part: ast.AST, module: Module, package: Package) -> bool:
    """Return whether an expression or a new class calls a method that Python finds without its name.

    Keywords of a class are arguments of its metaclass or of `__init_subclass__`, and a base may have one of these.
    """
    match part:
        case ast.ClassDef():
            values = [each.value for each in part.body if isinstance(each, ast.Assign | ast.AnnAssign) and each.value]
            return (
                bool(part.keywords)
                or any(
                    _defines(each, "__init_subclass__") or has_effect(each, owner, package)
                    for base in part.bases
                    for each, owner in _resolve(split_name(base), module, package)
                )
                or any(
                    # The class of this object may have a method `__set_name__`.
                    any(isinstance(inner, ast.Call) for inner in ast.walk(each))
                    for value in values
                    for each, _ in _resolve(split_name(value), module, package)
                    if isinstance(each, ast.Assign | ast.AnnAssign)
                )
            )
        case ast.Subscript():
            found = _resolve(split_name(part.value), module, package)
            return any(_defines(each, "__class_getitem__") for each, _ in found)
    return False


def _defines(node: ast.stmt, method: str) -> bool:
    """Return whether a class defines a method in any way; True for any other statement that makes a base."""
    fields = ("name", "id", "asname")
    names = {getattr(part, field, None) for part in ast.walk(node) for field in fields}
    return method in names or (method == "__init_subclass__" and not isinstance(node, ast.ClassDef))


def _resolve(names: list[str], module: Module, package: Package) -> Iterator[tuple[ast.stmt, Module]]:
    """Yield the statements of this package that bind a name, with their modules; of a.b, those that bind a or b."""
    for node in module.definitions.get(names[0], []) if names else ():
        yield node, module
    for target in module.imports.get(names[0], []) if names else ():
        owner, _, name = target.partition(":")
        path = [*([name] if name else []), *names[1:]]
        if inside_package(owner):
            while path and package.path_of(f"{owner}.{path[0]}") is not None:
                owner = f"{owner}.{path.pop(0)}"
            yield from _resolve(path, package.module(owner), package)


def _computes(parts: list[ast.AST]) -> bool:
    """Return whether a statement applies an operation to a value, such as unpacking."""
    for part in parts:
        unpacks = isinstance(getattr(part, "ctx", None), ast.Store) or None in getattr(part, "keys", [])
        if not isinstance(part, _PLAIN) and (unpacks or not isinstance(part, _CONTAINERS)):
            return True
    return False


def _full_name(node: ast.AST, module: Module) -> str:
    """Return the full dotted name of a reference: from its import, from this module, or unchanged."""
    first, *rest = split_name(node) or [""]
    owner = f"{module.name}:{first}" if first in module.definitions else first
    return ".".join([module.imports.get(first, [owner])[0].replace(":", "."), *rest])
