"""Program: print which verdicts, main numbers, figures and charts differ between two runs, as Markdown."""

import argparse
import hashlib
import tarfile
import tempfile
import zlib
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

from PIL import Image

from reproduce.claims.claim import MAIN
from reproduce.claims.headline import headline
from reproduce.errors import UserError, run_tool
from reproduce.records.ledgers import LedgerRow, read_ledger

_LEDGERS, _FIGURES, _CHARTS = "claims/[!.]*.parquet", "figures/*/[!.]*.png", "interactive/*/[!.]*.json"
# The members of an archive that are compared.
_COMPARED = [f"results/{pattern}" for pattern in (_LEDGERS, _FIGURES, _CHARTS)]


@dataclass(frozen=True)
class ComparedResults:
    """The compared parts of one workflow run's results.

    name: the head of a table's column.
    claims: DOCUMENT/CLAIM → row of the ledger.
    drawings: figures/DOCUMENT/NAME or interactive/DOCUMENT/NAME → digest of the picture.
    """

    name: str
    claims: Mapping[str, LedgerRow]
    drawings: Mapping[str, str]


def read_results(place: Path) -> ComparedResults:
    """Return the results in an archive, in a folder `results`, or in a folder that contains `results`.

    Raises UserError if there are none, or if a file is damaged.
    """
    if place.is_dir():
        return _read_folder(place / "results" if (place / "results").is_dir() else place, str(place))
    with tempfile.TemporaryDirectory() as folder:
        try:
            # Packed or not: some browsers unpack what they download.
            with tarfile.open(place, "r:*") as archive:
                compared = [each for each in archive if any(map(PurePath(each.name).match, _COMPARED))]
                archive.extractall(folder, compared, filter="data")
        # zlib.error and EOFError: a half archive, or one with a bad byte.
        except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
            reason = error if isinstance(error, FileNotFoundError) else "it is no archive, or only a part of one"
            raise UserError(f"{place}: {reason}; allowed: a folder with results, or an archive of them") from error
        try:
            return _read_folder(Path(folder, "results"), str(place))
        except UserError as error:
            # The folder is deleted before anybody reads the message.
            raise UserError(str(error).replace(folder, str(place))) from error


def as_markdown(first: ComparedResults, second: ComparedResults) -> str:
    """Return the differences: counts, a table of verdicts, a table of main numbers, and lists of drawings."""
    pairs = {name: (row, second.claims[name]) for name, row in first.claims.items() if name in second.claims}
    verdicts = {name: (_verdict(one, other), _verdict(other, one)) for name, (one, other) in pairs.items()}
    numbers = {name: (one.ours, other.ours) for name, (one, other) in pairs.items()}
    main = {name: numbers[name] for name, rows in pairs.items() if any(row.weight == MAIN for row in rows)}
    others = {name: numbers[name] for name in numbers if name not in main}
    drawings = {name: (one, second.drawings[name]) for name, one in first.drawings.items() if name in second.drawings}
    kinds = {"verdicts": verdicts, "main numbers": main, "other numbers": others, "figures and charts": drawings}
    differ = {kind: {name: pair for name, pair in pairs.items() if pair[0] != pair[1]} for kind, pairs in kinds.items()}
    lines = [", ".join(f"{len(differ[kind])} of {len(values)} {kind}" for kind, values in kinds.items()) + " differ."]
    for kind in ("verdicts", "main numbers"):
        if differ[kind]:
            lines += ["", _row(kind, first.name, second.name), "|---|---|---|"]
            lines += [_row(name, *pair) for name, pair in differ[kind].items()]
    if redrawn := differ["figures and charts"]:
        lines += ["", "Figures and charts that differ:", "", *(f"- {name}" for name in redrawn)]
    for here, there in ((first, second), (second, first)):
        only = [
            *_list_unshared(here.claims, there.claims, "claims"),
            *_list_unshared(here.drawings, there.drawings, "drawings"),
        ]
        lines += ["", f"Only in {here.name}: {', '.join(only)}."] if only else []
    if differ["verdicts"]:
        heads = {each.name: " ".join(headline(each.claims.values())[:2]) for each in (first, second)}
        lines += [line for name, words in heads.items() for line in ("", f"{name}: {words}")]
    return "\n".join(lines)


def _read_folder(folder: Path, name: str) -> ComparedResults:
    claims, drawings = {}, {}
    for path in sorted(folder.glob(_LEDGERS)):
        with _named(f"{name}: {path.name}"):
            claims |= {f"{path.stem}/{row.claim}": row for row in read_ledger(path) if row.is_claim}
    if not claims:
        raise UserError(f"{name} contains no ledgers (results/claims); make them there first: snakemake --cores 8")
    for path in sorted([*folder.glob(_FIGURES), *folder.glob(_CHARTS)]):
        key = path.relative_to(folder).with_suffix("").as_posix()
        with _named(f"{name}: {key}{path.suffix}"):
            drawings[key] = hashlib.sha256(_content(path)).hexdigest()
    return ComparedResults(name, claims, drawings)


@contextmanager
def _named(file: str) -> Generator[None]:
    """Raise UserError with the name of a file that cannot be read."""
    try:
        yield
    except UserError:
        raise
    # Readers of damaged files raise errors of many types.
    except Exception as error:
        raise UserError(f"{file} is damaged: {error}") from error


def _content(drawing: Path) -> bytes:
    """Return the pixels of a figure, or the specification of a chart."""
    if drawing.suffix == ".png":
        with Image.open(drawing) as image:
            return repr(image.size).encode() + image.convert("RGBA").tobytes()
    return drawing.read_bytes()


def _verdict(row: LedgerRow, other: LedgerRow) -> str:
    """Return a claim's verdict; add the criterion if both verdict and criterion differ between the two runs."""
    judged_otherwise = row.verdict != other.verdict and row.criterion != other.criterion
    return f"{row.verdict} ({row.criterion})" if judged_otherwise else row.verdict


def _list_unshared(here: Collection[str], there: Collection[str], kind: str) -> Iterator[str]:
    """Yield the names in `here` that `there` lacks; for documents that `there` lacks completely, yield their number."""
    documents = {name.rpartition("/")[0] for name in there}
    alone = [name for name in here if name not in there]
    yield from (name for name in alone if name.rpartition("/")[0] in documents)
    absent = Counter(name.rpartition("/")[0] for name in alone if name.rpartition("/")[0] not in documents)
    yield from (f"{count} {kind} of {document}" for document, count in absent.items())


def _row(*cells: str) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def main() -> None:
    """Print what differs between two results."""
    parser = argparse.ArgumentParser(description="Print what differs between the results of two runs, as Markdown.")
    for name in ("first", "second"):
        parser.add_argument(name, type=Path, help="a folder with results, or an archive of them")
    arguments = parser.parse_args()
    print(as_markdown(read_results(arguments.first), read_results(arguments.second)))


if __name__ == "__main__":
    run_tool(main)
