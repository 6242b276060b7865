"""What static analysis cannot follow and no job may do: refused, with what to write instead.

A result depends only on its spec, its code and its inputs. So reached code finds no other code through strings, reads
no environment and no clock, and opens no files. Only programs and records, which read the inputs of jobs, may open
files. These rules catch what happens by accident; they do not stop someone who wants to get around them.
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
    chain,
    guard,
    is_text,
)
from workflow.deepnets.errors import UserError

_BY_NAME = {"eval", "exec", "compile", "globals", "locals", "__import__"}
# Docstrings do not count, files are no inputs, and subclasses register themselves.
_ATTRIBUTES = {"__doc__", "__file__", "__subclasses__"}
_ATTRIBUTE_ACCESS = {"getattr", "setattr", "delattr"}
# Methods of pandas that look up the names in a text.
_TEXT_METHODS = {"eval", "query"}
# These run when another class is made, which names them nowhere.
_CLASS_HOOKS = {"__init_subclass__", "__set_name__"}
# What an assignment may bind: anything else changes what exists already.
_NAMES = ast.Name | ast.Tuple | ast.List | ast.Starred
# May lie at the root, beside the package: tools look for them by these names, and no job imports them.
_AT_ROOT = {"workflow", "conftest", "noxfile", "setup"}
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_STATEMENTS = ast.Import | ast.ImportFrom | _DEFINITIONS | ast.Assign | ast.AnnAssign
# Ways to code by its name, and to another process.
_BACK_DOORS = re.compile(
    r"(importlib(?!\.metadata\b)|runpy|pkgutil|inspect|operator\.(attrgetter|methodcaller)|pickle|marshal|shelve)\b"
    r"|(subprocess|ctypes|sys\.(modules|path))\b|os\.(system|popen|fork|exec|spawn)"
)
_ENVIRONMENT = re.compile(r"os\.(environ|getenv|putenv|unsetenv)")
# What code that opens no files may take from the standard library, and may not take from other packages.
_PURE = re.compile(
    r"(abc|base64|bisect|cmath|collections|colorsys|contextlib|copy|dataclasses|decimal|enum|fractions|functools|hashlib"
    r"|heapq|io\.(BytesIO|StringIO)|itertools|json|math|numbers|operator|random\.Random|re|statistics|string|struct|textwrap"
    r"|sys\.(float_info|maxsize|stderr|stdout)|types|typing|unicodedata|urllib\.parse|warnings|zlib)\b"
)
_FILES = re.compile(
    r"(pooch|requests|pyarrow|pypdf|PIL|tqdm|matplotlib\.cbook|numpy\.bmat|pandas\.(io|eval))\b"
    r"|.*\.(read_\w+|load\w*|genfromtxt|save\w*|imread|style|\w*memmap|(rec)?from_?(file|regex|csv|txt)|DataSource"
    r"|HDFStore|ExcelFile|rc_file\w*|rc_params_from_file|hub)\b"
    # Modules of the standard library that another package imported, and clocks.
    r"|matplotlib\.Path\b|.*\.(os|sys|pathlib|shutil|subprocess|tempfile|time|datetime|now|today|utcnow)\b"
)
# Generators that all callers share: their numbers depend on who drew before.
_SHARED = re.compile(
    r"numpy\.random\.(?!(seed|default_rng|Generator|RandomState|SeedSequence|BitGenerator|MT19937|PCG64\w*|Philox|SFC64)\b)"
)
# Without a seed these take one from the machine; the functions of torch draw from the shared generator.
_GENERATORS = {
    "default_rng",
    "Random",
    "RandomState",
    "SeedSequence",
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "Philox",
    "SFC64",
}
_DRAWS = re.compile(r"torch\.((rand|randn|randint)(_like)?|randperm|normal|bernoulli|multinomial|poisson)$")
_TIMES = {"datetime64", "Timestamp", "to_datetime", "Period"}
# The order in which a set of texts is read changes from process to process; these read it whole.
_IN_ORDER = {"list", "tuple", "enumerate", "iter", "next", "join", "array", "fromkeys", "sum", "fsum"}


def check_root(package: Package) -> None:
    """Refuse a module at the root, which comes first: Python would import it in place of another of its name."""
    for path in sorted(package.root.iterdir()):
        name = path.name.partition(".")[0]
        importable = path.name.removeprefix(name) in all_suffixes() or (path / "__init__.py").is_file()
        if importable and name not in _AT_ROOT:
            raise UserError(f"{path}: any job would import it in place of a module {name}; move it into a folder")


def check_module(module: Module, package: Package) -> None:
    """Refuse what has an effect when a module is imported, and names that mean something else to Python."""
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
    steers = module.name == STEERS_IMPORTS and isinstance(node, ast.Expr)
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
    if name.startswith("__") and name.endswith("__") and name != "__all__":
        raise UserError(f"{module.path}: {name!r} means something to Python; take another name")
    # Python prefers what a room defines to its module of that name.
    is_room = module.path.name == "__init__.py"
    if is_room and package.path_of(f"{module.name}.{name}") and targets != {f"{module.name}:{name}"}:
        raise UserError(f"{module.path}: {name!r} is a module of this room too; take another name")


def _check_class(node: ast.ClassDef, module: Module) -> None:
    hooks = _CLASS_HOOKS & {getattr(each, "name", "") for each in node.body}
    keywords = [word for word in node.keywords if word.arg in (None, "metaclass")]
    if hooks or any(ast.unparse(word.value) not in ("ABCMeta", "abc.ABCMeta") for word in keywords):
        raise _refusal(module, node, "runs when another class is made; list the classes where they are used")
    if any(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body):
        raise _refusal(module, node, "imports in a class, whose attributes no fingerprint follows; import above it")


def _overloads(node: ast.stmt) -> bool:
    return [ast.unparse(each) for each in getattr(node, "decorator_list", [])] in (["overload"], ["typing.overload"])


def check_code(parts: list[ast.AST], module: Module, package: Package) -> None:
    """Refuse, in one reached statement, names made from strings, and names of files that are not passed as inputs.

    parts: all nodes of the statement.
    """
    strict = not READERS.match(module.name)
    calls = [part for part in parts if isinstance(part, ast.Call)]
    # These take an attribute by a name that is written out.
    plain = {id(call.func) for call in calls if len(call.args) > 1 and isinstance(call.args[1], ast.Constant)}
    for part in parts:
        name = getattr(part, "id", getattr(part, "attr", ""))
        bare = isinstance(part, ast.Name)
        if name in _ATTRIBUTES or (bare and (name in _BY_NAME or (name == "open" and strict))):
            raise _refusal(module, part, "reaches code or files by name; import what is needed, pass files as inputs")
        if bare and name in _ATTRIBUTE_ACCESS and id(part) not in plain and module.name != CALLS_BY_NAME:
            raise _refusal(module, part, "reaches code by a computed name; use a dictionary")
        if isinstance(part, ast.Global):
            raise _refusal(module, part, "changes what other functions see; return the value instead")
        if isinstance(part, ast.ClassDef):
            _check_class(part, module)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) < 200:
            # Where a path is put together, its last part names the file.
            last = PurePosixPath(part.value).name
            if "\n" not in last and last in package.file_names:
                raise _refusal(module, part, "is a file that no fingerprint sees; declare it as an input of the rule")
    for call in calls:
        if getattr(call.func, "attr", "") in _TEXT_METHODS and (call.args or call.keywords):
            raise _refusal(module, call, "finds names in a text, which no fingerprint follows; use a mask")
        if strict and any(word.arg in ("fname", "filename") for word in call.keywords):
            raise _refusal(module, call, "reads a file, which is no input; let the program read, and pass values")
    if strict:
        _check_reproducible(parts, calls, module)


def _check_reproducible(parts: list[ast.AST], calls: list[ast.Call], module: Module) -> None:
    """Refuse, in one reached statement, what gives other values in another process."""
    for call in calls:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = [*call.args, *(word.value for word in call.keywords)]
        values = {part.value for part in given if isinstance(part, ast.Constant)}
        named = chain(call.func)
        full = ".".join([module.imports.get(named[0], named)[0].replace(":", "."), *named[1:]]) if named else ""
        if name in _GENERATORS and (None in values or not given):
            raise _refusal(module, call, "draws a seed from the machine; seed it from the spec")
        if _DRAWS.match(full) and not any(word.arg in ("generator", None) for word in call.keywords):
            raise _refusal(
                module, call, "draws from a generator that all share; give it one that is seeded from the spec"
            )
        if name in _TIMES and values & {"now", "today"}:
            raise _refusal(module, call, "asks the clock, on which no result may depend")
        if name in ("hash", "id") and isinstance(call.func, ast.Name) and name not in module.definitions:
            raise _refusal(module, call, "is another number in another process; use hashlib, or the thing itself")
        if name in _IN_ORDER and any(map(_is_set, call.args)):
            raise _refusal(module, call, "reads a set, whose order changes from process to process; sort it")
    read = [part.iter for part in parts if isinstance(part, ast.For | ast.comprehension)]
    for each in filter(_is_set, [*read, *(part.value for part in parts if isinstance(part, ast.Starred))]):
        raise _refusal(module, each, "is a set, whose order changes from process to process; sort it")


def _is_set(node: ast.expr) -> bool:
    """Return whether an expression is a set by its own words, whatever names stand for."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.Sub):
        return _is_set(node.left) or _is_set(node.right)
    made = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("set", "frozenset")
    return made or isinstance(node, ast.Set | ast.SetComp)


