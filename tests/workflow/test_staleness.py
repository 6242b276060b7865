"""Each edit makes exactly the expected files stale.

Most tests run the audit in this process: it reads the sources of the project's folder, and imports only settings, from
this checkout. For one edit of each kind (for all edits with CI_TIERS=all), Snakemake's summary must agree on each file.
"""

import ast
import os
import re
import shutil
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import Project
from reproduce.code.modules import Package
from reproduce.config import files
from reproduce.config.plan import Plan
from reproduce.records.record import read_record, record_of, write_record
from reproduce.tools.audit import CURRENT, FOREIGN, FileAudit, audit

pytestmark = pytest.mark.slow
INITIALIZERS = "workflow/deepnets/networks/initialization/initializers.py"
CLASSIFIER = "workflow/deepnets/experiments/classifier/run.py"
DOCUMENT = "workflow/deepnets/documents/classifier"
TINY = "tests/tiny.yaml"
PINS = "workflow/deepnets/envs"
STYLE, TEMPLATES = "workflow/reproduce/figures/column.mplstyle", "workflow/reproduce/page/templates"
COMMAND, RULES = "workflow/reproduce/records/command.py", "workflow/rules/common.smk"


def plan_of(project: Project) -> Plan:
    with chdir(project.folder):
        config = files.read(list(map(Path, project.configfiles)))
        return Plan(config, package=Package(project.folder / "workflow"))


def run_audit(project: Project) -> list[FileAudit]:
    plan = plan_of(project)
    with chdir(project.folder):
        return audit(plan)


def assert_audited(project, choose):
    """Check that the audit finds exactly those planned files stale that `choose` returns."""
    verdicts = {finding.path: finding.verdict for finding in run_audit(project) if finding.verdict != FOREIGN}
    assert {path for path, verdict in verdicts.items() if verdict != CURRENT} == add_page(choose, set(verdicts))


def assert_stale(project, choose, *targets):
    """Check that Snakemake finds exactly those planned files stale that `choose` returns; return the planned files.

    targets: the files to plan; if omitted, all.
    """
    done = project.snakemake("--summary", *targets)
    assert done.returncode == 0, done.stderr
    # A record is made with its result.
    lines = [line for line in done.stdout.splitlines() if line.startswith("results/")]
    rows = [line.split("\t") for line in lines if not line.startswith("results/records/")]
    assert rows
    planned = {row[0] for row in rows}
    assert {row[0] for row in rows if row[-1] != "no update"} == add_page(choose, planned)
    return planned


def add_page(choose, planned):
    """Return the planned files that `choose` returns, and the page if it shows one of them."""
    stale = choose(planned)
    return stale | match_paths(REPORT)(planned) if match_paths(SHOWN)(stale) else stale


def results(project):
    return {str(path.relative_to(project.folder)) for path in project.folder.glob("results/*/**/*") if path.is_file()}


def match_paths(*patterns):
    return lambda paths: {path for path in paths if any(re.search(pattern, path) for pattern in patterns)}


NOTHING = match_paths()
REPORT = r"^results/report\.html$"
SHOWN = r"^results/(tables|figures|interactive|claims/)"
ALL_FIGURES = match_paths("^results/figures/")
PAGE = r"^results/claims\.md$"
# The ledger of the synthesis reads several tables.
SYNTHESIS = ("^results/claims/synthesis",)
CLASSIFIER_TABLE = ("^results/tables/classifier", "^results/(figures|claims)/000", *SYNTHESIS, PAGE)
CLASSIFIER_TABLE += ("^results/figures/synthesis/(?!depth_before_training)",)
CLASSIFIER_ALL = match_paths("^results/runs/experiment=classifier/", *CLASSIFIER_TABLE)
DYNAMICS_ALL = match_paths(
    "^results/(runs/experiment=|tables/)mnist_dynamics", "^results/(figures|claims|interactive)/001", PAGE
)
HIERARCHY_ALL = match_paths(
    "^results/runs/experiment=hierarchy/",
    "^results/tables/hierarchy",
    "^results/figures/003-hierarchy/(?!regression)",
    "^results/(interactive|claims)/003",
    "^results/figures/synthesis/(depth_and_learning_time|start_and_separation)",
    *SYNTHESIS,
    PAGE,
)
# Results that depend on whitened MNIST, and then those that depend on MNIST.
WHITENED_READERS = "(mnist_dynamics|mnist_modes|learning_time)"
WHITENED_ALL = (
    f"^results/runs/experiment={WHITENED_READERS}/",
    f"^results/tables/{WHITENED_READERS}",
    "^results/figures/(001-|saxe-2013/(mnist_|learning_(times|curves)|best_rates))",
    "^results/(interactive|claims)/(001|saxe)",
    "^results/interactive/synthesis/",
    "^results/figures/synthesis/(depth_and_learning_time|start_and_separation)",
    *SYNTHESIS,
    PAGE,
)
MNIST_READERS = "(input_correlations|largest_rate|propagation|zero_init)"
MNIST_ALL = (
    *WHITENED_ALL,
    f"^results/runs/experiment={MNIST_READERS}/",
    f"^results/tables/{MNIST_READERS}",
    "^results/figures/(00[24]-|largest-rate/|saxe-2013/consistency)",
    "^results/(interactive|claims)/(00[24]|largest-rate)",
    "^results/figures/synthesis/(depth_before_training|start_and_rank)",
)
LINEAR_RUN = "^results/runs/experiment=classifier/.*block=linear/"


