from pathlib import Path

import pytest

from reproduce.config.notebooks import sources_of


@pytest.mark.parametrize(
    ("text", "files", "settings"),
    [
        ('deepnets.table("classifier")', ["tables/classifier.parquet"], ["classifier"]),
        ("np.load('../results/data/mnist.npz')", ["data/mnist.npz"], []),
        ('"003-hierarchy/tree"', ["tables/hierarchy.parquet"], []),
        (
            'judge("000-classifier/two_layers_accuracy")',
            ["claims/000-classifier.parquet", "tables/classifier.parquet"],
            [],
        ),
        # Words of prose, and names of other things.
        ('# the regression of "no such name"', [], []),
    ],
)
def test_a_notebook_is_made_from_what_it_names(default_plan, text, files, settings):
    found, spec = sources_of(text, default_plan)
    assert [path.removeprefix("results/") for path in found] == files
    assert list(spec["settings"]) == settings
    assert all(block["grids"] for block in spec["settings"].values())


def test_a_notebook_that_is_no_text_stops_no_start(default_plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks/folder.py").mkdir(parents=True)
    Path("notebooks/.#own.py").symlink_to("the lock of an editor")
    Path("notebooks/more.py").write_bytes(b"# \xff\n")
    Path("notebooks/own.py").write_bytes(b"from deepnets.theories import one\n")
    monkeypatch.delitem(vars(default_plan), "_pages_of_notebooks", raising=False)
    assert "results/notebooks/own.html" in default_plan._pages_of_notebooks
    del default_plan._pages_of_notebooks
