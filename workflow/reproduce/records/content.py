"""Compute the content digest of an input: while it stays the same, the results made from it stay current."""

import hashlib
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path

from reproduce.errors import UserError
from reproduce.records.datasets import dataset_digest
from reproduce.records.provenance import Paths, digest_of, sha256_of
from reproduce.records.tables import table_digest

# In a Matplotlib style, # begins a comment, except between quotes; the group keeps quoted text.
_COMMENT = re.compile(rb'("[^"]*")|#.*')
# In a template, a comment on lines of its own prints nothing; any other one may swallow blanks around it.
_LINES_OF_COMMENT = re.compile(rb"^[ \t]*\{#(?!-)((?!#\}).)*(?<!-)#\}[ \t]*\n", re.DOTALL | re.MULTILINE)


def content_digest(path: Path | str) -> str:
    """Return the SHA-256 of the part of an input that counts, as 64 hexadecimal digits.

    data set: its arrays, and what is reduced in them
    run, table, ledger: its rows and its stamp, without the digests of its inputs and the code of its runs
    statements of a document: all but blank lines, which `read_headings` ignores
    style: its settings, in any order
    template of the page: all but comments on lines of their own
    any other or damaged file: its bytes
    """
    path = Path(path)
    # Readers of damaged files raise errors of many types.
    with suppress(Exception):
        match path.suffix:
            case ".npz":
                return dataset_digest(path)
            case ".parquet":
                return table_digest(path)
            case ".md" if path.parts[-3:-2] == ("documents",):
                lines = path.read_bytes().decode().splitlines(keepends=True)
                return hashlib.sha256("".join(line for line in lines if line.strip()).encode()).hexdigest()
            case ".mplstyle":
                with path.open("rb") as file:
                    return hashlib.sha256(_settings_of(file)).hexdigest()
            case ".html" if path.parent.name == "templates":
                return hashlib.sha256(_LINES_OF_COMMENT.sub(b"", path.read_bytes())).hexdigest()
    return sha256_of(path)


def style_fault(path: Path | str) -> str:
    """Return "line: the first error" of a Matplotlib style; "" if it has none. Matplotlib itself would only warn."""
    # Imported here because a plan needs it only after an edit of the style.
    import matplotlib

    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        key, colon, value = (part.strip() for part in _COMMENT.sub(rb"\1", line).decode().partition(":"))
        if not key:
            continue
        if key not in matplotlib.rcParams or not colon:
            near = ", ".join(get_close_matches(key, matplotlib.rcParams)) or "the keys of matplotlib.rcParams"
            return f"{number}: {key!r} is no setting of Matplotlib; allowed: {near}"
        try:
            matplotlib.RcParams({key: value.strip('"')})
        except ValueError as error:
            return f"{number}: {error}"
    return ""


@contextmanager
def guard_inputs(
    inputs: Mapping[str, Paths], digest: Callable[[Path | str], str] = content_digest
) -> Generator[dict[str, str]]:
    """Yield name → digest of the inputs of a job, for a block that reads them.

    digest: returns the digest of one file
    Raises UserError if an input is missing, or has changed when the block ends: the stamp would record another input.
    """
    before = _digests(inputs, digest)
    yield before
    after = _digests(inputs, digest)
    if changed := [str(paths[0]) for name, paths in inputs.items() if after[name] != before[name]]:
        raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")


def _digests(inputs: Mapping[str, Paths], digest: Callable[[Path | str], str]) -> dict[str, str]:
    try:
        return {name: digest_of(paths, digest) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None


def _settings_of(style: Iterable[bytes]) -> bytes:
    """Return the settings of a style, sorted, without comments and blanks; the last of equal keys counts."""
    lines = filter(None, (_COMMENT.sub(rb"\1", line).strip() for line in style))
    pairs = (line.partition(b":") for line in lines)
    return b"\n".join(sorted({key.strip(): key.strip() + b":" + value.strip() for key, _, value in pairs}.values()))
