"""The IDX format of the MNIST files: gunzip, verify and decode, within limits."""

import hashlib
import math
import struct
import zlib
from dataclasses import dataclass

import numpy as np

from deepnets.data.mnist import SIDE, TRAINING_IMAGES
from reproduce import api


@dataclass(frozen=True)
class IdxFile:
    """One file of MNIST: its name without .gz, its shape and the SHA-256 of its uncompressed bytes."""

    name: str
    shape: tuple[int, ...]
    sha256: str

    @property
    def size(self) -> int:
        """Number of bytes of the uncompressed file: four for the magic number, four per dimension, one per entry."""
        return 4 + 4 * len(self.shape) + math.prod(self.shape)


FILES = {
    "train_images": IdxFile(
        "train-images-idx3-ubyte",
        (TRAINING_IMAGES, SIDE, SIDE),
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    ),
    "train_labels": IdxFile(
        "train-labels-idx1-ubyte",
        (TRAINING_IMAGES,),
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    ),
    "test_images": IdxFile(
        "t10k-images-idx3-ubyte",
        (10000, SIDE, SIDE),
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    ),
    "test_labels": IdxFile(
        "t10k-labels-idx1-ubyte", (10000,), "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
    ),
}
_GZIP_MAGIC = b"\x1f\x8b"


def decode(content: bytes, expected: IdxFile, *, origin: str) -> np.ndarray:
    """Return the array of an MNIST file as uint8, with one sample per row; an image is a row of 784.

    content: the file's bytes, gzipped or not
    origin: where the bytes come from, for the message

    Raises UserError if the content is not the expected file: damaged gzip stream, truncated, too large, or wrong magic
    number, shape or SHA-256.
    """
    if content[:2] == _GZIP_MAGIC:
        content = _gunzip(content, expected.size, origin)
    if len(content) < 4 or content[:3] != b"\x00\x00\x08":
        raise api.UserError(f"{origin}: not an IDX file of bytes: it begins with {content[:16]!r}")
    rank = len(expected.shape)
    if content[3] != rank:
        raise api.UserError(f"{origin}: has {content[3]} dimensions, expected {rank}")
    shape = struct.unpack(f">{rank}I", content[4 : 4 + 4 * rank]) if len(content) >= 4 + 4 * rank else ()
    if shape != expected.shape:
        raise api.UserError(f"{origin}: contains an array of shape {shape}, expected {expected.shape}")
    if len(content) != expected.size:
        raise api.UserError(f"{origin}: has {len(content)} bytes, expected {expected.size}")
    if (found := hashlib.sha256(content).hexdigest()) != expected.sha256:
        raise api.UserError(f"{origin}: SHA-256 of the uncompressed file is {found}, expected {expected.sha256}")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * rank).reshape(shape[0], -1).squeeze()


def _gunzip(content: bytes, limit: int, origin: str) -> bytes:
    """Unpack at most one byte more than the limit, so that an endless stream cannot fill the memory."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(content, limit + 1)
        # zlib reads the checksum after the last byte only in a further call.
        unpacked += unpacker.decompress(unpacker.unconsumed_tail, 1)
    except zlib.error as error:
        raise api.UserError(f"{origin}: damaged gzip stream ({error})") from error
    if len(unpacked) > limit:
        raise api.UserError(f"{origin}: unpacks to more than the expected {limit} bytes")
    if not unpacker.eof:
        raise api.UserError(f"{origin}: truncated gzip stream ({len(unpacked)} of {limit} bytes)")
    return unpacked
