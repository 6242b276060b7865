import hashlib
import io
import os
import random
import site
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import torch

from reproduce.code.science import ROOT, SCIENCE
from reproduce.errors import UserError
from reproduce.jobs import isolation
from reproduce.jobs.isolation import _watched, isolated, seeded
from reproduce.jobs.job import Job
from reproduce.records import files as records_of_files
from reproduce.records.files import digests_of, sha256_of

FILE = f"{ROOT}/{SCIENCE}/experiments/toy/run.py"
FONT = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"


def job(spec="{}", entry="os:getcwd"):
    return Job(spec, entry, Path("record.json"))


def run(text, *, strict=True, **given):
    """Execute a text as code of an experiment; return its variable `result`, and the files that it opened."""
    names = {"__name__": f"{SCIENCE}.experiments.toy.run", "os": os, "io": io, "np": np, "pd": pd, "Path": Path}
    names |= {"result": None, **given}
    with _watched(watched := job(), strict=strict):
        exec(compile(text, FILE, "exec"), names)
    return names["result"], watched.opened


@pytest.mark.parametrize("text", ["pd.read_csv(path)", "io.FileIO(path)", "Path(path).read_text()", "os.open(path, 0)"])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_each_file_of_the_repository_is_recorded_with_its_digest(text):
    name = f"{SCIENCE}/documents/classifier/verdicts.csv"
    result, files = run(f"result = {text}", path=f"{ROOT}/{name}")
    assert result is not None and files[name] == sha256_of(ROOT / name)
    # Functions may also ask about the file and its folders.
    assert all(each.startswith("./") for each in files.keys() - {name})


OUT = {"out": "../elsewhere/a.csv", "../elsewhere/way": "../checkout", "../elsewhere/a": "../checkout/a.csv"}


