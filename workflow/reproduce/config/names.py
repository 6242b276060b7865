"""Check the texts that name axes, settings, metrics and experiments in the code of experiments and documents.

A wrong name would stop a job, often one of the last. The code is read, not run: only literal names are checked.
"""

import ast
import hashlib
from collections.abc import Iterator, Mapping
from copy import copy

from reproduce.code.modules import Module, Package, split_name
from reproduce.code.science import MECHANICS, SCIENCE
from reproduce.config.check import axis_types, declared_blocks, fault_of_value, setting_names
from reproduce.config.faults import suggest
from reproduce.config.metrics import metrics_of

_API = f"{MECHANICS}.api"
# The parameters that take names: a metric also in functions of a document, others in what `reproduce.api` offers.
_METRICS, _COLUMNS = {"metric", "metrics"}, {"axes", "names", "free", "besides", "without", "over", "down"}
# Keywords that are names themselves: `**wanted` of a selection, `**axes` of rows.
_NAMED = {"wanted", "axes"}
# The columns of every table, beside the axes.
_IN_EVERY_TABLE = {"experiment", "seed", "step", "metric", "index", "value", "simulation"}
# A method, or a function and its module → its parameters.
Signatures = Mapping[str, ast.arguments]


def digest_of_names(package: Package) -> str:
    """Return a digest of all that decides which names are right: code, and blocks of config.yaml that declare names."""
    sources = [*map(package.source, _modules_below(package)), repr(declared_blocks()).encode()]
    return hashlib.sha256(b"".join(sources)).hexdigest()


def find_wrong_names(package: Package) -> list[str]:
    """Return one line, `FILE:LINE: what is wrong; allowed: …`, for each literal name that no config could contain."""
    experiments = package.rooms_in("experiments")
    signatures = dict(_offered(package))
    faults = []
    for room, names in (("experiments", experiments), ("documents", package.rooms_in("documents"))):
        for name in names:
            modules = list(map(package.module, _modules_below(package, f"{SCIENCE}/{room}/{name}")))
            nodes = [(module, node) for module in modules for part in module.body for node in ast.walk(part)]
            read = [name] if room == "experiments" else _experiments_read([node for _, node in nodes], experiments)
            reader = _Reader(package, read, signatures, spec=room == "experiments")
            faults += [fault for module, node in nodes for fault in reader.faults_of(node, module)]
    return faults


def _modules_below(package: Package, room: str = "") -> Iterator[str]:
    """Yield the dotted names of the modules in a room, by default of all."""
    for path in package.files:
        if path.suffix == ".py" and path.is_relative_to(package.root / room) and path.stem.isidentifier():
            yield ".".join(path.relative_to(package.root).with_suffix("").parts)


def _experiments_read(nodes: list[ast.AST], experiments: list[str]) -> list[str]:
    """Return the experiments that the code of a document names: in selections, TABLES, or arguments of figures."""
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    words |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return [name for name in experiments if name in words]


def _offered(package: Package) -> Iterator[tuple[str, ast.arguments]]:
    """Yield `module:name` with the parameters of what the API offers, and `name` with those of its methods."""
    # Its imports, which no job runs, list what it offers.
    for name, (target, *_) in package.module(_API).imports.items():
        module, _, original = target.partition(":")
        for node in package.module(module).definitions.get(original, ()) if module.startswith(MECHANICS) else ():
            if isinstance(node, ast.FunctionDef):
                yield f"{_API}:{name}", node.args
            for method in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef):
                    arguments = copy(method.args)
                    # Without `self`.
                    arguments.posonlyargs, arguments.args = [], [*arguments.posonlyargs, *arguments.args][1:]
                    yield f"{_API}:{name}" if method.name == "__init__" else method.name, arguments


