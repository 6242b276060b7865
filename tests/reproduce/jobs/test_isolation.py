import os
import random

import numpy as np
import pytest
import scipy.stats
import torch

from reproduce.code.science import ROOT, SCIENCE
from reproduce.errors import UserError
from reproduce.jobs.isolation import closed, isolated, seeded
from reproduce.records.job import Job

FILE = f"{ROOT}/{SCIENCE}/experiments/toy/run.py"


def run(text, **given):
    """Execute a text as code of an experiment, and return its variable `result`."""
    names = {"__name__": f"{SCIENCE}.experiments.toy.run", "result": None, **given}
    exec(compile(f"import contextlib, io\nimport numpy as np\n{text}", FILE, "exec"), names)
    return names["result"]


@pytest.mark.parametrize(
    "text",
    [
        *("np.load(path)", "np.loadtxt(path)", "np.fromfile(path)", "np.save(path, 1)"),
        "np.lib.npyio.DataSource().open(path)",
        *("import pandas\npandas.read_csv(path)", "import pandas\npandas.ExcelFile(path)", "io.FileIO(path)"),
        *("import torch\ntorch.load(path)", "import matplotlib.image\nmatplotlib.image.imread(path)"),
        *("np.__loader__.get_data(path)", "contextlib.os.listdir('/')", "contextlib.os.open(path, 0)"),
        *("contextlib.os.system('true')", "import subprocess\nsubprocess.run(['true'])", "contextlib.os.remove(path)"),
        *("import socket\nsocket.create_connection(('localhost', 1))", "import sqlite3\nsqlite3.connect(path)"),
        *("import builtins\nbuiltins.input()", "np.fromfile(path, np.uint8)"),
        *("try:\n    np.load(path)\nexcept Exception:\n    pass", "import ctypes\nctypes.CDLL(path)"),
    ],
)  # fmt: skip
def test_files_the_network_and_processes_are_refused_with_the_line(tmp_path, text):
    path = tmp_path / "curve.csv"
    path.write_text("1")
    with pytest.raises(UserError, match=rf"{FILE}:\d+: (opens .*curve.csv|opens /|reaches files).*"), closed(gpu=False):
        run(text, path=str(path))
    assert path.read_text() == "1"


@pytest.mark.parametrize(
    "text",
    [
        "result = np.loadtxt(io.StringIO('1'))",
        "import scipy.spatial\nresult = scipy.spatial.KDTree([[0.0]]).query([0.0])",
        # Libraries look for files when they are imported.
        "import torch\nresult = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=0.1)",
        f"from {SCIENCE}.experiments.classifier import run\nresult = run",
        "import matplotlib.pyplot as plt\nresult = plt.figure().add_subplot(title='$x^2$')",
    ],
)
def test_installed_code_and_values_in_memory_are_allowed(text):
    with closed(gpu=False):
        assert run(text) is not None


def test_jobs_see_no_variable_of_the_user_and_a_gpu_only_if_they_ask_for_one(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    text = "result = {**contextlib.os.environ}"
    with closed(gpu=True):
        assert run(text)["CUDA_VISIBLE_DEVICES"] == "3"
    with closed(gpu=False):
        seen = run(text)
    assert seen.pop("CUDA_VISIBLE_DEVICES") == ""
    assert not seen.keys() & {"HOME", "PATH", "USER"}
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "3"
    assert os.environ["HOME"]


# Expressions that take a seed from the operating system, or draw from a shared generator.
DRAWS = [
    *("np.random.default_rng(None).random()", "np.random.RandomState(None).random()"),
    *("np.random.SeedSequence().entropy", "np.random.seed(None) or np.random.rand()"),
    *("random.Random(None).random()", "random.seed(None) or random.random()"),
    *("random.random()", "np.random.rand()", "torch.nn.Linear(3, 2).weight.sum().item()"),
    "scipy.sparse.linalg.eigsh(scipy.sparse.diags_array(np.arange(50.0)), k=2)[1].sum()",
    *("scipy.stats.qmc.Sobol(2).random(2).sum()", "scipy.stats.qmc.Halton(2).random(2).sum()"),
]  # fmt: skip


@pytest.mark.parametrize("text", DRAWS)
@pytest.mark.filterwarnings("ignore")
def test_equal_seeds_draw_equal_numbers_and_others_are_as_before_after_it(text):
    modules = {"random": random, "scipy": scipy, "torch": torch}

    def draw(seed):
        with seeded(seed):
            return run(f"result = {text}", **modules)

    assert draw(7) == draw(7)
    assert np.random.default_rng().random() != np.random.default_rng().random()
    assert random.Random().random() != random.Random().random()


@pytest.mark.parametrize("draw", [np.random.rand, random.random, lambda: torch.nn.Linear(3, 2)])
def test_numbers_drawn_at_import_are_refused(monkeypatch, draw):
    monkeypatch.setattr("reproduce.jobs.isolation.import_function", lambda entry: draw())
    with pytest.raises(UserError, match="the import of toy:run draws random numbers"), isolated(Job("{}", "toy:run@0")):
        pass


def test_torch_is_imported_and_seeded_before_code_that_imports_it_later(monkeypatch):
    imported = []
    monkeypatch.setattr("reproduce.jobs.isolation.import_function", imported.append)
    with isolated(Job("{}", "toy:run@0", ("numpy", "torch"))):
        assert imported == ["torch:manual_seed", "toy:run"]
