import json

import pandas as pd
import pytest

from deepnets.jobs.timings import timings_as_markdown
from deepnets.records.paths import TIMINGS
from deepnets.records.tables import read_table

LOG = "results/logs/aggregate/classifier.log"


def test_the_table_sums_times_and_shows_the_largest_memory():
    timings = pd.DataFrame(
        {
            "part": ["classifier", "classifier", "figures"],
            "wall_s": [1.0, 2.0, 4.0],
            "cpu_s": [0.5, 1.5, 2.0],
            "mathematics_s": [0.25, 1.25, 0.0],
            "peak_memory_mb": [100.0, 120.4, 90.0],
            "processor": ["A", "A", "B"],
        }
    )
    lines = timings_as_markdown(timings, missing=2).splitlines()
    assert lines[2:5] == [
        "| classifier | 2 | 3.0 | 2.0 | 1.5 | 75% | 120 |",
        "| figures | 1 | 4.0 | 2.0 | 0.0 | 0% | 90 |",
        "| all | 3 | 7.0 | 4.0 | 1.5 | 38% | 120 |",
    ]
    assert "Measured on A, B." in lines[6]
    assert lines[-1] == "Left out: 2 results whose jobs recorded no costs in this folder."


@pytest.mark.slow
def test_every_job_is_timed_once_and_missing_logs_are_counted(copied):
    assert copied.snakemake("timings").returncode == 0
    timings = read_table(copied.folder / TIMINGS).to_pandas()
    names = ["data/mnist.npz", "data/whitened.npz", "**/run.parquet", "tables/*.parquet", "figures/*/*.pdf"]
    names += ["claims/*.parquet", "claims.md", "interactive/*/*.json", "report.html"]
    made = [path for name in names for path in copied.folder.glob(f"results/{name}")]
    assert sorted(timings["result"]) == sorted(str(path.relative_to(copied.folder)) for path in made)
    assert (timings["mathematics_s"] <= timings["cpu_s"]).all()
    assert (timings["peak_memory_mb"] > 20).all()
    assert (timings["wall_s"] > 0).all()
    # Runs and whitening compute; tables, figures and the fetched file do not.
    computes = timings["result"].str.contains("/runs/|whitened")
    assert ((timings["mathematics_s"] > 0) == computes).all()
    runs = timings[timings["result"].str.contains("/runs/")]
    assert [json.loads(spec)["experiment"] for spec in runs["spec"]] == list(runs["part"])

    # No result is newer than the timings, so they are made again only on request.
    (copied.folder / LOG).unlink()
    assert "Nothing to be done" in copied.snakemake("timings").stderr
    assert copied.snakemake("timings", "--forcerun", "timings").returncode == 0
    fewer = read_table(copied.folder / TIMINGS).to_pandas()
    assert set(timings["result"]) - set(fewer["result"]) == {"results/tables/classifier.parquet"}
    assert "Left out: 1 results" in (copied.folder / "results/timings.md").read_text()


@pytest.mark.slow
def test_the_error_for_results_without_costs_says_what_to_do(copied):
    assert copied.run("rm", "-r", "results/logs").returncode == 0
    done = copied.snakemake("timings")
    assert done.returncode != 0
    assert "results/logs contains no costs of the jobs that made these results" in done.stderr
    assert "snakemake --cores 8 --forceall" in done.stderr
