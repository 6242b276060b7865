"""What counts of a syntax tree, as text: no layout, docstrings, types, names of local variables, messages to the user.

Where one of these could matter to a result, it counts: a fingerprint may change once too often, never too seldom.
"""

import ast
import builtins
from collections.abc import Collection, Mapping

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# In these another scope begins, whose names may be those of the function around it.
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
# These find local variables by their names.
_BY_NAME = {"dir", "eval", "exec", "globals", "locals", "vars"}
# Fields in which handlers of errors and patterns bind names that are no `ast.Name`.
_BINDING = ("name", "rest")
# Its message goes to the user only. Those of other errors may become the remark of a claim or words in a figure.
_TOLD = "UserError"


def without_annotations(tree: ast.Module) -> ast.Module:
    """Remove the types of arguments and results from a module, where nothing reads them.

    A decorator may read them, and the options of a program are those of its `main`.
    """
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and not node.decorator_list and node.name != "main":
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for part in filter(None, every):
                part.annotation = _if_it_runs(part.annotation)
            node.returns = _if_it_runs(node.returns)
    return tree


def _if_it_runs(annotation: ast.expr | None) -> ast.expr | None:
    """Return an annotation that calls something when the function is defined; None for any other."""
    runs = annotation and any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(annotation))
    return annotation if runs else None


def canonical(
    node: object,
    *,
    bodies: bool = True,
    taken: Collection[str] = (),
    told: bool = False,
    texts: bool = True,
    names: Mapping[str, int] | None = None,
) -> str:
    """Return a syntax tree as text, without positions, docstrings and empty fields: the same on every Python 3.11+.

    bodies: whether those of functions count; taken: the names that the module defines or imports; told: whether each
    UserError of the module ends its job, so that its message is in no result; texts: whether these count here;
    names: local variables → their numbers; None outside functions.
    """

    def inside(value: object) -> str:
        return canonical(value, bodies=bodies, taken=taken, told=told, texts=texts, names=names)

    if isinstance(node, ast.AST):
        if isinstance(node, _FUNCTIONS) and names is None:
            names = _local_names(node, taken)
        if isinstance(node, ast.Name) and names and node.id in names:
            return f"Name(id={names[node.id]})"
        if not texts and isinstance(node, ast.Constant) and isinstance(node.value, str):
            return "Constant(value=str)"
        texts = texts and not (told and isinstance(node, ast.Raise) and _tells_the_user(node))
        fields = []
        for name, value in ast.iter_fields(node):
            if name in ("ctx", "kind", "type_comment") or value is None or value == []:
                continue
            if name == "body" and not bodies and isinstance(node, _FUNCTIONS):
                continue
            if name == "body" and isinstance(node, _FUNCTIONS | ast.ClassDef):
                value = value[1:] if ast.get_docstring(node, clean=False) is not None else value
            fields.append(f"{name}={inside(value)}")
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(inside, node))}]"
    return f"{type(node).__name__}:{node!r}"


def _local_names(function: ast.AST, taken: Collection[str]) -> dict[str, int]:
    """Return a number for each local variable of a function, in their order; none where names could matter.

    A name that also means something outside the function counts: a comprehension has variables of its own, beside
    which the same name may be the one outside.
    """
    parts = [part for part in ast.walk(function) if part is not function]
    loaded = {part.id for part in parts if isinstance(part, ast.Name)}
    if loaded & _BY_NAME or any(isinstance(part, _SCOPES | ast.Global | ast.Nonlocal) for part in parts):
        return {}
    kept: set[str | None] = {part.arg for part in parts if isinstance(part, ast.arg)}
    kept |= {getattr(part, field, None) for part in parts for field in _BINDING}
    kept |= {(alias.asname or alias.name).split(".")[0] for alias in parts if isinstance(alias, ast.alias)}
    bound = dict.fromkeys(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    free = [name for name in bound if name not in kept and name not in taken and not hasattr(builtins, name)]
    return {name: number for number, name in enumerate(free)}


def _tells_the_user(node: ast.Raise) -> bool:
    if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
        return False
    return isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name) and node.exc.func.id == _TOLD
