import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from conftest import ROOT, Project, digests
from reproduce.config.environment import processors
from reproduce.records.files import sha256_of
from reproduce.records.record import read_record

pytestmark = pytest.mark.slow


def check_first_screen(page):
    """Check that each answer or finding is a whole sentence: with its numbers, or with what this config lacks."""
    header = re.search(r"<header>(.*?)</header>", page.read_text(), flags=re.DOTALL)[1]
    said = re.findall(r'(?:<li>|<div class="found">)(.*?)</(?:li|p)>', header, flags=re.DOTALL)
    assert said
    for text in (" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in said):
        assert not re.search(r"no value|\bnan\b|\bNone\b|[{}]|config contains", text), text
        assert re.search(r"[.%] ?\(n = |[.] [\w-]+(, .|$)|has them all, with the full data sets: snakemake ", text), (
            text
        )
    assert all(re.findall(r"<a [^>]*?href=\"([^\"]*)", header))


def quoted(page):
    """Return the numbers in each answer at the top of a page, without their errors."""
    answers = re.findall(r'<div class="found">(.*?)</p>', page.read_text(), flags=re.DOTALL)
    said = [re.findall(r'<a href="#claim-[^>]*>([^<]*)', each) for each in answers]
    return [[float(text.partition(" ±")[0].replace("−", "-")) for text in each] for each in said]


def test_all_results_are_made_and_a_second_run_has_nothing_to_do(copied):
    made = digests(copied)
    assert {path.split("/")[1] for path in made} == {"data", "runs", "tables", "claims", "figures", "interactive"}
    figures = [path for path in made if "figures" in path]
    begins = {"pdf": b"%PDF-", "png": b"\x89PNG", "svg": b"<?xml", "csv": b"panel,"}
    assert {path.rsplit(".")[-1] for path in figures} == begins.keys()
    assert all((copied.folder / path).read_bytes().startswith(begins[path.rsplit(".")[-1]]) for path in figures)
    assert len(figures) == 4 * copied.count_jobs("--forceall")["figure"]
    check_first_screen(copied.folder / "results/report.html")
    assert "Nothing to be done" in copied.snakemake().stderr


def test_no_more_jobs_run_at_a_time_than_there_are_processors(copied):
    done = copied.snakemake("--cores", "64", "--force", "list_claims")
    assert f"\nProvided cores: {processors()}\n" in done.stderr


@pytest.mark.nightly
def test_the_words_of_all_five_answers_of_the_quick_config_hold_of_their_numbers(tmp_path):
    # On the subset; test_default_tables.py takes the numbers of the full MNIST from the default config's tables.
    quick = Project(tmp_path, configfiles=("configs/quick.yaml",))
    done = quick.snakemake("--config", "data={mnist: {source: embedded}, cifar10: {source: mnist}}")
    assert done.returncode == 0, done.stderr
    page = tmp_path / "results/report.html"
    check_first_screen(page)
    (one, six), (delay,), (orthogonal, gaussian), (power, resnet), (exponent,) = quoted(page)
    assert one < six and delay > 0
    assert 1 < orthogonal < 10 and gaussian > 2
    # With batch normalisation, 10 to a power is far above what is left with skip connections.
    assert power > 10 and 1 < resnet < 1000
    assert -2 < exponent < -1


@pytest.mark.parametrize(
    ("edited", "arguments", "told"),
    [
        (
            ("tests/tiny.yaml", "depth: 3, seeds: 2", "depth: 0, seeds: 2"),
            (),
            "config: experiments.classifier.grids.depth_3_to_6.axes.depth: 0: Input should be greater than ",
        ),
        # Snakemake itself names neither file nor line.
        (("config.yaml", "only: null", "only: [null"), (), "config.yaml:"),
        ((), ("--until", "trian"), "'trian' is neither a target nor a result (did you mean 'train'?); targets: "),
        ((), ("--jobs", "0"), "--cores or --jobs 0: no job would ever start; allowed: 1 or more"),
        ((), ("--configfile", "config.yaml"), "MNIST_DIR: /nowhere is not a folder; "),
        # test_whole_plans.py plans such a config without a GPU: only the start is refused.
        pytest.param(
            ("config.yaml", "device: cpu #", "device: cuda #"),
            (),
            "config: experiments.propagation.device: cuda, but torch finds no GPU on this machine",
            marks=pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="this machine has a GPU"),
        ),
    ],
)
def test_what_cannot_be_planned_is_answered_by_one_sentence_before_the_first_job(project, edited, arguments, told):
    if edited:
        project.edit(*edited)
    done = project.snakemake(*arguments, MNIST_DIR="/nowhere")
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "Traceback" not in said and "Exception" not in said
    (line,) = said.rpartition("Error:\n")[2].splitlines()
    assert line.startswith(told)
    assert not (project.folder / "results").exists()


def test_a_sweep_can_be_run_in_parts(tmp_path):
    sweep = Project(tmp_path, configfiles=("own.yaml",), only=("regression",))
    own = "data: {mnist: {source: embedded}}\nexperiments: {regression: {grids: {exercise: {axes: {seeds: 6}}}}}\n"
    (sweep.folder / "own.yaml").write_text(own)
    assert sweep.snakemake("--batch", "aggregate=1/2").returncode == 0
    assert len(list(sweep.folder.glob("results/runs/**/run.parquet"))) == 3
    left = sweep.count_jobs("--batch", "aggregate=2/2")
    assert (left["train"], left["aggregate"]) == (3, 1)
    # Snakemake, too, plans the table from all runs, of which there may be fewer than parts.
    assert sweep.count_jobs() == left == {**left, **sweep.count_jobs("--batch", "aggregate=1/9")}


