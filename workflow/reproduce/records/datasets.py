"""Write and read data sets, as uncompressed npz files with a stamp; read data files without one."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from reproduce.errors import UserError
from reproduce.records.provenance import Provenance

_PROVENANCE = "provenance"


@dataclass(frozen=True)
class Dataset:
    """A data set: named arrays; of a data file, its columns or the arrays of its npz file.

    reduced: as in `Provenance`
    digest: of the content; "" before a job has written it
    """

    arrays: Mapping[str, np.ndarray]
    reduced: str = ""
    digest: str = ""

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def write(path: Path | str, arrays: Mapping[str, np.ndarray], provenance: Provenance) -> None:
    """Write a data set with a digest of its arrays in its stamp: the same arrays and stamp give the same bytes."""
    stamp = np.array(json.dumps({**provenance.as_stamp(), "arrays": _digest(arrays)}, sort_keys=True))
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays, **{_PROVENANCE: stamp})


def read(path: Path | str) -> Dataset:
    """Read a data set; raises UserError if it is missing or damaged."""
    try:
        # All bytes at once, because another job may replace the file meanwhile.
        arrays, stamp = _load(io.BytesIO(Path(path).read_bytes()))
        dataset = Dataset(arrays, stamp["reduced"], _digest_from_stamp(stamp))
    except MemoryError:
        raise
    # Readers of damaged files (zipfile, zlib, tokenize, json, …) raise errors of many types.
    except Exception as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; rebuild it with: snakemake --cores 1 --force {path}") from error
    return dataset


def read_file(path: Path | str) -> Dataset:
    """Read a data file without a stamp; raises UserError if it cannot be read.

    .csv: a header with the names of the columns, then rows of numbers or texts; a column is float64 if it can be.
    .npz: arrays by their names.
    """
    try:
        content = Path(path).read_bytes()
        if Path(path).suffix == ".npz":
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                arrays = dict(archive)
        else:
            names, *rows = filter(None, csv.reader(content.decode("utf-8-sig").splitlines(), skipinitialspace=True))
            if wrong := next((row for row in rows if len(row) != len(names)), None):
                raise ValueError(f"{wrong} has {len(wrong)} values, but there are {len(names)} columns")
            columns = np.array(rows, dtype=str).reshape(-1, len(names)).T
            arrays = {name.strip(): _as_numbers(column) for name, column in zip(names, columns, strict=True)}
    # Readers of damaged files raise errors of many types.
    except Exception as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    return Dataset(arrays, digest=hashlib.sha256(content).hexdigest())


def read_all(data: Iterable[Path], files: Iterable[Path]) -> dict[str, Dataset]:
    """Return data sets (`data`) and data files without a stamp by their names, for a function that takes them."""
    return {path.stem: read(path) for path in data} | {path.stem: read_file(path) for path in files}


def _as_numbers(column: np.ndarray) -> np.ndarray:
    """Return a column of texts as float64 if each is a number."""
    try:
        return column.astype(np.float64)
    except ValueError:
        return column


def stamp_of_dataset(path: Path | str) -> Mapping[str, str]:
    """Return the stamp of a data set; raises UserError if its arrays were changed."""
    # Opened here because NumPy does not close a damaged file.
    with open(path, "rb") as file:
        return _load(file)[1]


def dataset_digest(path: Path | str) -> str:
    """Return the content digest of a data set from its stamp, without reading its arrays."""
    with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
        return _digest_from_stamp(json.loads(str(archive[_PROVENANCE])))


def _digest_from_stamp(stamp: Mapping[str, str]) -> str:
    """Return the content digest of a data set: the same for all sources of the same arrays."""
    return hashlib.sha256(json.dumps([stamp["arrays"], stamp["reduced"]]).encode()).hexdigest()


def _load(file: BinaryIO) -> tuple[dict[str, np.ndarray], Mapping[str, str]]:
    """Return the arrays and the stamp of a data set; raises UserError if the arrays were changed."""
    with np.load(file, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    stamp = json.loads(str(arrays.pop(_PROVENANCE)))
    if isinstance(stamp, dict) and stamp.get("arrays") != _digest(arrays):
        raise UserError("its arrays were changed after the workflow wrote it")
    return arrays, stamp


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 of named arrays, with their order in memory, since sums depend on it."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(json.dumps([name, array.dtype.str, array.shape, np.isfortran(array)]).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
