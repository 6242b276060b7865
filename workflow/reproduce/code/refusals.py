"""Refuse code that static analysis cannot follow or that no job may run; the message says what to write instead.

A result depends only on its spec, code and inputs. So reached code must not find code through strings, read the
environment or the clock, or open files, except in the programs and records that read the inputs of jobs. These checks
catch accidents of honest authors; they do not stop someone who wants to get around them.
"""

import ast
import re
import sys
from pathlib import PurePosixPath
from types import UnionType

from reproduce.code.modules import (
    CALLS_BY_NAME,
    LAUNCHER,
    MAIN,
    PASSED,
    READERS,
    SEES_HIDDEN,
    STEERS_IMPORTS,
    TYPES_ONLY,
    USES_ENVIRONMENT,
    Module,
    Package,
    condition,
    inside_package,
    is_bare_constant,
    parts_at_import,
    split_name,
)
from reproduce.code.science import SCIENCE
from reproduce.errors import UserError

_BY_NAME = {"eval", "exec", "compile", "globals", "locals", "__import__"}
_ATTRIBUTE_ACCESS = {"getattr", "setattr", "delattr"}
# These give what no fingerprint contains (docstrings, types of arguments, lines), or code without its name.
_HIDDEN = re.compile(
    r"\b(__(doc|dict|annotations|annotate|type_params|subclasses|globals|code|closure|builtins|loader|spec|path|getattribute|getstate|reduce(_ex)?)__"
    r"|_getframe\w*|_current_frames|set(trace|profile)|(f|gi|cr|tb)_(globals|locals|builtins|code|frame|back)"
    r"|co_(code|consts|names|filename|firstlineno)|([ft]b?_)?lineno|get_(type_hints|annotations|overloads|objects|referrers|referents))\b"
)
_NOT_HASHED = (
    "gives texts, types, lines or code that no fingerprint contains; write the text as a constant, list functions and "
    "classes in a dictionary, and take the line of an error from its message"
)
# Methods of pandas that look up a name after @ in a text.
_TEXT_METHODS = {"eval", "query"}
# The targets of an assignment that bind new names; other targets change an existing object.
_NAMES = ast.Name | ast.Tuple | ast.List | ast.Starred
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_OF_CLASSES = _DEFINITIONS | ast.Assign | ast.AnnAssign | ast.Pass
_STATEMENTS = ast.Import | ast.ImportFrom | _OF_CLASSES
# Access to code by its name, and to another process.
_BACK_DOORS = re.compile(
    r"(importlib(?!\.metadata\b)|inspect|operator\.(attrgetter|methodcaller)|pickle|subprocess|os\.(system|popen))\b"
)
_ENVIRONMENT = re.compile(r"os\.(environ|getenv|putenv|unsetenv)")
# Code that opens no files may import only this from the standard library …
_PURE = re.compile(
    r"(?!.*\._[a-z])(abc|array|ast\.literal_eval|base64|binascii|bisect|calendar|cmath|codecs|collections|colorsys|contextlib"
    r"|contextvars|copy|csv|dataclasses|decimal|difflib|enum|fnmatch|fractions|functools|gc\.(collect|disable|enable)|graphlib|hashlib|heapq|html"
    r"|io\.(BytesIO|StringIO)|itertools|json|logging|math|numbers|operator|datetime"
    r"|os\.(fspath|linesep|path\.(basename|dirname|join|normpath|split|splitext)|sep)|pathlib\.Pure\w+|pprint|queue"
    r"|random\.(?!SystemRandom)|re|reprlib|shlex|statistics|string|struct|textwrap|tomllib\.loads|types|typing|unicodedata"
    r"|sys\.(byteorder|exc_info|exit|float_info|getrecursionlimit|intern|maxsize|setrecursionlimit|std(err|out)(?!\.(?!write|flush))|version_info)"
    r"|urllib\.parse|warnings|weakref|zlib)\b"
)
# … and may not import this from other packages: it reads the clock, finds names in texts, or opens files outside of
# Python, where no job can refuse them (jobs/isolation.py refuses all other files).
_UNSEEN = re.compile(
    r"(pyarrow|pandas\.eval|torch\.(save|utils\.benchmark|(autograd\.)?profiler|(random\.|cuda\.)?seed(_all)?))\b"
    r"|.*\.(DataSource|read_(feather|orc|parquet)|mm(info|read|write)|from_file|jit)\b"
)
# A module of Python that is reached through another one.
_DETOUR = re.compile(
    r".*\._?(os|sys|secrets|uuid|platform|threading|subprocess|importlib|builtins)(\.|$)|(?!(date)?time\b).+\._?time(\.|$)"
)
_THROUGH = "reaches a module through another one; import that module itself, or give an attribute of yours another name"
# Libraries that read types and docstrings.
_READS_CODE = re.compile(r"(pydantic|torch\.(fx|library))\b")
_CLOCK = re.compile(r"(time|timeit|cProfile|profile|sched)\b|torch\..*(benchmark|profiler)\b")
_NO_TIME = "no result may depend on it, and an attribute of yours needs another name"
# Times of the day, of any object, and times that other packages have measured.
_CLOCKS = {"elapsed_time", "execution_time", "format_dict", "last_print_t", "now", "start_t", "today", "utcnow"}
_PARALLEL = re.compile(r"(asyncio|concurrent|multiprocessing|signal|threading|_thread)\b")
_MACHINE = re.compile(r"(gc|getpass|locale|os\.(cpu_count|getpid|uname)|platform|pwd|resource|socket|sys\.\w+|uuid)\b")
_ENTROPY = re.compile(r"(secrets|os\.urandom|random\.(_urandom|SystemRandom)|torch\.(\w+\.)?seed(_all)?)\b")
# The way out of code that reads files.
_TAKE = (
    "in `run`, take a data file of the experiment's folder as an argument with its name (docs/adding.md, section 1); "
    "in a figure or a claim, take a table"
)
# Without a seed, these take one from the operating system.
_SEEDED = {"default_rng", "seed", "Random", "RandomState", "SeedSequence", "MT19937", "PCG64", "Philox", "SFC64"}
_TIMES = {"datetime64", "Timestamp", "to_datetime", "Period", "date_range", "period_range"}
# These give entries that nothing has written. Mathematics that experiments share may use them, as our tests cover it.
_UNFILLED = re.compile(r"numpy\.(ndarray|recarray)$|torch\.(\w*Tensor|\w+Storage)$")
_EMPTY = re.compile(r"numpy\.(ma\.)?empty(_like)?$|torch\.empty\w*$")
_UNFILLED_METHODS = {"chararray", "materialize", "new_empty", "resize_", "skip_init", "to_empty"}
_FILL = (
    "whatever the memory contained before; fill it with nan (np.full, torch.full, out=…), which shows what was left "
    "out; torch.tensor takes entries"
)
# These call a function that they take.
_CALLERS = {"map", "sorted", "sort", "min", "max"}
# With `where`, these leave nothing out.
_WITH_WHERE = {"sum", "prod", "mean", "std", "var", "min", "max", "amin", "amax", "any", "all", "copyto"}


