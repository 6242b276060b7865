"""Every way to MNIST, the bad ones on a real server on loopback."""

import gzip
import hashlib
import http.server
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from workflow.deepnets.data import sources
from workflow.deepnets.data.idx import IdxFile
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import FULL, SUBSET

GENERATOR = np.random.default_rng(0)
SAMPLES = {
    "train_images": ("train-images-idx3-ubyte", GENERATOR.integers(0, 256, (60, 28, 28), np.uint8)),
    "train_labels": ("train-labels-idx1-ubyte", GENERATOR.integers(0, 10, 60, np.uint8)),
    "test_images": ("t10k-images-idx3-ubyte", GENERATOR.integers(0, 256, (10, 28, 28), np.uint8)),
    "test_labels": ("t10k-labels-idx1-ubyte", GENERATOR.integers(0, 10, 10, np.uint8)),
}


def idx(array):
    return bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape) + array.tobytes()


FILES = {f"{name}.gz": gzip.compress(idx(array)) for name, array in SAMPLES.values()}


@pytest.fixture(autouse=True)
def small_mnist(monkeypatch):
    """Sixty images instead of 60,000, with their own digests: the transfers are under test."""
    files = {
        key: IdxFile(name, array.shape, hashlib.sha256(idx(array)).hexdigest())
        for key, (name, array) in SAMPLES.items()
    }
    monkeypatch.setattr(sources, "MNIST", files)
    monkeypatch.setattr(sources, "PATIENCE", 3)
    monkeypatch.setattr(sources, "STALL", 0.5)
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)


@contextmanager
def mirror(respond):
    """Serve on loopback; respond(handler, name) answers a GET; yields the address and the list of (name, Range)."""
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response(200)
            self.end_headers()

        def do_GET(self):
            name = self.path.rsplit("/", 1)[1]
            requests.append((name, self.headers.get("Range")))
            respond(self, name)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mnist/", requests
        server.shutdown()


def send(handler, content, *, length=None, status=200):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content) if length is None else length))
    handler.end_headers()
    handler.wfile.write(content)


def good(handler, name):
    send(handler, FILES[name])


def corrupted(handler, name):
    content = bytearray(FILES[name])
    content[len(content) // 2] ^= 1
    send(handler, bytes(content))


def truncated(handler, name):
    send(handler, FILES[name][:-20])


def web_page(handler, name):
    send(handler, b"<!DOCTYPE html><html><body>Please log in</body></html>")


def missing(handler, name):
    send(handler, b"", status=404)


def endless(handler, name):
    # A stream that never ends is cut off at the size no file of MNIST reaches.
    send(handler, b"\x1f\x8b" + bytes(sources._LARGEST + 2**20))


def broken(handler, name):
    send(handler, FILES[name][: len(FILES[name]) // 2], length=len(FILES[name]))


def stalled(handler, name):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(FILES[name])))
    handler.end_headers()
    handler.wfile.write(FILES[name][:10])
    threading.Event().wait(1.2)


def check(arrays):
    for key, (_, array) in SAMPLES.items():
        np.testing.assert_array_equal(arrays[key], array.reshape(len(array), -1).squeeze())


@pytest.mark.parametrize("bad", [corrupted, truncated, web_page, missing, endless, broken, stalled])
def test_the_next_mirror_is_tried(tmp_path, bad):
    with mirror(bad) as (first, asked), mirror(good) as (second, _):
        check(sources.from_mirrors([first, second], tmp_path / "cache"))
        assert asked
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [corrupted, truncated, web_page, missing])
def test_no_good_mirror_is_a_clear_error_that_leaves_nothing(tmp_path, bad):
    with mirror(bad) as (first, _), mirror(missing) as (second, _):
        with pytest.raises(UserError, match="no mirror delivers train-images-idx3-ubyte") as error:
            sources.from_mirrors([first, second], tmp_path / "cache")
        assert first in str(error.value)
        assert second in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_transfer_goes_on_where_it_broke(tmp_path):
    def breaks_once(handler, name):
        begin = handler.headers.get("Range")
        if begin:
            start = int(begin.removeprefix("bytes=").removesuffix("-"))
            send(handler, FILES[name][start:], status=206)
        elif name == "train-images-idx3-ubyte.gz":
            broken(handler, name)
        else:
            good(handler, name)

    with mirror(breaks_once) as (address, asked):
        check(sources.from_mirrors([address], tmp_path / "cache"))
    # What one chunk had not completed is lost with the connection.
    (_, first), (name, second) = asked[:2]
    assert first is None
    assert name == "train-images-idx3-ubyte.gz"
    assert 0 < int(second.removeprefix("bytes=").removesuffix("-")) <= len(FILES[name]) // 2


