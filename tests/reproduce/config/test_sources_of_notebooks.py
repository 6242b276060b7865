from pathlib import Path

import pytest

from reproduce.config.notebooks import sources_of
from reproduce.errors import UserError


@pytest.mark.parametrize(
    ("text", "files", "entries", "settings"),
    [
        ('deepnets.table("classifier")', ["tables/classifier.parquet"], ["classifier.run:run"], ["classifier"]),
        ("np.load('../results/data/mnist.npz')", ["data/mnist.npz"], [], []),
        ('"003-hierarchy/tree"', ["tables/hierarchy.parquet"], ["figures.data:tree"], []),
        (
            'judge("000-classifier/two_layers_accuracy")',
            ["claims/000-classifier.parquet", "tables/classifier.parquet"],
            ["claims:decisions"],
            [],
        ),
        (
            "from deepnets.documents.hierarchy.runs import MAIN, SHARK\n",
            [],
            ["hierarchy.runs:MAIN", "hierarchy.runs:SHARK"],
            [],
        ),
        # Words of prose, and names of other things.
        ('# the regression of "no such name"', [], [], []),
    ],
)
def test_a_notebook_is_made_from_what_it_names(default_plan, text, files, entries, settings):
    found, spec = sources_of(text, default_plan)
    assert [path.removeprefix("results/") for path in found] == files
    assert all(each.endswith(entry) for each, entry in zip(spec["code"], entries, strict=True))
    assert list(spec["settings"]) == settings
    assert all(block["grids"] for block in spec["settings"].values())


def test_a_module_that_is_not_there_is_refused_but_not_at_each_start(default_plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks/folder.py").mkdir(parents=True)
    Path("notebooks/.#own.py").symlink_to("the lock of an editor")
    Path("notebooks/own.py").write_bytes(b"from deepnets.theories import one\n")
    Path("notebooks/more.py").write_bytes(b"# \xff\n")
    _, own = default_plan.notebooks
    with pytest.raises(UserError, match=r"^notebooks/own\.py: there is no module deepnets\.theories"):
        default_plan.notebook(own)
    monkeypatch.delitem(vars(default_plan), "_pages_of_notebooks", raising=False)
    assert [*default_plan._pages_of_notebooks] == ["results/notebooks/more.html"]
    del default_plan._pages_of_notebooks