def clear():
    for each in (isolation._known, isolation._leads_here):
        each.cache_clear()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository with files, a folder and links, as the present folder; another folder and links to it beside."""
    here, elsewhere = tmp_path / "checkout", tmp_path / "elsewhere"
    for path in (here / "folder/deep", here / "folder/empty", elsewhere):
        path.mkdir(parents=True)
    for name in ("a.csv", "b.csv", "b.csv?", "run.py", "folder/a.csv", "folder/deep/a.csv", "../elsewhere/a.csv"):
        (here / name).write_text("1")
    for link, target in {"link": "a.csv", "chain": "link", "way": "folder", "down": "folder/deep", **OUT}.items():
        (here / link).symlink_to(target)
    monkeypatch.setattr(isolation, "REPOSITORY", here)
    monkeypatch.setattr(records_of_files, "_PACKAGES", here)
    monkeypatch.chdir(here)
    clear()
    yield here
    clear()


def relinked(link, target):
    Path(link).unlink()
    Path(link).symlink_to(target)


THREADS = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as threads:\n"
EDIT = "Path('a.csv').write_text('23')"
# What code asks → an edit that changes the answer.
ASKED = {
    f"{THREADS} result = str([*threads.map(np.loadtxt, ['b.csv', 'a.csv'] * 9)])": EDIT,
    f"{THREADS} result = threads.submit(os.path.getsize, 'a.csv').result()": EDIT,
    f"{THREADS} result = threads.submit(os.listdir).result()": "Path('new').touch()",
    "result = [*map(os.path.getsize, ['a.csv'])]": EDIT,
    "result = Path('a.csv').stat().st_size": EDIT,
    "result = os.stat(b'a.csv').st_size": EDIT,
    "result = os.stat('a.csv', dir_fd=os.open('.', 0)).st_size": EDIT,
    "result = os.read(os.open('a.csv', 0, dir_fd=os.open('folder', 0)), 9)": "Path('folder/a.csv').write_text('23')",
    "result = open(os.open('a.csv', 0)).read()": EDIT,
    "import linecache\nlinecache.clearcache()\nresult = linecache.getline('a.csv', 1)": EDIT,
    "result = Path('new').is_file()": "Path('new').touch()",
    "result = os.path.isdir('new')": "Path('new').mkdir()",
    "result = os.access('new', os.R_OK)": "Path('new').touch()",
    "import shutil\nresult = shutil.which('./new')": "os.open('new', os.O_CREAT, 0o755)",
    "result = [*Path().glob('new')]": "Path('new').touch()",
    "import glob\nresult = glob.glob('folder/new')": "Path('folder/new').touch()",
    "import glob\nresult = glob.glob('folder/**', recursive=True)": "Path('folder/deep/new').touch()",
    "result = [*os.walk('.')]": "Path('folder/deep/new').touch()",
    "result = [each.is_file() for each in os.scandir('folder/deep')]": (
        "Path('folder/deep/a.csv').unlink() or Path('folder/deep/a.csv').mkdir()"
    ),
    "result = os.listdir(os.open('folder', 0))": "Path('folder/new').touch()",
    "result = open('link').read()": "relinked('link', 'run.py') or Path('run.py').write_text('23')",
    "result = os.readlink('link')": "relinked('link', 'b.csv')",
    "result = os.path.islink('a.csv')": "relinked('a.csv', 'b.csv')",
    "result = os.path.realpath('chain')": "relinked('link', 'b.csv')",
    "result = open('chain').read()": "relinked('link', 'run.py') or Path('run.py').write_text('23')",
    "result = open('way/a.csv').read()": "relinked('way', 'folder/deep') or Path('way/a.csv').write_text('23')",
    "result = open('way/deep/../a.csv').read()": "Path('folder/a.csv').write_text('23')",
    "result = open('down/../a.csv').read()": "Path('folder/a.csv').write_text('23')",
    "result = [*Path('way').iterdir()]": "Path('folder/new').touch()",
    "result = open('../elsewhere/way/a.csv').read()": EDIT,
    "os.chdir('folder')\nresult = open('a.csv').read()": "os.chdir('..') or Path('folder/a.csv').write_text('23')",
    "result = open('é.csv').read() if os.path.exists('é.csv') else 0": "Path('é.csv').write_text('23')",
    "result = os.listdir('.')": "open(b'\\xff.csv', 'w').close()",
    "result = open('b.csv?').read() if os.path.exists('b.csv') else 0": "Path('b.csv?').write_text('23')",
}


# docs/staleness.md names these limits.
NOT_SEEN = {
    "result = next(os.scandir('folder/deep')).stat().st_size": "Path('folder/deep/a.csv').write_text('23')",
    "import pyarrow\nresult = pyarrow.memory_map('a.csv').read()": EDIT,
    "result = os.path.getsize('run.py')": "Path('run.py').write_text('23')",
    "result = os.path.getmtime('a.csv')": "os.utime('a.csv', (1, 1))",
    "result = os.path.exists('../elsewhere/new')": "Path('../elsewhere/new').touch()",
}


@pytest.mark.parametrize("text", [*ASKED, *NOT_SEEN])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_edit_of_whatever_code_asks_of_the_repository_is_seen(checkout, text):
    before, files = run(text)
    assert digests_of(files) == files
    exec((ASKED | NOT_SEEN)[text])
    os.chdir(checkout)
    assert run(text)[0] != before
    assert (digests_of(files) != files) == (text in ASKED)


def test_a_file_counts_as_it_was_when_code_first_opened_it(checkout):
    _, files = run("for _ in 'ab':\n np.loadtxt('a.csv')\n Path('a.csv').write_text('23')", strict=False)
    assert files["a.csv"] == hashlib.sha256(b"1").hexdigest()


ELSEWHERE = "which others do not have; put the file beside this code, or make a data set of it"
REACHES = "reaches the network or a process"
REFUSED = {
    **dict.fromkeys(["np.load(path)", "pd.read_csv(path)", "io.FileIO(path)", "os.listdir('..')"], ELSEWHERE),
    **dict.fromkeys(["import torch\ntorch.load(path)", "open('out')", "open('../elsewhere/a')"], ELSEWHERE),
    **dict.fromkeys(
        ["try:\n np.load(path)\nexcept Exception: pass", f"{THREADS} threads.submit(open, path)"], ELSEWHERE
    ),
    "import linecache\nlinecache.getline(path, 1)": ELSEWHERE,
    "import sys\nsys.path.insert(0, '../elsewhere')\nopen(path)": ELSEWHERE,
    **dict.fromkeys(["open(path, 'a')", "os.open('a.csv', os.O_RDWR)", "np.memmap('a.csv')", "open('new', 'x')"], ""),
    **dict.fromkeys(["os.remove('a.csv')", "os.rename('a.csv', 'new')", "Path('a.csv').replace('new')"], ""),
    **dict.fromkeys(["os.truncate('a.csv', 0)", "os.symlink('a.csv', 'new')", "os.link('a.csv', 'new')"], ""),
    **dict.fromkeys(
        ["os.mkdir('new')", "os.makedirs('folder/new')", "os.rmdir('folder/empty')", "os.utime('a.csv')"], ""
    ),
    **dict.fromkeys(["os.chmod('a.csv', 0)", "import shutil\nshutil.rmtree('folder')", "Path('link').unlink()"], ""),
    **dict.fromkeys(
        ["os.unlink('a.csv', dir_fd=os.open('folder', 0))", "import shutil\nshutil.copy('a.csv', 'new')"], ""
    ),
    **dict.fromkeys(
        [f"{THREADS} threads.submit(os.remove, 'a.csv')", "import tempfile\ntempfile.mkdtemp(dir='.')"], ""
    ),
    "import tempfile\nos.rename('a.csv', tempfile.mkdtemp() + '/a')": "",
    "import tempfile\nwith tempfile.NamedTemporaryFile() as new: os.rename(new.name, 'new')": "",
    **dict.fromkeys(["os.system('true')", "os.fork()", "input()"], REACHES),
    "import socket\nsocket.create_connection(('localhost', 1))": REACHES,
    "import socket\nsocket.socket().bind(('localhost', 0))": REACHES,
    f"{THREADS} import subprocess\n threads.submit(subprocess.run, 'true')": REACHES,
    "import asyncio\nasyncio.run(asyncio.create_subprocess_exec('true'))": REACHES,
}


def state(folder):
    return {path: (path.lstat().st_mode, path.is_file() and path.read_text()) for path in folder.rglob("*")}


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.filterwarnings("ignore")
def test_files_elsewhere_changes_the_network_and_processes_are_refused_with_the_line(checkout, text):
    before, place = state(checkout.parent), "os:getcwd, in a thread" if THREADS in text else rf"{FILE}:\d+"
    with pytest.raises(UserError, match=f"^{place}: .*{REFUSED[text] or 'a job writes nothing but its results'}"):
        run(text, path=str(checkout / "../elsewhere/a.csv"))
    assert state(checkout.parent) == before


TEMPORARY = "import tempfile, shutil, warnings\n"
INNOCENT = [
    "import asyncio\nasync def f(): return await asyncio.to_thread(len, 'ab')\nresult = asyncio.run(f())",
    "import doctest, math\nresult = doctest.testmod(math)",
    f"{TEMPORARY}with tempfile.TemporaryFile() as new: result = new.write(b'1')",
    f"{TEMPORARY}with tempfile.NamedTemporaryFile() as new: result = new.write(b'1'), open(new.name).read()",
    f"{TEMPORARY}with tempfile.SpooledTemporaryFile(max_size=1) as new: result = new.write(b'123')",
    f"{TEMPORARY}with tempfile.TemporaryDirectory() as new:\n os.makedirs(f'{{new}}/a/b')\n"
    " shutil.copy(font, f'{new}/a/c')\n result = os.listdir(f'{new}/a'), os.path.getsize(f'{new}/a/c')",
    f"{TEMPORARY}with tempfile.TemporaryDirectory() as new:\n np.save(f'{{new}}/a.npy', [1.0])\n"
    " os.rename(f'{new}/a.npy', f'{new}/b.npy')\n result = np.load(f'{new}/b.npy', mmap_mode='r+')[0]",
    f"{TEMPORARY}tempfile.tempdir = None\nwith tempfile.TemporaryFile() as new: result = 1",
    f"{THREADS} result = threads.submit(open, font, 'rb').result().close() or 1",
    "print('', file=open(os.devnull, 'w'))\nresult = 1",
    "result = Path.home().joinpath('curve.csv').exists() or 1",
]


@pytest.mark.parametrize("text", INNOCENT)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_temporary_files_and_event_loops_are_allowed_and_no_input(checkout, text):
    result, files = run(text, font=FONT)
    assert result is not None and not any(files.values())


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
    clear()
    try:
        for path in (FONT, FONT.replace(os.path.realpath(link), str(link))):
            assert run("open(path, 'rb').close()", path=path)[1] == {}
    finally:
        clear()


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
]


@pytest.mark.parametrize("text", DRAWS)
@pytest.mark.filterwarnings("ignore")
def test_equal_seeds_draw_equal_numbers_and_others_are_as_before_after_it(text):
    def draw(seed):
        with seeded(seed):
            return run(f"result = {text}", random=random, scipy=scipy, torch=torch)[0]

    assert draw(7) == draw(7) != draw(8)
    assert np.random.default_rng().random() != np.random.default_rng().random()
    assert random.Random().random() != random.Random().random()


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
