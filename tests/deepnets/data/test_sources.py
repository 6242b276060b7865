"""Every source of MNIST. A real server on loopback plays good and bad mirrors."""

import re
import socket
import time
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from deepnets.data.mnist import SUBSET, idx, sources
from deepnets.data.mnist.settings import Images, Settings
from reproduce.errors import UserError
from small_mnist import FILES, SAMPLES, acquire, check_arrays, encode, serve_mirror, write_files

# pooch does not close a refused response; only the garbage collector does.
pytestmark = [
    pytest.mark.usefixtures("small_mnist"),
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]
# The arguments of a mirror, and the reason in the message.
BAD = {
    "web page": ({"content": lambda _: b"<!DOCTYPE html>"}, "not an IDX file of bytes: it begins with b'<!DOCTYPE"),
    "missing": ({"content": lambda _: None}, "404 Client Error"),
    "endless": ({"content": lambda _: bytes(2**23), "length": 2**40}, "more than 1048576 bytes"),
    "broken": ({"content": lambda name: FILES[name][:5000], "length": 47000}, "IncompleteRead"),
    "stalled": ({"step": 10, "pause": 60}, "Read timed out"),
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
        with pytest.raises(UserError, match="no address delivers train-images-idx3-ubyte:") as error:
            sources.from_mirrors([first])
        assert re.search(f"{first}train-images-idx3-ubyte.gz: .*{reason}", str(error.value))


# With the header, the client decompresses.
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_good_mirror_gets_one_request_per_file_and_progress_is_shown(encoding, capsys):
    with serve_mirror(encoding=encoding) as (address, requested):
        check_arrays(sources.from_mirrors([address]))
    assert requested == list(FILES)
    said = capsys.readouterr().err
    assert f"Downloading {address}t10k-labels-idx1-ubyte.gz" in said
    assert "100%|" in said


def test_bounds_leave_room_for_large_files_and_slow_lines():
    assert max(file.size for file in idx.FILES.values()) < sources._LARGEST
    assert sources.TRANSFER > 8 * 10 / 0.5  # 10 MB at 0.5 Mbit/s


def test_a_broken_transfer_is_tried_again():
    def second_time(name):
        return FILES[name][: None if requested.count(name) == 2 else -5]

    with serve_mirror(second_time) as (address, requested):
        check_arrays(sources.from_mirrors([address]))
    assert requested == [name for name in FILES for _ in range(2)]


def test_several_mirrors_that_do_not_answer_take_the_time_of_one(monkeypatch):
    monkeypatch.setattr(sources, "PATIENCE", 0.5)
    # A socket that listens and never answers acts like a firewall. Nothing listens on port 9 of loopback.
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        mirrors = [f"http://127.0.0.1:{server.getsockname()[1]}/" for server in (first, second)]
        mirrors.append("http://127.0.0.1:9/")
        start = time.monotonic()
        with pytest.raises(UserError, match="no mirror can be reached") as error:
            sources.from_mirrors(mirrors)
        # One after the other, they would take a second.
        assert time.monotonic() - start < 0.95
        for address in mirrors[:2]:
            assert f"{address}: no answer within 0.5 s" in str(error.value)
        assert re.search(f"{mirrors[2]}: cannot be reached .*Connection refused", str(error.value))
        with serve_mirror() as (address, _):
            check_arrays(sources.from_mirrors([*mirrors, address]))


# Each layout returns the path of the plain file NAME in FOLDER.
LAYOUTS = {
    "torchvision's root": lambda folder, name: folder / "MNIST/raw" / name,
    "torchvision's MNIST": lambda folder, name: folder / "raw" / name,
    "dots": lambda folder, name: folder / name.replace("-idx", ".idx"),
    "Kaggle's folders": lambda folder, name: folder / name / name,
    "Kaggle's folders with dots": lambda folder, name: folder / name / name.replace("-idx", ".idx"),
}


@pytest.mark.parametrize("place", LAYOUTS.values(), ids=LAYOUTS)
def test_files_are_found_where_other_programs_put_them(tmp_path, place):
    for name, array in SAMPLES.values():
        path = place(tmp_path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(array))
    check_arrays(acquire("auto", directory=str(tmp_path)).arrays)


def test_a_broken_file_does_not_hide_a_good_one(tmp_path):
    write_files(tmp_path)
    name, images = SAMPLES["train_images"]
    (tmp_path / f"{name}.gz").write_bytes(FILES[f"{name}.gz"][:-20])
    (tmp_path / name).write_bytes(encode(1 - images))
    with pytest.raises(UserError, match=rf"{name}\.gz: truncated gzip stream(?s:.*)/{name}: SHA-256"):
        acquire("directory", directory=str(tmp_path))
    (tmp_path / name).write_bytes(encode(images))
    check_arrays(acquire("directory", directory=str(tmp_path)).arrays)


def write_unreadable(folder):
    write_files(folder, left_out="t10k-labels")
    # The file is a folder, since root could read a file without permissions.
    (folder / "t10k-labels-idx1-ubyte.gz").mkdir()


# A function that makes a folder with a fault → the description of the fault in the message.
FAULTS = {
    "missing": (lambda _: None, "is not a folder"),
    "empty": (Path.mkdir, "contains nothing"),
    "of others": (lambda folder: write_files(folder, left_out="train-im"), "contains t10k-images-idx3-ubyte.gz, t10"),
    "unreadable": (write_unreadable, "t10k-labels-idx1-ubyte.gz cannot be read: Is a directory"),
}


@pytest.mark.parametrize(("fill", "there"), FAULTS.values(), ids=FAULTS)
def test_a_folder_that_is_named_and_fails_is_an_error(tmp_path, monkeypatch, fill, there):
    fill(tmp_path / "mnist")
    monkeypatch.setenv("MNIST_DIR", str(tmp_path / "mnist"))
    with serve_mirror() as (address, requested), pytest.raises(UserError) as error:
        acquire("auto", [address])
    assert requested == []
    for words in (str(tmp_path / "mnist"), there, "expected: train-images-idx3-ubyte, train-"):
        assert words in str(error.value)


def test_a_named_folder_that_does_not_exist_is_an_error_before_the_first_job(tmp_path, monkeypatch):
    def check(source, folder):
        Settings(source=source, directory=folder, mirrors=["http://127.0.0.1/"]).check()

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MNIST_DIR", "/nowhere")
    for source in ("auto", "directory"):
        with pytest.raises(UserError, match=r"^MNIST_DIR: /nowhere is not a folder; allowed: a folder with"):
            check(source, None)
        with pytest.raises(UserError, match=r"^data\.mnist\.directory: ~/x is not a folder"):
            check(source, "~/x")
        check(source, "~")
    check("download", None)


def test_an_experiment_uses_no_more_images_than_its_source_has():
    check = TypeAdapter(Images).validate_python
    for source, most in (("embedded", 4000), ("auto", 60_000)):
        context = {"data": {"mnist": {"source": source}}}
        assert check(most, context=context) == most
        with pytest.raises(ValidationError, match=f"less than or equal to {most}"):
            check(most + 1, context=context)


def test_the_directory_may_start_with_a_tilde_or_be_an_environment_variable(tmp_path, monkeypatch):
    with pytest.raises(UserError, match="MNIST_DIR"):
        acquire("directory")
    write_files(tmp_path / "mnist")
    monkeypatch.setenv("HOME", str(tmp_path))
    check_arrays(acquire("directory", directory="~/mnist"))
    monkeypatch.setenv("MNIST_DIR", "~/mnist")
    assert acquire("directory").reduced == ""


def test_auto_falls_back_to_the_subset_with_a_warning(capsys):
    arrays = acquire("auto").arrays
    said = capsys.readouterr().err
    assert all(word in said for word in ("SUBSET", "MNIST_DIR", "http://127.0.0.1:9/", "no-index"))
    assert acquire("embedded").reduced == acquire("auto").reduced == SUBSET
    assert [len(arrays[key]) for key in SAMPLES] == [4000, 4000, 1000, 1000]
    # The images that earlier versions of this workflow read from a package.
    content = b"".join(array.tobytes() for _, array in sorted(arrays.items()))
    assert sha256(content).hexdigest() == "5cd188b503fa7661d8096c041045f9c24da36da31164dd4a3ce53fd5521800fa"