def edit(path, old, new):
    return lambda project: project.edit(path, old, new)


def edit_function(folder, name):
    return lambda project: project.edit_function(folder, name)


def append(path, text):
    def change(project):
        file = project.folder / path
        file.write_text(file.read_text() + text)

    return change


def reformat(project):
    """Write every module from its syntax tree, with another layout and without comments."""
    for path in project.folder.glob("workflow/deepnets/**/*.py"):
        path.write_text(ast.unparse(ast.parse(path.read_text())) + "\n")


def touch(project):
    for path in project.folder.rglob("*"):
        if path.is_file() and ".snakemake" not in path.parts:
            path.touch()


def damage_cache(project):
    paths = list((project.folder / ".snakemake/cache").iterdir())
    assert paths
    for path in paths:
        path.write_text("{")


def checkout_and_back(project):
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    shutil.rmtree(project.folder / ".git", ignore_errors=True)

    def run(*commands):
        for command in commands:
            assert project.run(*git, *command.split()).returncode == 0

    run("init -q -b main", "add Snakefile config.yaml workflow tests", "commit -qm one", "checkout -qb other")
    for path in ("deepnets/networks/linear.py", "rules/runs.smk", "reproduce/figures/column.mplstyle"):
        append(f"workflow/{path}", "\n# another branch\n")(project)
    run("commit -qam two", "checkout -q main")


def leave_files(project):
    """Leave what editors, file managers and people leave beside files: locks, hidden files, backups and copies."""
    for path in [*project.folder.glob("workflow/deepnets/*/*/*.py"), *project.folder.glob("workflow/reproduce/*/*.py")]:
        path.with_name(f".#{path.name}").symlink_to("user@host.1:1")
        shutil.copy(path, path.with_name(f"{path.stem} copy.py"))
    for path in [*project.folder.glob("workflow/deepnets/*/*"), project.folder / "workflow/deepnets"]:
        for name in (f"{path.name}.bak", f"{path.name} copy") if path.is_dir() else ():
            shutil.copytree(path, path.with_name(name), symlinks=True)
    for path in [*project.folder.glob("results/**/*.*"), *project.folder.glob("workflow/deepnets/**/*.csv")]:
        if path.is_file():
            path.with_name(f"._{path.name}").write_bytes(b"\0\5\26\7")


def find_linear_run(project):
    (path,) = project.folder.glob("results/runs/experiment=classifier/**/block=linear/**/run.parquet")
    return path


def record_of_linear_run(project):
    return project.folder / record_of(find_linear_run(project).relative_to(project.folder))


def edit_record(project):
    path = record_of_linear_run(project)
    path.write_text(re.sub(r"(@[0-9a-f]{3})[0-9a-f]", r"\1x", path.read_text(), count=1))


def delete_record(project):
    record_of_linear_run(project).unlink()


def delete_run(project):
    find_linear_run(project).unlink()


def truncate_run(project):
    path = find_linear_run(project)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace_run_by_pipe(project):
    path = find_linear_run(project)
    path.unlink()
    os.mkfifo(path)


def roll_labels(project):
    """Shift the labels of MNIST, but keep its record."""
    path = project.folder / "results/data/mnist.npz"
    with np.load(path) as archive:
        np.savez(path, **{**archive, "train_labels": np.roll(archive["train_labels"], 1)})


