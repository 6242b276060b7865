import gc
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from filelock import FileLock
from hypothesis import settings

from reproduce.records.files import sha256_of

# One thread per test, since tests run side by side. Libraries read these variables when they are imported.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
# Whether the nightly tests run too, and the others with more examples.
NIGHTLY = os.environ.get("CI_TIERS") == "all"
# No deadline, since the time of an example depends on tests that run at the same time. Examples are the same in each
# run, so that a failed test fails again; only at night they are new.
settings.register_profile("side by side", deadline=None, derandomize=not NIGHTLY)
settings.load_profile("side by side")
# For the fixture `reader` for tests of charts.
pytest_plugins = ["chart_reader", "small_mnist"]
ROOT = Path(__file__).parents[1]
# Number of random examples if each takes long.
FEW = 100 if NIGHTLY else 30
# Seconds of processor time at which a test without a mark fails. It should take half of that at most: machines differ.
FAST = 20
# Seconds after which a command counts as hanging: under load, the tiny config takes ten times its two minutes.
HANGS = 3600
_COPIED = ("Snakefile", "CITATION.cff", "config.yaml", "configs", "docs", "workflow", "profiles", "envs", "tests")
_NOT_SOURCE = shutil.ignore_patterns("__pycache__", "default_tables")
# The figure that each document keeps. A document without a listed figure keeps all.
_DRAWN = (
    *("accuracy_by_depth", "loss_and_accuracy", "tree", "logarithmic_version", "figure_3_left"),
    *("consistency_of_inputs", "singular_values", "rank_and_accuracy"),
)
_PUBLIC = re.compile(rf"^def (?!_|(?:{'|'.join(_DRAWN)})\b)", re.MULTILINE)
_RESULTS = re.compile(rf"{re.escape(str(ROOT / 'results'))}(/(?!README)|$)")


class Project:
    """A copy of the sources in a separate folder, in which the real workflow runs.

    Except at night, it draws only one figure per document: fast tests draw the others.

    only: the experiments that run; if omitted, all experiments of the config files run.
    """

    def __init__(
        self, folder: Path, *, configfiles: tuple[str, ...] = ("tests/tiny.yaml",), only: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.configfiles = folder, (*configfiles, "only.yaml") if only else configfiles
        if any(folder.iterdir()):
            return
        for name in _COPIED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / name, **({"ignore": _NOT_SOURCE} if source.is_dir() else {}))
        if only:
            (folder / "only.yaml").write_text(f"only: [{', '.join(only)}]\n")
        if not NIGHTLY:
            _hide_figures(folder)

    def copy(self, folder: Path) -> "Project":
        """Copy sources, results and Snakemake's metadata, with their time stamps."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, symlinks=True)
        return Project(folder, configfiles=self.configfiles)

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess:
        paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        # Jobs find the sources of this folder by themselves; programs that people start find the installed library.
        variables = {**os.environ, "PATH": paths, "PYTHONPATH": str(self.folder / "workflow"), **environment}
        return subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True, timeout=HANGS)

    def snakemake(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """Run snakemake on the tiny config; --configfile among the arguments replaces it."""
        config = () if "--configfile" in arguments else ("--configfile", *self.configfiles)
        return self.run(sys.executable, "-m", "snakemake", "--cores", "2", *arguments, *config, **environment)

    def count_jobs(self, *arguments: str, **environment: str) -> dict[str, int]:
        """Return how many jobs of each rule a dry run announces."""
        done = self.snakemake("--dry-run", *arguments, **environment)
        assert done.returncode == 0, done.stderr
        return count_jobs(done.stdout + done.stderr)

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of a text in a file, or in the modules below a folder."""
        files = [self.folder / path] if (self.folder / path).is_file() else sorted((self.folder / path).rglob("*.py"))
        found = [file for file in files for _ in range(file.read_text().count(old))]
        assert len(found) == 1, f"{path} contains {old!r} {len(found)} times"
        found[0].write_text(found[0].read_text().replace(old, new))


def _hide_figures(folder: Path) -> None:
    """Hide all figures except one per document: functions whose names begin with an underscore are no figures."""
    for document in folder.glob("workflow/deepnets/documents/*"):
        modules = [*document.glob("figures/*.py"), *document.glob("figures.py")]
        texts = {path: path.read_text() for path in modules}
        if re.search(rf"^def ({'|'.join(_DRAWN)})\(", "".join(texts.values()), re.MULTILINE):
            for path, text in texts.items():
                path.write_text(_PUBLIC.sub("def _", text))


def count_jobs(words: str) -> dict[str, int]:
    """Return the number of jobs of each rule in Snakemake's table of jobs."""
    counts = re.findall(r"^([\w-]+) +(\d+)$", words, re.MULTILINE)
    return {rule: int(count) for rule, count in counts if rule not in ("all", "total")}


def digests(project: Project) -> dict[str, str]:
    """Return the SHA-256 of each result except pages, which list all others. Neither records nor hidden files are."""
    paths = (
        path
        for path in sorted(project.folder.glob("results/**/[!.]*"))
        if path.suffix in (".parquet", ".npz", ".pdf", ".png", ".svg", ".csv", ".json") and "records" not in path.parts
    )
    return {str(path.relative_to(project.folder)): sha256_of(path) for path in paths}


@pytest.fixture(scope="session", autouse=True)
def working_folder(tmp_path_factory):
    """A folder with links to the checkout's files except results. All tests start in it, and so do their programs."""
    folder = tmp_path_factory.mktemp("checkout")
    for path in ROOT.glob("[!.]*"):
        if path.name != "results":
            (folder / path.name).symlink_to(path)
    os.chdir(folder)
    sys.addaudithook(_guard_results)
    return folder


