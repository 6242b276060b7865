"""Deleting a folder deletes its document: no other result changes, and no other file needs an edit.

test_new_document.py adds a document and deletes it.
"""

import json
import re
import shutil

from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.config.plan import Plan
from reproduce.records.paths import CLAIM_LIST, PAGE
from small_package import copied_sources

# These two list all documents.
LISTS = {CLAIM_LIST, PAGE}


def test_deleting_a_folder_deletes_its_document_and_changes_no_result_of_others(config, tmp_path, monkeypatch):
    # The plan keeps its fingerprints in the working folder.
    monkeypatch.chdir(copied_sources(tmp_path))
    # These experiments have jobs of every kind.
    config["only"] = ["mnist_dynamics", "matrix_completion", "regression"]

    def results():
        return dict(Plan(config, package=Package(tmp_path)).results)

    left = before = results()
    # One by one, until only runs and tables remain.
    for document in documents_of(Package(tmp_path)).values():
        shutil.rmtree(tmp_path / "deepnets/documents" / document.room)
        after = results()
        # An experiment may have the document's name: its table and runs stay.
        own = rf"results/(claims|figures|interactive)/{document.id}[/.]"
        assert left.keys() - after.keys() - LISTS == {path for path in before if re.match(own, path)}
        assert {path for path in after if after[path] != left[path]} <= LISTS
        assert document.title not in [each["title"] for each in json.loads(after[PAGE].spec)["documents"]]
        left = after