def edit_run(project):
    path = find_linear_run(project)
    run = pq.ParquetFile(path).read()
    values = run["value"].to_numpy().copy()
    values[-1] = 1.0
    pq.write_table(run.set_column(3, run.schema.field("value"), pa.array(values)), path)


def new_experiment(project):
    """Add an experiment with the least that it needs: its folder, and its block in the config."""
    folder = project.folder / "workflow/deepnets/experiments"
    shutil.copytree(folder / "classifier", folder / "another")
    text = (project.folder / "config.yaml").read_text()
    begin = text.index("  classifier:\n")
    following = re.search(r"\n  [#\w]", text[begin:])
    block = text[begin : begin + following.start() + 1]
    # YAML allows an anchor only once.
    copy = block.replace("classifier", "another", 1).replace("twenty_draws", "other_draws")
    (project.folder / "config.yaml").write_text(text.replace(block, block + copy))
    others = ", ".join(f"{name}: null" for name in ("depth_1", "depth_2", "depth_3_to_6", "rank_2", "near_zero"))
    append(TINY, f"  another: {{grids: {{{others}}}}}\n")(project)


def drop_dynamics(project):
    text = (project.folder / TINY).read_text()
    (project.folder / TINY).write_text(re.sub(r"  mnist_dynamics:\n(    .*\n)+", "  mnist_dynamics: null\n", text))


