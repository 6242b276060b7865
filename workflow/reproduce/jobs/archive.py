"""Program: pack all results in one archive. After unpacking, the workflow recognises each result by its stamp."""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

from reproduce.claims.headline import headline
from reproduce.config.grids import points_of
from reproduce.records.atomic import replacing
from reproduce.records.content import content_digest, guard_inputs
from reproduce.records.crate import Member, describe_archive
from reproduce.records.job import Job
from reproduce.records.ledgers import NO_CLAIMS
from reproduce.records.paths import CLAIM_LIST, CRATE, FIGURE, INTERACTIVE, LEDGER, PAGE
from reproduce.records.provenance import sha256_of
from reproduce.records.stamps import stamp_of
from reproduce.records.tables import read_table

# The time of all files, in seconds since 1970. Snakemake's report is a ZIP, which allows no time before 1980.
_TIME = 315_619_200


def pack(members: Iterable[tuple[str, bytes]], path: Path | str) -> None:
    """Write named contents as a gzipped tar whose bytes depend only on names and contents."""
    with (
        replacing(path) as temporary,
        open(temporary, "wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0, compresslevel=6) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(content), 0o644, _TIME
            archive.addfile(member, io.BytesIO(content))


def add_description(
    files: Mapping[str, Path], citation: Mapping, captions: Mapping[str, str], groups: Iterable[Sequence[str]]
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each result, and finally those of the file that describes all results.

    files: name in the archive → file.
    citation, captions, groups: as in `describe_archive`.
    raises: UserError if a result is damaged.
    """
    members = []
    for name, path in files.items():
        content = path.read_bytes()
        digests = hashlib.sha256(content).hexdigest(), content_digest(path)
        members.append(Member(name, len(content), *digests, stamp_of(path)))
        yield name, content
    yield CRATE, describe_archive(members, citation, captions, groups).encode()


def main(job: Job, results: list[Path], output: Path) -> None:
    """Pack the results that the spec names: the runs of its grids, and further files.

    results: the files, sorted by their names.
    """
    spec = job.spec
    runs = [[point.path for point in points_of(experiment, grids)] for experiment, grids in spec["grids"].items()]
    files = dict(zip(sorted([*chain.from_iterable(runs), *spec["files"]]), results, strict=True))
    tables = {name.rpartition(".")[0]: meanings for name, meanings in spec["tables"].items()}
    captions = {**_captions_of_page(files[PAGE]), **_headlines_of_ledgers(files), **tables}
    with guard_inputs({"results": results}, sha256_of):
        pack(add_description(files, spec["citation"], captions, runs), output)


def _captions_of_page(page: Path) -> dict[str, str]:
    """Return name without suffix → caption, for the figures and charts on the page."""
    shown = json.loads(stamp_of(page).spec)
    figures = {FIGURE.format(document=each["document"], figure=each["name"]): each for each in shown["figures"]}
    charts = {INTERACTIVE.format(document=each["document"], chart=each["name"]): each for each in shown["charts"]}
    return {path.rpartition(".")[0]: each["caption"] for path, each in {**figures, **charts}.items()}


def _headlines_of_ledgers(files: Mapping[str, Path]) -> dict[str, str]:
    """Return name without suffix → headline, for each ledger and for claims.md."""
    ledgers = {name: path for name, path in files.items() if fnmatch(name, LEDGER.format(document="*"))}
    claims = {
        name: [row for row in read_table(path).to_pylist() if row["kind"] not in NO_CLAIMS]
        for name, path in ledgers.items()
    }
    found = {**claims, CLAIM_LIST: list(chain.from_iterable(claims.values()))}
    return {name.rpartition(".")[0]: " ".join(headline(rows)) for name, rows in found.items()}
