"""For each kind of job, edits that make its results stale and edits that do not; then files, time stamps and restarts.

Most tests run the audit in this process: it reads the sources of the project's folder, and imports only settings, from
this checkout. Snakemake must agree on each file.
"""

import ast
import os
import re
import shutil
import time
from collections.abc import Collection
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import Project, count_jobs, digests
from reproduce.code.modules import Package
from reproduce.config import files
from reproduce.config.plan import Plan
from reproduce.records.record import read_record, record_of, write_record
from reproduce.tools.audit import FOREIGN, audit

pytestmark = pytest.mark.slow
CLASSIFIER = "workflow/deepnets/experiments/classifier/run.py"
REGRESSION = "workflow/deepnets/experiments/regression"
DOCUMENT = "workflow/deepnets/documents/classifier"
TINY = "tests/tiny.yaml"
PINS = "workflow/deepnets/envs"
STYLE, TEMPLATES = "workflow/reproduce/figures/column.mplstyle", "workflow/reproduce/page/templates"
COMMAND = "workflow/reproduce/records/command.py"
# The patterns of no file.
NOTHING = ()
# In 2001.
LONG_AGO = 10**9


def plan_of(project: Project) -> Plan:
    with chdir(project.folder):
        config = files.read(list(map(Path, project.configfiles)))
        return Plan(config, package=Package(project.folder / "workflow"))


def run_audit(project: Project, plan: Plan | None = None) -> dict[str, tuple[str, ...]]:
    plan = plan or plan_of(project)
    with chdir(project.folder):
        return audit(plan)


def affected(plan: Plan, patterns: tuple[str, ...], found: Collection[str] = ()) -> set[str]:
    """Return some planned files, those that fit a pattern, and all files that are made from them."""
    found = {*found}
    for path, result in plan.results.items():
        inputs = {name for paths in result.inputs.values() for name in paths}
        if inputs & found or any(re.search(f"^results/{pattern}", path) for pattern in patterns):
            found.add(path)
    return found


def assert_audited(project, patterns):
    """Check that the audit finds a reason in the affected files, and in no others than what is made from these."""
    plan = plan_of(project)
    stale = {path for path, reasons in run_audit(project, plan).items() if reasons not in ((), FOREIGN)}
    assert affected(plan, (), stale) == affected(plan, patterns)


def assert_stale(project, patterns, *targets):
    """Check that Snakemake finds exactly the affected files stale; return the planned files.

    targets: the files to plan; if omitted, all.
    """
    done = project.snakemake("--summary", *targets)
    assert done.returncode == 0, done.stderr
    # A record is made with its result.
    rows = [line.split("\t") for line in done.stdout.splitlines() if re.match("results/(?!records/)", line)]
    assert rows
    planned = {row[0] for row in rows}
    assert {row[0] for row in rows if row[-1] != "no update"} == affected(plan_of(project), patterns) & planned
    return planned


def edit(path, old, new):
    return lambda project: project.edit(path, old, new)


def append(path, text):
    def change(project):
        file = project.folder / path
        file.write_text(file.read_text() + text)

    return change


def reformat(project):
    """Write every module from its syntax tree, with another layout and without comments."""
    for path in project.folder.glob("workflow/deepnets/**/*.py"):
        path.write_text(ast.unparse(ast.parse(path.read_text())) + "\n")


def move_time_stamps(project):
    """Date every second file long ago, and the others tomorrow, as after a copy or with a clock that was set back."""
    for number, path in enumerate(project.folder.rglob("*")):
        if path.is_file():
            stamp = LONG_AGO if number % 2 else time.time() + 86_400
            os.utime(path, (stamp, stamp))


def forget(project):
    """Delete what Snakemake keeps, as in a copy of the results."""
    shutil.rmtree(project.folder / ".snakemake")


def leave_files(project):
    """Leave what editors, file managers and people leave beside files: locks, hidden files, backups and copies."""
    for path in project.folder.glob("workflow/deepnets/*/*/*.py"):
        path.with_name(f".#{path.name}").symlink_to("user@host.1:1")
        shutil.copy(path, path.with_name(f"{path.stem} copy.py"))
    for path in [*project.folder.glob("workflow/deepnets/experiments/*")]:
        if path.is_dir():
            shutil.copytree(path, path.with_name(f"{path.name} copy"), symlinks=True)
    for path in project.folder.glob("results/**/*.*"):
        if path.is_file():
            path.with_name(f"._{path.name}").write_bytes(b"\0\5\26\7")


