"""Convert a syntax tree to the text that a fingerprint hashes.

The text omits layout, docstrings, types, names of local variables and messages to the user, unless one of these could
change a result: a fingerprint may change too often, but never too seldom.
"""

import ast
import builtins
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# Decorators that do not read the types of arguments.
_READ_NO_TYPES = {
    "property",
    "classmethod",
    "staticmethod",
    "abstractmethod",
    "contextmanager",
    "cache",
    "cached_property",
}
# These open a scope, which may use names of the function around it.
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
# These have variables of their own, which no other code reads.
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
# The numbers of the local variables of a function in which all names count.
_KEPT: Mapping[str, int] = MappingProxyType({})
# These functions find local variables by their names.
_BY_NAME = {"dir", "eval", "exec", "globals", "locals", "vars"}
# Fields in which `except … as name` and patterns bind names.
_BINDING = ("name", "rest")
# Only the user sees its message; that of another error may appear in a claim or a figure.
_USER_ERROR = "UserError"
_ARITHMETIC: Mapping[type, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def without_annotations(tree: ast.Module) -> ast.Module:
    """Remove the types of arguments, results, constants and local variables from a module.

    They stay where code may read them: in classes, in decorated functions, and in `main`, whose arguments are a
    program's options.
    """
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS | ast.Module):
            node.body = [_untyped(each) for each in node.body]
        if not isinstance(node, _FUNCTIONS) or node.name == "main":
            continue
        if {ast.unparse(each) for each in node.decorator_list} <= _READ_NO_TYPES:
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for part in filter(None, every):
                part.annotation = _keep_if_it_calls(part.annotation)
            node.returns = _keep_if_it_calls(node.returns)
    return tree


def _untyped(node: ast.stmt) -> ast.stmt:
    """Return `x = value` for `x: type = value` if the type calls nothing."""
    if isinstance(node, ast.AnnAssign) and node.value and node.simple and not _keep_if_it_calls(node.annotation):
        return ast.copy_location(ast.Assign([node.target], node.value), node)
    return node


def _keep_if_it_calls(annotation: ast.expr | None) -> ast.expr | None:
    """Return an annotation that calls something when its function is defined; else None."""
    calls = annotation and any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(annotation))
    return annotation if calls else None


def canonical_text(
    node: object,
    *,
    bodies: bool = True,
    module_names: Collection[str] = (),
    skip_messages: bool = False,
    strings: bool = True,
    local_names: Mapping[str, int] | None = None,
) -> str:
    """Return a syntax tree as text without positions, docstrings and empty fields: the same in Python 3.11 and later.

    bodies: whether the bodies of functions count
    module_names: the names that the module defines or imports
    skip_messages: omit the messages of UserErrors, which in this module end the job and so are in no result
    strings: whether strings count
    local_names: local variable → its number; None outside functions
    """

    def convert(value: object, names: Mapping[str, int] | None = None) -> str:
        return canonical_text(
            value,
            bodies=bodies,
            module_names=module_names,
            skip_messages=skip_messages,
            strings=strings,
            local_names=local_names if names is None else names,
        )

    if isinstance(node, _COMPREHENSIONS) and local_names is not None and local_names is not _KEPT:
        inner = _number_own_names(node, local_names, module_names)
        parts = [f"{name}={convert(value, inner)}" for name, value in ast.iter_fields(node) if name != "generators"]
        for place, each in enumerate(node.generators):
            # The first iterable does not see the variables of the comprehension.
            iterable = convert(each.iter, inner if place else None)
            parts.append(f"for={convert([each.target, each.ifs, each.is_async], inner)},in={iterable}")
        return f"{type(node).__name__}({','.join(parts)})"
    if isinstance(node, ast.AST):
        node = _fold(node)
        if isinstance(node, _FUNCTIONS) and local_names is None:
            local_names = _number_local_names(node, module_names)
        if isinstance(node, ast.Name) and local_names and node.id in local_names:
            return f"Name(id={local_names[node.id]})"
        if not strings and isinstance(node, ast.Constant) and isinstance(node.value, str):
            return "Constant(value=str)"
        strings = strings and not (skip_messages and isinstance(node, ast.Raise) and _raises_user_error(node))
        fields = []
        for name, value in ast.iter_fields(node):
            if name in ("ctx", "kind", "type_comment") or value is None or value == []:
                continue
            if name == "body" and not bodies and isinstance(node, _FUNCTIONS):
                continue
            if name == "body" and isinstance(node, _FUNCTIONS | ast.ClassDef):
                value = value[1:] if ast.get_docstring(node, clean=False) is not None else value
            fields.append(f"{name}={convert(value)}")
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(convert, node))}]"
    return f"{type(node).__name__}:{node!r}"


def _fold(node: ast.AST) -> ast.AST:
    """Return the constant that +, -, * or / of two numbers gives, as Python's compiler does; else the node."""
    if isinstance(node, ast.BinOp) and (calculate := _ARITHMETIC.get(type(node.op))):
        values = [getattr(_fold(side), "value", None) for side in (node.left, node.right)]
        # A division by 0, or a number that is too large, is an error of the code.
        with suppress(ArithmeticError):
            return ast.Constant(calculate(*values)) if all(type(each) in (int, float) for each in values) else node
    return node


def _number_local_names(function: ast.AST, module_names: Collection[str]) -> Mapping[str, int]:
    """Number the local variables of a function, except those whose names could change a result.

    A name that also exists outside the function is kept. Comprehensions have variables of their own.
    """
    parts = [part for part in ast.walk(function) if part is not function]
    loaded = {part.id for part in parts if isinstance(part, ast.Name)}
    if loaded & _BY_NAME or any(isinstance(part, _SCOPES | ast.Global | ast.Nonlocal) for part in parts):
        return _KEPT
    named: set[str | None] = {part.arg for part in parts if isinstance(part, ast.arg)}
    named |= {getattr(part, field, None) for part in parts for field in _BINDING}
    named |= {(alias.asname or alias.name).split(".")[0] for alias in parts if isinstance(alias, ast.alias)}
    inside = {id(each) for part in parts if isinstance(part, ast.comprehension) for each in ast.walk(part.target)}
    bound = _bound_names(part for part in parts if id(part) not in inside)
    free = [name for name in bound if name not in named and _is_free(name, module_names)]
    return {name: number for number, name in enumerate(free)}


def _number_own_names(
    comprehension: _COMPREHENSIONS, local_names: Mapping[str, int], module_names: Collection[str]
) -> dict[str, int]:
    """Return the numbers of the variables that code in a comprehension sees: the function's, and then its own."""
    targets = [part for each in comprehension.generators for part in ast.walk(each.target)]
    free = [name for name in _bound_names(targets) if _is_free(name, module_names)]
    start = max(local_names.values(), default=-1) + 1
    # A name that is kept hides a local variable, too.
    outer = {name: number for name, number in local_names.items() if name not in _bound_names(targets)}
    return {**outer, **{name: start + place for place, name in enumerate(free)}}


def _bound_names(parts: Iterable[ast.AST]) -> dict[str, None]:
    """Return the names that these nodes bind, in order."""
    return dict.fromkeys(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _is_free(name: str, module_names: Collection[str]) -> bool:
    return name not in module_names and not hasattr(builtins, name)


def _raises_user_error(node: ast.Raise) -> bool:
    if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
        return False
    return isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name) and node.exc.func.id == _USER_ERROR
