"""Small mistakes that scientific code may contain: a sign, an index, a swapped pair, a different metric or label.

No library fits: mutmut changes no decorated functions, and each `run` that lets numbers overflow is decorated;
cosmic-ray changes files in place and counts any failing command as a failed test. Neither swaps a pair.
"""

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
}
_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_FUNCTIONS = {
    **(pairs := {"min": "max", "argmin": "argmax", "any": "all", "cos": "sin", "minimum": "maximum", "sum": "mean"}),
    **{other: name for name, other in pairs.items()},
    **{"median": "mean", "cumsum": "cumprod", "cumprod": "cumsum", "log1p": "log", "ceil": "floor", "std": "var"},
}
# Arguments that determine only a figure's look, or words for readers.
_LOOKS = {"alpha", "aspect", "bbox_to_anchor", "color", "c", "columnspacing", "ec", "fontsize", "figsize", "ha", "va"}
_LOOKS |= {"handletextpad", "height_ratios", "width_ratios", "layout", "linestyle", "linewidth", "loc", "ls"}
_LOOKS |= {"lw", "marker", "markersize", "mew", "ms", "ncols", "rotation", "s", "style", "title", "transform", "which"}
_LOOKS |= {"xlabel", "ylabel", "xlim", "ylim", "zorder", "facecolor", "fontweight", "capsize", "markerscale", "pad"}
_DRAWING = re.compile(r"set|set_\w+|legend|grid|margins|text|annotate|supxlabel|supylabel|tick_params|subplots\w*")
# Arguments of a claim that no criterion reads.
_WORDS = {"name", "place", "figure", "kind", "statement", "printed", "because", "revised", "evidence"}
_WORDS |= {"quantity", "main", "explanation"}
# Arguments that only refuse wrong shapes, or that change together with their call.
_GUARDS = {"strict", "keepdims", "axis", "dim"}
# The order of two arguments makes no difference.
_UNORDERED = {"min", "max", "minimum", "maximum", "suppress"}
_TYPES = {"Callable", "Iterator", "Mapping", "Sequence", "dict", "list", "tuple"}
_NAME = re.compile(r"[a-z][a-z0-9_]+")
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")


@dataclass(frozen=True)
class Mutant:
    """One change of a module: its line, the expression before and after it, and the source of the changed module."""

    line: int
    old: str
    new: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    found, following = [], _following(tree)
    for parent, field, node in _places(tree):
        for changed in _changed(node, following):
            # A number is easier to recognize within its expression.
            beside = isinstance(parent, ast.expr | ast.keyword | ast.Assign)
            shown = parent if beside and isinstance(node, ast.Constant | ast.UnaryOp) else node
            old = ast.unparse(shown)
            _put(parent, field, node, changed)
            new = ast.unparse(shown if shown is parent else changed)
            if new != old:
                lines = (text.partition("\n")[0] for text in (old, new))
                found.append(Mutant(node.lineno, *lines, ast.unparse(tree)))
            _put(parent, field, changed, node)
    return sorted(found, key=lambda mutant: mutant.line)


