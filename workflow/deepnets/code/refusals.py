"""What no static analysis can follow, and what no job may do: refused, with a word on what to write instead.

A result depends on its spec, its code and its inputs alone. So reached code gets no other way to code (strings that
become names), to the environment, or to files. Programs and records, whose work it is to read inputs, may open files;
that they open no others is seen where a file of the sources is named, and else left to whoever reads their code.
"""

import ast
import re
import sys
from importlib.machinery import all_suffixes
from pathlib import PurePosixPath

from workflow.deepnets.code.modules import (
    CALLS_BY_NAME,
    MAIN,
    PASSED,
    READERS,
    STEERS_IMPORTS,
    TYPES_ONLY,
    USES_ENVIRONMENT,
    Module,
    Package,
    at_import,
    guard,
    is_text,
)
from workflow.deepnets.errors import UserError

_BY_NAME = {"eval", "exec", "compile", "globals", "locals", "__import__", "__name__", "breakpoint"}
_HIDDEN = {
    *("__globals__", "__code__", "__doc__", "__file__", "__subclasses__", "__builtins__", "__loader__", "__spec__"),
    *(
        "__path__",
        "__closure__",
        "__traceback__",
        "f_globals",
        "f_locals",
        "f_builtins",
        "f_back",
        "tb_frame",
        "tb_lineno",
    ),
    *("gi_frame", "cr_frame", "ag_frame", "lineno"),
}
# What an assignment may bind: anything else changes what is already there.
_NAMES = ast.Name | ast.Tuple | ast.List | ast.Starred
_ATTRIBUTE_ACCESS = {"getattr", "setattr", "delattr"}
# These run when another class is made, which nobody needs to name.
_CLASS_HOOKS = {"__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__", "__mro_entries__"}
# What may stand at the root beside the package: tools look for them by these names, and no job imports them.
_AT_ROOT = {"workflow", "conftest", "noxfile", "setup"}
# What a module may consist of.
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_STATEMENTS = ast.Import | ast.ImportFrom | _DEFINITIONS | ast.Assign | ast.AnnAssign
# Ways to code or to another process.
_BACK_DOORS = re.compile(
    r"(runpy|inspect|operator\.(attrgetter|methodcaller)|subprocess|ctypes|pickle|marshal|shelve|pkgutil|zipimport)\b"
    r"|(builtins|code|codeop|typing\.get_type_hints)\b|importlib\b(?!\.metadata\b)|gc\b(?!\.(disable|enable|freeze)\b)"
    r"|sys\.(modules|path|meta_path|_|set)"
    r"|os\.(system|popen|fork|exec|spawn|posix_)"
)
# What the one module that steers imports may take, and do when it is imported.
_STEERING = re.compile(r"(importlib\.machinery|sys\.meta_path)\b")
_STEERS = "sys.meta_path.insert(0, _Finder)"
_ENVIRONMENT = re.compile(r"os\.(environ|getenv|putenv|unsetenv)")
# What code that opens no files may take from the standard library, and may not take from other packages.
_PURE = re.compile(
    r"(abc|base64|bisect|cmath|collections|colorsys|contextlib|copy|dataclasses|decimal|enum|fractions|functools|hashlib"
    r"|heapq|io\.(BytesIO|StringIO)|itertools|json|math|numbers|operator|random\.Random|re|statistics|string|struct|textwrap"
    r"|sys\.(float_info|maxsize|stderr|stdout)|types|typing|unicodedata|urllib\.parse|warnings|zlib)\b"
)
_FILES = re.compile(
    r"(pooch|requests|pyarrow|pypdf|PIL|tqdm|matplotlib\.cbook|pandas\.(io|eval))\b|numpy\.(lib|testing)$"
    r"|numpy\.(bmat|lib\.format|testing\.run)|.*\.(read_\w+|load\w*|genfromtxt|save\w*|imread|style|\w*memmap|npyio"
    r"|(rec)?from_?(file|regex|csv|txt)|DataSource|_datasource|HDFStore|ExcelFile|rc_file\w*|rc_params_from_file|hub"
    r"|cpp_extension)\b"
)


