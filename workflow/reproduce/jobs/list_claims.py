"""Program: write claims.md, which lists all claims and their verdicts for readers."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from reproduce.claims.claim import WEIGHTS
from reproduce.claims.claims_in_words import history_of_criteria, ours_with_quantity, verdict_in_words, with_math_signs
from reproduce.claims.criteria import FAILED, VERDICTS
from reproduce.claims.differences import DIFFERENCES
from reproduce.claims.headline import counted_apart, headline
from reproduce.jobs.job import Job
from reproduce.records.files import guard_inputs, replacing
from reproduce.records.ledgers import LedgerRow, read_ledger
from reproduce.records.record import merge_reduced
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM
from reproduce.records.tables import read_metadata

_TITLES = "Main statements", "Supporting statements", "Theorems", "Works beside the document", "Our own statements"
# Characters that Markdown uses for emphasis, code, links, tables and escapes. `html.escape` handles those of HTML.
_SIGNS = re.compile(r"[\\`*\[\]|~]|\b_|_\b")
Rows = Sequence[LedgerRow]


def main(job: Job, ledgers: list[Path], template: Path, output: Path) -> None:
    """Write the claims of the documents, in the order of the ledgers, by the template."""
    with replacing(output) as unfinished, guard_inputs({"ledgers": ledgers, "template": [template]}) as inputs:
        reduced = merge_reduced(read_metadata(path)["reduced"] for path in ledgers)
        rows = {path.stem: read_ledger(path) for path in ledgers}
        text = ledger_as_markdown(template.read_text(encoding="utf-8"), rows, reduced)
        unfinished.write_text(text, encoding="utf-8")
        job.write_record({output: unfinished}, inputs, reduced)


def ledger_as_markdown(template: str, ledgers: Mapping[str, Rows], reduced: str) -> str:
    """Return claims.md: headline, contents, counts, main claims, claims that are not reproduced, and each document.

    Texts of ledgers are escaped, so that Markdown and HTML show them literally.

    reduced: as in `Record`.
    """
    escaped = {_escape(document): [_escape_row(row) for row in rows] for document, rows in ledgers.items()}
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"signs": with_math_signs, "one_line": _one_line}
    text = environment.from_string(template).render(
        ledgers=escaped,
        claims=[row for rows in escaped.values() for row in rows if row.is_claim],
        reduced=reduced,
        verdicts=VERDICTS,
        failures=FAILED,
        weights=WEIGHTS,
        titles=[*zip(WEIGHTS, _TITLES, strict=True)],
        errata=((ERRATUM, "Errata of substance"), (ERRATUM_OF_FORM, "Errata of form")),
        differences=DIFFERENCES,
        headline=headline,
        counted_apart=counted_apart,
        history_of_criteria=history_of_criteria,
        verdict_in_words=verdict_in_words,
        ours_with_quantity=ours_with_quantity,
        anchor=_anchor,
        anchor_of=lambda row: _anchor(f"{row.document}-{row.claim}"),
    )
    return text.rstrip() + "\n"


def _escape_row(row: LedgerRow) -> LedgerRow:
    return replace(row, **{name: _escape(value) for name, value in asdict(row).items() if isinstance(value, str)})


def _escape(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it literally."""
    return _SIGNS.sub(lambda sign: f"\\{sign[0]}", html.escape(_one_line(text), quote=False))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _anchor(text: str) -> str:
    return re.sub(r"[^\w-]+", "-", text.lower()).strip("-")
