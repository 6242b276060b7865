"""Write and read data sets, as uncompressed npz files: the same arrays give the same bytes."""

import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reproduce.errors import UserError

_REDUCED = "reduced"


@dataclass(frozen=True)
class Dataset:
    """A data set: named arrays.

    reduced: as in `Record`
    digest: of the file; "" before a job has written it
    """

    arrays: Mapping[str, np.ndarray]
    reduced: str = ""
    digest: str = ""

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def write(path: Path | str, arrays: Mapping[str, np.ndarray], reduced: str) -> None:
    """Write a data set."""
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **{name: arrays[name] for name in sorted(arrays)}, **{_REDUCED: reduced})


def read(path: Path | str) -> Dataset:
    """Read a data set; raises UserError if it is missing or damaged."""
    try:
        # All bytes at once, because another job may replace the file meanwhile.
        content = Path(path).read_bytes()
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = dict(archive)
        return Dataset(arrays, str(arrays.pop(_REDUCED)), hashlib.sha256(content).hexdigest())
    except MemoryError:
        raise
    # Readers of damaged files (zipfile, zlib, tokenize, json, …) raise errors of many types.
    except Exception as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; rebuild it with: snakemake --cores 1 --force {path}") from error


def read_all(data: Iterable[Path]) -> dict[str, Dataset]:
    """Return data sets by their names, for a function that takes them."""
    return {path.stem: read(path) for path in data}