# Edits that make nothing stale. Some rewrite or touch files that earlier ones wrote.
HARMLESS = {
    "comment": append(CLASSIFIER, "\n# A comment.\n"),
    "docstring": edit(CLASSIFIER, "Train one factorised", "Fit one factorised"),
    "message to the user": edit("workflow/reproduce/records/atomic.py", "nothing was left", "nothing is left"),
    "words beside a pin": edit(
        "workflow/deepnets/envs/constraints.txt", "contourpy==1.3.3  # via", "contourpy==1.3.3  # tested via"
    ),
    "function that nobody calls": append(CLASSIFIER, "\n\ndef idle(x):\n    return x + 1\n"),
    "report text": append("workflow/report/figure.rst", "\nMore.\n"),
    "grid renamed": lambda project: [
        project.edit(path, "standard_scale: {" if path == TINY else "standard_scale: #", new)
        for path, new in ((TINY, "usual_scale: {"), ("config.yaml", "usual_scale: #"))
    ],
    "whole number written as a float": edit(
        "config.yaml", "learning_rate: 100, scale: 1.0e-4}", "learning_rate: 100.0, scale: 1.0e-4}"
    ),
    "setting's description": edit(
        "workflow/deepnets/experiments/classifier/settings.py", "Dimension of the inputs", "Inputs' dimension"
    ),
    "blank in a shell command": edit(RULES, "{params.command} 2>", "{params.command}  2>"),
    "blank in the command line": edit(COMMAND, '"-X", "utf8"', '"-X",  "utf8"'),
    "pin that no job reaches": edit(f"{PINS}/pins.txt", "Pygments==2.21.0", "Pygments==2.22.0"),
    "reformatted modules": reformat,
    "checkout of a branch and back": checkout_and_back,
    "another source of the same content": edit(
        TINY, "mnist: {source: embedded}", "mnist: {source: auto, mirrors: ['http://127.0.0.1:9/']}"
    ),
    "damaged cache": damage_cache,
    "touch on everything": touch,
    "files that other programs leave": leave_files,
}
# Edit → the edit, and a function that selects the files that it makes stale among all planned files.
SCENARIOS = {
    "constant two modules away": (
        edit(INITIALIZERS, "/ math.sqrt(n_in + n_out)", "/ math.sqrt(n_in + n_out + 1)"),
        # Runs from another init do not run this line.
        lambda paths: HIERARCHY_ALL(paths) - match_paths("/init=fan_in_uniform/")(paths),
    ),
    "helper of one experiment": (edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)"), CLASSIFIER_ALL),
    "operator in shared code": (
        edit("workflow/deepnets/networks/linear.py", "layers = [inputs]", "layers = [+inputs]"),
        # Runs on covariances multiply no inputs.
        lambda paths: (
            (CLASSIFIER_ALL(paths) | DYNAMICS_ALL(paths) | HIERARCHY_ALL(paths))
            - match_paths("/rule=covariance")(paths)
        ),
    ),
    "statement in one figure": (
        edit_function(DOCUMENT, "accuracy_by_depth"),
        match_paths("^results/figures/000-classifier/accuracy_by_depth"),
    ),
    "statement in the list of claims": (edit_function(DOCUMENT, "decisions"), match_paths("^results/claims/000", PAGE)),
    "option on the command line": (edit(COMMAND, '"-X", "utf8"', '"-O", "-X", "utf8"'), match_paths("^results/")),
    "code that starts every job": (
        edit("workflow/launch.py", "    runpy.run", "    sys.setrecursionlimit(999)\n    runpy.run"),
        match_paths("^results/"),
    ),
    "caption": (edit(DOCUMENT, "Test accuracy against the number", "Accuracy against the number"), match_paths(REPORT)),
    "template of the page": (append(f"{TEMPLATES}/page.css", "p { margin: 0; }\n"), match_paths(REPORT)),
    "line of a chart's script": (
        append("workflow/deepnets/documents/synthesis/small_net.js", "// A line.\n"),
        match_paths(REPORT),
    ),
    # The modules of a document import this one.
    "source of a document": (
        edit(DOCUMENT, 'SOURCE = "a blog post', 'SOURCE = "a post'),
        match_paths("^results/(figures|claims)/000", PAGE),
    ),
    "style": (edit(STYLE, "font.size: 8", "font.size: 9"), ALL_FIGURES),
    # Of files that are no code, each byte counts.
    "comment in the style": (edit(STYLE, "# All figures", "# Figures"), ALL_FIGURES),
    "blank line in the statements": (append(f"{DOCUMENT}/claims.md", "\n"), match_paths("^results/claims/000", PAGE)),
    "rate of one depth": (
        edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 2, learning_rate: 0.9}}"),
        match_paths("^results/runs/experiment=classifier/depth=2/.*/block=depths/", *CLASSIFIER_TABLE),
    ),
    "seed added": (
        edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 3}}"),
        match_paths("^results/runs/experiment=classifier/depth=2/.*/block=depths/.*/seed=2/", *CLASSIFIER_TABLE),
    ),
    "seed removed": (
        edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 1}}"),
        match_paths(*CLASSIFIER_TABLE),
    ),
    "new experiment": (new_experiment, match_paths("experiment=another/", "^results/tables/another")),
    "experiment dropped": (drop_dynamics, match_paths(PAGE, REPORT)),
    "source of other content": (
        edit(TINY, "mnist: {source: embedded}", "mnist: {source: auto, directory: /nowhere}"),
        match_paths("^results/data", *MNIST_ALL),
    ),
    "pin of torch": (
        edit(f"{PINS}/pins.txt", "torch==2.13.0", "torch==2.14.0"),
        match_paths(
            "experiment=(propagation|zero_init)/",
            "^results/tables/(propagation|zero_init)",
            "^results/(figures|interactive|claims)/00[24]-",
            "^results/figures/synthesis/(depth_before_training|start_and_rank)",
            *SYNTHESIS,
            PAGE,
        ),
    ),
    "pin of matplotlib's dependency": (
        edit(f"{PINS}/constraints.txt", "solver==1.5.1", "solver==1.5.2"),
        # Three charts import modules that draw, too.
        match_paths("^results/figures/", "^results/interactive/(001|004|largest-rate)"),
    ),
    "deleted run": (delete_run, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "truncated run": (truncate_run, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "deleted record": (delete_record, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "record edited by hand": (edit_record, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "pipe in the place of a run": (replace_run_by_pipe, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "run edited by hand": (edit_run, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE)),
    "labels rolled by hand": (roll_labels, match_paths("^results/data", *MNIST_ALL)),
}


# One of each kind: code, settings, pins, results, and a new experiment, which this process cannot plan as it lacks the
# module.
THROUGH_SNAKEMAKE = (
    *("helper of one experiment", "rate of one depth", "pin of torch", "new experiment"),
    *("run edited by hand", "truncated run", "labels rolled by hand", "option on the command line"),
)


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in THROUGH_SNAKEMAKE])
def test_an_edit_makes_exactly_these_files_stale(copied, name):
    change, stale = SCENARIOS[name]
    change(copied)
    assert_audited(copied, stale)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in THROUGH_SNAKEMAKE else pytest.mark.nightly) for name in SCENARIOS]
)
def test_snakemake_and_the_audit_agree_on_what_is_stale(copied, name):
    change, stale = SCENARIOS[name]
    change(copied)
    planned = assert_stale(copied, stale)
    done = copied.run("python", "-m", "reproduce.tools.audit", "--stale", "--configfile", *copied.configfiles)
    assert done.returncode == 1, done.stderr
    assert set(done.stdout.split()) == add_page(stale, planned)