def check_module(module: Module, package: Package) -> None:
    """Refuse code that has an effect at import, and names that Python would take for something else."""
    _check_file(module)
    for node in module.body:
        _check_statement(node, module)
    for name in sorted(module.definitions.keys() | module.imports.keys()):
        _check_name(name, module, package)


def _check_file(module: Module) -> None:
    base = module.path.parent if module.path.name == "__init__.py" else module.path.with_suffix("")
    file, package = base.with_suffix(".py"), base / "__init__.py"
    if file.exists() and package.exists():
        raise UserError(f"{file} and {package} are both the module {module.name}; keep one")


def _check_statement(node: ast.stmt, module: Module, allowed: type | UnionType = _STATEMENTS) -> None:
    reason = "acts at import, outside all fingerprints; put it into a function"
    steers = module.name == STEERS_IMPORTS and ast.unparse(node).startswith("sys.meta_path.")
    if not (isinstance(node, allowed) or is_bare_constant(node) or steers or condition(node) in (MAIN, TYPES_ONLY)):
        raise _refusal(
            module, node, f"{reason} (allowed: functions, classes, constants, and imports outside of classes)"
        )
    parts = list(parts_at_import(node))
    read = [each for part in parts if isinstance(part, ast.Call) for each in part.args]
    read += [part.iter for part in parts if isinstance(part, ast.comprehension)]
    read += [part.value for part in parts if isinstance(part, ast.Starred)]
    read += [node.value] if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) else []
    for part in parts:
        if isinstance(part, ast.GeneratorExp) and part not in read:
            raise _refusal(module, part, "is empty after the first code that reads it; write a list")
        if isinstance(getattr(part, "ctx", None), ast.Store | ast.Del) and not isinstance(part, _NAMES):
            raise _refusal(module, part, "changes a shared object at import; give it this value in its definition")
        if isinstance(part, ast.NamedExpr):
            raise _refusal(module, part, reason)
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        _check_statement(each, module, _OF_CLASSES)


