"""Sources of MNIST: a folder, or mirrors on the web.

pooch transfers files and shows the progress. Files are downloaded to memory: a broken download leaves no file and
starts again from the beginning, which is acceptable for 10 MB. This module adds only the limits that pooch lacks, on a
file's size and on the time.
"""

import io
import os
import sys
import time
from collections.abc import Sequence
from multiprocessing import TimeoutError as NoResultYet
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import numpy as np
import pooch
import requests

from deepnets.data.mnist.idx import FILES, IdxFile, decode
from reproduce import api

# Seconds within which a mirror must answer, and the longest pause in a transfer, in seconds.
PATIENCE, STALL = 8, 20
# Seconds for one file from one mirror: 10 MB take 160 s at 0.5 Mbit/s.
TRANSFER = 300
# Number of times that each mirror is tried for a file; between two tries, all other mirrors are tried.
ROUNDS = 2
# Maximum bytes of a download. The largest unpacked file has 47,040,016; mirrors that use Content-Encoding deliver
# unpacked files.
_LARGEST = 48 * 2**20

Arrays = dict[str, np.ndarray]


def from_directory(directory: str | None) -> Arrays:
    """Read the four files, gzipped (NAME.gz) or not (NAME), from a folder."""
    if not directory:
        raise api.UserError(
            "neither data.mnist.directory of the config nor the environment variable MNIST_DIR has a value"
        )
    folder = Path(os.path.expanduser(directory))
    return {key: decode(_read_file(folder, file), file, origin=f"{folder}: {file.name}") for key, file in FILES.items()}


def from_mirrors(mirrors: Sequence[str]) -> Arrays:
    """Download the four files, each from the first mirror whose file is complete and correct."""
    answering, reasons = _probe(mirrors)
    if not answering:
        raise api.UserError("no mirror can be reached:\n    " + "\n    ".join(reasons.values()))
    return {key: _from_first_mirror(answering, file, reasons) for key, file in FILES.items()}


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
        except api.UserError as error:
            reasons[mirror] = str(error)
            mirrors.append(mirrors.pop(mirrors.index(mirror)))
    raise api.UserError(f"no mirror delivers {file.name}:\n    " + "\n    ".join(reasons.values()))


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
            raise api.UserError(f"{url}: the download was not complete after {TRANSFER} s") from None
        except (OSError, ValueError) as error:
            raise api.UserError(f"{url}: {error}") from error
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
            raise api.UserError(f"{path} cannot be read: {error.strerror}") from error
    raise api.UserError(f"{folder} contains neither {file.name}.gz nor {file.name}")
