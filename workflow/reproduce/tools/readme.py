"""The numbers in README.md: counts of verdicts, and a table of the documents' numbers and ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from reproduce.claims.claim import Claim
from reproduce.claims.criteria import Each
from reproduce.claims.headline import headline
from reproduce.claims.statements import join_statements, number_text
from reproduce.code.modules import Package
from reproduce.config.documents import ledgers_of
from reproduce.errors import UserError
from reproduce.page.claims_in_words import extract_number
from reproduce.records.job import import_function
from reproduce.records.statements import read_blocks

README = Path("README.md")
BEGIN = "<!-- Numbers, written by: python -m reproduce.tools.verdicts --record -->"
END = "<!-- End of numbers. -->"
_BETWEEN = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
_WIDTH = 140


@dataclass(frozen=True)
class Row:
    """A row of the table.

    text: what the row compares.
    claims: names of claims; "claim/part" for a part of a claim.
    form: format of a number with its unit.
    """

    text: str
    document: str
    claims: tuple[str, ...]
    form: str = "{}"


ROWS = (
    Row(
        "000: test accuracy with one layer, two layers, and rank 2",
        "000-classifier",
        ("linear_accuracy", "two_layers_accuracy", "rank_2_accuracy"),
        "{} %",
    ),
    Row(
        "000: test accuracy with three and with six layers",
        "000-classifier",
        ("accuracies_by_depth/depth 3", "accuracies_by_depth/depth 6"),
        "{} %",
    ),
    Row("001: training accuracy after 100 updates", "001-mnist-dynamics", ("accuracies/after 100",), "{} %"),
    Row(
        "003: loss on the three plateaus",
        "003-hierarchy",
        ("losses_on_plateaus/after drop 1", "losses_on_plateaus/after drop 2", "losses_on_plateaus/after drop 3"),
    ),
    # Only these two numbers depend on how a processor rounds; `test_count` allows as many images.
    Row(
        "004: test images classified correctly after one epoch (another processor: up to 16 more or fewer)",
        "004-zero",
        ("test_count",),
        "{} of 10,000",
    ),
    Row(
        "beside 004, the ZerO authors' notebook: rank of a layer of 512 units after one epoch (another processor: a "
        "few more or fewer)",
        "004-zero",
        ("ranks_after_epoch_1/n_h = 512",),
    ),
)


def insert_numbers(text: str, recorded: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    """Return the text of README.md with the recorded numbers between its two comments.

    recorded: document → claim → column → text.
    """
    if not _BETWEEN.search(text):
        raise UserError(f"README.md lacks the comments around its numbers; add {BEGIN} … {END}")
    rows = [row for row in ROWS if row.document in recorded]
    claims = {document: _claims_of(document) for document in {row.document for row in rows}}
    lines = [_line(row, claims[row.document], recorded[row.document]) for row in rows]
    table = "\n".join(["| what | document | here |", "|---|---|---|", *lines])
    counts = " ".join(headline(row for rows in recorded.values() for row in rows.values()))
    return _BETWEEN.sub(lambda _: f"{BEGIN}\n{table}\n\n{fill(counts, _WIDTH)}\n{END}", text)


def _line(row: Row, claims: Mapping[str, Claim], recorded: Mapping[str, Mapping[str, str]]) -> str:
    pairs = [_pair(name, claims, recorded) for name in row.claims]
    theirs, ours = (", ".join(map(row.form.format, column)) for column in zip(*pairs, strict=True))
    return f"| {row.text} | {theirs} | {ours} |"


def _pair(name: str, claims: Mapping[str, Claim], recorded: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    """Return the document's number and ours."""
    claim, _, part = name.partition("/")
    ours, criterion = recorded[claim]["ours"], claims[claim].criterion
    if not isinstance(criterion, Each):
        return number_text(criterion.value), extract_number(ours)
    return number_text(criterion.parts[part].value), extract_number(ours, part)


def _claims_of(document: str) -> dict[str, Claim]:
    package = Package()
    ledger = ledgers_of(package, package.rooms_in("experiments"))[document]
    ((_, statements),) = ledger.sources
    entries = join_statements(read_blocks(statements), import_function(ledger.entry)().tests)
    return {each.name: each for each in entries if isinstance(each, Claim)}
