"""Turn a notebook in percent format into a document: its claims, its figures, and its `run` with the settings SPEC."""

import ast
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import yaml

from reproduce.code.science import SCIENCE
from reproduce.errors import UserError
from reproduce.records.statements import MARKS
from reproduce.tables.selection import EVERY, Selection

_MARKDOWN = re.compile(r"^# %% \[markdown\]\n((?:#.*\n)+)", re.MULTILINE)
_REQUIRED = ("name", "place", "kind", "statement", "quantity", "because")
_OPTIONAL = ("figure", "printed", "main", "revised", "explanation")
_DECISIONS = '''

def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    return api.Decisions(
        {{
{}
        }}
    )
'''


class Notebook:
    """The parts of a notebook. Raises UserError, with the part, for what a document cannot take over."""

    def __init__(self, path: Path) -> None:
        try:
            self._text = path.read_text(encoding="utf-8")
            body = ast.parse(self._text).body
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: no notebook in percent format, such as those in notebooks/: {error}") from error
        self._path = path
        self._defined: dict[str, ast.stmt] = {}
        for node in body:
            self._defined |= dict.fromkeys(_names_of(node), node)
        parts = [part for node in body for part in ast.walk(node)]
        claims = [part for part in parts if _calls(part, "Claim")]
        self._claims = [{str(word.arg): word.value for word in call.keywords} for call in claims]
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        self._figures = [node for node in functions if node.returns and ast.unparse(node.returns).endswith("Figure")]
        self._experiments = {argument.arg for node in self._figures for argument in node.args.args}
        first = [part.args[0] for part in parts if _calls(part, "Selection") and part.args]
        self._experiments |= {str(argument.value) for argument in first if isinstance(argument, ast.Constant)}
        if not self._claims or not all({"measure", "criterion"} <= claim.keys() for claim in self._claims):
            raise UserError(
                f"{path}: a document has claims, and each claim is written as api.Claim(measure=…, criterion=…, …)"
            )

    def files(self, name: str) -> dict[Path, str]:
        """Return path → text for the files of a document and of its experiment; for config.yaml, only a block."""
        room = Path("workflow", SCIENCE)
        cell = _MARKDOWN.search(self._text)
        prose = [line.removeprefix("# ") for line in cell[1].strip().splitlines()] if cell else [self._path.stem]
        title = prose[0].lstrip("# ")
        about = " ".join(prose[1:]) or title
        files = {room / "documents" / name / "claims.md": self._statements(title)}
        imports, definitions = self._code_of([claim[key] for claim in self._claims for key in ("measure", "criterion")])
        tables = ", ".join(map(repr, sorted(self._experiments)))
        facts = f"TITLE = {title!r}\nSOURCE = {f'the notebook {self._path.name}'!r}\nABOUT = {about!r}\n"
        entries = "\n".join(
            f"            {self._literal(claim, 'name')!r}: ({ast.unparse(claim['measure'])}, "
            f"{ast.unparse(claim['criterion'])}),"
            for claim in self._claims
        )
        files[room / "documents" / name / "claims.py"] = (
            f"{imports}\n\n{facts}TABLES = ({tables},)\n{definitions}{_DECISIONS.format(entries)}"
        )
        if self._figures:
            files[room / "documents" / name / "figures.py"] = "\n\n".join(
                self._code_of(self._figures, of=self._figures)
            )
        if "run" in self._defined:
            run = self._defined["run"]
            files[room / "experiments" / name / "run.py"] = "\n\n".join(self._code_of([run], of=[run]))
            files[Path("config.yaml")] = self._block(name)
        return files

    def _statements(self, title: str) -> str:
        lines, place = [f"# {title}: statements", "- printed numbers: 0"], ""
        for claim in self._claims:
            used = [*_REQUIRED, *(field for field in _OPTIONAL if field in claim)]
            fields = {field: self._literal(claim, field) for field in used}
            marks = [mark for mark, field in MARKS.items() if field in claim and ast.unparse(claim[field]) == "True"]
            if fields["place"] != place:
                place = fields["place"]
                lines += ["", f"## {place}"]
            lines += ["", f"### {fields['name']} ({', '.join([fields['kind'], *marks])})", fields["statement"]]
            lines += [f"- {field}: {fields[field]}" for field in ("quantity", "because", *used[len(_REQUIRED) :])]
        return "\n".join(lines) + "\n"

    def _literal(self, claim: Mapping[str, ast.expr], field: str) -> str:
        try:
            return " ".join(str(ast.literal_eval(claim[field])).split())
        except (KeyError, ValueError) as error:
            names = [ast.unparse(value) for key, value in claim.items() if key == "name"]
            raise UserError(f"{self._path}: the claim {''.join(names)} needs {field}=, a text as such") from error

    def _code_of(self, nodes: Iterable[ast.AST], of: Iterable[ast.stmt] = ()) -> tuple[str, str]:
        """Return the imports and the definitions that some code needs, in the order of the notebook."""
        needed: dict[int, ast.stmt] = {id(node): node for node in of}
        waiting = [*nodes]
        while waiting:
            node = waiting.pop()
            for part in ast.walk(node):
                found = self._defined.get(part.id) if isinstance(part, ast.Name) else None
                if found is not None and id(found) not in needed:
                    needed[id(found)] = found
                    waiting.append(found)
        imports, definitions = [], []
        for node in sorted(needed.values(), key=lambda node: node.lineno):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                blank = "\n\n" if isinstance(node, ast.FunctionDef) else ""
                first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
                lines = self._text.splitlines()[first - 1 : node.end_lineno]
                definitions.append(blank + "\n".join(lines) + "\n")
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{SCIENCE}.documents."):
                definitions += map(self._selection, [node] * len(node.names), node.names)
            elif ast.unparse(node) == f"import {SCIENCE}":
                raise UserError(
                    f"{self._path}: a measure, a figure or `run` uses {SCIENCE}.…, which only notebooks can"
                )
            else:
                imports.append(ast.unparse(node))
        # Those of the mechanics stand apart, as in all modules here.
        imports.sort(key=lambda line: "reproduce" in line)
        return "\n".join(imports).replace("\nfrom reproduce", "\n\nfrom reproduce", 1), "".join(definitions)

    def _selection(self, node: ast.ImportFrom, name: ast.alias) -> str:
        """Return the definition of a selection that the notebook takes from another document: none needs another."""
        found = getattr(importlib.import_module(str(node.module)), name.name)
        if not isinstance(found, Selection):
            raise UserError(f"{self._path}: {name.name} is of another document, and no selection; copy its code")
        values = {key: "api.EVERY" if value is EVERY else repr(value) for key, value in found.wanted.items()}
        self._experiments.add(found.experiment)
        words = ", ".join([repr(found.experiment), *(f"{key}={value}" for key, value in values.items())])
        return f"{name.asname or name.name} = api.Selection({words})\n"

    def _block(self, name: str) -> str:
        try:
            spec: dict[str, Any] = ast.literal_eval(self._defined["SPEC"].value)  # ty: ignore[missing-attribute]
        except (KeyError, ValueError) as error:
            raise UserError(f"{self._path}: `run` needs its settings as SPEC = {{'depth': 2, 'seed': 0, …}}") from error
        shared = {key: value for key, value in spec.items() if key not in ("depth", "seed")}
        block = {**shared, "grids": {"main": {"axes": {"depth": spec.get("depth", 1), "seeds": 4}}}}
        lines = yaml.safe_dump({name: block}, sort_keys=False).splitlines()
        return "\n" + "\n".join(f"  {line}" for line in lines) + "\n"


def _calls(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name


def _names_of(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a notebook binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (each.asname or each.name.partition(".")[0] for each in node.names)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