def check_own(target: str, module: Module) -> None:
    """Refuse that code which opens no files lets another module of this package open them."""
    if READERS.match(target) and not READERS.match(module.name) and not PASSED.match(target):
        raise UserError(
            f"{module.path}: {target} may read files; take what the program reads as an argument instead: "
            "a data set in `run`, a table in a figure"
        )


def check_foreign(name: str, module: Module) -> None:
    """Refuse what reached code takes from another package, e.g. "os.environ.get", where it is a way around inputs."""
    if module.name == STEERS_IMPORTS:
        return
    top, _, rest = name.partition(".")
    reason = ""
    if _BACK_DOORS.match(name) and module.name != CALLS_BY_NAME:
        reason = "reaches code or another process by name; import what is needed"
    elif _ENVIRONMENT.match(name) and not USES_ENVIRONMENT.match(module.name):
        reason = "asks the environment, on which no result may depend; put the value into the config"
    elif not READERS.match(module.name) and (
        not _PURE.match(name) if top in sys.stdlib_module_names else _FILES.match(name)
    ):
        reason = "reaches files, clock or machine, on which no result may depend; let the program read, and pass values"
    elif not READERS.match(module.name) and _SHARED.match(name):
        reason = "draws from a generator that all share; make one that is seeded from the spec"
    elif not rest:
        reason = "is a module as a value; name the function that is taken from it"
    if reason:
        raise UserError(f"{module.path}: `{name}` {reason}")


def _refusal(module: Module, node: ast.AST, reason: str) -> UserError:
    return UserError(f"{module.path}:{getattr(node, 'lineno', 0)}: `{ast.unparse(node).splitlines()[0]}` {reason}")
