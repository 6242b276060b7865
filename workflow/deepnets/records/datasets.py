"""The arrays made from MNIST, as uncompressed npz files with their provenance."""

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workflow.deepnets.data.mnist import FULL, SUBSET
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import Provenance

_PROVENANCE = "provenance"


@dataclass(frozen=True)
class Dataset:
    """Named arrays, which MNIST they come from ("full" or "subset"), and the SHA-256 of their file.

    mnist: train_images uint8 (60000, 784), train_labels uint8 (60000,), test_images, test_labels (10000, …);
    whitened: inputs float64 (P, N), labels uint8 (P,) of training images; test_inputs, test_labels of the test images;
    mean, directions, deviations: the map that was learned from the former and gave both, as in `data.whitening`.
    """

    arrays: Mapping[str, np.ndarray]
    mnist: str
    sha256: str

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def write(path: Path | str, arrays: Mapping[str, np.ndarray], provenance: Provenance) -> None:
    """Write a data set; the same arrays give the same bytes."""
    stamp = np.array(json.dumps(provenance.as_metadata(), sort_keys=True))
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays, **{_PROVENANCE: stamp})


def read(path: Path | str) -> Dataset:
    """Read a data set; raises UserError, naming the file and how to rebuild it, where it is missing or damaged."""
    try:
        content = Path(path).read_bytes()
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        mnist = json.loads(str(arrays.pop(_PROVENANCE)))["mnist"]
        if mnist not in (FULL, SUBSET):
            raise ValueError(f"{mnist!r} is no MNIST")
    except MemoryError:
        raise
    # Of a file that is no npz, those who read it (zipfile, zlib, tokenize, json, …) raise almost anything.
    except Exception as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; rebuild it with: snakemake --cores 1 --force {path}") from error
    return Dataset(arrays, mnist, hashlib.sha256(content).hexdigest())
