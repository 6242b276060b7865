"""Sources of MNIST: a folder, or mirrors on the web; and what downloads have in common.

pooch transfers files and shows the progress. Files are downloaded to memory: a broken download leaves no file and
starts again from the beginning, which is acceptable for 10 MB. This module adds only the limits that pooch lacks, on a
file's size and on the time.
"""

import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import TimeoutError as NoResultYet
from multiprocessing.pool import ThreadPool
from typing import Any, TypeVar

import numpy as np
import pooch
import requests

from deepnets.data.mnist.idx import FILES, IdxFile, decode
from deepnets.data.named_folder import read_first
from reproduce import api

# Seconds within which a mirror must answer, and the longest pause in a transfer, in seconds.
PATIENCE, STALL = 8, 20
# Seconds for one file from one mirror: 10 MB take 160 s at 0.5 Mbit/s.
TRANSFER = 300
# Number of times that each address is tried for a file; between two tries, all others are tried.
ROUNDS = 2
# Maximum bytes of a download. The largest unpacked file has 47,040,016; mirrors that use Content-Encoding deliver
# unpacked files.
_LARGEST = 48 * 2**20

Arrays = dict[str, np.ndarray]
_Content = TypeVar("_Content")


def from_directory(directory: str | None) -> Arrays:
    """Read the four files from a folder, under any of the names that they have in use."""
    return {key: _from_folder(directory, file) for key, file in FILES.items()}


def _from_folder(directory: str | None, file: IdxFile) -> np.ndarray:
    # torchvision takes the folder that contains MNIST/raw. On Kaggle, a name has a dot, or is a folder with the file.
    names = (file.name, file.name.replace("-idx", ".idx"))
    places = [f"{part}/{name}" for part in (".", *names, "raw", "MNIST/raw") for name in names]
    return read_first(
        *("mnist", "MNIST_DIR", directory),
        paths=[f"{place}{end}" for place in places for end in (".gz", "")],
        decode=lambda content, origin: decode(content, file, origin=origin),
        missing=file.name,
        expected=f"{', '.join(each.name for each in FILES.values())}, each gzipped (NAME.gz) or not",
    )


def from_mirrors(mirrors: Sequence[str]) -> Arrays:
    """Download the four files, each from the first mirror whose file is complete and correct."""
    answering, reasons = probe({mirror: {} for mirror in mirrors})
    if not answering:
        raise api.UserError("no mirror can be reached:\n    " + "\n    ".join(reasons.values()))

    def fetch(file: IdxFile) -> np.ndarray:
        def from_mirror(mirror: str) -> np.ndarray:
            url = f"{mirror}{file.name}.gz"
            return decode(download(url), file, origin=url)

        return first_that_works(answering, from_mirror, file.name, reasons)

    return {key: fetch(file) for key, file in FILES.items()}


def probe(addresses: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], dict[str, str]]:
    """Ask all addresses at once; return those that answer within PATIENCE, and the reasons why others do not.

    addresses: address → options of its requests
    """
    reasons, deadline = {}, time.monotonic() + PATIENCE
    with ThreadPool(len(addresses)) as threads:
        answers = {
            address: threads.apply_async(requests.head, [address], {"timeout": PATIENCE, **options})
            for address, options in addresses.items()
        }
        for address, answer in answers.items():
            try:
                answer.get(deadline - time.monotonic())
            except (NoResultYet, requests.Timeout):
                reasons[address] = f"{address}: no answer within {PATIENCE} s"
            except (OSError, ValueError) as error:
                # urllib3 wraps its reason, for instance a refused connection, into the story of its tries.
                reason = getattr(next(iter(error.args), None), "reason", error)
                reasons[address] = f"{address}: cannot be reached ({type(error).__name__}: {reason})"
    return [address for address in addresses if address not in reasons], reasons


def first_that_works(
    addresses: list[str], fetch: Callable[[str], _Content], name: str, reasons: Mapping[str, str]
) -> _Content:
    """Return what `fetch` gets from the first address that works; move addresses that fail to the end of the list.

    name: of the file, for the message; reasons: why further addresses did not answer
    """
    reasons = dict(reasons)
    for address in addresses * ROUNDS:
        try:
            return fetch(address)
        except api.UserError as error:
            reasons[address] = str(error)
            addresses.append(addresses.pop(addresses.index(address)))
    raise api.UserError(f"no address delivers {name}:\n    " + "\n    ".join(reasons.values()))


def download(url: str, options: Mapping[str, Any] | None = None, *, size: int = 0) -> bytes:
    """Return the content of a URL.

    options: those of its requests; size: its number of bytes, if it is known
    Raises UserError if there is no content, if the content is too large, or if the download takes more than TRANSFER
    seconds, or will, as far as its first STALL seconds show.
    """
    print(f"Downloading {url}", file=sys.stderr)
    content = _Bounded(size)
    transfer = pooch.HTTPDownloader(progressbar=True, timeout=(PATIENCE, STALL), **(options or {}))
    # In a thread, because a thread can be abandoned. A request's time-out ends neither a name look-up nor a very slow
    # transfer.
    with ThreadPool(1) as thread:
        try:
            thread.apply_async(transfer, [url, content, None]).get(TRANSFER)
        except NoResultYet:
            raise api.UserError(f"{url}: the download was not complete after {TRANSFER} s") from None
        except (OSError, ValueError) as error:
            raise api.UserError(f"{url}: {error}") from error
    return content.getvalue()


class _Bounded(io.BytesIO):
    """A buffer of limited size, because a stream may never end, and of a least speed if the size is known."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size, self._most, self._start = size, size or _LARGEST, time.monotonic()

    def write(self, content: Any, /) -> int:
        passed = time.monotonic() - self._start
        if self.tell() + len(content) > self._most:
            raise ValueError(f"more than {self._most} bytes, more than any file of this data set")
        if passed > STALL and self._size * passed > self.tell() * TRANSFER:
            raise ValueError(f"too slow: {self.tell():,} of {self._size:,} bytes in {passed:.0f} s")
        return super().write(content)
