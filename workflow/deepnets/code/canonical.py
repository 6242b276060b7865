"""Convert a syntax tree to the text that a fingerprint hashes.

The text omits layout, docstrings, types, names of local variables and messages to the user, unless one of these could
change a result: a fingerprint may change too often, but never too seldom.
"""

import ast
import builtins
from collections.abc import Collection, Mapping

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# These open a scope, which may use names of the function around it.
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
# These functions find local variables by their names.
_BY_NAME = {"dir", "eval", "exec", "globals", "locals", "vars"}
# Fields in which `except … as name` and patterns bind names.
_BINDING = ("name", "rest")
# Only the user sees its message; that of another error may appear in a claim or a figure.
_USER_ERROR = "UserError"


def without_annotations(tree: ast.Module) -> ast.Module:
    """Remove the types of arguments and results from a module.

    They stay where code may read them: in decorated functions, and in `main`, whose arguments are a program's options.
    """
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and not node.decorator_list and node.name != "main":
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for part in filter(None, every):
                part.annotation = _keep_if_it_calls(part.annotation)
            node.returns = _keep_if_it_calls(node.returns)
    return tree


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

    def convert(value: object) -> str:
        return canonical_text(
            value,
            bodies=bodies,
            module_names=module_names,
            skip_messages=skip_messages,
            strings=strings,
            local_names=local_names,
        )

    if isinstance(node, ast.AST):
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


def _number_local_names(function: ast.AST, module_names: Collection[str]) -> dict[str, int]:
    """Number the local variables of a function, except those whose names could change a result.

    A name that also exists outside the function is kept: next to a comprehension, which has its own variables, it may
    mean the outer one.
    """
    parts = [part for part in ast.walk(function) if part is not function]
    loaded = {part.id for part in parts if isinstance(part, ast.Name)}
    if loaded & _BY_NAME or any(isinstance(part, _SCOPES | ast.Global | ast.Nonlocal) for part in parts):
        return {}
    named: set[str | None] = {part.arg for part in parts if isinstance(part, ast.arg)}
    named |= {getattr(part, field, None) for part in parts for field in _BINDING}
    named |= {(alias.asname or alias.name).split(".")[0] for alias in parts if isinstance(alias, ast.alias)}
    bound = dict.fromkeys(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    named |= {*module_names}
    free = [name for name in bound if name not in named and not hasattr(builtins, name)]
    return {name: number for number, name in enumerate(free)}


def _raises_user_error(node: ast.Raise) -> bool:
    if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
        return False
    return isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name) and node.exc.func.id == _USER_ERROR
