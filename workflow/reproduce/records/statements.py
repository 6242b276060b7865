"""Read claims.md, a document's statements as prose.

The form of the file, in the order of the document (docs/adding.md shows an example):

    # Title
    - printed numbers: how many numbers about data, settings and results the document contains
    - revised: that of all statements that name no other
    ## Place in the document
    - figure, quantity, printed, because, revised: those of the statements below, if they name no other
    ### name_of_the_claim (kind; place in the section)
    The statement, in one sentence or two.
    - because: why this criterion
    - figure, quantity, printed, main, revised, explanation: see `Claim`; an erratum has: evidence
    ## Left out
    - a number that no entry quotes, with its place; the reason

The kind is number, ordering, trend, bound, theorem, erratum or erratum of form; then, if so: replayed, no draws, full
MNIST, beside, ours. A field may continue on the next lines.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from reproduce.errors import UserError

# The kinds of an erratum, of substance or only of form, and its verdict.
ERRATUM, ERRATUM_OF_FORM = "erratum", "erratum of form"
# The levels of headings.
FILE, SECTION, ENTRY = 1, 2, 3
# In a finding: a claim, or CLAIM/PART, in place of its number.
QUOTE = re.compile(r"\{([^{}]+)\}")
_FIELD = re.compile(r"- ([a-z ]+): (.*)")
# Of an entry: name (kind; place).
_ENTRY = re.compile(r"(\w+) \(([^;]*?)(?:; (.+))?\)")
# The section of numbers that no entry quotes.
LEFT_OUT = "Left out"
_ALLOWED = {
    FILE: ("printed numbers", "revised"),
    SECTION: ("figure", "quantity", "printed", "because", "revised"),
    ENTRY: (
        *("at", "figure", "quantity", "printed", "because", "main", "revised", "explanation"),
        "evidence",
    ),
}


@dataclass
class Block:
    """A heading of claims.md with the text and the fields below it.

    where: file, line and title, for messages.
    is_open: whether the next line continues a field.
    """

    level: int
    title: str
    where: str
    text: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    is_open: bool = False


def read_blocks(path: Path | str) -> list[Block]:
    """Return the headings of claims.md in order, with their text and fields.

    raises: UserError if the file is missing, or if a line has another form.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise UserError(f"{path} is missing; it contains the statements of a document") from None
    blocks: list[Block] = []
    for number, line in enumerate(lines, 1):
        if heading := re.fullmatch(r"(#{1,3}) (.+)", line):
            blocks.append(Block(len(heading[1]), heading[2], f"{path}:{number}: {heading[2]}"))
            if blocks[-1].level == ENTRY:
                _read_heading(blocks[-1])
        elif blocks and line.startswith("- ") and blocks[-1].title == LEFT_OUT:
            blocks[0].fields.append(("left out", line.removeprefix("- ")))
            blocks[0].is_open = True
        elif blocks and line.startswith("- "):
            found = _FIELD.fullmatch(line)
            allowed = _ALLOWED[blocks[-1].level]
            if not found or found[1] not in allowed:
                raise UserError(f"{path}:{number}: allowed: `- NAME: text`, where NAME is {', '.join(allowed)}")
            blocks[-1].fields.append((found[1], found[2]))
            blocks[-1].is_open = True
        elif blocks and line.strip():
            block = blocks[0] if blocks[-1].title == LEFT_OUT else blocks[-1]
            if block.is_open:
                name, value = block.fields.pop()
                block.fields.append((name, f"{value} {line.strip()}"))
            else:
                block.text = f"{block.text} {line.strip()}".strip()
    return blocks


def _read_heading(block: Block) -> None:
    """Split the heading of an entry: its name, its kind, and its place in the section."""
    found = _ENTRY.fullmatch(block.title)
    if not found:
        raise UserError(f"{block.where}: write `### name (kind)`, or `### name (kind; place in the section)`")
    block.title = found[1]
    block.fields = [(name, text) for name, text in (("kind", found[2]), ("at", found[3])) if text]


def refuse_unpaired(blocks: Iterable[Block], tested: list[str], path: str) -> None:
    """Raise UserError if two entries have one name, or if a statement has no measure or a measure no statement.

    tested: the names of the measures; path: the file of the blocks.
    """
    entries = [block for block in blocks if block.level == ENTRY]
    names = [block.title for block in entries]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"{path}: {', '.join(twice)}: two entries have this name; give one of them another")
    stated = {each.title for each in entries if not dict(each.fields).get("kind", "").startswith(ERRATUM)}
    code, faults = path.removesuffix("md") + "py", []
    if without := sorted(stated - {*tested}):
        faults.append(f"{path} states {', '.join(without)}, which {code} does not measure")
    if without := sorted({*tested} - stated):
        faults.append(f"{code} measures {', '.join(without)}, which {path} does not state")
    if faults:
        raise UserError("; ".join(faults))
