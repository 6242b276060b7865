"""The digest of what readers take from an input: while it stays the same, what they made of it stays current."""

import hashlib
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.datasets import content_of_dataset
from workflow.deepnets.records.paths import RUNS
from workflow.deepnets.records.provenance import Paths, digest_of, sha256_of
from workflow.deepnets.records.tables import content_of_table

# In a style a # begins a comment, but not between quotes, which are kept.
_COMMENT = re.compile(rb'("[^"]*")|#.*')


def content_digest(path: Path | str) -> str:
    """Return the SHA-256 of what counts of an input, as 64 hexadecimal digits; of a damaged file, all bytes count.

    Of a data set count its arrays; of a table or a ledger its rows and its stamp, but neither what it read nor the code
    of its runs; of a style its settings; of any other file its bytes.
    """
    path = Path(path)
    # There is no end to what readers raise over damaged files.
    with suppress(Exception):
        match path.suffix:
            case ".npz":
                return content_of_dataset(path)
            case ".parquet" if not path.is_relative_to(RUNS):
                return content_of_table(path)
            case ".mplstyle":
                with path.open("rb") as file:
                    return hashlib.sha256(_settings_in(file)).hexdigest()
    return sha256_of(path)


@contextmanager
def unchanged(
    inputs: Mapping[str, Paths], digest: Callable[[Path | str], str] = content_digest
) -> Generator[dict[str, str]]:
    """Yield the digest of each input of a job, by name, for a block that reads them.

    digest: returns that of one file. Raises UserError if one is missing, or is another when the block ends: a result
    would name what it was not made of.
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


def _settings_in(style: Iterable[bytes]) -> bytes:
    """Return the lines of a style that set something, without comments and blanks around them."""
    return b"\n".join(filter(None, (_COMMENT.sub(rb"\1", line).strip() for line in style)))
