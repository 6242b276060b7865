"""Write and read data sets, as uncompressed npz files with a stamp; read data files without one."""

import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
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
    if masked := [name for name, array in arrays.items() if "numpy.ma" in sys.modules and np.ma.is_masked(array)]:
        raise UserError(f"{masked[0]} is masked, and a file keeps no mask; write nan, or the mask as an array")
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

    .csv: a header with the names of the columns, then rows, with commas; a column has only numbers (float64) or texts.
    .npz: arrays by their names.
    """
    try:
        content = Path(path).read_bytes()
        if Path(path).suffix == ".npz":
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                arrays = dict(archive)
        else:
            arrays = _read_columns(content.decode("utf-8-sig"))
    # Readers of damaged files raise errors of many types.
    except Exception as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    return Dataset(arrays, digest=hashlib.sha256(content).hexdigest())


def read_all(data: Iterable[Path], files: Iterable[Path]) -> dict[str, Dataset]:
    """Return data sets (`data`) and data files without a stamp by their names, for a function that takes them."""
    return {path.stem: read(path) for path in data} | {path.stem: read_file(path) for path in files}


def _read_columns(text: str) -> dict[str, np.ndarray]:
    """Return name → column of a text with commas; raises ValueError with the line of a value that would be misread."""
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    (first, header), *rows = [(reader.line_num, row) for row in reader if row]
    names = [name.strip() for name in header]
    if len(names) == 1 and re.search("[;\t|]", names[0]):
        raise ValueError(f"line {first}: one column is called {names[0]!r}; separate columns by commas")
    if None not in map(_parse, names):
        raise ValueError(f"line {first}: {', '.join(names)} are numbers; write the names of the columns above")
    if len({*names} - {""}) < len(names):
        raise ValueError(f"line {first}: {', '.join(map(repr, names))}; give each column its own name")
    for line, row in rows:
        if "\0" in "".join(row):
            raise ValueError(f"line {line}: contains the character NUL, which NumPy drops; delete it")
        if len(row) != len(names):
            raise ValueError(f"line {line}: {row} has {len(row)} values, but there are {len(names)} columns")
        if "" in map(str.strip, row):
            raise ValueError(f"line {line}: {row} has an empty value; write nan for a number that is missing")
    columns = {name: [(line, row[place]) for line, row in rows] for place, name in enumerate(names)}
    return {name: _to_array(name, column) for name, column in columns.items()}


def _to_array(name: str, column: list[tuple[int, str]]) -> np.ndarray:
    """Return the texts of a column as float64 if each is a number; raises ValueError if only some are.

    column: the line of each text, and the text
    """
    values = [_parse(text) for _, text in column]
    for (line, text), value in zip(column, values, strict=True):
        if value is not None and _is_cut(text, value):
            raise ValueError(f"line {line}: float64 cannot hold {text!r} in column {name!r}; begin names with a letter")
    if None not in values:
        return np.array(values, dtype=np.float64)
    line, text = column[values.index(None)]
    # A column of names may contain nan. Three digits after a comma may also be thousands.
    if any(value is not None and np.isfinite(value) for value in values) or re.fullmatch(r"[-+]?\d+,\d+", text):
        raise ValueError(
            f"line {line}: {text!r} in column {name!r} is no number; write nan for a missing number, a point instead "
            "of a comma, and a letter at the beginning of each text"
        )
    return np.array([text for _, text in column], dtype=str)


def _parse(text: str) -> float | None:
    # To Python, 1_0 is ten; in a file, it is a name.
    with suppress(ValueError):
        return None if "_" in text else float(text)
    return None


def _is_cut(text: str, value: float) -> bool:
    """Return whether a number differs from its text by more than the rounding of a fraction."""
    if not np.isfinite(value):
        return "n" not in text.lower()
    exact, rounded = Decimal(text), Decimal(value)
    # From here on, float64 has no fractions.
    if abs(rounded) >= 2**53 and "e" not in text.lower():
        return exact != rounded
    return abs(exact - rounded) > abs(exact) * Decimal(2) ** -53


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
        kind = np.lib.format.dtype_to_descr(array.dtype)
        digest.update(json.dumps([name, kind, array.shape, np.isfortran(array)]).encode())
        digest.update(np.ascontiguousarray(array).ravel().view(np.uint8).data)
    return digest.hexdigest()
