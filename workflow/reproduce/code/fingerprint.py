"""Hash the code that a job ran.

A module consists of *pieces*: its statements without the bodies of functions; the bodies; types of arguments;
docstrings. A statement counts if its module was imported, a body if its function ran. A definition that only adds a
name counts if a piece that counts names it; types and docstrings count if one names a reader of these. Comments and
layout never count.
"""

import ast
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from reproduce.code.modules import LAUNCHER
from reproduce.code.science import MECHANICS
from reproduce.records.cache import Cache
from reproduce.records.paths import CACHE

# The first digits of a fingerprint are those of the code; the others are those of the pinned packages.
CODE_DIGITS = 16
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# Among the names of a piece, one of these stands for code that may find any name, read types, or read source texts.
ANY, TYPES, ALL, DOC = "?", "@", "!", "__doc__"
_SIGNS = {
    ANY: "* __builtins__ __dict__ __dir__ __getattribute__ __globals__ __import__ attrgetter copyreg ctypes dir "
    "eval exec f_globals f_locals gc get_field getattr_static getclosurevars getmembers getmembers_static "
    "globals import_module locals marshal methodcaller pickle resolve_name runpy shelve vars vformat",
    TYPES: "__annotate__ __annotations__ annotationlib custom_op get_annotations get_type_hints infer_schema jit "
    "register script singledispatch singledispatchmethod",
    ALL: "__code__ co_firstlineno currentframe f_lineno help inspect linecache lineno pydoc tb_lineno traceback",
}
_BY_NAME, _FORMATS = {"getattr", "hasattr", "setattr", "delattr"}, {"format", "format_map"}
# Packages that do not inspect the functions and modules that they are given. Any other one may do what ANY does.
_PLAIN = sys.stdlib_module_names | {"altair", "matplotlib", "numpy", "pandas", "pyarrow", "scipy", "torch", "yaml"}
_TYPES = {"None", "bool", "bytes", "complex", "dict", "float", "int", "list", "object", "set", "str", "tuple"}


@dataclass(frozen=True)
class Piece:
    """A part of a module that counts as a whole.

    text: its syntax, without layout
    bound: the name without which it does not count, "" if there is none
    ran: the function whose body it is, "" for any other piece
    place: the name by which it is sorted among its neighbours, "" if its order matters
    names: what it names
    """

    text: str
    bound: str
    ran: str
    place: str
    names: frozenset[str]


def _text(node: object) -> str:
    """Return a syntax tree as text without positions and empty fields: the same in Python 3.11 and later."""
    if isinstance(node, ast.JoinedStr):
        # Python 3.12 ends some format specifications by an empty text.
        node = [part for part in node.values if getattr(part, "value", None) != ""]
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value is not None and value != [])
        found = (f"{name}={_text(value)}" for name, value in fields if name not in ("ctx", "kind", "type_comment"))
        return f"{type(node).__name__}({','.join(found)})"
    if isinstance(node, list):
        return f"[{','.join(map(_text, node))}]"
    return f"{type(node).__name__}:{node!a}"


def pieces(source: bytes, module: str) -> Iterator[Piece]:
    """Yield the pieces of a module in order."""
    tree, top = ast.parse(source), module.partition(".")[0]
    if top == MECHANICS:
        # The arguments of `raise UserError(…)`, which ends a job without a result, do not count.
        for node in ast.walk(tree):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(id="UserError")) as call):
                    call.args, call.keywords = [], []
    # The programs of rules read the types of their arguments.
    outside, single = _names_of(tree, top) if not module.startswith(f"{MECHANICS}.jobs") else (set(), set())
    known = {*outside}
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) in outside & {"TYPE_CHECKING"} and not node.orelse:
            # Never run, but reproduce/api.py reads its own.
            for each in (part for part in node.body if isinstance(part, ast.ImportFrom)):
                for alias, name in zip(each.names, _names_bound(each), strict=True):
                    yield Piece(f"from {each.module} {_text(alias)}", name, "", name, frozenset())
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield Piece(_text(node), DOC, "", DOC, frozenset())
            continue
        place = _binds_only(node, outside, known)
        bound = place if isinstance(node, _FUNCTIONS) and not place.startswith("__") else ""
        parts = list(_detach(node, "", outside, known))
        yield Piece(_text(node), bound, "", place, frozenset(_names(node, top)))
        for name, body in ((name, part) for name, kind, part in parts if not kind):
            yield Piece(f"{name}: {_text(body)}", "", name, name, frozenset(_names(body, top)))
        yield from (
            Piece(f"{name} {kind} {_text(part)}", kind, "", name, frozenset()) for name, kind, part in parts if kind
        )
        known.update(single.intersection(_names_bound(node)))


