"""The example of docs/adding.md, written into a fresh checkout by `tools.new`, runs as described there."""

import shutil

import pyarrow.parquet as pq
import pytest
from conftest import ROOT

from workflow.deepnets.tools.new import files_of

PARTS = ("experiments/scalar_mode", "documents/scalar_mode")
RUNS = [
    f"results/runs/experiment=scalar_mode/depth=1/init=small/rate={rate}/start={start}/seed={seed}/run.parquet"
    for rate in ("0.01", "0.02")
    for start in ("0.0001", "0.01")
    for seed in range(3)
]
OTHERS = ["results/tables/scalar_mode.parquet", "results/claims/scalar-mode.parquet"]
OTHERS += ["results/interactive/scalar-mode/rate_and_start.json"]
OTHERS += [
    f"results/figures/scalar-mode/{name}.{end}" for name in ("strengths", "claims") for end in ("pdf", "png", "svg")
]


@pytest.fixture
def extended(project):
    """A clean checkout with a document that `tools.new` wrote, in which only its experiment runs."""
    done = project.run("python", "-m", "workflow.deepnets.tools.new", "document", "scalar_mode")
    assert done.returncode == 0, done.stderr
    assert "snakemake --cores 8 scalar-mode" in done.stdout
    (project.folder / "only.yaml").write_text("only: [scalar_mode]\n")
    project.configfiles = ("only.yaml",)
    return project


def test_another_name_stands_in_all_files():
    files = files_of((ROOT / "docs/adding.md").read_text(), "largest_rate")
    assert len(files) == 13
    assert not [path for path, text in files.items() if "scalar" in f"{path} {text}"]
    assert (
        'ID = "largest-rate"' in files[next(path for path in files if path.match("documents/largest_rate/__init__.py"))]
    )


@pytest.mark.slow
def test_the_example_stands_on_the_page_and_leaves_nothing_behind(extended):
    done = extended.snakemake()
    assert done.returncode == 0, done.stderr
    assert all((extended.folder / path).exists() for path in [*RUNS, *OTHERS])
    ledger = pq.read_table(extended.folder / "results/claims/scalar-mode.parquet").to_pandas().set_index("claim")
    verdicts = ledger["verdict"].drop("coverage").to_dict()
    assert verdicts.pop("half_time_of_large_starts") == "erratum"
    assert set(verdicts.values()) == {"reproduced"} and len(verdicts) == 4
    page = (extended.folder / "results/report.html").read_text()
    for words in ("scalar-mode-strengths", "scalar-mode-rate_and_start-sliders", "without the −1", "463.67"):
        assert words in page
    assert "Nothing to be done" in extended.snakemake().stderr
    done = extended.run("pytest", "-q", "tests/documents/scalar_mode", "tests/claims/test_ledgers.py", "-k", "scalar")
    assert "passed" in done.stdout and "failed" not in done.stdout, done.stdout
    # What was added is deleted; the metadata of its results, too, asks for nothing.
    for part in PARTS:
        shutil.rmtree(extended.folder / "workflow/deepnets" / part)
    extended.run("git", "checkout", "config.yaml")
    done = extended.run("python", "-m", "workflow.deepnets.tools.audit")
    assert "scalar" not in "".join(line for line in done.stdout.splitlines() if not line.startswith("foreign"))


@pytest.mark.slow
def test_audit_estimate_reached_and_schema_follow_the_example(extended):
    extended.snakemake("timings")
    for tool, words in (
        ("audit", "21 current"),
        ("estimate", "| scalar_mode | 12 | 12 |"),
        ("reached", "scalar_mode.run:run@"),
        ("schema", "The strength of a single mode"),
    ):
        arguments = {"reached": ["workflow.deepnets.experiments.scalar_mode.run:run"], "schema": []}
        done = extended.run(
            "python", "-m", f"workflow.deepnets.tools.{tool}", *arguments.get(tool, ["--configfile", "only.yaml"])
        )
        assert done.returncode == 0, done.stderr
        assert words in done.stdout


@pytest.mark.parametrize(
    ("name", "words"), [("Largest", "'Largest' is no name"), ("zero_init", "folder of documents and of experiments")]
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(project, name, words):
    before = project.run("git", "status", "--short").stdout
    done = project.run("python", "-m", "workflow.deepnets.tools.new", "document", name)
    assert done.returncode == 1 and words in done.stderr
    assert project.run("git", "status", "--short").stdout == before