class _Reader:
    """Finds wrong names in modules that read some experiments. spec: whether `spec["name"]` is a setting."""

    def __init__(self, package: Package, experiments: list[str], signatures: Signatures, *, spec: bool) -> None:
        self._package, self._experiments, self._signatures = package, experiments, signatures
        self._axes = {name for each in experiments for name in axis_types(each)}
        self._settings = self._axes | {name for each in experiments for name in setting_names(each)}
        self._metrics = {"diverged", *(row["metric"] for each in experiments for row in metrics_of(package, each))}
        self._spec = spec

    def faults_of(self, node: ast.AST, module: Module) -> Iterator[str]:
        """Yield a line for each wrong name in a call or, for an experiment, in `spec[…]`."""
        found: Iterator[tuple[ast.AST, str]] = iter(())
        if isinstance(node, ast.Call):
            found = self._faults_of_call(node, module)
        elif self._spec and isinstance(node, ast.Subscript) and split_name(node.value) == ["spec"]:
            known = self._settings | {"experiment", "seed"}
            found = ((part, self._unknown(text, "axis or setting", known)) for part, text in _texts(node.slice, module))
        for place, fault in found:
            if fault:
                yield f"{self._package.path_shown(module.name)}:{getattr(place, 'lineno', 0)}: {fault}"

    def _faults_of_call(self, call: ast.Call, module: Module) -> Iterator[tuple[ast.AST, str]]:
        target, signature = self._signature(call.func, module)
        if target.endswith(":Selection") and call.args:
            experiments = self._package.rooms_in("experiments")
            for place, text in _texts(call.args[0], module):
                yield place, self._unknown(text, "experiment", experiments, of="")
        if signature is None:
            return
        named = {argument.arg for argument in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)}
        for name, value in _bound(call, signature):
            if name in _METRICS:
                for place, text in _texts(value, module):
                    yield place, self._unknown(text, "metric", self._metrics)
            elif name in _COLUMNS and target in self._signatures:
                for place, text in _texts(value, module):
                    # `only` also takes settings.
                    known = self._settings if name == "names" else self._axes | _IN_EVERY_TABLE
                    yield place, self._unknown(text, "axis or setting", known)
        if target in self._signatures and signature.kwarg and signature.kwarg.arg in _NAMED:
            every = self._settings if signature.kwarg.arg == "wanted" else self._axes | _IN_EVERY_TABLE
            for keyword in call.keywords:
                if keyword.arg and keyword.arg not in named:
                    fault = self._unknown(keyword.arg, "axis or setting", every)
                    yield keyword.value, fault or self._fault_of_value(keyword.arg, keyword.value)

    def _signature(self, function: ast.expr, module: Module) -> tuple[str, ast.arguments | None]:
        """Return what a call reaches, `module:name` or the name of a method, and its parameters if they are known."""
        *rooms, name = split_name(function) or [getattr(function, "attr", "")]
        (target, *_) = module.imports.get(rooms[0] if rooms else name, [""])
        # Otherwise, a method of a name that is imported from a module.
        if len(rooms) == 1 and target and self._package.path_of(target.replace(":", ".")):
            target = f"{target.replace(':', '.')}:{name}"
        elif not rooms and name in module.definitions:
            target = f"{module.name}:{name}"
        elif rooms or not target:
            target = name
        if target not in self._signatures and target.startswith(f"{SCIENCE}."):
            own, _, name = target.partition(":")
            nodes = self._package.module(own).definitions.get(name, ()) if self._package.path_of(own) else ()
            return target, next((node.args for node in nodes if isinstance(node, ast.FunctionDef)), None)
        return target, self._signatures.get(target)

    def _unknown(self, name: str, kind: str, known: set[str] | list[str], of: str | None = None) -> str:
        """Return why a name is wrong, "" if it is known."""
        if name in known:
            return ""
        owner = f" of {', '.join(self._experiments)}" if of is None else of
        return f"{name!r} is no {kind}{owner}{suggest(name, sorted(known))}; allowed: {', '.join(sorted(known))}"

    def _fault_of_value(self, name: str, node: ast.expr) -> str:
        """Return why no experiment allows a value of an axis or a setting, "" if one does or if it is no literal."""
        if name in _IN_EVERY_TABLE:
            return ""
        try:
            value = ast.literal_eval(node)
        except ValueError:
            return ""
        faults = []
        # A list means any of its values, or it is one value of a setting.
        for values in [[value], value] if isinstance(value, list | tuple) else [[value]]:
            for experiment in self._experiments:
                found = [fault_of_value(experiment, name, each) for each in values]
                if not any(found):
                    return ""
                faults += filter(None, found)
        return f"{name}: {faults[-1]}"


def _bound(call: ast.Call, signature: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """Yield (parameter, argument) for each argument of a call that has a known place."""
    names = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
    for place, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            names = names[:place]
        name = names[place] if place < len(names) else signature.vararg.arg if signature.vararg else ""
        yield name, value.value if isinstance(value, ast.Starred) else value
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg)


def _texts(node: ast.expr, module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the literal texts of an expression: a text, those of a tuple or list, the keys of a dictionary."""
    if isinstance(node, ast.Name) and len(statements := module.definitions.get(node.id, ())) == 1:
        node = getattr(statements[0], "value", None) or node
    parts = getattr(node, "elts", None) or getattr(node, "keys", None) or [node]
    yield from ((part, part.value) for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