def counted(footprint: Mapping[str, Sequence[str]], found: Mapping[str, list[Piece]]) -> dict[str, list[Piece]]:
    """Return the pieces of each module that count for a job with this footprint."""
    kept: dict[str, set[int]] = {}
    waiting: dict[str, list[tuple[str, int]]] = {}
    names = {part for ran in footprint.values() for name in ran for part in name.split(".")}
    for module, parts in found.items():
        ran, kept[module] = {*footprint[module]}, set()
        for number, piece in enumerate(parts):
            if piece.bound:
                waiting.setdefault(piece.bound, []).append((module, number))
            elif not piece.ran or not ran.isdisjoint((piece.ran, "*")):
                kept[module].add(number)
                names |= piece.names
    queue = list(waiting) if ANY in names else [name for name in waiting if name in names]
    for name in queue:
        for module, number in waiting.pop(name, ()):
            kept[module].add(number)
            named = found[module][number].names
            queue += waiting if ANY in named else [each for each in named if each in waiting]
    return {module: [parts[number] for number in sorted(kept[module])] for module, parts in found.items()}


def fingerprint(footprint: Mapping[str, Sequence[str]], sources: Mapping[str, bytes | None], cache: Cache) -> str:
    """Return 16 hexadecimal digits of the pieces that count; other ones if a module is missing or new.

    cache: of the pieces of each module, by its source
    """
    digest = hashlib.sha256()
    there = {module: source for module in footprint if (source := sources.get(module)) is not None}
    parts = counted(footprint, {module: _pieces_of(module, source, cache) for module, source in there.items()})
    names = frozenset[str]().union(*(piece.names for found in parts.values() for piece in found))
    for module in sorted(footprint):
        found = parts.get(module, [])
        if ANY not in names:
            # Neighbours are sorted by their places; several with one name keep their order, as the last of them holds.
            runs = (run for _, run in groupby(found, key=lambda piece: bool(piece.place)))
            found = [piece for run in runs for piece in sorted(run, key=lambda piece: piece.place)]
        texts = [piece.text for piece in found]
        # A folder of modules without its own file is found too.
        exists = module in there or any(each.startswith(f"{module}.") and sources[each] is not None for each in sources)
        digest.update("\n".join([f"{module} {exists}", *texts, ""]).encode())
    if ALL in names:
        digest.update(b"".join(there[module] for module in sorted(there)))
    return digest.hexdigest()[:CODE_DIGITS]


def open_pieces() -> Cache:
    """Return the cache of the pieces of all modules. Which packages belong to Python depends on its version."""
    return Cache(CACHE, hashlib.sha256(Path(__file__).read_bytes() + sys.version.encode()).hexdigest())


# Source → its pieces, found once per process.
_known: dict[tuple[str, bytes], list[Piece]] = {}


def _pieces_of(module: str, source: bytes, cache: Cache) -> list[Piece]:
    if (module, source) not in _known:
        state = hashlib.sha256(source).hexdigest()
        lines = cache.text("pieces", module, state, lambda: "\n".join(map(_line, _parts_of(source, module))))
        fields = (line.split("\t") for line in lines.split("\n") if line)
        _known[module, source] = [Piece(*texts, frozenset(names.split())) for *texts, names in fields]
    return _known[module, source]


def _parts_of(source: bytes, module: str) -> list[Piece]:
    """Return the pieces of a module; one of its whole source, which may do anything, if they cannot be found."""
    try:
        return [*pieces(source, module)]
    # For example if the file is half saved. A job that imports it fails with Python's own message.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [Piece(repr(source), "", "", "", frozenset(_SIGNS))]


def _line(piece: Piece) -> str:
    text = hashlib.sha256(piece.text.encode()).hexdigest()[:20]
    return "\t".join([text, piece.bound, piece.ran, piece.place, " ".join(sorted(piece.names))])


def without_pins(code: str) -> str:
    """Return `ENTRY@FINGERPRINT`, or its `repr`, up to the digits of the pins."""
    entry, _, digits = code.partition("@")
    return f"{entry}@{digits[:CODE_DIGITS]}"


