import io
import os
import random
import secrets
import site
import subprocess
import sys
import uuid
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import torch

from reproduce.code.science import ROOT, SCIENCE
from reproduce.errors import UserError
from reproduce.jobs.isolation import _installed, _watched, isolated, seeded
from reproduce.jobs.job import Job
from reproduce.records.files import digest_of_opened, sha256_of

FILE = f"{ROOT}/{SCIENCE}/experiments/toy/run.py"
FONT = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"


def job(spec="{}", entry="os:getcwd"):
    return Job(spec, entry, Path("record.json"))


def run(text, **given):
    """Execute a text as code of an experiment; return its variable `result`, and the files that it opened."""
    names = {"__name__": f"{SCIENCE}.experiments.toy.run", "os": os, "io": io, "np": np, "pd": pd, "Path": Path}
    names |= {"result": None, **given}
    with _watched(watched := job(), strict=True):
        exec(compile(text, FILE, "exec"), names)
    return names["result"], watched.opened


@pytest.mark.parametrize("text", ["pd.read_csv(path)", "io.FileIO(path)", "Path(path).read_text()", "os.open(path, 0)"])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_each_file_of_the_repository_is_recorded_with_its_digest(text):
    name = f"{SCIENCE}/documents/classifier/verdicts.csv"
    result, files = run(f"result = {text}", path=f"{ROOT}/{name}")
    assert result is not None and files == {name: sha256_of(ROOT / name)}


@pytest.mark.parametrize("text", ["os.listdir(path)", "[*Path(path).glob('*.py')]"])
def test_a_listing_is_recorded(text):
    _, files = run(text, path=f"{ROOT}/{SCIENCE}/theory")
    assert files == {f"{SCIENCE}/theory": digest_of_opened(f"{SCIENCE}/theory")}


ELSEWHERE = r"opens .*curve.csv, which others do not have; put the file beside this code, or make a data set of it"
REFUSED = {
    **dict.fromkeys(["np.load(path)", "pd.read_csv(path)", "io.FileIO(path)", "os.listdir(path)"], ELSEWHERE),
    "import torch\ntorch.load(path)": ELSEWHERE,
    "try:\n    np.load(path)\nexcept Exception:\n    pass": ELSEWHERE,
    "open(path, 'a')": "writes .*curve.csv.*; a job writes nothing but",
    **dict.fromkeys(["os.system('true')", "os.fork()", "input()"], "reaches the network or a process"),
    "import socket\nsocket.create_connection(('localhost', 1))": "reaches the network or a process",
}


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_files_elsewhere_the_network_and_processes_are_refused_with_the_line(tmp_path, text):
    path = tmp_path / "curve.csv"
    path.write_text("1")
    with pytest.raises(UserError, match=rf"^{FILE}:\d+: .*{REFUSED[text]}"):
        run(text, path=str(path))
    assert path.read_text() == "1"


@pytest.mark.parametrize(
    "text",
    [
        # Libraries look for files when they are imported.
        "import torch\nresult = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=0.1)",
        "import matplotlib.pyplot as plt\nresult = plt.figure(label='$x^2$').savefig(io.BytesIO()) or 1",
        "result = [*map(os.path.exists, ['/sys/fs/cgroup', '/']), os.listdir('/sys/fs'), open(font, 'rb').close()]",
    ],
)
def test_installed_code_and_values_in_memory_are_allowed(text):
    result, files = run(text, font=FONT)
    assert result is not None and not files


def test_files_of_an_environment_are_allowed_by_its_real_path_and_through_a_link(tmp_path, monkeypatch):
    link = tmp_path / "environment"
    link.symlink_to(sys.prefix)
    for each, name in ((sys, "path"), (sys, "prefix"), (site, "getsitepackages")):
        value = getattr(each, name)
        moved = str(link) if isinstance(value, str) else [str(path).replace(sys.prefix, str(link)) for path in sys.path]
        monkeypatch.setattr(each, name, (lambda moved=moved: moved) if callable(value) else moved)
    _installed.cache_clear()
    try:
        for path in (FONT, FONT.replace(os.path.realpath(link), str(link))):
            assert run("open(path, 'rb').close()", path=path)[1] == {}
    finally:
        _installed.cache_clear()


def test_jobs_see_no_variable_of_the_user_and_a_gpu_only_if_they_ask_for_one(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    with isolated(job('{"device": "cuda"}')):
        assert os.environ["CUDA_VISIBLE_DEVICES"] == "3"
    with isolated(job()):
        assert os.environ["CUDA_VISIBLE_DEVICES"] == ""
        assert not os.environ.keys() & {"HOME", "PATH", "USER"}
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "3" and os.environ["HOME"]


# Expressions that take a seed from the operating system, or draw from a shared generator.
DRAWS = [
    *("np.random.default_rng().random()", "np.random.RandomState(None).random()", "np.random.rand()"),
    *("random.Random(None).random()", "random.random()", "torch.nn.Linear(3, 2).weight.sum().item()"),
    "scipy.sparse.linalg.eigsh(scipy.sparse.diags_array(np.arange(50.0)), k=2)[1].sum()",
    "scipy.stats.qmc.Sobol(2).random(2).sum()",
    *("os.urandom(8)", "os.getrandom(8)", "secrets.token_hex()", "uuid.uuid4()", "random.SystemRandom().random()"),
]


@pytest.mark.parametrize("text", DRAWS)
@pytest.mark.filterwarnings("ignore")
def test_equal_seeds_draw_equal_numbers_and_others_are_as_before_after_it(text):
    def draw(seed):
        with seeded(seed):
            return run(f"result = {text}", random=random, scipy=scipy, secrets=secrets, torch=torch, uuid=uuid)[0]

    assert draw(7) == draw(7) != draw(8)
    assert np.random.default_rng().random() != np.random.default_rng().random()
    assert random.Random().random() != random.Random().random()
    assert secrets.token_hex() != secrets.token_hex() and uuid.uuid4() != uuid.uuid4()


def test_numbers_drawn_at_import_change_no_result(monkeypatch):
    def drawn(at_import):
        monkeypatch.setattr("reproduce.jobs.isolation.import_function", lambda entry: at_import())
        with isolated(job()):
            return np.random.rand(), random.random(), torch.rand(1).item()

    assert drawn(dict) == drawn(lambda: [np.random.rand(), random.random(), torch.rand(1)])


LATE = """
import os
from pathlib import Path
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
for spec in ('{"seed": 1}', '{"seed": 1}', '{"seed": 2}'):
    if not os.fork():
        with isolated(Job(spec, "os:getcwd", Path())):
            import torch
            print(torch.rand(2).tolist(), flush=True)
        os._exit(0)
    os.wait()
"""


def test_torch_that_a_function_imports_late_is_seeded_by_the_spec():
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, check=True)
    first, again, other = done.stdout.splitlines()
    assert first == again != other
