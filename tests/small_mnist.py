"""A small MNIST with digests of its own, and a real server on loopback that plays good and bad mirrors of it."""

import gc
import gzip
import hashlib
import http.server
import struct
import threading
from base64 import b64encode
from contextlib import contextmanager, suppress

import numpy as np
import pytest

from conftest import ROOT
from deepnets.data.mnist import idx, index, sources
from deepnets.data.mnist.make import make
from deepnets.data.mnist.settings import Settings


def encode(array, *, magic=None):
    head = magic if magic is not None else bytes([0, 0, 8, array.ndim])
    return head + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


SUBSET_FILE = ROOT / "workflow/deepnets/data/mnist/subset.npz"
GENERATOR = np.random.default_rng(0)
SAMPLES = {
    "train_images": ("train-images-idx3-ubyte", GENERATOR.integers(0, 256, (60, 28, 28), np.uint8)),
    "train_labels": ("train-labels-idx1-ubyte", GENERATOR.integers(0, 10, 60, np.uint8)),
    "test_images": ("t10k-images-idx3-ubyte", GENERATOR.integers(0, 256, (10, 28, 28), np.uint8)),
    "test_labels": ("t10k-labels-idx1-ubyte", GENERATOR.integers(0, 10, 10, np.uint8)),
}
FILES = {f"{name}.gz": gzip.compress(encode(array)) for name, array in SAMPLES.values()}


@pytest.fixture
def small_mnist(monkeypatch):
    """Small files in place of MNIST, with their own digests, and short time limits."""
    files = {
        key: idx.IdxFile(name, array.shape, hashlib.sha256(encode(array)).hexdigest())
        for key, (name, array) in SAMPLES.items()
    }
    monkeypatch.setattr(sources, "FILES", files)
    monkeypatch.setattr(index, "FILES", files)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(sources, "PATIENCE", 3)
    monkeypatch.delenv("MNIST_DIR", raising=False)
    yield
    gc.collect()


@contextmanager
def serve_mirror(content=FILES.get, *, length=None, encoding="identity", step=2**20, pause=0, login=""):
    """Serve files on loopback; yield the address and the list of requested names.

    content: maps a file's name to its bytes, or to None for a 404
    length: the length in the header, if not the true one
    step: bytes sent at a time
    pause: seconds between steps
    login: name:password without which there is no file
    """
    requested, over = [], threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response(200)
            self.end_headers()

        def do_GET(self):
            requested.append(self.path.rsplit("/", 1)[1])
            expected = f"Basic {b64encode(login.encode()).decode()}" if login else self.headers["Authorization"]
            allowed = self.headers["Authorization"] == expected
            body = (allowed and content(requested[-1])) or b""
            # In some tests the client closes the connection.
            with suppress(ConnectionError):
                self.send_response(200 if body else 404 if allowed else 401)
                self.send_header("Content-Length", str(length or len(body)))
                self.send_header("Content-Encoding", encoding)
                self.end_headers()
                for start in range(0, len(body), step):
                    if start and over.wait(pause):
                        break
                    self.wfile.write(body[start : start + step])

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mnist/", requested
        over.set()
        server.shutdown()


def write_files(folder, left_out="no file"):
    folder.mkdir(exist_ok=True)
    for name, content in FILES.items():
        if left_out not in name:
            (folder / name).write_bytes(content)


def check_arrays(arrays):
    for key, (_, array) in SAMPLES.items():
        np.testing.assert_array_equal(arrays[key], array.reshape(len(array), -1).squeeze())


def acquire(source, mirrors=("http://127.0.0.1:9/",), directory=None):
    spec = {"source": source, "directory": directory, "mirrors": list(mirrors)}
    found = make(spec)
    # Otherwise the data set would be made again at each start.
    assert found.reduced in Settings(**spec).contents()
    return found