def check_root(package: Package) -> None:
    """Refuse a module at the root, which comes first: Python would import it in place of another of its name."""
    for path in sorted(package.root.iterdir()):
        name = path.name.partition(".")[0]
        importable = path.name.removeprefix(name) in all_suffixes() or (path / "__init__.py").is_file()
        if importable and name not in _AT_ROOT:
            raise UserError(f"{path}: any job would import it in place of a module {name}; move it into a folder")


def check_module(module: Module, package: Package) -> None:
    """Refuse what acts out of sight when a module is imported, and names that mean something else to Python."""
    _check_place(module)
    for node in module.body:
        _check_statement(node, module)
    for name in sorted(module.definitions.keys() | module.imports.keys()):
        _check_name(name, module, package)


def _check_place(module: Module) -> None:
    base = module.path.parent if module.path.name == "__init__.py" else module.path.with_suffix("")
    stems = (base, base / "__init__")
    files = [
        path for stem in stems for suffix in all_suffixes() if (path := stem.parent / f"{stem.name}{suffix}").exists()
    ]
    if len(files) > 1:
        raise UserError(f"{files[0]} and {files[1]} are both the module {module.name}; keep one")


def _check_statement(node: ast.stmt, module: Module) -> None:
    reason = "acts at import, which no fingerprint sees; put it into a function"
    steers = module.name == STEERS_IMPORTS and ast.unparse(node) == _STEERS
    if not (isinstance(node, _STATEMENTS) or is_text(node) or steers or guard(node) in (MAIN, TYPES_ONLY)):
        raise _refusal(module, node, f"{reason} (allowed: imports, functions, classes, constants)")
    for part in at_import(node):
        if isinstance(getattr(part, "ctx", None), ast.Store | ast.Del) and not isinstance(part, _NAMES):
            raise _refusal(module, part, "changes at import what others see; build it where it is defined")
        if isinstance(part, ast.NamedExpr | ast.AugAssign | ast.Delete | ast.Global):
            raise _refusal(module, part, reason)
        if isinstance(part, ast.ClassDef):
            _check_class(part, module)


def _check_name(name: str, module: Module, package: Package) -> None:
    targets = set(module.imports.get(name, []))
    nodes = [node for node in module.definitions.get(name, []) if not _overloads(node)]
    if len(nodes) + len(targets) > 1 and name != "_":
        raise UserError(f"{module.path}: {name!r} is bound more than once; give each thing a name of its own")
    dunder = name.startswith("__") and name.endswith("__") and name != "__all__"
    if dunder or (name == TYPES_ONLY and targets != {"typing:TYPE_CHECKING"}):
        raise UserError(f"{module.path}: {name!r} means something to Python; take another name")
    # Python prefers what a room defines to its module of that name.
    is_room = module.path.name == "__init__.py"
    if is_room and package.path_of(f"{module.name}.{name}") and targets != {f"{module.name}:{name}"}:
        raise UserError(f"{module.path}: {name!r} is a module of this room too; take another name")


def _check_class(node: ast.ClassDef, module: Module) -> None:
    stored = {part.id for each in node.body for part in at_import(each) if isinstance(part, ast.Name)}
    hooks = _CLASS_HOOKS & (stored | {getattr(each, "name", "") for each in node.body})
    keywords = [word for word in node.keywords if word.arg in (None, "metaclass")]
    if hooks or any(ast.unparse(word.value) not in ("ABCMeta", "abc.ABCMeta") for word in keywords):
        raise _refusal(module, node, "runs when another class is made; list the classes where they are used")
    if any(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body):
        raise _refusal(module, node, "imports in a class, whose attributes no fingerprint follows; import above it")


def _overloads(node: ast.stmt) -> bool:
    return [ast.unparse(each) for each in getattr(node, "decorator_list", [])] in (["overload"], ["typing.overload"])


def check_code(parts: list[ast.AST], module: Module, package: Package) -> None:
    """Refuse, in one reached statement, names made from strings, and names of files that are not passed as inputs.

    parts: all that the statement consists of.
    """
    strict = not READERS.match(module.name)
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    for part in parts:
        name = getattr(part, "id", getattr(part, "attr", ""))
        bare = isinstance(part, ast.Name)
        if name in _HIDDEN or (bare and (name in _BY_NAME or (name == "open" and strict))):
            raise _refusal(module, part, "reaches code or files by name; import what is needed, pass files as inputs")
        if bare and name in _ATTRIBUTE_ACCESS and id(part) not in called:
            raise _refusal(module, part, "as a value reaches code by a computed name; use a dictionary")
        if isinstance(part, ast.Global):
            raise _refusal(module, part, "changes what other functions see; return the value instead")
        if isinstance(part, ast.ClassDef):
            _check_class(part, module)
        if isinstance(part, ast.Call):
            _check_call(part, module, strict=strict)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) < 200:
            # Of a path that is put together, the last part betrays the file.
            last = PurePosixPath(part.value).name
            if "\n" not in last and last in package.file_names:
                raise _refusal(module, part, "is a file that no fingerprint sees; declare it as an input of the rule")
            if any(hidden in part.value for hidden in _HIDDEN if hidden.startswith("__")):
                raise _refusal(module, part, "reaches code by a name in a text; import what is needed")


def _check_call(part: ast.Call, module: Module, *, strict: bool) -> None:
    if getattr(part.func, "id", "") in _ATTRIBUTE_ACCESS and module.name != CALLS_BY_NAME:
        name = part.args[1] if len(part.args) > 1 else None
        if not isinstance(name, ast.Constant) or name.value in _HIDDEN:
            raise _refusal(module, part, "reaches code by a computed name; use a dictionary")
    if getattr(part.func, "attr", "") in ("query", "eval") and (part.args or part.keywords):
        raise _refusal(module, part, "finds names in a text, which no fingerprint follows; use a mask")
    if strict and any(word.arg in ("fname", "filename") for word in part.keywords):
        raise _refusal(module, part, "reads a file, which is no input; let the program read, and pass values")


def check_own(target: str, module: Module) -> None:
    """Refuse that code which opens no files lets another module of this package open them."""
    if READERS.match(target) and not READERS.match(module.name) and not PASSED.match(target):
        raise UserError(
            f"{module.path}: {target} may read files; take what the program reads as an argument instead: "
            "a data set in `run`, a table in a figure"
        )


def check_foreign(name: str, module: Module) -> None:
    """Refuse what reached code takes from another package, e.g. "os.environ.get", where it is a way around inputs."""
    top, _, rest = name.partition(".")
    reason = ""
    if module.name == STEERS_IMPORTS and _STEERING.match(name):
        return
    if _BACK_DOORS.match(name) and module.name != CALLS_BY_NAME:
        reason = "reaches code or another process by name; import what is needed"
    elif _ENVIRONMENT.match(name) and not USES_ENVIRONMENT.match(module.name):
        reason = "asks the environment, on which no result may depend; put the value into the config"
    elif not READERS.match(module.name) and (
        not _PURE.match(name) if top in sys.stdlib_module_names else _FILES.match(name)
    ):
        reason = "reaches files, clock or machine, on which no result may depend; let the program read, and pass values"
    elif not rest:
        reason = "is a module as a value; name the function that is taken from it"
    if reason:
        raise UserError(f"{module.path}: `{name}` {reason}")


def _refusal(module: Module, node: ast.AST, reason: str) -> UserError:
    return UserError(f"{module.path}:{node.lineno}: `{ast.unparse(node).splitlines()[0]}` {reason}")
