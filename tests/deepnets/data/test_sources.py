"""Every source of MNIST. A real server on loopback plays good and bad mirrors."""

import gc
import gzip
import hashlib
import http.server
import re
import socket
import threading
import time
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from test_idx import encode

from conftest import ROOT
from deepnets.data.mnist import SUBSET, idx, sources
from deepnets.data.mnist.make import make
from deepnets.data.mnist.settings import Settings
from reproduce.errors import UserError
from reproduce.records import datasets

SUBSET_FILE = ROOT / "workflow/deepnets/data/mnist/subset.npz"
GENERATOR = np.random.default_rng(0)
SAMPLES = {
    "train_images": ("train-images-idx3-ubyte", GENERATOR.integers(0, 256, (60, 28, 28), np.uint8)),
    "train_labels": ("train-labels-idx1-ubyte", GENERATOR.integers(0, 10, 60, np.uint8)),
    "test_images": ("t10k-images-idx3-ubyte", GENERATOR.integers(0, 256, (10, 28, 28), np.uint8)),
    "test_labels": ("t10k-labels-idx1-ubyte", GENERATOR.integers(0, 10, 10, np.uint8)),
}
FILES = {f"{name}.gz": gzip.compress(encode(array)) for name, array in SAMPLES.values()}
# pooch does not close a refused response; only the garbage collector does.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(autouse=True)
def small_mnist(monkeypatch):
    """Small files in place of MNIST, with their own digests, and short time limits."""
    files = {
        key: idx.IdxFile(name, array.shape, hashlib.sha256(encode(array)).hexdigest())
        for key, (name, array) in SAMPLES.items()
    }
    monkeypatch.setattr(sources, "FILES", files)
    monkeypatch.setattr(sources, "PATIENCE", 3)
    monkeypatch.delenv("MNIST_DIR", raising=False)
    yield
    gc.collect()


@contextmanager
def serve_mirror(content=FILES.get, *, length=None, encoding="identity", step=2**20, pause=0):
    """Serve files on loopback; yield the address and the list of requested names.

    content: maps a file's name to its bytes, or to None for a 404
    length: the length in the header, if not the true one
    step: bytes sent at a time
    pause: seconds between steps
    """
    requested, over = [], threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response(200)
            self.end_headers()

        def do_GET(self):
            requested.append(self.path.rsplit("/", 1)[1])
            body = content(requested[-1]) or b""
            # In some tests the client closes the connection.
            with suppress(ConnectionError):
                self.send_response(200 if body else 404)
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


def write_files(folder, unpacked=(), left_out="no file"):
    """Write MNIST into a new folder; labels may be unpacked."""
    folder.mkdir(exist_ok=True)
    for name, content in FILES.items():
        if left_out not in name:
            plain = any(word in name for word in unpacked)
            (folder / name.removesuffix(".gz" * plain)).write_bytes(gzip.decompress(content) if plain else content)


def check_arrays(arrays):
    for key, (_, array) in SAMPLES.items():
        np.testing.assert_array_equal(arrays[key], array.reshape(len(array), -1).squeeze())


# Each entry has the arguments of a mirror and the reason in the message.
BAD = {
    "corrupted": ({"content": lambda name: FILES[name][:-9] + b"." + FILES[name][-8:]}, "damaged gzip stream"),
    "another file": ({"content": lambda _: gzip.compress(encode(1 - SAMPLES["train_images"][1]))}, "SHA-256"),
    "truncated": ({"content": lambda name: FILES[name][:-20]}, "truncated gzip stream"),
    "web page": ({"content": lambda _: b"<!DOCTYPE html>"}, "not an IDX file of bytes: it begins with b'<!DOCTYPE"),
    "missing": ({"content": lambda _: None}, "404 Client Error"),
    "endless": ({"content": lambda _: bytes(2**23), "length": 2**40}, "more than 1048576 bytes"),
    "broken": ({"content": lambda name: FILES[name][:5000], "length": 47000}, "IncompleteRead"),
    "stalled": ({"step": 10, "pause": 60}, "Read timed out"),
    "silent": ({"content": lambda _: threading.Event().wait(1)}, "Read timed out"),
    "trickle": ({"step": 1, "pause": 0.1}, "the download was not complete after 0.5 s"),
}


@pytest.mark.parametrize(("behaviour", "reason"), BAD.values(), ids=BAD)
def test_a_bad_mirror_is_named_with_its_reason_and_the_next_is_tried(monkeypatch, behaviour, reason):
    monkeypatch.setattr(sources, "TRANSFER", 0.5)
    if "timed out" in reason:
        monkeypatch.setattr(sources, "STALL", 0.2)
    monkeypatch.setattr(sources, "_LARGEST", 2**20)
    with serve_mirror(**behaviour) as (first, requested), serve_mirror() as (second, _):
        check_arrays(sources.from_mirrors([first, second]))
        # After one failure a mirror gets no further requests.
        assert requested == ["train-images-idx3-ubyte.gz"]
        monkeypatch.setattr(sources, "ROUNDS", 1)
        with pytest.raises(UserError, match="no mirror delivers train-images-idx3-ubyte:") as error:
            sources.from_mirrors([first])
        assert re.search(f"{first}train-images-idx3-ubyte.gz: .*{reason}", str(error.value))


