"""The mechanics run another science: a package that contains only a data set and the example of docs/adding.md."""

import json
import re
import shutil

import pyarrow.parquet as pq
import pytest

from conftest import ROOT, Project
from reproduce.records.datasets import read
from reproduce.records.record import record_at
from reproduce.tools.new import CONFIG, GUIDE, files_of

DATASET = {
    "__init__": '"""Numbers that a test makes."""\n',
    "make": '''\
"""Make the numbers."""

import numpy as np

from reproduce import api


def make(spec: dict) -> api.Dataset:
    """Return `count` numbers."""
    return api.Dataset({"numbers": np.linspace(1, 1, spec["count"])}, "three of four numbers")
''',
    "settings": '''\
"""Settings of `toy`."""

from pydantic import Field

from reproduce import api


class Settings(api.DatasetSettings):
    """Numbers that a test makes."""

    count: int = Field(ge=1, description="How many.")
''',
}


@pytest.fixture
def other(tmp_path):
    """A project with the mechanics, and with the example of the guide as its only science."""
    for name in ("Snakefile", "profiles", "workflow/Snakefile", "workflow/launch.py", "workflow/report"):
        source, copy = ROOT / name, tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    for name in ("reproduce", "rules", "envs"):
        shutil.copytree(ROOT / "workflow" / name, tmp_path / "workflow" / name)
    science = tmp_path / "workflow/other"
    for room in ("data", "documents", "experiments"):
        (science / room).mkdir(parents=True)
        (science / room / "__init__.py").touch()
    (science / "__init__.py").touch()
    shutil.copytree(ROOT / "workflow/deepnets/envs", science / "envs")
    shutil.copy(ROOT / "CITATION.cff", science)
    for path, text in files_of((ROOT / GUIDE).read_text(), "toy_net").items():
        file = tmp_path / str(path).replace("deepnets", "other")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("deepnets", "other"))
    block = (tmp_path / CONFIG).read_text()
    (tmp_path / CONFIG).write_text(f"only: null\ndata: {{}}\nexperiments:\n{block}")
    # An import of this project's science would fail.
    (tmp_path / "trap/deepnets").mkdir(parents=True)
    (tmp_path / "trap/deepnets/__init__.py").write_text("raise ImportError('the mechanics import the science')\n")
    (tmp_path / "quick.yaml").write_text("experiments: {toy_net: {grids: {depths: {axes: {seeds: 4}}}}}\n")
    return Project(tmp_path, configfiles=("config.yaml", "quick.yaml"))


def make(other, *arguments):
    path = f"{other.folder}/workflow:{other.folder}/trap"
    done = other.snakemake(*arguments, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_another_science_runs_from_config_to_page_and_a_data_set_is_a_folder(other):
    folder = other.folder / "workflow/other/data/toy"
    folder.mkdir()
    for name, text in DATASET.items():
        (folder / f"{name}.py").write_text(text)
    other.edit("config.yaml", "data: {}", "data: {toy: {count: 3}}")
    run = "workflow/other/experiments/toy_net/run.py"
    other.edit(run, "def run(spec: dict)", "def run(spec: dict, toy)")
    other.edit(run, "weights = spec", "weights = toy['numbers'][0] * spec")
    make(other)
    page = (other.folder / "results/report.html").read_text()
    assert "Depth delays learning from small weights" in page
    ledger, dataset = other.folder / "results/claims/toy-net.parquet", other.folder / "results/data/toy.npz"
    verdicts = {row["verdict"] for row in pq.read_table(ledger).to_pylist() if row["main"]}
    assert verdicts == {"reproduced"}
    results = [path for path in other.folder.glob("results/**/*.*") if path.suffix in (".parquet", ".npz", ".html")]
    assert {record_at(path).code.partition(".")[0] for path in results} == {"reproduce", "other"}
    assert read(dataset)["numbers"].tolist() == [1, 1, 1]
    assert json.loads(record_at(dataset).spec) == {"contents": [], "settings": {"count": 3}}
    # Every result that depends on a reduced data set records this, and the page shows it.
    assert {record_at(path).reduced for path in (dataset, ledger)} == {"three of four numbers"}
    assert "These results are of the three of four numbers" in page
    # Another setting makes the data set again.
    other.edit("config.yaml", "count: 3", "count: 4")
    assert re.search(r"^data +1\b", make(other, "--dry-run"), re.MULTILINE)