def _guard_results(event: str, arguments: tuple) -> None:
    """Fail a test that opens the checkout's results or starts a program beside them: it may pass or fail by them."""
    if event in ("open", "os.listdir", "os.scandir", "subprocess.Popen"):
        place = arguments[2] or os.getcwd() if event == "subprocess.Popen" else arguments[0]
        # A relative name may be one in another folder, which is open: pytest deletes folders of earlier tests so.
        place = os.path.normpath(os.fsdecode(place)) if isinstance(place, str | bytes | os.PathLike) else ""
        if _RESULTS.match(place) or (event == "subprocess.Popen" and place == str(ROOT)):
            pytest.fail(f"{place} belongs to the user; use a copy (Project), or the working folder with its links")


@pytest.fixture
def project(tmp_path):
    """A clean checkout."""
    return Project(tmp_path)


@pytest.fixture
def small_project(tmp_path):
    """A clean checkout in which only documents 000 and 001 run."""
    return Project(tmp_path, only=("classifier", "mnist_dynamics"))


@pytest.fixture
def smallest_project(tmp_path):
    """A clean checkout in which only document 001 runs, which has every kind of job."""
    return Project(tmp_path, only=("mnist_dynamics",))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory, worker_id):
    """A temporary folder for all workers: each has its own below it."""
    folder = tmp_path_factory.getbasetemp()
    return folder if worker_id == "master" else folder.parent


@pytest.fixture(scope="session")
def finished(shared_folder):
    """The tiny config, run once from a clean checkout. Tests that change it work on a copy."""
    folder, log = shared_folder / "finished", shared_folder / "finished.log"
    with FileLock(shared_folder / "finished.lock"):
        if not log.exists():
            folder.mkdir()
            log.write_text(str(Project(folder).snakemake()))
    assert "returncode=0" in log.read_text(), log.read_text()
    return Project(folder)


@pytest.fixture
def copied(finished, tmp_path):
    """A copy of the finished project, with results and Snakemake's metadata."""
    return finished.copy(tmp_path)


@pytest.fixture
def off_screen():
    """Matplotlib as the program `draw` sets it up; figures are closed after the test."""
    # Imported here because most tests draw nothing.
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    with plt.style.context(["default", ROOT / "workflow/reproduce/figures/column.mplstyle"]):
        yield
    plt.close("all")


@pytest.fixture
def config():
    """The default config, a fresh copy for each test."""
    return default_config()


@pytest.fixture(scope="session")
def default_plan():
    """The plan of the default config. Tests must not change it."""
    return plan_of_default()


@pytest.fixture
def planned(default_plan):
    """A function that plans a config. It reuses the sources of the default plan, which take seconds."""
    return lambda config: type(default_plan)(config, package=default_plan.package)


@cache
def sources(*options: str) -> list[str]:
    """Return the paths of the files that git tracks."""
    command = ["git", "-C", str(ROOT), "ls-files", *options]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [path for path in listed if os.path.lexists(ROOT / path)]


@cache
def plan_of_default():
    """Return the plan of the default config, made once a process: it takes seconds."""
    # Imported here because most tests plan nothing.
    from reproduce.config.plan import Plan

    return Plan(default_config())


def default_config() -> dict:
    """Return a fresh copy of the default config."""
    # Parsing takes 0.1 s. A copy by JSON shares no list between two keys, as aliases of YAML do.
    return json.loads(_text_of_config())


def tiny_config() -> dict:
    """Return the default config with the changes of tests/tiny.yaml."""
    # Imported here because most tests need only the default config.
    from snakemake.utils import update_config

    config = default_config()
    update_config(config, yaml.safe_load((ROOT / "tests/tiny.yaml").read_text(encoding="utf-8")))
    return config


@cache
def _text_of_config() -> str:
    return json.dumps(yaml.safe_load((ROOT / "config.yaml").read_text()))


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers(config):
    """Return one worker more than cores if slow tests run: those on Slurm mostly wait."""
    cores = yield
    return cores if config.option.markexpr == "not slow" else cores + 1


def pytest_collection_finish():
    """Leave imported modules out of every later search for garbage, which took a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fail a fast test that takes too long, in processor time: other programs do not lengthen it."""
    start = os.times()
    outcome = yield
    seconds = sum(os.times()[:4]) - sum(start[:4])
    if seconds > FAST and not (NIGHTLY or item.get_closest_marker("slow") or item.get_closest_marker("nightly")):
        pytest.fail(f"takes {seconds:.0f} s of processor time; mark it slow")
    return outcome


def pytest_collection_modifyitems(config, items):
    """Leave out nightly tests, unless they run at night or a test is named.

    Begin with what takes long, so that no core is idle at the end; what tests share is made in one process.
    """
    if not (NIGHTLY or any("::" in argument for argument in config.args)):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("nightly")])
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, "browser" not in item.fixturenames))
    for item in items:
        mark = item.get_closest_marker("xdist_group")
        # A browser with its scripts takes seconds to start, as does what the fast tests of a file share.
        shared = "browser" if "browser" in item.fixturenames else item.path.stem
        group = mark.args[0] if mark else "" if item.get_closest_marker("slow") else shared
        if group and hasattr(item.config, "workerinput"):
            # pytest-xdist 3.8 reads groups from here, but writes them where pytest 9.2 no longer looks.
            item._id = type(item._id).parse(f"{item.nodeid}@{group}")