def _check_name(name: str, module: Module, package: Package) -> None:
    targets = set(module.imports.get(name, []))
    nodes = [node for node in module.definitions.get(name, []) if not _is_overload(node)]
    if len(nodes) + len(targets) > 1 and name != "_":
        raise UserError(f"{module.path}: {name!r} is bound more than once; use a different name for each")
    # Python prefers a name that the package defines to the package's module of that name.
    is_room = module.path.name == "__init__.py"
    if is_room and package.path_of(f"{module.name}.{name}") and targets != {f"{module.name}:{name}"}:
        raise UserError(f"{module.path}: {name!r} is also a module of this package; use another name")


def _is_overload(node: ast.stmt) -> bool:
    return [ast.unparse(each) for each in getattr(node, "decorator_list", [])] in (["overload"], ["typing.overload"])


def check_code(parts: list[ast.AST], module: Module, package: Package) -> None:
    """Refuse a reached statement if it finds code by strings, or files that are not inputs.

    parts: all nodes of the statement
    """
    strict = not READERS.match(module.name)
    calls = [part for part in parts if isinstance(part, ast.Call)]
    plain = {id(call.func) for call in calls if _names_attribute(call)}
    finds_names = any(getattr(call.func, "attr", "") in _TEXT_METHODS for call in calls)
    prose = {id(part.value) for part in parts if isinstance(part, ast.Expr)}
    for part in parts:
        name = getattr(part, "id", getattr(part, "attr", ""))
        bare = isinstance(part, ast.Name)
        if (name == "__file__" and module.name != LAUNCHER) or (bare and name == "open" and strict):
            raise _refusal(module, part, f"reaches a file that is no input; {_TAKE}")
        # A name, a text, such as one for `getattr`, or a keyword in a pattern. A docstring may contain any text.
        text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
        text = text if id(part) not in prose else ""
        hidden = any(map(_HIDDEN.search, [name, text, *getattr(part, "kwd_attrs", [])])) or (
            bare and name in ("help", "vars")
        )
        if hidden and module.name not in SEES_HIDDEN:
            raise _refusal(module, part, _NOT_HASHED)
        names = {*re.findall(r"@\s*(\w*)", text)} if strict else set()
        if names and (finds_names or names & {*module.definitions, *module.imports}):
            raise _refusal(module, part, "may name a variable, which no fingerprint follows; use a mask")
        if bare and name in _BY_NAME:
            raise _refusal(module, part, "reaches code or texts by name; import the code, or use a dictionary")
        if bare and name in _ATTRIBUTE_ACCESS and id(part) not in plain and module.name != CALLS_BY_NAME:
            raise _refusal(module, part, "reaches code by a computed name; use a dictionary")
        if text and len(text) < 200:
            # If code joins parts of a path, the last part names the file. A result may have the name of a source.
            # Other texts may equal a name without a suffix.
            last = PurePosixPath(text)
            # Code without files may well name a module in a text, such as a label.
            known = "\n" not in last.name and last.suffix and last.name in package.file_names
            known = known and not (strict and last.suffix == ".py")
            if known and not text.startswith("results/"):
                way = _TAKE if strict else "declare it as an input of the rule"
                raise _refusal(module, part, f"is a file, and in no fingerprint; {way}")
    if strict:
        _check_reproducible(parts, calls, module)


def _names_attribute(call: ast.Call) -> bool:
    """Return whether a call may be `getattr(value, "name")`, where the name is a literal."""
    return len(call.args) > 1 and isinstance(call.args[1], ast.Constant)


def _check_reproducible(parts: list[ast.AST], calls: list[ast.Call], module: Module) -> None:
    """Refuse a reached statement if it gives other values in another process."""
    author = module.name.startswith(tuple(f"{SCIENCE}.{room}." for room in ("experiments", "documents")))
    named = {id(each): ast.literal_eval(each.args[1]) for each in calls if getattr(each.func, "id", "") == "getattr"}
    for part in parts:
        attribute = getattr(part, "attr", named.get(id(part), ""))
        if attribute in _CLOCKS:
            raise _refusal(module, part, f"reads the clock, or a time that was measured; {_NO_TIME}")
        if _DETOUR.match(f".{attribute}"):
            raise _refusal(module, part, _THROUGH)
        if author and _EMPTY.match(_whole_name(part, module)):
            raise _refusal(module, part, f"gives {_FILL}")
    for call in calls:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = [*call.args, *(word.value for word in call.keywords)]
        values = {part.value for part in given if isinstance(part, ast.Constant)}
        if name in _SEEDED and (None in values or not given):
            raise _refusal(module, call, "takes a seed from the operating system; seed it from the spec")
        if name in _TIMES and values & {"now", "today"}:
            raise _refusal(module, call, "reads the clock, and no result may depend on it")
        if len(call.args) == 1 and not call.keywords and name == "register" and _is_ours(call.args[0], module):
            raise _refusal(
                module, call, "reads the types of arguments, which no fingerprint contains; write register(TYPE, …)"
            )
        if reason := _unfilled(call, name, module, author=author):
            raise _refusal(module, call, f"{reason} {_FILL}")
        called = {getattr(each, "id", "") for each in (given if name in _CALLERS else [call.func])}
        if "id" in called - module.definitions.keys():
            raise _refusal(module, call, "differs between processes; use the object itself")


