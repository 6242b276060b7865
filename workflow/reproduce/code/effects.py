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
    r"(collections\.namedtuple|dataclasses\.field|fractions\.Fraction|functools\.partial|logging\.getLogger|math\.\w+|pathlib\.\w+|re\.compile|typing\.(TypeVar|NewType)|types\.MappingProxyType"
    r"|numpy\.(array|arange|eye|float32|float64|geomspace|int64|linspace|log|logspace|ones|sqrt|zeros)"
    r"|matplotlib\.colors\.\w+"
    r"|pyarrow\.(bool_|dictionary|field|float64|int32|int64|schema|string)"
    r"|bool|bytes|dict|float|frozenset|int|len|list|range|round|set|str|sum|tuple)$"
)
# Of these, only the first argument is read; another one is an array to write into.
_UFUNCS = re.compile(r"numpy\.(log|sqrt)$")
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

    def made_before(name: str) -> bool:
        """Return whether a name is an object of this module, whose methods may do anything."""
        made = (each for each in module.definitions.get(name, ()) if isinstance(each, ast.Assign | ast.AnnAssign))
        return any(each.lineno < node.lineno and has_effect(each, module, package) for each in made)

    return (
        not all(matches(_WRAPPERS, each) for each in wraps)
        or not all(matches(_MAKERS, each) for each in calls)
        or any(matches(_UFUNCS, each) and len([*each.args, *each.keywords]) > 1 for each in calls)
        or not all(matches(_BASES, each) for each in bases if not split_name(each) or split_name(each)[0] in foreign)
        or (_computes(parts) and bool(inside & names or any(map(made_before, names))))
        or any(_may_be_found(part, module, package) for part in parts if isinstance(part, ast.ClassDef))
    )


def _may_be_found(node: ast.ClassDef, module: Module, package: Package) -> bool:
    """Return whether making a class may register it, so that code finds it without its name.

    Its keywords are arguments of a metaclass or of `__init_subclass__`, which a base in this package may have.
    """
    return bool(node.keywords) or any(
        # A name that is not bound by a class may have any class as its value.
        not isinstance(each, ast.ClassDef)
        or "__init_subclass__" in ast.unparse(each)
        or has_effect(each, owner, package)
        for base in node.bases
        for each, owner in _resolve(split_name(base), module, package)
    )


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
    """Return whether a statement applies an operation to a value, such as unpacking, or gives it to a class."""
    for part in parts:
        # Python calls a method of an attribute's value (`__set_name__`) when it makes the class.
        if isinstance(part, ast.ClassDef) and any(
            isinstance(getattr(each, "value", 0), ast.Name) for each in part.body
        ):
            return True
        unpacks = isinstance(getattr(part, "ctx", None), ast.Store) or None in getattr(part, "keys", [])
        if not isinstance(part, _PLAIN) and (unpacks or not isinstance(part, _CONTAINERS)):
            return True
    return False


def _full_name(node: ast.AST, module: Module) -> str:
    """Return the full dotted name of a reference: from its import, from this module, or unchanged."""
    first, *rest = split_name(node) or [""]
    owner = f"{module.name}:{first}" if first in module.definitions else first
    return ".".join([module.imports.get(first, [owner])[0].replace(":", "."), *rest])
