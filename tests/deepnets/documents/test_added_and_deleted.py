"""Adding a folder adds a document and deleting the folder deletes it. No other file needs an edit for it."""

import json
import re
import shutil

import pytest

from conftest import ROOT
from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.config.plan import Plan
from reproduce.records.paths import CLAIM_LIST, PAGE
from reproduce.tools.new import GUIDE, files_of
from small_package import copied_sources

DOCUMENTS = "deepnets/documents"
DRAWN = ("pdf", "png", "svg", "csv")
# The example of the guide.
TITLE = "Depth delays learning from small weights"
MADE = {"results/claims/toy.parquet", *(f"results/figures/toy/losses.{suffix}" for suffix in DRAWN)}
# These two list all documents.
LISTS = {CLAIM_LIST, PAGE}


def add_toy(folder):
    """Write the guide's document, called `toy`, below a folder; it reads the table of an existing experiment."""
    for path, text in files_of((ROOT / GUIDE).read_text(), "toy").items():
        if path.is_relative_to(f"workflow/{DOCUMENTS}"):
            copy = folder / path.relative_to("workflow")
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(
                text.replace("toy: api.Table", "regression: api.Table").replace('("toy",)', '("regression",)')
            )


def results_of(config, folder):
    """Return the results of a config, by path, as planned from the sources in a folder."""
    return dict(Plan(config, package=Package(folder)).results)


def select_results(document, paths):
    # An experiment may have the document's name: its table and runs stay.
    return {path for path in paths if re.match(rf"results/(claims|figures|interactive)/{document}[/.]", path)}


def changed_paths(before, after):
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A copy of the sources, in which the plan also keeps its fingerprints."""
    monkeypatch.chdir(tmp_path)
    return copied_sources(tmp_path)


def test_adding_or_deleting_a_folder_adds_or_deletes_its_document(config, sources):
    # These experiments have jobs of every kind.
    config["only"] = ["mnist_dynamics", "matrix_completion", "regression"]
    before, documents = results_of(config, sources), documents_of(Package(sources)).values()
    add_toy(sources)
    with_toy = results_of(config, sources)
    assert changed_paths(before, with_toy) == MADE | LISTS
    page = json.loads(with_toy[PAGE].spec)
    assert TITLE in [document["title"] for document in page["documents"]]
    assert ["toy", "losses"] in [[figure["document"], figure["name"]] for figure in page["figures"]]
    assert "toy" in json.loads(with_toy[CLAIM_LIST].spec)["documents"]
    # One by one, until only runs, tables and the toy remain.
    left = with_toy
    for document in documents:
        shutil.rmtree(sources / DOCUMENTS / document.room)
        after = results_of(config, sources)
        gone = left.keys() - after.keys()
        assert gone == select_results(document.id, before)
        assert changed_paths(left, after) - LISTS == gone
        assert document.title not in [each["title"] for each in json.loads(after[PAGE].spec)["documents"]]
        left = after
