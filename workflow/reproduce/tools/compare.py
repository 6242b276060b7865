"""Program: print which verdicts, main numbers, figures and charts differ between two runs, as Markdown."""

import argparse
import hashlib
import tarfile
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from PIL import Image

from reproduce.claims.claim import MAIN
from reproduce.errors import UserError, run_tool
from reproduce.records.ledgers import LedgerRow, read_ledger

# The files in results/ that are compared: ledgers, figures and charts.
_COMPARED = ("claims/[!.]*.parquet", "figures/*/[!.]*.png", "interactive/*/[!.]*.json")


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
                found = (
                    each for each in archive if any(PurePath(each.name).match(f"results/{one}") for one in _COMPARED)
                )
                archive.extractall(folder, found, filter="data")
        # zlib.error and EOFError: a half archive, or one with a bad byte.
        except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
            raise UserError(f"{place}: {error}; allowed: a folder with results, or a whole archive of them") from error
        return _read_folder(Path(folder, "results"), str(place))


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
        pairs = ((here.claims, there.claims), (here.drawings, there.drawings))
        only = [name for own, other in pairs for name in own if name not in other]
        lines += ["", f"Only in {here.name}: {', '.join(only)}."] if only else []
    return "\n".join(lines)


def _read_folder(folder: Path, name: str) -> ComparedResults:
    claims: dict[str, LedgerRow] = {}
    drawings: dict[str, str] = {}
    for path in sorted(path for pattern in _COMPARED for path in folder.glob(pattern)):
        key = path.relative_to(folder).with_suffix("").as_posix()
        try:
            if path.suffix == ".parquet":
                claims |= {f"{path.stem}/{row.claim}": row for row in read_ledger(path) if row.is_claim}
            else:
                drawings[key] = hashlib.sha256(_content(path)).hexdigest()
        # Readers of damaged files raise errors of many types.
        except Exception as error:
            raise UserError(f"{name}: {key}{path.suffix} is damaged, or of another version of this workflow") from error
    if not claims:
        raise UserError(f"{name} contains no ledgers (results/claims); make them there first: snakemake --cores 8")
    return ComparedResults(name, claims, drawings)


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
