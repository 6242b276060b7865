import hashlib
import linecache
import os
import py_compile
import random
import secrets
import site
import subprocess
import sys
import uuid  # noqa: F401
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd  # noqa: F401
import pytest
import torch

from reproduce.code.science import ROOT, SCIENCE
from reproduce.errors import UserError
from reproduce.jobs import isolation
from reproduce.jobs.isolation import _watched, isolated, seeded
from reproduce.jobs.job import Job
from reproduce.records import files as records_of_files
from reproduce.records.files import digests_of, sha256_of

FILE = f"{ROOT}/{SCIENCE}/experiments/toy/run.py"
# As `import scipy.stats` binds `scipy`.
IMPORTED = "asyncio glob io pyarrow scipy.sparse.linalg scipy.stats shutil socket tempfile warnings"
MODULES = {name.partition(".")[0]: __import__(name) for name in IMPORTED.split()}
FONT = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"


def job(spec="{}", entry="os:getcwd"):
    return Job(spec, entry, Path("record.json"))


def in_thread(function, *given):
    with ThreadPoolExecutor() as threads:
        return threads.submit(function, *given).result()


def run(text, *, strict=True, **given):
    """Execute a text as code of an experiment; return its variable `result`, and the files that it opened."""
    names = {**globals(), **MODULES, "__name__": f"{SCIENCE}.experiments.toy.run", "result": None, **given}
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


def clear():
    for each in (isolation._known, isolation._leads_here):
        each.cache_clear()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository as the present folder, and beside it a folder elsewhere, whose links lead into it."""
    here, elsewhere = tmp_path / "checkout", tmp_path / "elsewhere"
    (here / "folder/deep").mkdir(parents=True)
    (here / "folder/empty").mkdir()
    elsewhere.mkdir()
    write(*(here / name for name in ("a", "b", "b?", "run.py", "folder/a", "folder/deep/a")), elsewhere / "a", text="1")
    for link in ("link a", "chain link", "way folder", "down folder/deep", "out ../elsewhere/a"):
        relink(*map(here.joinpath, link.split()))
    relink(elsewhere / "way", here)
    relink(elsewhere / "link", here / "a")
    monkeypatch.setattr(isolation, "REPOSITORY", here)
    monkeypatch.setattr(records_of_files, "_PACKAGES", here)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(here)
    clear()
    yield here
    clear()


def relink(link, target):
    Path(link).unlink(missing_ok=True)
    Path(link).symlink_to(target)


def write(*names, text="23"):
    for name in names:
        Path(name).write_bytes(text.encode())


def read(table):
    """Return the pairs of a table: each line has what is before `::` with each of its expressions, between bars."""
    lines = [line.split(" :: ") for line in table.strip().replace("\n ", "").split("\n")]
    return [(first, each.strip()) for first, others in lines for each in others.split(" | ")]


# An edit, and what code asks that it answers otherwise.
ASKED = """
write('a') :: in_thread(np.loadtxt, 'a') | in_thread(os.path.getsize, 'a') | [*map(os.path.getsize, 'ab')]
  | os.stat(b'a')[6] | os.stat('a', dir_fd=os.open('.', 0))[6] | Path('a').stat().st_size | open(os.open('a', 0)).read()
  | np.memmap('a', mode='r') | linecache.getline('a', 1) | open('link').read() | open('../elsewhere/way/a').read()
write('folder/a') :: open('down/../a').read() | open('way/a').read()
  | os.read(os.open('a', 0, dir_fd=os.open('way', 0)), 9)
write('new') :: Path('new').is_file() | os.path.isfile('new') | os.access('new', 4) | [*Path().glob('new')]
  | glob.glob('new') | in_thread(os.listdir) | os.listdir(os.open('.', 0)) | Path('new').exists() and open('new').read()
write('folder/deep/new') :: glob.glob('folder/**', recursive=True) | [*os.walk('.')] | [*Path('down').iterdir()]
write(b'\\xff'.decode(errors='surrogateescape')) :: os.listdir()
write('b?') :: os.path.exists('b') and open('b?').read()
os.remove('b') or os.mkdir('b') :: [each.is_file() for each in os.scandir()] | Path('b').is_dir()
relink('link', 'folder/deep/a') or write('link') :: open('link').read() | open('chain').read()
relink('link', 'b') :: os.readlink('link') | os.path.realpath('chain') | os.path.samefile('chain', 'a')
relink('a', 'b') :: os.path.islink('a') | [each.is_symlink() for each in os.scandir()]
relink('way', 'folder/deep') or write('way/a') :: open('way/a').read() | glob.glob('way/*')
"""
# The limits that docs/staleness.md names.
NOT_SEEN = """
write('folder/a') :: [each.stat().st_size for each in os.scandir('folder')]
write('a', text='2') :: pyarrow.memory_map('a').read() | warnings.formatwarning('', Warning, 'a', 1)
write('run.py') :: os.path.getsize('run.py')
os.utime('a', (1, 1)) :: os.path.getmtime('a')
write('../elsewhere/new') :: os.path.exists('../elsewhere/new')
"""


@pytest.mark.parametrize(("edit", "question"), [*read(ASKED), *read(NOT_SEEN)])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_edit_of_whatever_code_asks_of_the_repository_is_seen(checkout, edit, question):
    linecache.clearcache()
    before, files = run(f"result = str({question})")
    assert digests_of(files) == files
    linecache.clearcache()
    eval(edit)
    assert run(f"result = str({question})")[0] != before
    assert (digests_of(files) != files) == ((edit, question) in read(ASKED))


def test_a_file_counts_as_it_was_when_code_first_opened_it(checkout):
    _, files = run("for _ in 'ab':\n np.loadtxt('a')\n write('a')", strict=False)
    assert files["a"] == hashlib.sha256(b"1").hexdigest()


def test_the_deepest_folder_decides_whether_a_file_is_installed(checkout, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(checkout / "folder"))
    monkeypatch.setattr(sys, "base_prefix", str(checkout.parent))
    clear()
    relink("folder/link", checkout / "a")
    assert run("result = [open(path).close() for path in ('folder/link', 'folder/a')]")[1].keys() == {"a"}


def test_bytecode_counts_as_the_source_that_python_would_read_and_its_folder_does_not_count(checkout):
    write("run.py", text="")
    path = py_compile.compile("run.py")
    assert run("open(path).close(), os.listdir('__pycache__')", path=path)[1] == digests_of(["run.py"])


REFUSED = """
which others do not have; put the file beside this code, or make a data set of it :: np.load(path) | pd.read_csv(path)
  | io.FileIO(path) | os.listdir('..') | torch.load(path) | open('out') | open('../elsewhere/link')
  | in_thread(open, path) | linecache.getline(path, 1) | sys.path.insert(0, '../elsewhere') or open(path)
  | os.open('..', 0)