def test_numbers_and_nulls_on_the_command_line_are_read_as_in_a_file(project):
    own = "experiments={regression: {noise: 2, grids: {exercise: {axes: {seeds: [7]}}}}, zero_init: null}"
    done = project.snakemake("--dry-run", "--printshellcmds", "--config", own)
    assert done.returncode == 0, done.stderr
    (command,) = re.findall(r"launch\.py train .*experiment=regression.*", done.stdout + done.stderr)
    words = shlex.split(command)
    spec = json.loads(words[words.index("--spec") + 1])
    assert (spec["noise"], spec["seed"]) == (2, 7)
    assert "experiment=zero_init" not in done.stdout + done.stderr


# Snakemake's plugin for folders calls rsync, which few machines have: copy its last argument but one to the last.
RSYNC = '#!/bin/sh\nshift $(($# - 2))\nexec cp -pL "$1" "$2"\n'
SHARED = ("persistence", "software-deployment", "sources", "source-cache", "storage-local-copies")


def test_results_may_lie_on_a_storage(smallest_project, tmp_path_factory):
    project, storage = smallest_project, tmp_path_factory.mktemp("s")
    rsync = project.folder / "bin/rsync"
    rsync.parent.mkdir()
    rsync.write_text(RSYNC)
    rsync.chmod(0o755)
    paths = os.pathsep.join([str(rsync.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    options = ["--default-storage-provider", "fs", "--default-storage-prefix", str(storage)]
    options += ["--shared-fs-usage", *SHARED]
    done = project.snakemake(*options, PATH=paths)
    assert done.returncode == 0, done.stderr
    results = project.folder / "results"
    assert not results.exists()
    (record,) = storage.glob("results/records/figures/*/loss_and_accuracy.json")
    for name, digest in read_record(record).outputs.items():
        assert sha256_of(storage / "results/figures/001-mnist-dynamics" / name) == digest
    # Files in the folder of local results do not count.
    for path in storage.glob("results/tables/*"):
        (results / "tables").mkdir(parents=True)
        (results / "tables" / path.name).write_text("another")
    assert project.count_jobs(*options, PATH=paths) == {}
    # No record is here, so any edit of code counts for all results.
    project.edit("workflow/deepnets/experiments/classifier/run.py", "np.log(sums)", "np.log2(sums)")
    assert project.count_jobs(*options, PATH=paths)["data"] == 2


# As those for clouds, whose nodes share no folder.
EXECUTOR = """\
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor as Executor
from snakemake_interface_executor_plugins.settings import CommonSettings

common_settings = CommonSettings(
    non_local_exec=True, implies_no_shared_fs=True, job_deploy_sources=True, pass_default_storage_provider_args=True,
    pass_default_resources_args=True, pass_envvar_declarations_to_cmd=True, auto_deploy_default_storage_provider=False,
)
"""


def test_nodes_that_share_no_folder_get_all_sources_or_none(smallest_project, tmp_path_factory):
    project, storage = smallest_project, tmp_path_factory.mktemp("s")
    plugin = project.folder / "workflow/snakemake_executor_plugin_cloud/__init__.py"
    plugin.parent.mkdir()
    plugin.write_text(EXECUTOR)
    options = ["--executor", "cloud", "--jobs", "1", "--default-storage-provider", "fs"]
    options += ["--default-storage-prefix", str(storage)]
    # Snakemake sends what git lists, and a folder from a zip has no git.
    refused = project.snakemake(*options)
    assert refused.returncode == 1 and "nodes would lack workflow/launch.py" in refused.stderr, refused.stderr
    assert "Uploading" not in refused.stderr and "Traceback" not in refused.stderr
    assert project.run("bash", "-c", "git init --quiet && git add .").returncode == 0
    assert "Uploading source archive" in project.snakemake(*options).stderr


def test_notebooks_become_pages_on_request(copied):
    shutil.copytree(ROOT / "notebooks", copied.folder / "notebooks")
    # Figures that notebooks draw, and the project does not.
    for name in ("training_loss", "sweep_loss", "illusions"):
        copied.edit("workflow/deepnets/documents/hierarchy/figures", f"def _{name}(", f"def {name}(")
    done = copied.snakemake("notebooks")
    assert done.returncode == 0, done.stderr
    pages = {path.stem: path.read_text() for path in copied.folder.glob("results/notebooks/*.html")}
    assert pages.keys() == {path.stem for path in (ROOT / "notebooks").glob("*.py")}
    for name, page in pages.items():
        assert f"<title>{name}</title>" in page and "data:image/png" in page
        # Nothing that differs between two runs, and nothing from the network.
        assert "cell-id" not in page and "ipykernel" not in page
        assert not re.search(r"<script|<link|@import|url\((?![\"']?data:)|(src|href)=\"(?!data:|#)", page)
    # Nets of their own size, with the verdicts that the sentences beside them name.
    verdicts = {name: re.findall("'verdict': '([^']+)'", page) for name, page in pages.items()}
    assert verdicts["change_one_thing"][1:] == ["not testable here", "reproduced", "undecided"]
    assert verdicts["your_own_claim"][1:] == ["not reproduced"]
    assert copied.count_jobs("notebooks") == {}
    copied.edit("notebooks/forty_lines.py", "# **000.** Points", "# **000.** Some points")
    (copied.folder / "notebooks/broken.py").write_text("# %%\n1 / 0\n")
    assert copied.count_jobs("notebooks") == {"notebook": 2, "notebooks": 1}
    done = copied.snakemake("results/notebooks/broken.html")
    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stdout + done.stderr
