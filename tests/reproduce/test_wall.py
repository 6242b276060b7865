"""The mechanics import and name nothing of the science, and find it by its folders."""

import re
import shutil

import pytest

from conftest import ROOT
from reproduce.code import science
from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.errors import UserError

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


@pytest.mark.parametrize(("packages", "found"), [((), 0), (("one",), 1), (("one", "other"), 2)])
def test_the_science_is_the_one_package_with_experiments_and_documents(tmp_path, monkeypatch, packages, found):
    monkeypatch.setattr(science, "ROOT", tmp_path)
    for package in packages:
        for room in ("experiments", "documents"):
            shutil.copytree(MECHANICS / "records", tmp_path / package / room)
    # A package with one of the two is another package.
    shutil.copytree(MECHANICS / "records", tmp_path / "third/experiments")
    if found == 1:
        assert science._find_science() == "one"
    else:
        with pytest.raises(UserError, match=rf"contains {found} packages .* \({', '.join(packages)}\); allowed: 1"):
            science._find_science()