def test_a_transfer_of_a_killed_run_goes_on(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "train-images-idx3-ubyte.gz.partial").write_bytes(FILES["train-images-idx3-ubyte.gz"][:100])
    with mirror(good) as (address, asked):
        # This server knows no ranges and sends the whole again: that must not be appended.
        check(sources.from_mirrors([address], cache))
    assert asked[0] == ("train-images-idx3-ubyte.gz", "bytes=100-")
    assert not cache.exists()


def test_mirrors_out_of_reach_are_told_apart(tmp_path):
    # Nothing listens on port 9 of loopback.
    with pytest.raises(UserError, match=r"no mirror can be reached:\s+http://127\.0\.0\.1:9/: ConnectionError"):
        sources.from_mirrors(["http://127.0.0.1:9/"], tmp_path)


def test_mirrors_that_do_not_answer_cost_the_patience_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "PATIENCE", 1)
    # Sockets that listen and never answer, as behind a firewall that drops.
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        mirrors = [f"http://127.0.0.1:{server.getsockname()[1]}/" for server in (first, second)]
        start = time.monotonic()
        with pytest.raises(UserError, match="no mirror can be reached"):
            sources.from_mirrors(mirrors, tmp_path)
        assert time.monotonic() - start < 2


def test_directory_takes_gzipped_and_plain_files(tmp_path):
    for name, content in FILES.items():
        if "labels" in name:
            (tmp_path / name.removesuffix(".gz")).write_bytes(gzip.decompress(content))
        else:
            (tmp_path / name).write_bytes(content)
    check(sources.from_directory(str(tmp_path)))


def test_directory_without_a_file_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"holds neither train-images-idx3-ubyte\.gz nor"):
        sources.from_directory(str(tmp_path))


def test_directory_is_taken_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("MNIST_DIR", raising=False)
    with pytest.raises(UserError, match="MNIST_DIR"):
        acquire("directory", tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setenv("MNIST_DIR", str(tmp_path))
    arrays, mnist = acquire("directory", tmp_path)
    check(arrays)
    assert mnist == FULL


def acquire(source, folder, mirrors=("http://127.0.0.1:9/",)):
    return sources.acquire(source=source, directory=None, mirrors=list(mirrors), folder=Path(folder) / "cache")


def test_auto_ends_on_the_subset_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MNIST_DIR", raising=False)
    arrays, mnist = acquire("auto", tmp_path)
    assert mnist == SUBSET
    said = capsys.readouterr().err
    assert "SUBSET" in said
    assert "MNIST_DIR" in said
    assert "http://127.0.0.1:9/" in said
    assert [len(arrays[key]) for key in SAMPLES] == [4000, 4000, 1000, 1000]
    np.testing.assert_array_equal(np.bincount(arrays["train_labels"]), np.full(10, 400))
    # Classes are mixed: the first images hold all ten.
    assert len(set(arrays["train_labels"][:100])) == 10


def test_auto_prefers_mirrors_to_the_subset(tmp_path, monkeypatch):
    monkeypatch.delenv("MNIST_DIR", raising=False)
    with mirror(good) as (address, _):
        arrays, mnist = acquire("auto", tmp_path, [address])
    check(arrays)
    assert mnist == FULL
