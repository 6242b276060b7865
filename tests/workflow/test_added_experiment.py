"""The example of experiments/README.md, copied from the page into a fresh checkout, runs as described there."""

import re

import pyarrow.parquet as pq
import pytest
from conftest import ROOT

PAGE = (ROOT / "workflow/deepnets/experiments/README.md").read_text()
FILES = dict(re.findall(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL))


@pytest.fixture
def extended(project):
    """A clean checkout with the example, in which it runs alone."""
    for path, text in FILES.items():
        file = project.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.read_text() + text if file.suffix == ".yaml" else text)
    (project.folder / "alone.yaml").write_text("only: [scalar_mode]\n")
    project.configfiles = ("alone.yaml",)
    return project


@pytest.mark.slow
def test_the_example_is_all_that_an_experiment_takes(extended):
    assert len(FILES) == 6
    done = extended.snakemake()
    assert done.returncode == 0, done.stderr
    made = sorted(str(path.relative_to(extended.folder)) for path in extended.folder.glob("results/*/**/*.[ps]*"))
    runs = [
        f"results/runs/experiment=scalar_mode/depth=1/init=small/rate={rate}/seed={seed}/run.parquet"
        for rate in ("0.02", "0.05")
        for seed in range(3)
    ]
    figures = [f"results/figures/scalar-mode/strengths.{ending}" for ending in ("pdf", "png", "svg")]
    assert made == sorted([*runs, "results/tables/scalar_mode.parquet", *figures])
    table = pq.read_table(extended.folder / "results/tables/scalar_mode.parquet").to_pandas()
    # The logistic map nears its fixed point.
    assert (table.loc[(table["step"] == 200) & (table["rate"] == 0.05), "value"] > 0.99).all()
    assert 'id="scalar-mode-strengths"' in (extended.folder / "results/report.html").read_text()
    assert "Nothing to be done" in extended.snakemake().stderr


@pytest.mark.slow
def test_audit_estimate_reached_and_schema_follow_the_example(extended):
    extended.snakemake("timings")
    for tool, words in (
        ("audit", "11 current"),
        ("estimate", "| scalar_mode | 6 | 6 |"),
        ("reached", "scalar_mode.run:run@"),
        ("schema", "The strength of a single mode"),
    ):
        arguments = {"reached": ["workflow.deepnets.experiments.scalar_mode.run:run"], "schema": []}
        done = extended.run(
            "python", "-m", f"workflow.deepnets.tools.{tool}", *arguments.get(tool, ["--configfile", "alone.yaml"])
        )
        assert done.returncode == 0, done.stderr
        assert words in done.stdout
