"""The mechanics import and name nothing of the science, and find it by its folders."""

import ast
import re
import shutil
import subprocess
from importlib import import_module

import pytest

import deepnets
from conftest import ROOT
from reproduce import api
from reproduce.code import science
from reproduce.code.fingerprint import fingerprint
from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.errors import UserError
from reproduce.records.cache import Cache

MECHANICS = ROOT / "workflow/reproduce"
TEXTS = {".css", ".html", ".js", ".md", ".mplstyle", ".py"}


def names_of_science():
    """Return the names of the project, of its rooms' folders, and of its documents."""
    package = Package()
    rooms = [name for room in ("data", "documents", "experiments") for name in package.rooms_in(room)]
    return sorted({science.SCIENCE, *rooms, *documents_of(package)}, key=len, reverse=True)


def test_no_source_of_the_mechanics_names_the_science():
    pattern = re.compile(rf"(?<![a-z]){'|'.join(names_of_science())}(?![a-z])", re.IGNORECASE)
    found = {
        f"{path.relative_to(MECHANICS)}:{number}: {line.strip()}"
        for path in MECHANICS.rglob("*")
        if path.suffix in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    }
    assert found == set()


def test_the_science_is_the_one_package_with_experiments_and_documents(tmp_path, monkeypatch):
    monkeypatch.setattr(science, "ROOT", tmp_path)
    # A package with one of the two is another package.
    for room in ("one/experiments", "one/documents", "third/experiments"):
        shutil.copytree(MECHANICS / "records", tmp_path / room)
    assert science._find_science() == "one"
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    with pytest.raises(UserError, match=r"contains 2 packages .* \(one, other\); allowed: 1"):
        science._find_science()


def names_in(folder):
    """Return the names of `reproduce.api` that modules use, and the modules of the mechanics that they import."""
    used, imported = set(), set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "api":
                used.add(node.attr)
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "reproduce":
                imported |= {f"{node.module}.{alias.name}" for alias in node.names}
    return used, imported


def test_science_uses_the_names_of_one_module_which_its_page_lists():
    page = (MECHANICS / "README.md").read_text(encoding="utf-8").partition("## What science may use")[2]
    listed = re.findall(r"`(\w+)`", page.partition("|---|---|")[2])
    assert sorted(listed) == sorted(api.modules())
    used, imported = names_in(ROOT / "workflow" / science.SCIENCE)
    guide = set(re.findall(r"\bapi\.(\w+)", (ROOT / "docs/adding.md").read_text(encoding="utf-8")))
    notebooks, _ = names_in(ROOT / "notebooks")
    assert used | guide | notebooks == set(listed)
    # The package itself offers the functions for notebooks.
    own = {"reproduce.notebook", *(f"reproduce.notebook.{name}" for name in deepnets.__all__)}
    assert imported == {"reproduce.api", *own}
    for name, module in api.modules().items():
        assert getattr(api, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match="has no attribute 'Slection'"):
        api.Slection  # noqa: B018


def test_a_name_of_the_one_module_counts_with_its_own_module():
    sources = {
        "reproduce.api": b"from typing import TYPE_CHECKING\nif TYPE_CHECKING: from reproduce.home import one, other",
        "toy": b"from reproduce import api\ndef run(spec): return api.one()",
    }
    footprint = {"reproduce.api": [], "reproduce.home": ["one"], "toy": ["run"]}

    def code(home):
        return fingerprint(footprint, {**sources, "reproduce.home": home.encode()}, Cache("none", ""))

    home = "LIST = sorted([2])\ndef one(): return LIST\ndef other(): return 1"
    assert code(home.replace("return 1", "return 2")) == code(home)
    for old, new in (("return LIST", "return [LIST]"), ("[2]", "[3]")):
        assert code(home.replace(old, new)) != code(home)
    moved = sources["reproduce.api"].replace(b"home import one", b"house import one")
    assert fingerprint(footprint, {**sources, "reproduce.api": moved}, Cache("none", "")) != fingerprint(
        footprint, sources, Cache("none", "")
    )


@pytest.mark.parametrize("reach", [(ROOT / "results/claims.md").read_bytes, lambda: subprocess.run(["true"], cwd=ROOT)])
def test_a_test_that_reaches_the_checkouts_results_fails(reach):
    with pytest.raises(pytest.fail.Exception, match="belongs to the user"):
        reach()