def _is_ours(node: ast.expr, module: Module) -> bool:
    """Return whether a name may mean a function of this package."""
    (first, *_) = split_name(node) or [""]
    known = any(isinstance(each, ast.FunctionDef) for each in module.definitions.get(first, ()))
    return known or any(map(inside_package, module.imports.get(first, ())))


def _whole_name(node: ast.AST, module: Module) -> str:
    """Return a name with the module from which it is imported, such as "numpy.empty"."""
    first, *rest = split_name(node) or [""]
    return ".".join([module.imports.get(first, [first])[0].replace(":", "."), *rest])


def _unfilled(call: ast.Call, name: str, module: Module, *, author: bool) -> str:
    """Return what a call does if it gives entries that nothing has written, otherwise ""."""
    whole = _whole_name(call.func, module)
    words = {word.arg for word in call.keywords if getattr(word.value, "value", call) is not None}
    if (
        whole.startswith(("numpy.", "scipy.special."))
        and "where" in words
        and "out" not in words
        and name not in _WITH_WHERE
    ):
        return "gives, where the condition is false,"
    # In a list, `torch.Tensor` takes entries; as numbers, sizes.
    filled = "buffer" in words or (name.endswith("Tensor") and isinstance(call.args[0], ast.List | ast.ListComp))
    return "gives" if author and not filled and (name in _UNFILLED_METHODS or _UNFILLED.match(whole)) else ""


def check_own(target: str, module: Module) -> None:
    """Refuse code that may open no files if it uses a function of this package that may."""
    if READERS.match(target) and not READERS.match(module.name) and not PASSED.match(target):
        raise UserError(f"{module.path}: {target} may read files; {_TAKE}")


def check_foreign(name: str, module: Module) -> None:
    """Refuse a name of another package, such as "os.environ.get", if results would depend on more than their inputs."""
    if module.name == STEERS_IMPORTS:
        return
    top, _, rest = name.partition(".")
    reason = ""
    asks = name == "subprocess.run" and USES_ENVIRONMENT.match(module.name)
    if _HIDDEN.search(name) and module.name not in SEES_HIDDEN:
        reason = _NOT_HASHED
    elif _BACK_DOORS.match(name) and module.name != CALLS_BY_NAME and not asks:
        reason = "reaches code or another process by name; import the code"
    elif _ENVIRONMENT.match(name) and not USES_ENVIRONMENT.match(module.name):
        reason = "reads the environment, and no result may depend on it; put the value into the config"
    elif not READERS.match(module.name) and (
        _DETOUR.match(name)
        or (top in sys.stdlib_module_names and {*rest.split(".")} & sys.stdlib_module_names - {top, "abc", "time"})
    ):
        reason = _THROUGH
    elif not READERS.match(module.name) and _READS_CODE.match(name):
        reason = "reads types and texts of code, which no fingerprint contains; convert the values yourself"
    elif not READERS.match(module.name) and (
        not _PURE.match(name) if top in sys.stdlib_module_names else _UNSEEN.match(name)
    ):
        reason = _reason(name)
    elif not rest:
        reason = "is a module as a value; write the function that is used"
    if reason:
        raise UserError(f"{module.path}: `{name}` {reason}")


def _reason(name: str) -> str:
    """Return why code without files may not use a name of another package, and what to do instead."""
    if _PARALLEL.match(name):
        return "starts processes or threads; make an axis of the config, whose points Snakemake runs side by side"
    if _CLOCK.match(name):
        return "reads the clock, and no result may depend on it; `python -m reproduce.tools.costs` lists times of jobs"
    if _ENTROPY.match(name):
        return "takes a seed from the operating system; seed it from the spec"
    if _MACHINE.match(name):
        return "differs between machines, and no result may depend on it; put the value into the config"
    return f"reaches files or the network; {_TAKE}; the program writes the values and the figure that code returns"


def _refusal(module: Module, node: ast.AST, reason: str) -> UserError:
    return UserError(f"{module.path}:{getattr(node, 'lineno', 0)}: `{ast.unparse(node).splitlines()[0]}` {reason}")