def test_edits_that_change_no_result_make_nothing_stale(copied, monkeypatch):
    # Apply all edits at once, since each plan takes seconds: no edit can hide that another made something stale.
    monkeypatch.delenv("MNIST_DIR", raising=False)
    for change in HARMLESS.values():
        change(copied)
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)


def test_each_start_names_the_subset_and_a_folder_replaces_it(copied, monkeypatch):
    monkeypatch.delenv("MNIST_DIR", raising=False)
    HARMLESS["another source of the same content"](copied)
    line = (
        "mnist.npz holds the embedded subset of MNIST, 4,000 training images; all that was made from it is marked. To"
    )
    done = copied.snakemake("--quiet", "progress")
    assert line in done.stderr and "Nothing to be done" in done.stderr
    monkeypatch.setenv("MNIST_DIR", "/nowhere")
    assert_stale(copied, match_paths("^results/data", *MNIST_ALL))
    done = copied.snakemake()
    assert done.returncode == 1 and "MNIST_DIR: /nowhere is not a folder; allowed: a folder with" in done.stderr
    assert (copied.folder / "results/data/mnist.npz").exists() and line not in done.stderr


def test_the_audit_names_what_differs_and_why_shows_it(copied):
    checkout_and_back(copied)
    two_layers = "axes: {block: two_layers, depth: 2, learning_rate: 1}\n"
    copied.edit("config.yaml", two_layers, f"{two_layers}        record_every: 20\n")
    copied.edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 1}}")
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    truncate_run(copied)
    (other,) = copied.folder.glob("results/runs/experiment=regression/**/seed=0/run.parquet")
    record = read_record(record_of(other))
    write_record(record_of(other), replace(record, packages={**record.packages, "numpy": "1.0", "python": "3.11.0"}))
    done = copied.run("python", "-m", "reproduce.tools.audit", "--configfile", TINY)
    assert done.returncode == 1
    for verdict, path, reasons in (
        ("stale  ", "runs/.*block=two_layers.*", r"\(spec, code\)"),
        ("stale  ", "runs/.*block=near_zero.*", r"\(code\)"),
        ("stale  ", "runs/experiment=regression/.*seed=0.*", r"\(environment\)"),
        ("damaged", "runs/.*block=linear.*", ""),
        ("stale  ", "tables/classifier.parquet", r"\(spec, inputs not current\)"),
        ("foreign", "runs/.*depth=2/.*block=depths/.*seed=1/run.parquet", ".*"),
    ):
        assert re.search(rf"^{verdict}  results/{path} ?{reasons}$", done.stdout, flags=re.MULTILINE), done.stdout
    why = "python", "-m", "reproduce.tools.why"
    said = copied.run(*why, "results/figures/000-classifier/accuracy_by_depth.png", "--configfile", TINY).stdout
    for cause in (
        r"tables/classifier\.parquet: settings\n(  .*\n)*  -grids\.axes\.seed: \[\[0, 1\]\]\n"
        r"  \+grids\.axes\.seed: \[0\]\n",
        r"runs/.*block=two_layers.*: settings\n  -record_every: 10\n  \+record_every: 20\n",
        r"runs/.* and \d+ more: code of deepnets\.experiments\.classifier\.run:run\n  since commit \w+:\n"
        r"  deepnets\.experiments\.classifier\.run\n    -.*np\.log\(sums\).*\n    \+.*np\.log2\(sums\)",
        r"runs/.*block=linear.*: damaged: it differs from what its job wrote, by results/records/runs/.*json",
    ):
        assert re.search(cause, said), said
    said = copied.run(*why, other.relative_to(copied.folder).as_posix(), "--configfile", TINY).stdout
    assert re.search(r"environment\n  -numpy: 1\.0\n  \+numpy: \S+\n(  .*\n)*  -python: 3\.11\.0\n", said), said
    shutil.rmtree(copied.folder / ".git")
    said = copied.run(*why, "results/tables/classifier.parquet", "--configfile", TINY).stdout
    assert "none of the last 20 commits here contains the code that made it" in said, said
    said = copied.run(*why, "results/tables/other.parquet", "--configfile", TINY).stderr
    assert said.startswith("error: this config makes no file 'results/tables/other.parquet'"), said
