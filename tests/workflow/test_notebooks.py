"""The notebooks run from the folder that contains them, on the results of a small config."""

import jupytext
import nbclient
import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


def test_there_are_three_short_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["change_one_thing", "first_look", "your_own_claim"]
    assert all(len(jupytext.read(path).cells) <= 12 for path in NOTEBOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(finished, path):
    folder = finished.folder / "notebooks"
    folder.mkdir(exist_ok=True)
    notebook = jupytext.read(path)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in shown)
