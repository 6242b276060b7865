"""The arrays made from MNIST, as uncompressed npz files with their provenance."""

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from workflow.deepnets.data.mnist import FULL, SUBSET
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import Provenance

_PROVENANCE = "provenance"


@dataclass(frozen=True)
class Dataset:
    """Named arrays, which MNIST they come from ("full" or "subset"), and the digest of both, which readers record.

    mnist: train_images uint8 (60000, 784), train_labels uint8 (60000,), test_images, test_labels (10000, …);
    whitened: inputs float64 (P, N), labels uint8 (P,) of training images; test_inputs, test_labels of the test images;
    mean, directions, deviations: the map that was learned from the former and gave both, as in `data.whitening`.
    """

    arrays: Mapping[str, np.ndarray]
    mnist: str
    digest: str

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def write(path: Path | str, arrays: Mapping[str, np.ndarray], provenance: Provenance) -> None:
    """Write a data set, with a digest of its arrays in its stamp; the same arrays give the same bytes."""
    stamp = np.array(json.dumps({**provenance.as_metadata(), "arrays": _digest(arrays)}, sort_keys=True))
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays, **{_PROVENANCE: stamp})


def read(path: Path | str) -> Dataset:
    """Read a data set; raises UserError, naming the file and how to rebuild it, where it is missing or damaged."""
    try:
        # Whole: a file that another job replaces meanwhile is read as it was.
        arrays, stamp = _read(io.BytesIO(Path(path).read_bytes()))
        mnist = stamp["mnist"]
        if mnist not in (FULL, SUBSET):
            raise ValueError(f"{mnist!r} is no MNIST")
    except MemoryError:
        raise
    # Of a file that is no npz, those who read it (zipfile, zlib, tokenize, json, …) raise almost anything.
    except Exception as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; rebuild it with: snakemake --cores 1 --force {path}") from error
    return Dataset(arrays, mnist, _content(stamp))


def stamp_of_dataset(path: Path | str) -> Mapping[str, str]:
    """Return the stamp that a data set carries; raises UserError where it is of other arrays."""
    # Opened here, since NumPy leaves a damaged file open.
    with open(path, "rb") as file:
        return _read(file)[1]


def content_of_dataset(path: Path | str) -> str:
    """Return the digest of a data set by its stamp only: its arrays are neither read nor compared with it."""
    with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
        return _content(json.loads(str(archive[_PROVENANCE])))


def _content(stamp: Mapping[str, str]) -> str:
    """Return the digest of what a data set holds, whatever made it: two sources of the same images have the same."""
    return hashlib.sha256(json.dumps([stamp["arrays"], stamp["mnist"]]).encode()).hexdigest()


def _read(file: BinaryIO) -> tuple[dict[str, np.ndarray], Mapping[str, str]]:
    """Return the arrays of a data set and its stamp; raises UserError where the arrays are not the stamp's."""
    with np.load(file, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    stamp = json.loads(str(arrays.pop(_PROVENANCE)))
    if isinstance(stamp, dict) and stamp.get("arrays") != _digest(arrays):
        raise UserError("its arrays were changed after the workflow wrote it")
    return arrays, stamp


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 of named arrays, whatever the layout of their file; sums depend on the order in memory."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(json.dumps([name, array.dtype.str, array.shape, np.isfortran(array)]).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