def find_run(project, experiment, axes="**"):
    path = next(project.folder.glob(f"results/runs/experiment={experiment}/{axes}/**/run.parquet"))
    return path.relative_to(project.folder).as_posix()


def flip_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def linear_run(project):
    return find_run(project, "classifier", "**/block=linear")


LINEAR_RUN = ("runs/experiment=classifier/.*block=linear/",)
CLASSIFIER_RUNS = ("runs/experiment=classifier/",)
# Name of an edit → the function that makes it, and patterns of the results that become stale. What is made from these
# becomes stale too.
COUNTS = {
    "data: setting": (edit(TINY, "components: 10", "components: 5"), ("data/whitened",)),
    "data: source of other content": (
        edit(TINY, "mnist: {source: embedded}", "mnist: {source: auto, directory: /nowhere}"),
        ("data/mnist",),
    ),
    "train: helper of one experiment": (edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)"), CLASSIFIER_RUNS),
    "train: operator in shared code": (
        edit("workflow/deepnets/networks/linear.py", "layers = [inputs]", "layers = [+inputs]"),
        # Runs on covariances multiply no inputs.
        ("runs/experiment=(classifier|hierarchy)/", "runs/experiment=mnist_dynamics/.*/rule=samples"),
    ),
    "train: rate of one depth": (
        edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 2, learning_rate: 0.9}}"),
        ("runs/experiment=classifier/depth=2/.*/block=depths/",),
    ),
    "train: version of a package": (
        edit(f"{PINS}/pins.txt", "torch==2.13.0", "torch==2.14.0"),
        ("runs/experiment=(propagation|zero_init)/",),
    ),
    "train: flipped bit": (lambda project: flip_bit(project.folder / linear_run(project)), LINEAR_RUN),
    "train: deleted record": (lambda project: (project.folder / record_of(linear_run(project))).unlink(), LINEAR_RUN),
    "aggregate: seed removed": (
        edit(TINY, "depth_2: {axes: {seeds: 2}}", "depth_2: {axes: {seeds: 1}}"),
        ("tables/classifier",),
    ),
    "judge: code of the claims": (
        edit(f"{DOCUMENT}/claims.py", "_NEGLIGIBLE = 0.05", "_NEGLIGIBLE = 0.06"),
        ("claims/000",),
    ),
    # Of files that are no code, each byte counts.
    "judge: blank line in the statements": (append(f"{DOCUMENT}/claims.md", "\n"), ("claims/000",)),
    "list_claims: word": (
        edit(f"{TEMPLATES}/claims.md.jinja", "it is outside", "it lies outside"),
        (r"claims\.md",),
    ),
    "figure: code": (
        edit(f"{DOCUMENT}/figures/accuracy.py", "figsize=(3.4, 2.3)", "figsize=(3.4, 2.4)"),
        ("figures/000-classifier/accuracy_by_depth",),
    ),
    "figure: comment in the style": (edit(STYLE, "# All figures", "# Figures"), ("figures/",)),
    "interactive: code": (
        edit("workflow/deepnets/documents/mnist_dynamics/charts.py", "constant=1", "constant=2"),
        ("interactive/001",),
    ),
    "page: caption": (
        edit(DOCUMENT, "Test accuracy grows with the number", "Accuracy grows with the number"),
        (r"report\.html",),
    ),
    "page: template": (append(f"{TEMPLATES}/page.css", "p { margin: 0; }\n"), (r"report\.html",)),
    "every job: option on the command line": (edit(COMMAND, '"-X", "utf8"', '"-O", "-X", "utf8"'), ("",)),
    "every job: code that starts it": (append("workflow/launch.py", "\nSIZE = 1\n"), ("",)),
}
# Edits that make nothing stale. Some rewrite files that earlier ones wrote.
COUNTS_NOT = {
    "data: another source of the same content": edit(
        TINY, "mnist: {source: embedded}", "mnist: {source: auto, mirrors: ['http://127.0.0.1:9/']}"
    ),
    "train: docstring": edit(CLASSIFIER, "Train one factorised", "Fit one factorised"),
    "train: function that nobody calls": append(CLASSIFIER, "\n\ndef idle(x):\n    return x + 1\n"),
    "train: whole number written as a float": edit(
        "config.yaml", "learning_rate: 100, scale: 1.0e-4}", "learning_rate: 100.0, scale: 1.0e-4}"
    ),
    "train: bound of a setting": edit(
        "workflow/deepnets/experiments/classifier/limits.py", "Field(ge=2)", "Field(ge=1)"
    ),
    "aggregate: grid renamed": lambda project: [
        project.edit(path, "standard_scale: {" if path == TINY else "standard_scale: #", new)
        for path, new in ((TINY, "usual_scale: {"), ("config.yaml", "usual_scale: #"))
    ],
    "list_claims: layout": edit("workflow/reproduce/jobs/list_claims.py", '"Theorems", ', '("Theorems"), '),
    "figure: function that draws nothing": append(f"{DOCUMENT}/figures/accuracy.py", "\n\ndef _idle(): ...\n"),
    "every job: blank in the command line": edit(COMMAND, '"-X", "utf8"', '"-X",  "utf8"'),
    "every job: message to the user": edit(
        "workflow/reproduce/records/files.py", "nothing was left", "nothing is left"
    ),
    "every job: package that no job reaches": edit(f"{PINS}/pins.txt", "Pygments==2.21.0", "Pygments==2.22.0"),
    "layout and comments of all modules": reformat,
    "half-saved source that nobody imports": lambda project: (
        project.folder / "workflow/deepnets/theory/half.py"
    ).write_text("def half(:"),
    "files that other programs leave": leave_files,
    "a copy without Snakemake's files": forget,
    "time stamps": move_time_stamps,
}