def _following(tree: ast.Module) -> dict[str, str]:
    """Return for each constant and each label of a module the next one; the first follows the last.

    Constants that are imported together follow each other.
    """
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    own = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    imported = [node.names for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    groups = [own, *([each.asname or each.name for each in names] for names in imported)]
    groups = [[name for name in group if _CONSTANT.fullmatch(name)] for group in groups]
    # No name has the form of these keys.
    groups.append([f"label={node.value.value}" for node in ast.walk(tree) if _is_label(node)])
    return {one: other for names in groups for one, other in zip(names, [*names[1:], *names[:1]], strict=True)}


def _put(parent: ast.AST, field: str, old: ast.AST, new: ast.AST) -> None:
    value = getattr(parent, field)
    if isinstance(value, list):
        value[next(place for place, item in enumerate(value) if item is old)] = new
    else:
        setattr(parent, field, new)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Yield (parent, field, node) of all code except types, decorators, docstrings, messages, keys, looks and words.

    Of texts that are drawn, it yields the values within.
    """
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom) or _is_type(node):
        return
    if _looks(node):
        for text in ast.walk(node) if isinstance(node, ast.Call) else ():
            if isinstance(text, ast.JoinedStr):
                yield from _places(text)
        return
    if isinstance(node, ast.keyword) and node.arg in _WORDS and _is_string(node.value):
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_text(child):
                continue
            if isinstance(node, ast.JoinedStr | ast.FormattedValue) and isinstance(child, ast.Constant | ast.JoinedStr):
                continue
            # A wrong key of a table or a spec raises an error, so it gives no wrong number.
            is_code = isinstance(child, ast.expr | ast.stmt | ast.keyword) and not _is_label(node)
            if is_code and not (isinstance(node, ast.Subscript) and _is_string(child)):
                yield node, field, child
            yield from _places(child)


def _looks(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in _LOOKS | _GUARDS
    if isinstance(node, ast.Dict):
        return any(_is_string(key) and key.value in _LOOKS for key in node.keys)
    return isinstance(node, ast.Call) and bool(_DRAWING.fullmatch(getattr(node.func, "attr", "")))


def _is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and getattr(node.value, "id", None) in _TYPES


def _is_text(node: ast.AST) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and _is_string(node.value)


def _is_label(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "label" and _is_string(node.value)


def _is_string(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _changed(node: ast.AST, following: Mapping[str, str]) -> Iterator[ast.AST]:
    """Yield the nodes that may replace a node. following: constant or label of the module → the next one."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and following.get(node.id, node.id) != node.id:
        yield ast.Name(following[node.id], node.ctx)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in _ARITHMETIC:
            yield _with(node, op=_ARITHMETIC[type(node.op)]())
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield _with(node, left=node.right, right=node.left)
    elif isinstance(node, ast.Compare):
        for other in _COMPARISONS[type(node.ops[0])]:
            yield _with(node, ops=[other(), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield node.operand
    elif isinstance(node, ast.keyword):
        other = following[f"label={node.value.value}"].removeprefix("label=") if _is_label(node) else None
        if other and other != node.value.value:
            yield _with(node, value=ast.Constant(other))
    elif isinstance(node, ast.JoinedStr):
        # Two numbers of a sentence are swapped.
        first, second, *_ = [*(each for each in node.values if isinstance(each, ast.FormattedValue)), None, None]
        if second and ast.dump(first) != ast.dump(second):
            swapped = {id(first): second, id(second): first}
            yield _with(node, values=[swapped.get(id(each), each) for each in node.values])
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node)
    elif isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.If) and isinstance(node.test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
        yield _with(node, elts=node.elts[::-1])
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _looks(node.value):
        yield ast.Pass()


def _other_constants(node: ast.Constant) -> Iterator[ast.Constant]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, float):
        yield ast.Constant(1.5 * value or 1.0)
    elif isinstance(value, str) and _NAME.fullmatch(value):
        yield ast.Constant(f"{value}_")


def _other_calls(node: ast.Call) -> Iterator[ast.Call]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
    if name in _FUNCTIONS:
        field = "attr" if isinstance(node.func, ast.Attribute) else "id"
        yield _with(node, func=_with(node.func, **{field: _FUNCTIONS[name]}))
    ordered = name not in _UNORDERED and not any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    if len(node.args) > 1 and ordered:
        yield _with(node, args=[node.args[1], node.args[0], *node.args[2:]])
    for place, keyword in enumerate(node.keywords):
        if keyword.arg in ("axis", "dim") and isinstance(keyword.value, ast.Constant) and keyword.value.value in (0, 1):
            other = _with(keyword, value=ast.Constant(1 - keyword.value.value))
            yield _with(node, keywords=[*node.keywords[:place], other, *node.keywords[place + 1 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed
