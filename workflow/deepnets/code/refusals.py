"""What no static analysis can follow, and what no job may do: refused, with a word on what to write instead.

A result depends on its spec, its code and its inputs alone. So reached code gets no other way to code (strings that
become names), to the environment, or to files. Programs and records, whose work it is to read inputs, may open files.
"""

import ast
import re
import sys
from importlib.machinery import PathFinder, all_suffixes
from pathlib import Path, PurePosixPath

from workflow.deepnets.code.modules import (
    ASKS_ENVIRONMENT,
    MAIN,
    PACKAGE,
    PASSED,
    READERS,
    TYPE_CHECKING,
    Module,
    Package,
    at_import,
    guard,
)
from workflow.deepnets.errors import UserError

_BY_NAME = {"eval", "exec", "compile", "globals", "locals", "vars", "__import__", "__file__", "__doc__", "breakpoint"}
_HIDDEN = {
    *("__globals__", "__code__", "__dict__", "__doc__", "__file__", "__subclasses__", "__builtins__", "__loader__"),
    *("__spec__", "__path__", "__closure__", "f_globals", "f_locals", "f_back", "import_module"),
}
# What an assignment may bind: anything else changes what is already there.
_NAMES = ast.Name | ast.Tuple | ast.List | ast.Starred
_ATTRIBUTE_ACCESS = {"getattr", "setattr", "delattr"}
# These run when another class is made, which nobody needs to name.
_CLASS_HOOKS = {"__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__", "__mro_entries__"}
# Ways to code or to another process.
_BACK_DOORS = re.compile(
    r"(runpy|inspect|operator\.(attrgetter|methodcaller)|subprocess|ctypes|pickle|marshal|shelve|gc|pkgutil|zipimport)\b"
    r"|(builtins|code|codeop)\b|importlib\b(?!\.metadata\b)|sys\.(modules|path|meta_path|_|set)"
    r"|os\.(system|popen|fork|exec|spawn|posix_)"
)
_ENVIRONMENT = re.compile(r"os\.(environ|getenv|putenv|unsetenv)")
# What code that opens no files may take from the standard library, and may not take from other packages.
_PURE = re.compile(
    r"(abc|bisect|cmath|collections|contextlib|copy|dataclasses|decimal|enum|fractions|functools|hashlib|heapq|itertools"
    r"|json|math|numbers|operator|re|statistics|string|struct|textwrap|types|typing|unicodedata|warnings|zlib)\b"
)
_FILES = re.compile(
    r"(pooch|requests|pyarrow|pypdf|PIL|tqdm|matplotlib\.cbook)\b|.*\.(read_\w+|load\w*|genfromtxt|save\w*|imread|style"
    r"|(rec)?from_?(file|regex|csv|txt)|\w*memmap|DataSource|npyio|HDFStore|ExcelFile|rc_file\w*|hub|cpp_extension)\b"
)


def check_root(package: Package) -> None:
    """Refuse a file at the root that Python would import in place of another module: the root comes first."""
    elsewhere = [entry for entry in sys.path if Path(entry).resolve() != package.root.resolve()]
    for path in sorted(package.root.iterdir()):
        name = path.name.partition(".")[0]
        importable = path.name.removeprefix(name) in all_suffixes() or (path / "__init__.py").is_file()
        if importable and name != PACKAGE.partition(".")[0] and PathFinder.find_spec(name, elsewhere):
            raise UserError(f"{path}: stands in for the module {name} in every job; give it another name")


def check_module(module: Module) -> None:
    """Refuse statements of a module that act out of sight when it is imported, or whose order decides what they do."""
    allowed = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
    for node in module.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        reason = "acts at import, which no fingerprint sees; put it into a function"
        if not (isinstance(node, allowed) or docstring or guard(node) in (MAIN, TYPE_CHECKING)):
            raise _refusal(module, node, f"{reason} (allowed: imports, functions, classes, constants)")
        for part in at_import(node):
            if isinstance(getattr(part, "ctx", None), ast.Store | ast.Del) and not isinstance(part, _NAMES):
                raise _refusal(module, part, "changes at import what others see; build it where it is defined")
            if isinstance(part, ast.NamedExpr | ast.AugAssign | ast.Delete):
                raise _refusal(module, part, reason)
            methods = {getattr(each, "name", "") for each in part.body} if isinstance(part, ast.ClassDef) else set()
            if methods & _CLASS_HOOKS or (isinstance(part, ast.keyword) and part.arg == "metaclass"):
                raise _refusal(module, part, "runs when another class is made; list the classes where they are used")
    for name in sorted(module.definitions.keys() | module.imports.keys()):
        if len(module.definitions.get(name, [])) + len(set(module.imports.get(name, []))) > 1:
            raise UserError(f"{module.path}: {name!r} is bound more than once; give each thing a name of its own")


def check_code(node: ast.stmt, module: Module, package: Package) -> None:
    """Refuse, in one reached statement, names made from strings, and names of files that are not passed as inputs."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and (
            part.id in _BY_NAME or (part.id == "open" and not READERS.match(module.name))
        ):
            raise _refusal(module, part, "reaches code or files by name; import what is needed, pass files as inputs")
        if getattr(part, "attr", getattr(part, "id", "")) in _HIDDEN:
            raise _refusal(module, part, "reaches code or files by name; import what is needed")
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") in _ATTRIBUTE_ACCESS:
            name = part.args[1] if len(part.args) > 1 else None
            if not isinstance(name, ast.Constant) or name.value in _HIDDEN:
                raise _refusal(module, part, "reaches code by a computed name; use a dictionary")
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) < 200:
            # Of a path that is put together, the last part betrays the file.
            name = PurePosixPath(part.value).name
            if "\n" not in name and name in package.file_names:
                raise _refusal(
                    module,
                    part,
                    "is a file that no fingerprint sees; declare it as an input of the rule",
                )


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
    if _BACK_DOORS.match(name):
        reason = "reaches code or another process by name; import what is needed"
    elif _ENVIRONMENT.match(name) and module.name != ASKS_ENVIRONMENT:
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