# These mirrors work: a plain one, one whose header makes the client decompress, and a slow one.
@pytest.mark.parametrize("good", [{}, {"encoding": "gzip"}, {"step": 9000, "pause": 0.05}])
def test_a_good_mirror_gets_one_request_per_file_and_progress_is_shown(good, capsys):
    with serve_mirror(**good) as (address, requested):
        check_arrays(sources.from_mirrors([address]))
    assert requested == list(FILES)
    said = capsys.readouterr().err
    assert f"Downloading {address}t10k-labels-idx1-ubyte.gz" in said
    assert "100%|" in said


def test_bounds_leave_room_for_large_files_and_slow_lines():
    assert max(file.size for file in idx.FILES.values()) < sources._LARGEST
    assert sources.TRANSFER > 8 * 10 / 0.5  # 10 MB at 0.5 Mbit/s


def test_two_incomplete_mirrors_together_serve_all_files():
    def without(kind):
        return lambda name: None if kind in name else FILES[name]

    with serve_mirror(without("train-images")) as (first, _), serve_mirror(without("t10k")) as (second, _):
        check_arrays(sources.from_mirrors([first, second]))


def test_a_broken_transfer_is_tried_again():
    def second_time(name):
        return FILES[name][: None if requested.count(name) == 2 else -5]

    with serve_mirror(second_time) as (address, requested):
        check_arrays(sources.from_mirrors([address]))
    assert requested == [name for name in FILES for _ in range(2)]


def test_several_mirrors_that_do_not_answer_take_the_time_of_one(monkeypatch, capsys):
    looked_up, look_up = threading.Event(), socket.getaddrinfo

    def slow_look_up(host, *arguments, **options):
        return looked_up.wait() if host == "slow.invalid" else look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", slow_look_up)
    monkeypatch.setattr(sources, "PATIENCE", 0.5)
    monkeypatch.setattr(sources, "TRANSFER", 3)
    # A socket that listens and never answers acts like a firewall. Nothing listens on port 9 of loopback.
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        mirrors = [f"http://127.0.0.1:{server.getsockname()[1]}/" for server in (first, second)]
        mirrors += ["http://slow.invalid/", "http://127.0.0.1:9/"]
        start = time.monotonic()
        with pytest.raises(UserError, match="no mirror can be reached") as error:
            sources.from_mirrors(mirrors)
        for address in mirrors[:3]:
            assert f"{address}: no answer within 0.5 s" in str(error.value)
        assert f"{mirrors[3]}: cannot be reached (ConnectionError)" in str(error.value)
        with serve_mirror() as (address, _):
            check_arrays(sources.from_mirrors([*mirrors, address]))
        # One after the other, they would take three seconds.
        assert time.monotonic() - start < 2.5
    looked_up.set()
    # Once a mirror answers, the others get no request for a file.
    assert capsys.readouterr().err.count("Downloading") == len(FILES)


def test_a_directory_may_contain_gzipped_and_plain_files(tmp_path):
    with pytest.raises(UserError, match=r"contains neither train-images-idx3-ubyte\.gz nor"):
        sources.from_directory(str(tmp_path))
    write_files(tmp_path, unpacked=["labels"])
    check_arrays(sources.from_directory(str(tmp_path)))


@pytest.mark.parametrize("name", ["train-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte"])
def test_a_file_that_cannot_be_read_is_named_and_the_next_source_is_tried(tmp_path, name):
    write_files(tmp_path, left_out=name)
    # The file is a folder, since root could read a file without permissions.
    (tmp_path / name).mkdir()
    with pytest.raises(UserError, match=rf"{tmp_path}/{name} cannot be read: Is a directory"):
        acquire("directory", directory=str(tmp_path))
    with serve_mirror() as (address, _):
        found = acquire("auto", [address], directory=str(tmp_path))
    check_arrays(found)
    assert found.reduced == ""


def test_the_directory_may_start_with_a_tilde_or_be_an_environment_variable(tmp_path, monkeypatch):
    with pytest.raises(UserError, match="MNIST_DIR"):
        acquire("directory")
    write_files(tmp_path / "mnist")
    monkeypatch.setenv("HOME", str(tmp_path))
    check_arrays(acquire("directory", directory="~/mnist"))
    monkeypatch.setenv("MNIST_DIR", "~/mnist")
    assert acquire("directory").reduced == ""


def acquire(source, mirrors=("http://127.0.0.1:9/",), directory=None):
    spec = {"source": source, "directory": directory, "mirrors": list(mirrors)}
    found = make(spec, datasets.read_file(SUBSET_FILE))
    # Otherwise the data set would be made again at each start.
    assert found.reduced in Settings(**spec).contents()
    return found


def test_auto_falls_back_to_the_subset_with_a_warning(capsys):
    arrays = acquire("auto").arrays
    assert acquire("embedded").reduced == acquire("auto").reduced == SUBSET
    said = capsys.readouterr().err
    assert all(word in said for word in ("SUBSET", "MNIST_DIR", "http://127.0.0.1:9/"))
    assert [len(arrays[key]) for key in SAMPLES] == [4000, 4000, 1000, 1000]
    np.testing.assert_array_equal(np.bincount(arrays["train_labels"]), np.full(10, 400))
    # The classes are mixed: all ten occur in the first images.
    assert len(set(arrays["train_labels"][:100])) == 10
    # The digest with which earlier versions of this workflow, which read these images from a package, stamped them.
    assert datasets._digest(arrays) == "1fcd0a875d2c20ab313a99b0a5c0798a4683b8124479e45a5258170b3462d3fc"
