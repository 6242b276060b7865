"""Every source of CIFAR-10, with small images that have a digest of their own."""

import hashlib
import io
import re
import struct
import tarfile
import time

import numpy as np
import pytest

from deepnets.data.cifar10 import STAND_IN, make
from deepnets.data.cifar10.settings import Settings
from deepnets.data.mnist import sources
from reproduce.errors import UserError
from small_mnist import serve_mirror

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
# The first three of five images are kept.
IMAGES = np.random.default_rng(0).integers(0, 256, (5, 3, 4, 4), np.uint8)
ROWS = IMAGES.reshape(5, -1)
BINARY = np.insert(ROWS, 0, [6, 9, 9, 4, 1], axis=1).tobytes()


def pickled(array: np.ndarray) -> bytes:
    """Return the bytes of an array as Python 2 pickled them, after code that raises an error if it is executed."""
    content = array.tobytes()
    return b"\x80\x02}(c__builtin__\neval\n(S'1/0'\ntRU\x04dataT" + struct.pack("<i", len(content)) + content + b"u."


def packed(**files: bytes) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        for name, content in {"readme": np.random.default_rng(1).bytes(10_000), **files}.items():
            entry = tarfile.TarInfo(f"cifar-10-batches-py/{name}")
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))
    return archive.getvalue()


ARCHIVE = packed(data_batch_1=pickled(ROWS))


@pytest.fixture(autouse=True)
def small_images(monkeypatch):
    monkeypatch.setattr(make, "SHAPE", (3, 3, 4, 4))
    monkeypatch.setattr(make, "_SHA256", hashlib.sha256(IMAGES[:3].tobytes()).hexdigest())
    monkeypatch.setattr(make, "_ARCHIVE_BYTES", len(ARCHIVE))
    monkeypatch.setattr(sources, "PATIENCE", 0.5)
    monkeypatch.delenv("CIFAR10_DIR", raising=False)


def acquire(source="auto", directory=None, address="http://127.0.0.1:9/"):
    spec = {"source": source, "directory": directory and str(directory), "address": address}
    found = make.make(spec)
    assert found.reduced in Settings(**spec).contents()
    assert found.arrays["digits"].shape == (4000, 1, 28, 28)
    np.testing.assert_array_equal(found.arrays["images"], found.arrays["digits"] if found.reduced else IMAGES[:3])
    return found


LAYOUTS = {
    "data_batch_1.bin": BINARY,
    "cifar-10-batches-bin/data_batch_1.bin": BINARY[: 3 * 49],
    "data_batch_1": pickled(ROWS),
    "cifar-10-batches-py/data_batch_1": pickled(ROWS.T),
    "cifar-10-python.tar.gz": ARCHIVE,
}


@pytest.mark.parametrize("path", LAYOUTS)
def test_a_folder_serves_in_every_layout_and_no_pickle_is_executed(tmp_path, path):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_bytes(LAYOUTS[path])
    acquire(directory=tmp_path)


FAULTS = {
    "of others": ("readme.txt", b"", "contains readme.txt"),
    "wrong": ("data_batch_1.bin", BINARY[49:], "data_batch_1.bin: SHA-256 of the first 3 images is .*, expected "),
    "short": ("data_batch_1.bin", BINARY[:100], r"data_batch_1.bin: damaged \(buffer is smaller"),
    "wrong pickle": ("data_batch_1", pickled(1 - ROWS), "data_batch_1: SHA-256 of the first 3 images"),
    "broken pickle": ("data_batch_1", pickled(ROWS)[:-40], r"data_batch_1: damaged \("),
    "truncated": ("cifar-10-python.tar.gz", ARCHIVE[:-60], r"cifar-10-python.tar.gz: damaged \("),
    "other archive": ("cifar-10-python.tar.gz", packed(), r"tar.gz: damaged \(buffer"),
}


@pytest.mark.parametrize(("name", "content", "reason"), FAULTS.values(), ids=FAULTS)
def test_a_folder_that_is_named_must_serve(tmp_path, monkeypatch, name, content, reason):
    (tmp_path / name).write_bytes(content)
    monkeypatch.setenv("CIFAR10_DIR", str(tmp_path))
    with pytest.raises(UserError, match=f"(?s)^no CIFAR-10 in the folder .*{reason}.*\n  expected: cifar-10-python"):
        acquire()


# The arguments of a server, and why the stand-in is used; "" for a server that serves.
SERVERS = {
    "good": ({}, ""),
    "broken": ({"length": 2 * len(ARCHIVE)}, "IncompleteRead"),
    "endless": ({"content": lambda _: ARCHIVE + b"0"}, f"more than {len(ARCHIVE)} bytes"),
    "of another": ({"content": lambda _: ARCHIVE[:-300]}, "damaged"),
    "slow": ({"step": 1100, "pause": 0.15}, f"too slow: .* of {len(ARCHIVE):,} bytes"),
}


@pytest.mark.parametrize(("behaviour", "reason"), SERVERS.values(), ids=SERVERS)
def test_an_address_serves_or_mnist_stands_in_with_one_line_that_says_why(monkeypatch, capsys, behaviour, reason):
    monkeypatch.setattr(sources, "STALL", 0.2)
    monkeypatch.setattr(sources, "TRANSFER", 1)
    with serve_mirror(**{"content": lambda _: ARCHIVE, **behaviour}) as (address, _):
        start = time.monotonic()
        assert acquire(address=f"{address}cifar-10-python.tar.gz").reduced == STAND_IN * bool(reason)
        # A slow transfer is given up early.
        assert time.monotonic() - start < 0.9
    said = re.findall(".*NOT AVAILABLE.*", capsys.readouterr().err)
    assert len(said) == bool(reason)
    assert not said or re.search(f"{reason}.*: images of MNIST stand in.*CIFAR10_DIR", said[0])


def test_without_net_a_source_that_is_named_is_an_error(capsys):
    assert acquire().reduced == acquire("mnist").reduced == STAND_IN
    assert capsys.readouterr().err.count("cannot be reached") == 1
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9/: cannot be reached"):
        acquire("download")
    with pytest.raises(UserError, match=r"neither data\.cifar10\.directory of the config nor the variable CIF"):
        acquire("directory")
    with pytest.raises(UserError, match=r"^data\.cifar10\.directory: /nowhere is not a folder; allowed: .* of cifar10"):
        Settings(source="auto", directory="/nowhere", address="http://127.0.0.1/").check()
