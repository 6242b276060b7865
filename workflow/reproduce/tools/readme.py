"""The numbers in README.md: counts of verdicts, and a table of the documents' numbers and ours."""

import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill

from reproduce.claims.claim import Claim
from reproduce.claims.claims_in_words import extract_number, verdict_in_words
from reproduce.claims.criteria import Each
from reproduce.claims.entries import join_statements, number_text
from reproduce.claims.headline import headline
from reproduce.code.modules import Package
from reproduce.config.documents import TableJob, documents_of, ledgers_of
from reproduce.errors import UserError, check_name
from reproduce.jobs.job import import_function
from reproduce.records.ledgers import LedgerRow
from reproduce.records.statements import read_statements

README = Path("README.md")
BEGIN = "<!-- Numbers, written by: python -m reproduce.tools.verdicts --record -->"
END = "<!-- End of numbers. -->"
_BETWEEN = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)


def insert_numbers(text: str, recorded: Mapping[str, Mapping[str, LedgerRow]]) -> str:
    """Return the text of README.md with the recorded numbers between its two comments.

    recorded: document → claim → row.
    """
    if not _BETWEEN.search(text):
        raise UserError(f"README.md lacks the comments around its numbers; add {BEGIN} … {END}")
    lines, package = [], Package()
    ledgers = ledgers_of(package, package.rooms_in("experiments"))
    for document in sorted(documents_of(package).values(), key=lambda each: each.id):
        rows = recorded.get(document.id, {})
        claims = claims_of(ledgers[document.id]) if rows and document.numbers else {}
        for what, names, form in document.numbers if rows else ():
            theirs, ours, verdicts = zip(*(_cells(name, claims, rows) for name in names), strict=True)
            numbers = (", ".join(map(form.format, column)) for column in (theirs, ours))
            lines.append(f"| {' | '.join([what, *numbers, '; '.join(dict.fromkeys(verdicts))])} |")
    table = "\n".join(["| what | document | here | verdict |", "|---|---|---|---|", *lines])
    counts = " ".join(headline(row for rows in recorded.values() for row in rows.values()))
    return _BETWEEN.sub(lambda _: f"{BEGIN}\n{table}\n\n{fill(counts, 140)}\n{END}", text)


def _cells(name: str, claims: Mapping[str, Claim], recorded: Mapping[str, LedgerRow]) -> tuple[str, str, str]:
    """Return the document's number, ours, and the verdict with the data and sizes that differ."""
    claim, _, part = name.partition("/")
    check_name(claim, "claim", claims, "- number: ")
    row, criterion = recorded[claim], claims[claim].criterion
    parts = criterion.parts if isinstance(criterion, Each) else {"": criterion}
    check_name(part, f"part of {claim}", parts, "- number: ")
    return number_text(parts[part].value), extract_number(row.ours, part), verdict_in_words(row)


def claims_of(ledger: TableJob) -> dict[str, Claim]:
    """Return the claims of a document by their names."""
    stated, reach = read_statements(ledger.sources["statements"]), [*map(Path, ledger.sources.values())][1:]
    entries = join_statements(stated, import_function(ledger.entry)().tests, reach)
    return {each.name: each for each in entries if isinstance(each, Claim)}