@pytest.mark.parametrize("name", COUNTS)
def test_an_edit_that_counts_makes_exactly_these_files_stale(copied, name):
    change, patterns = COUNTS[name]
    change(copied)
    assert_audited(copied, patterns)


def test_edits_that_do_not_count_make_nothing_stale(copied, monkeypatch):
    # All edits at once, since each plan takes seconds: no edit can hide that another made something stale.
    monkeypatch.delenv("MNIST_DIR", raising=False)
    for change in COUNTS_NOT.values():
        change(copied)
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)


def test_snakemake_agrees_with_the_audit_and_none_of_its_options_makes_stale_files_current(copied):
    patterns = ()
    for name in ("train: rate of one depth", "train: version of a package", "train: flipped bit", "figure: code"):
        change, stale = COUNTS[name]
        change(copied)
        patterns += stale
    assert_stale(copied, patterns)
    done = copied.snakemake("--touch")
    assert done.returncode == 0, done.stderr
    assert_stale(copied, patterns)
    assert_audited(copied, patterns)


def test_the_command_that_a_start_prints_makes_only_what_it_counts(copied):
    other, target = find_run(copied, "regression", "**/seed=0"), "results/tables/regression.parquet"
    path = copied.folder / record_of(other)
    record = read_record(path)
    write_record(path, replace(record, packages={**record.packages, "numpy": "1.0"}))
    shutil.rmtree(copied.folder / "results/figures")
    arguments = ("-np", target, "--configfile", TINY, "--config", "only=[regression, classifier]")
    done = copied.run("snakemake", "--cores", "2", *arguments)
    command = re.search("1 results were made with other .* to make them again: (.*)", done.stdout + done.stderr)[1]
    done = copied.run("bash", "-c", f"{command} --dry-run")
    assert count_jobs(done.stdout + done.stderr) == {"train": 1, "aggregate": 1}, command


def test_damaged_files_are_made_again_wherever_they_were_copied(copied):
    forget(copied)
    # The picture of another figure, and a flipped bit.
    name, table = "results/figures/000-classifier/accuracy_by_depth.pdf", "results/tables/regression.parquet"
    before = digests(copied)
    shutil.copy(copied.folder / "results/figures/003-hierarchy/tree.pdf", copied.folder / name)
    flip_bit(copied.folder / table)
    flip_bit(copied.folder / record_of(ledger := "results/claims/000-classifier.parquet"))
    assert {path for path, reasons in run_audit(copied).items() if reasons == ("damaged",)} == {name, table, ledger}
    done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    # A start ends with its data and its page.
    block = done.stderr[done.stderr.index("\nData: ") :].splitlines()
    assert {"Data: CIFAR-10", "Data: MNIST"} <= {line.partition(",")[0] for line in block}
    assert "Page: results/report.html" in block
    assert digests(copied) == before
    assert_stale(copied, NOTHING)