def _names_of(tree: ast.Module, top: str) -> tuple[set[str], set[str]]:
    """Return the names that a module takes from other packages than its own, and those that it binds once."""
    outside, own = {*_TYPES}, Counter[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and not _packages(node) <= {top}:
            outside.update(_names_bound(node))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own[node.id] += 1
        elif isinstance(node, _FUNCTIONS | ast.ClassDef | ast.Import | ast.ImportFrom):
            own.update(_names_bound(node))
    return outside - own.keys(), {name for name in own if own[name] == 1}


def _packages(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Return the packages that a statement imports from, none for a relative import."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]} if not node.level else set()
    return {alias.name.partition(".")[0] for alias in node.names}


def _names_bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement certainly binds."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.partition(".")[0] for alias in names]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
    return []


def _binds_only(node: ast.stmt, outside: set[str], known: set[str]) -> str:
    """Return the name of a definition that runs no code of this project and only binds this name, otherwise ""."""
    match node:
        case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]):
            silent = _is_silent(node.args, outside, known) and _is_silent(node.returns, outside, known)
            return node.name if silent else ""
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name if _is_silent(value, outside, known) else ""
    return ""


def _is_silent(node: object, outside: set[str], known: set[str]) -> bool:
    """Return whether an expression runs no code of this project, and cannot fail for want of a name."""
    match node:
        case ast.Name(id=name):
            return name in known
        case ast.Subscript(value=value, slice=index):
            return _is_silent(value, outside, outside) and _is_silent(index, outside, known)
        case ast.arguments() | ast.arg() | ast.Tuple() | ast.List() | ast.Dict():
            return all(_is_silent(part, outside, known) for part in ast.iter_child_nodes(node))
        case ast.Attribute() | ast.BinOp() | ast.UnaryOp():
            return all(_is_silent(part, outside, outside) for part in ast.iter_child_nodes(node))
    return node is None or isinstance(node, ast.Constant | ast.expr_context | ast.operator | ast.unaryop)


def _detach(node: ast.AST, owner: str, outside: set[str], known: set[str]) -> Iterator[tuple[str, str, ast.AST]]:
    """Remove the docstrings, bodies and silent types of a statement's definitions.

    Yield of each the name of its definition, what it depends on (DOC, TYPES, "" for a body), and its syntax.
    """
    if isinstance(node, _FUNCTIONS | ast.ClassDef):
        name = f"{owner}{node.name}"
        owner = f"{name}."
        if ast.get_docstring(node, clean=False) is not None:
            yield name, DOC, node.body.pop(0)
    if isinstance(node, _FUNCTIONS):
        yield name, "", ast.Module(node.body, [])
        node.body = []
        # A decorator may read types.
        places = [node, *(part for part in ast.walk(node.args) if isinstance(part, ast.arg))]
        for place in places if not node.decorator_list else ():
            field = "returns" if place is node else "annotation"
            kind = getattr(place, field)
            if kind and outside and _is_silent(kind, outside, known):
                yield name, TYPES, ast.Tuple([ast.Constant(getattr(place, "arg", "")), kind], ast.Load())
                setattr(place, field, None)
    elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
        for part in ast.iter_child_nodes(node):
            yield from _detach(part, owner, outside, known)


def _names(tree: ast.AST, top: str) -> Iterator[str]:
    """Yield the names in a statement, also in texts that may name something, and the signs of names of science.

    top: the package of the module. The mechanics do nothing with functions of science that a sign stands for, and only
    stop a job for what is missing in their docstrings.
    """
    names = {*_plain_names(tree, _PLAIN | {MECHANICS, top, ""})}
    if top in (MECHANICS, LAUNCHER):
        yield from names - {DOC}
    else:
        yield from names
        yield from (sign for sign, found in _SIGNS.items() if not names.isdisjoint(found.split()))


def _plain_names(tree: ast.AST, plain: frozenset[str]) -> Iterator[str]:
    """Yield the names in a statement, and "*" for one that may find any name."""
    # The functions of calls like `getattr(value, "name")`; `walk` yields a call before its function.
    named: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
                if name in _BY_NAME and id(node) not in named:
                    yield "*"
                if name in _FORMATS and isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Constant):
                    yield "*"
            case ast.Import() | ast.ImportFrom():
                yield from () if _packages(node) <= plain else "*"
            case ast.alias(name=name, asname=other):
                yield from (*name.split("."), *([other] if other else []))
            case ast.Constant(value=str(text)):
                # A name, a path of names, or a template, such as "{style.RED}".
                if re.fullmatch(r"[\w.:]+", text) or re.search(r"[{@%]", text):
                    yield from re.findall(r"[^\W\d]\w*", text)
            case ast.MatchClass(kwd_attrs=names):
                yield from names
            case ast.Call(func=ast.Name(id=name), args=[_, ast.Constant(value=str()), *_]) if name in _BY_NAME:
                named.add(id(node.func))
