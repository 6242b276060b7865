"""Get the first images of CIFAR-10 from the first source that serves. No pickle is loaded."""

import hashlib
import io
import math
import os
import pickletools
import sys
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import PurePath

import numpy as np

from deepnets.data.cifar10 import SHAPE, STAND_IN
from deepnets.data.mnist import SIDE, sources
from deepnets.data.mnist.make import read_subset, split_subset
from deepnets.data.named_folder import read_first
from reproduce import api

# Of the pixels of the images in their order, without labels.
_SHA256 = "28afc872aa454f5edfb44b9dc53187ac9e792b2e75c81b091face3432c78e91b"
_ARCHIVE, _ARCHIVE_BYTES = "cifar-10-python.tar.gz", 170_498_071
# The file that contains the images, in the binary version and in Python's, and more than its bytes.
_NAMES, _MOST_BYTES = ("data_batch_1.bin", "data_batch_1"), 2**25
_PATHS = [*_NAMES, *(f"cifar-10-batches-{each}" for each in ("bin/data_batch_1.bin", "py/data_batch_1")), _ARCHIVE]


def make(spec: dict) -> api.Dataset:
    """Return images uint8 (4000, 3, 32, 32) of CIFAR-10, and digits uint8 (4000, 1, 28, 28), which else stand in.

    The digits are the training images of the subset of MNIST that comes with this package.

    spec: source (auto, directory, download or mnist), directory, address
    Raises UserError if a source that is named does not serve.
    """
    directory, source = spec["directory"] or os.environ.get("CIFAR10_DIR"), spec["source"]
    digits = split_subset(read_subset())["train_images"].reshape(-1, 1, SIDE, SIDE)
    images, stand_in = digits, STAND_IN
    try:
        if source == "directory" or (source == "auto" and directory):
            wanted = {"missing": "CIFAR-10", "expected": f"{_ARCHIVE}, or {_NAMES[1]} or {_NAMES[0]} from an archive"}
            images = read_first("cifar10", "CIFAR10_DIR", directory, paths=_PATHS, decode=_decode, **wanted)
            stand_in = ""
        elif source != "mnist":
            images, stand_in = _download(spec["address"]), ""
    except api.UserError as error:
        if source != "auto" or directory:
            raise
        print(
            f"CIFAR-10 IS NOT AVAILABLE ({error}): images of MNIST stand in, and all results are marked. "
            f"Put {_ARCHIVE} into a folder, name it in CIFAR10_DIR, and start the same command again.",
            file=sys.stderr,
        )
    return api.Dataset({"images": images, "digits": digits}, stand_in)


def _download(address: str) -> np.ndarray:
    answering, reasons = sources.probe({address: {}})
    if not answering:
        raise api.UserError(reasons[address])
    return _decode(sources.download(address, size=_ARCHIVE_BYTES), address)


def _decode(content: bytes, origin: str) -> np.ndarray:
    """Return the images of an archive, or of a file of either version.

    origin: where the bytes come from, for the message
    Raises UserError if the archive or the file is damaged, or if the pixels have another SHA-256.
    """
    found = "absent"
    try:
        for pixels in _pixels(_unpack(content) if content[:2] == b"\x1f\x8b" else content):
            found = hashlib.sha256(pixels).hexdigest()
            if found == _SHA256:
                return np.frombuffer(pixels, np.uint8).reshape(SHAPE)
    except (OSError, EOFError, ValueError, tarfile.TarError, zlib.error) as error:
        raise api.UserError(f"{origin}: damaged ({error})") from error
    raise api.UserError(f"{origin}: SHA-256 of the first {SHAPE[0]:,} images is {found}, expected {_SHA256}")


def _unpack(content: bytes) -> bytes:
    """Return the file with the images from an archive, in memory; b"" if there is none."""
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            file = archive.extractfile(member) if PurePath(member.name).name in _NAMES else None
            if file and member.size < _MOST_BYTES:
                return file.read()
    return b""


def _pixels(content: bytes) -> Iterator[bytes]:
    """Yield what may be the pixels of the images in a file of either version."""
    count, of_image = SHAPE[0], math.prod(SHAPE[1:])
    if content[:1] != b"\x80":
        # Records of a label and the pixels of an image.
        yield np.frombuffer(content, np.uint8, count * (1 + of_image)).reshape(count, -1)[:, 1:].tobytes()
        return
    # A pickle is a program: its longest constant is the array, and nothing of it is executed.
    constants = (each for _, each, _ in pickletools.genops(content) if isinstance(each, str | bytes))
    longest = max(constants, key=len, default=b"")
    array = np.frombuffer(longest.encode("latin-1") if isinstance(longest, str) else longest, np.uint8)
    # Which of the two orders NumPy has written is in other constants.
    for images in (array.reshape(-1, of_image), array.reshape(of_image, -1).T):
        yield images[:count].tobytes()