def test_equal_bytes_make_nothing_else_stale_and_a_file_beside_the_code_counts(copied):
    run, before = find_run(copied, "regression"), digests(copied)
    record = copied.folder / record_of(run)
    old = {path: path.read_bytes() for path in (copied.folder / run, record)}
    copied.edit(f"{REGRESSION}/run.py", '"inputs", spec', '"inputs", factor() * spec')
    append(
        f"{REGRESSION}/run.py",
        "\n\ndef factor():\n    import pandas as pd\n    from pathlib import Path\n\n"
        "    return int(pd.read_csv(Path(__file__).with_name('curve.csv'))['factor'][0])\n",
    )(copied)
    curve = copied.folder / REGRESSION / "curve.csv"
    curve.write_text("factor\n1\n")
    done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    rules = set(re.findall(r"Finished jobid: \d+ \(Rule: (\w+)\)", done.stdout + done.stderr))
    assert rules == {"train", "all"} and "100%" in done.stdout + done.stderr
    assert digests(copied) == before
    assert_stale(copied, NOTHING)
    curve.write_text("factor\n2\n")
    assert_stale(copied, ("runs/experiment=regression/",))
    done = copied.run("python", "-m", "reproduce.tools.why", run, "--configfile", TINY)
    assert f"the content of {REGRESSION}/curve.csv changed" in done.stdout
    # A run of the old code in place of a new one, with a new time stamp.
    curve.write_text("factor\n1\n")
    for path, content in old.items():
        path.write_bytes(content)
    assert_stale(copied, (re.escape(run.removeprefix("results/")),))


def test_the_audit_names_what_differs_and_why_shows_it(copied):
    two_layers = "axes: {block: two_layers, depth: 2, learning_rate: 1}\n"
    copied.edit("config.yaml", two_layers, f"{two_layers}        record_every: 20\n")
    for name in ("aggregate: seed removed", "train: helper of one experiment", "train: flipped bit"):
        COUNTS[name][0](copied)
    other = find_run(copied, "regression", "**/seed=0")
    path = copied.folder / record_of(other)
    record = read_record(path)
    write_record(path, replace(record, packages={**record.packages, "numpy": "1.0", "python": "3.11.0"}))
    done = copied.run("python", "-m", "reproduce.tools.audit", "--configfile", TINY)
    assert done.returncode == 1
    for reasons, path in (
        ("spec, code", "runs/.*block=two_layers.*"),
        ("code    ", "runs/.*block=near_zero.*"),
        ("environment", "runs/experiment=regression/.*seed=0.*"),
        ("damaged ", r"runs/.*block=linear.*/run.parquet \(results/records/runs/.*block=linear/.*\.json\)"),
        ("spec, inputs", "tables/classifier.parquet"),
        ("foreign ", "runs/.*depth=2/.*block=depths/.*seed=1/run.parquet"),
    ):
        assert re.search(rf"^{reasons} results/{path}$", done.stdout, flags=re.MULTILINE), done.stdout
    why = "python", "-m", "reproduce.tools.why"
    said = copied.run(*why, "results/figures/000-classifier/accuracy_by_depth.png", "--configfile", TINY).stdout
    for cause in (
        r"tables/classifier\.parquet: settings\n(  .*\n)*  -grids\.axes\.seed: \[\[0, 1\]\]\n",
        r"tables/classifier\.parquet: settings\n(  .*\n)*  \+grids\.axes\.seed: \[0\]\n",
        r"runs/.*block=two_layers.*: settings\n  -record_every: 10\n  \+record_every: 20\n",
        r"runs/.*: code of deepnets\.experiments\.classifier\.run:run; what changed here since: git diff 'HEAD@",
        r"runs/.*block=linear.*: damaged: it differs from what its job wrote, by results/records/runs/.*json",
    ):
        assert re.search(cause, said), said
    said = copied.run(*why, other, "--configfile", TINY).stdout
    assert re.search(r"environment\n  -numpy: 1\.0\n  \+numpy: \S+\n(  .*\n)*  -python: 3\.11\.0\n", said), said
    said = copied.run(*why, "results/tables/other.parquet", "--configfile", TINY).stderr
    assert said.startswith("error: this config makes no file 'results/tables/other.parquet'"), said
