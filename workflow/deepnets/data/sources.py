"""Sources of MNIST: a folder, mirrors on the web, or the subset that lies beside this module.

pooch transfers files and shows the progress. Files are downloaded to memory: a broken download leaves no file and
starts again from the beginning, which is acceptable for 10 MB. This module adds only the limits that pooch lacks, on a
file's size and on the time.
"""

import io
import os
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import TimeoutError as NoResultYet
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import numpy as np
import pooch
import requests

from deepnets.data.idx import FILES, SUBSET_FILE, IdxFile, decode
from deepnets.data.mnist import CLASSES, FULL, SUBSET
from reproduce.errors import UserError

# Seconds within which a mirror must answer, and the longest pause in a transfer, in seconds.
PATIENCE, STALL = 8, 20
# Seconds for one file from one mirror: 10 MB take 160 s at 0.5 Mbit/s.
TRANSFER = 300
# Number of times that each mirror is tried for a file; between two tries, all other mirrors are tried.
ROUNDS = 2
# Maximum bytes of a download. The largest unpacked file has 47,040,016; mirrors that use Content-Encoding deliver
# unpacked files.
_LARGEST = 48 * 2**20
# One image in five is for testing: each class has 400 training images and 100 test images.
_HELD_OUT = 5

Arrays = dict[str, np.ndarray]


def acquire(*, source: str, directory: str | None, mirrors: Sequence[str], subset: Path) -> tuple[Arrays, str]:
    """Return MNIST as arrays, and "full" or "subset".

    source: auto, directory, download or embedded
    subset: the file of the embedded subset
    returns: train_images uint8 (n, 784), train_labels uint8 (n,), test_images, test_labels

    Raises UserError with the reason for every source if no source works.
    """
    ways: dict[str, Callable[[], tuple[Arrays, str]]] = {
        "directory": lambda: (from_directory(directory or os.environ.get("MNIST_DIR")), FULL),
        "download": lambda: (from_mirrors(mirrors), FULL),
        "embedded": lambda: (from_subset(subset), SUBSET),
    }
    if source != "auto":
        return ways[source]()
    reasons = []
    for name, way in ways.items():
        try:
            arrays, mnist = way()
        except UserError as error:
            reasons.append(f"{name}: {error}")
            continue
        if mnist == SUBSET:
            _warn_of_subset(reasons)
        return arrays, mnist
    raise UserError("no source of MNIST works:\n  " + "\n  ".join(reasons))


def from_directory(directory: str | None) -> Arrays:
    """Read the four files, gzipped (NAME.gz) or not (NAME), from a folder."""
    if not directory:
        raise UserError("neither mnist.directory in the config nor the environment variable MNIST_DIR names a folder")
    folder = Path(os.path.expanduser(directory))
    return {key: decode(_read_file(folder, file), file, origin=f"{folder}: {file.name}") for key, file in FILES.items()}


def from_mirrors(mirrors: Sequence[str]) -> Arrays:
    """Download the four files, each from the first mirror whose file is complete and correct."""
    answering, reasons = _probe(mirrors)
    if not answering:
        raise UserError("no mirror can be reached:\n    " + "\n    ".join(reasons.values()))
    return {key: _from_first_mirror(answering, file, reasons) for key, file in FILES.items()}


def from_subset(path: Path) -> Arrays:
    """Read the first 500 training images of each class, shuffled: 4,000 to train and 1,000 to test."""
    images = decode(path.read_bytes(), SUBSET_FILE, origin=str(path))
    labels = np.repeat(np.arange(CLASSES, dtype=np.uint8), len(images) // CLASSES)
    # The images are sorted by class. Taking every fifth image balances the classes; shuffling removes the order.
    held_out = np.arange(len(labels)) % _HELD_OUT == 0
    generator = np.random.default_rng(0)
    train, test = (generator.permutation(np.flatnonzero(mask)) for mask in (~held_out, held_out))
    return {
        "train_images": images[train],
        "train_labels": labels[train],
        "test_images": images[test],
        "test_labels": labels[test],
    }


def _probe(mirrors: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Ask all mirrors at once; return the mirrors that answer within PATIENCE, and the reasons why others do not."""
    reasons, deadline = {}, time.monotonic() + PATIENCE
    with ThreadPool(len(mirrors)) as threads:
        answers = {mirror: threads.apply_async(requests.head, [mirror], {"timeout": PATIENCE}) for mirror in mirrors}
        for mirror, answer in answers.items():
            try:
                answer.get(deadline - time.monotonic())
            except (NoResultYet, requests.Timeout):
                reasons[mirror] = f"{mirror}: no answer within {PATIENCE} s"
            except (OSError, ValueError) as error:
                reasons[mirror] = f"{mirror}: cannot be reached ({type(error).__name__})"
    return [mirror for mirror in mirrors if mirror not in reasons], reasons


def _from_first_mirror(mirrors: list[str], file: IdxFile, reasons: dict[str, str]) -> np.ndarray:
    """Return a file as an array, from the first mirror that works; move mirrors that fail to the end of `mirrors`."""
    reasons = dict(reasons)
    for mirror in mirrors * ROUNDS:
        url = f"{mirror}{file.name}.gz"
        try:
            return decode(_download(url), file, origin=url)
        except UserError as error:
            reasons[mirror] = str(error)
            mirrors.append(mirrors.pop(mirrors.index(mirror)))
    raise UserError(f"no mirror delivers {file.name}:\n    " + "\n    ".join(reasons.values()))


def _download(url: str) -> bytes:
    """Return the content of a URL.

    Raises UserError if there is no content, if the content is too large, or if the download takes more than TRANSFER
    seconds.
    """
    print(f"Downloading {url}", file=sys.stderr)
    content = _Bounded()
    download = pooch.HTTPDownloader(progressbar=True, timeout=(PATIENCE, STALL))
    # In a thread, because a thread can be abandoned. A request's time-out ends neither a name look-up nor a very slow
    # transfer.
    with ThreadPool(1) as thread:
        try:
            thread.apply_async(download, [url, content, None]).get(TRANSFER)
        except NoResultYet:
            raise UserError(f"{url}: the download was not complete after {TRANSFER} s") from None
        except (OSError, ValueError) as error:
            raise UserError(f"{url}: {error}") from error
    return content.getvalue()


class _Bounded(io.BytesIO):
    """A buffer of limited size, because a stream may never end."""

    def write(self, content: Any, /) -> int:
        if self.tell() + len(content) > _LARGEST:
            raise ValueError(f"more than {_LARGEST} bytes, more than any file of MNIST")
        return super().write(content)


def _read_file(folder: Path, file: IdxFile) -> bytes:
    for path in (folder / f"{file.name}.gz", folder / file.name):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UserError(f"{path} cannot be read: {error.strerror}") from error
    raise UserError(f"{folder} contains neither {file.name}.gz nor {file.name}")


def _warn_of_subset(reasons: Sequence[str]) -> None:
    line = "!" * 100
    print(
        f"{line}\nMNIST IS NOT AVAILABLE: all results use a SUBSET of 5,000 training images, and are marked.\n"
        + "\n".join(f"  {reason}" for reason in reasons)
        + "\nPut the four files into a folder, name it in MNIST_DIR, and run: snakemake --cores 8 --forcerun fetch\n"
        + line,
        file=sys.stderr,
    )
