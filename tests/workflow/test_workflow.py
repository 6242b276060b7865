"""The real DAG with a tiny config: which jobs run, which do not run again, and which messages users get."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.dataset
import pytest

from conftest import Project, digests
from deepnets.records.provenance import sha256_of
from deepnets.records.stamps import stamp_of
from deepnets.records.tables import metadata_of, read_run, read_table

pytestmark = pytest.mark.slow
NOTHING = "Nothing to be done"


def count_jobs(project, *arguments):
    """Return how many jobs of each rule a dry run announces, without `all`."""
    done = project.snakemake("--dry-run", *arguments)
    assert done.returncode == 0, done.stderr
    counts = Counter()
    for line in (done.stdout + done.stderr).partition("Job stats:")[2].splitlines():
        parts = line.split()
        if parts[:1] == ["total"]:
            break
        if len(parts) > 1 and parts[1].isdigit() and parts[0] != "all":
            counts[parts[0]] = int(parts[1])
    return dict(counts)


def check_first_screen(page):
    """Check that each answer or finding is a whole sentence: with its numbers, or with what this config lacks."""
    header = re.search(r"<header>(.*?)</header>", page.read_text(), flags=re.DOTALL)[1]
    said = re.findall(r"<li>(.*?)</li>", header, flags=re.DOTALL)
    assert said
    for text in (" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in said):
        assert not re.search(r"no value|\bnan\b|\bNone\b|[{}]", text), text
        assert re.search(r"[.%] ?\(n = |[.] (\w|-)+, . |make\w* it with the full MNIST: snakemake --cores 8 ", text), (
            text
        )
    assert all(re.findall(r"<a [^>]*?href=\"([^\"]*)", header))


def test_all_results_are_made_and_a_second_run_has_nothing_to_do(copied):
    made = digests(copied)
    assert {path.split("/")[1] for path in made} == {"data", "runs", "tables", "claims", "figures", "interactive"}
    figures = [path for path in made if "figures" in path]
    assert {path.rsplit(".")[-1] for path in figures} == {"pdf", "png", "svg", "csv"}
    assert len(figures) == 4 * count_jobs(copied, "--forceall")["figure"]
    check_first_screen(copied.folder / "results/report.html")
    done = copied.snakemake()
    assert done.returncode == 0
    assert NOTHING in done.stdout + done.stderr


def test_the_stamp_of_one_document_s_page_decides_whether_it_is_stale(copied):
    assert copied.snakemake("000-classifier").returncode == 0
    check_first_screen(copied.folder / "results/report-000-classifier.html")
    # Without metadata of a file, Snakemake considers it current.
    shutil.rmtree(copied.folder / ".snakemake")
    style = copied.folder / "workflow/deepnets/page/templates/page.css"
    style.write_text(style.read_text() + "p { margin: 0; }\n")
    assert count_jobs(copied, "000-classifier") == {"page": 1, "000-classifier": 1}
    done = copied.run("python", "-m", "deepnets.tools.audit", "--stale", "--configfile", *copied.configfiles)
    assert set(done.stdout.split()) == {"results/report.html", "results/report-000-classifier.html"}


def test_the_sweeps_of_an_experiment_are_drawn_on_request(copied):
    files = ["results/figures/sweeps/learning_time.pdf", "results/interactive/sweeps/learning_time.json"]
    assert not any((copied.folder / path).exists() for path in files)
    assert copied.snakemake(*files).returncode == 0
    assert json.loads(stamp_of(copied.folder / files[0]).inputs).keys() == {"learning_time", "style"}
    assert "depth in block depths, a colour for each init" in (copied.folder / files[1]).read_text()
    assert count_jobs(copied, *files) == {}
    done = copied.run("python", "-m", "deepnets.tools.audit", "--configfile", *copied.configfiles)
    assert "sweeps" not in done.stdout and done.stdout.endswith(" current\n"), done.stderr


def test_all_runs_can_be_read_as_one_partitioned_table(finished):
    runs = pyarrow.dataset.dataset(finished.folder / "results/runs", partitioning="hive")
    assert {"experiment", "depth", "init", "seed", "step", "metric", "index", "value"} <= set(runs.schema.names)
    assert set(runs.to_table(columns=["experiment"])["experiment"].to_pylist()) >= {"classifier", "mnist_dynamics"}


def test_tables_contain_the_axes_and_record_the_subset(finished):
    table = read_table(finished.folder / "results/tables/mnist_dynamics.parquet")
    assert table.column_names[:6] == ["experiment", "depth", "init", "rule", "seed", "step"]
    assert metadata_of(table)["mnist"] == "subset"
    other = read_table(finished.folder / "results/tables/classifier.parquet")
    assert metadata_of(other)["mnist"] == ""


@pytest.fixture
def busy_core():
    """A process that keeps one core busy, at the lowest priority."""
    busy = subprocess.Popen(["nice", "-n", "19", sys.executable, "-c", "while True: pass"])
    yield
    busy.kill()
    busy.wait()


@pytest.mark.parametrize("only", ["001-(?!.*by_start)|mnist_dynamics", pytest.param("", marks=pytest.mark.nightly)])
def test_bytes_do_not_depend_on_cores_load_folder_or_user(finished, tmp_path, busy_core, only):
    # Draw one figure of each document: figures are most of the jobs, and a fault would change all of them.
    expected = digests(finished)
    chosen = {path.rsplit("/", 1)[0]: path for path in expected if path.endswith(".pdf")}.values()
    figures = {path.replace(".pdf", suffix) for path in chosen for suffix in (".pdf", ".png", ".svg", ".csv")}
    expected = {
        path: digest
        for path, digest in expected.items()
        if re.search(f"{only}|/data/", path) and ("/figures/" not in path or path in figures)
    }
    other = Project(tmp_path)
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.facecolor: yellow\n")
    targets = [path for path in expected if "/data/" not in path]
    done = other.snakemake("--cores", "8", *targets, USER="somebody", HOME=str(tmp_path), OMP_NUM_THREADS="2")
    assert done.returncode == 0, done.stderr
    assert digests(other) == expected


BY_HAND = {
    "whiten": ("results/data/whitened.npz", "--mnist results/data/mnist.npz"),
    "train": ("results/runs/experiment=mnist_dynamics/**/run.parquet", "--data results/data/whitened.npz"),
    "aggregate": (
        "results/tables/mnist_dynamics.parquet",
        "--runs results/runs/experiment=mnist_dynamics/*/*/*/*/run.parquet",
    ),
    "draw": (
        "results/figures/001-mnist-dynamics/loss_and_accuracy.pdf",
        "--style workflow/deepnets/figures/column.mplstyle --tables results/tables/mnist_dynamics.parquet",
    ),
}


@pytest.mark.parametrize("program", BY_HAND)
def test_a_job_started_by_hand_gives_the_same_bytes_whatever_the_threads(finished, tmp_path, program):
    pattern, files = BY_HAND[program]
    path = next(finished.folder.glob(pattern))
    stamp = stamp_of(path)
    command = f"python -m deepnets.jobs {program} --spec {shlex.quote(stamp.spec)} --code {stamp.code}"
    command = f"{command} {files} --output {tmp_path}/{path.name}"
    done = finished.run("bash", "-c", command, OMP_NUM_THREADS="2", OPENBLAS_NUM_THREADS="2")
    assert done.returncode == 0, done.stderr
    assert sha256_of(tmp_path / path.name) == sha256_of(path)


def test_a_program_prints_its_options(finished):
    done = finished.run("python", "-m", "deepnets.jobs", "whiten", "--help")
    assert "Whiten the first training images" in done.stdout
    assert all(option in done.stdout for option in ("--spec", "--code", "--mnist", "--output"))
    done = finished.run("python", "-m", "deepnets.jobs", "bleach")
    assert done.returncode == 2
    others = ["fetch", "interact", "judge", "ledger", "page", "train", "whiten"]
    programs = ["aggregate", "archive", "draw", *others]
    assert f"'bleach' (choose from {', '.join(map(repr, programs))})" in done.stderr


def test_a_bad_config_stops_before_the_first_job(project):
    project.edit("tests/tiny.yaml", "depth: 3, seeds: 2", "depth: 0, seeds: 2")
    done = project.snakemake()
    assert done.returncode != 0
    message = "config: experiments.classifier.grids.depth_3_to_6.axes.depth: 0 is too small; allowed: 1 or more"
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (project.folder / "results").exists()


def test_a_point_outside_the_config_is_named(project):
    done = project.snakemake("results/runs/experiment=classifier/depth=9/run.parquet")
    assert done.returncode != 0
    assert "the config has no such point" in done.stderr


def test_divergence_is_a_result_and_the_workflow_continues(copied):
    settings = {"experiments": {"classifier": {"grids": {"two_layers": {"axes": {"learning_rate": 1e6}}}}}}
    copied.configfiles = (*copied.configfiles, "fast.yaml")
    (copied.folder / "fast.yaml").write_text(json.dumps(settings))
    before = digests(copied)
    done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    runs = list((copied.folder / "results/runs").glob("**/block=two_layers/**/learning_rate=1000000/**/run.parquet"))
    assert runs
    assert all("diverged" in read_run(path)["metric"].to_pylist() for path in runs)
    # The table and the figures of diverged runs were made, too.
    found = digests(copied).keys()
    assert {path for path in found if "/runs/" not in path} == {path for path in before if "/runs/" not in path}
    table = read_table(copied.folder / "results/tables/classifier.parquet")
    assert "diverged" in table["metric"].to_pylist()
    assert NOTHING in copied.snakemake("--dry-run").stdout


def test_a_sweep_can_be_run_in_parts(tmp_path):
    (tmp_path / "folder").mkdir()
    sweep = Project(tmp_path / "folder", configfiles=("own.yaml",), only=("regression",))
    (sweep.folder / "own.yaml").write_text(
        "mnist: {source: embedded}\nexperiments: {regression: {grids: {exercise: {axes: {seeds: 6}}}}}\n"
    )
    for part in (1, 2):
        assert count_jobs(sweep, "--batch", f"aggregate={part}/3") == {"train": 2}
        assert sweep.snakemake("--batch", f"aggregate={part}/3").returncode == 0
        assert len(list(sweep.folder.glob("results/runs/**/run.parquet"))) == 2 * part
    left = count_jobs(sweep)
    assert count_jobs(sweep, "--batch", "aggregate=3/3") == left
    assert (left.pop("train"), left.pop("aggregate")) == (2, 1)
    table = "results/tables/regression.parquet"
    assert sweep.snakemake("--batch", "aggregate=3/3", table).returncode == 0
    assert read_table(sweep.folder / table)["seed"].unique().to_pylist() == [*range(6)]
    # Snakemake, too, plans the table from all runs.
    assert count_jobs(sweep) == left


def make_dead_link(path):
    path.symlink_to("/nowhere")


@pytest.mark.parametrize(
    ("place", "make"),
    [
        ("results", Path.touch),
        ("results", make_dead_link),
        ("results/figures", make_dead_link),
        ("results/runs/experiment=classifier/depth=2", Path.touch),
    ],
)
def test_a_file_or_link_in_place_of_a_results_folder_is_named(project, make, place):
    # This stops every user, including root.
    (project.folder / place).parent.mkdir(parents=True, exist_ok=True)
    make(project.folder / place)
    done = project.snakemake("--dry-run", "--quiet", "all")
    assert done.returncode != 0
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("error:"))
    assert f"{project.folder / place} must be a folder" in line
    assert "Traceback" not in done.stderr


@pytest.fixture
def as_ordinary_user(tmp_path_factory):
    """The beginning of a command that takes from root the right to ignore modes of files; empty for other users."""
    if os.geteuid() != 0:
        return []
    command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    if not shutil.which("setpriv") or subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("setpriv, which removes root's privileges, is not installed")
    return command


@pytest.mark.parametrize("locked", ["results/logs", "results/logs/train/experiment=regression", "results/runs"])
def test_a_folder_of_results_that_cannot_be_written_is_named_before_anything_is_removed(
    copied, as_ordinary_user, locked
):
    made, folder = digests(copied), copied.folder / locked
    folder.chmod(0o555)
    snakemake = [*as_ordinary_user, sys.executable, "-m", "snakemake", "--cores", "2"]
    own = ["--config", "experiments={regression: {noise: 2}}", "--configfile", *copied.configfiles]
    done = copied.run(*snakemake, "results/tables/regression.parquet", *own)
    folder.chmod(0o755)
    assert done.returncode != 0
    assert f"{folder} must be a folder that you may write to; it is not" in done.stderr
    assert "Traceback" not in done.stderr
    assert digests(copied) == made


def test_braces_in_the_path_are_named(project):
    folder = project.folder / "{y}"
    shutil.copytree(project.folder, folder, ignore=shutil.ignore_patterns("{y}"))
    done = Project(folder).snakemake("--dry-run")
    assert done.returncode != 0
    assert f"{folder}: Snakemake reads the braces in this path as wildcards" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_numbers_and_nulls_on_the_command_line_are_read_as_in_a_file(project):
    own = "experiments={regression: {noise: 2, grids: {exercise: {axes: {seeds: [7]}}}}, zero_init: null}"
    done = project.snakemake("--dry-run", "--printshellcmds", "--config", own)
    assert done.returncode == 0, done.stderr
    (command,) = re.findall(r"launch\.py train .*experiment=regression.*", done.stdout + done.stderr)
    words = shlex.split(command)
    spec = json.loads(words[words.index("--spec") + 1])
    assert (spec["noise"], spec["seed"]) == (2, 7)
    assert "experiment=zero_init" not in done.stdout + done.stderr
    done = project.snakemake("--dry-run", "--config", "experiments={regression: {noise: 2, noise: 3}}")
    assert "--config: experiments.regression.noise is given twice; keep one of the two" in done.stdout + done.stderr


def test_a_duplicate_key_stops_before_the_first_job(project):
    (project.folder / "own.yaml").write_text("mnist: {source: auto}\nmnist: {source: embedded}\n")
    done = project.snakemake("--configfile", "own.yaml")
    assert done.returncode != 0
    assert "own.yaml:2: mnist is given twice; keep one of the two" in done.stderr
    assert "Traceback" not in done.stderr