a job writes nothing but its results :: open(path, 'a') | os.open('a', os.O_RDWR) | np.memmap('a') | open('new', 'x')
  | os.open('a', os.O_TRUNC) | os.open('new', os.O_CREAT) | os.remove('a') | os.rename('a', 'new')
  | Path('a').replace('b') | os.truncate('a', 0) | os.symlink('a', 'new') | os.link('a', 'new') | os.mkdir('new')
  | os.makedirs('new/new') | os.rmdir('folder/empty') | os.utime('a') | os.chmod('a', 0) | shutil.rmtree('folder')
  | os.unlink('a', dir_fd=os.open('folder', 0)) | shutil.copy('a', 'new') | Path('link').unlink()
  | in_thread(os.remove, 'a') | tempfile.mkdtemp(dir='.') | os.rename('a', tempfile.mkdtemp())
  | os.rename(tempfile.mkdtemp(), 'new')
reaches the network or a process :: os.system('true') | os.fork() | input() | in_thread(subprocess.run, 'true')
  | socket.create_connection(('localhost', 1)) | socket.socket().bind(('localhost', 0))
  | asyncio.run(asyncio.create_subprocess_exec('true'))
"""


def state(folder):
    return {path: (path.lstat().st_mode, path.is_file() and path.read_text()) for path in folder.rglob("*")}


@pytest.mark.parametrize(("reason", "text"), read(REFUSED))
@pytest.mark.filterwarnings("ignore")
def test_files_elsewhere_changes_the_network_and_processes_are_refused_with_the_line(checkout, reason, text):
    before, place = state(checkout.parent), "os:getcwd, in a thread" if "in_thread" in text else rf"{FILE}:2"
    with pytest.raises(UserError, match=f"^{place}: .*{reason}"):
        # Code that catches the error does not hide it.
        run(f"try:\n {text}\nexcept Exception: pass", path=str(checkout / "../elsewhere/a"))
    assert state(checkout.parent) == before


INNOCENT = [
    "async def f(): return await asyncio.to_thread(len, 'ab')\nresult = asyncio.run(f())",
    "import doctest, math\nresult = doctest.testmod(math)",
    "tempfile.tempdir = None\nwith tempfile.TemporaryFile() as new: result = new.write(b'1')",
    "with tempfile.NamedTemporaryFile() as new: result = new.write(b'1'), open(new.name).read()",
    "with tempfile.TemporaryDirectory() as new:\n os.makedirs(f'{new}/a/b')\n shutil.copy(font, f'{new}/a/c')\n"
    " os.symlink('c', f'{new}/a/d')\n result = os.listdir(f'{new}/a'), os.path.getsize(f'{new}/a/d')",
    "with tempfile.TemporaryDirectory() as new:\n np.save(f'{new}/a.npy', [1.0])\n"
    " os.rename(f'{new}/a.npy', f'{new}/b.npy')\n result = np.load(f'{new}/b.npy', mmap_mode='r+')[0]",
    "result = in_thread(open, font, 'rb').close(), open(os.devnull, 'w').close(), Path('~/a').expanduser().exists()",
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
    *("os.urandom(8)", "os.getrandom(8)", "secrets.token_hex()", "uuid.uuid4()", "random.SystemRandom().random()"),
]


@pytest.mark.parametrize("text", DRAWS)
@pytest.mark.filterwarnings("ignore")
def test_equal_seeds_draw_equal_numbers_and_others_are_as_before_after_it(text):
    def draw(seed):
        with seeded(seed):
            return run(f"result = {text}")[0]

    def sources():
        return random.Random.seed, random.seed, os.urandom, os.getrandom, random._urandom, sys.meta_path

    before = [*sources()[:-1], sys.meta_path[:]]
    assert draw(7) == draw(7) != draw(8)
    assert [*sources()] == before
    assert secrets.token_hex() != secrets.token_hex()


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
