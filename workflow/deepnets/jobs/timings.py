"""Program: collect the costs of all results' jobs in one table, as Parquet and as Markdown."""

import csv
import sys
from pathlib import Path, PurePosixPath

import pandas as pd
import pyarrow as pa

from deepnets.config.grids import points_of
from deepnets.errors import UserError
from deepnets.jobs.cost import costs_in
from deepnets.records.atomic import replacing
from deepnets.records.job import Job
from deepnets.records.paths import CLAIMS, counts_for_its_job
from deepnets.records.tables import write_table

_COLUMNS = {
    "part": pa.dictionary(pa.int32(), pa.string()),
    "result": pa.string(),
    "spec": pa.string(),
    "wall_s": pa.float64(),
    "cpu_s": pa.float64(),
    "mathematics_s": pa.float64(),
    "peak_memory_mb": pa.float64(),
    "processor": pa.dictionary(pa.int32(), pa.string()),
}


def timing_of(path: str, folder: Path = Path()) -> dict[str, object] | None:
    """Return the cost of a result's job; None if the job's log contains no cost or its benchmark is missing.

    path: the result's path, relative to the folder in which the workflow ran.
    returns: part and result, and
        wall_s: seconds from the start of the job's command to its end.
        cpu_s: seconds of processor time of the job's program.
        mathematics_s: the part of cpu_s that the mathematics took.
        peak_memory_mb: 10⁶ bytes.
        processor: the model of the processor.
    """
    part, name = job_of(path)
    log, benchmark = folder / f"results/logs/{name}.log", folder / f"results/benchmarks/{name}.tsv"
    costs = costs_in(log.read_text(encoding="utf-8")) if log.exists() else {}
    if "cpu_s" not in costs or not benchmark.exists():
        return None
    with benchmark.open(encoding="utf-8", newline="") as file:
        measured = next(csv.DictReader(file, delimiter="\t"))
    # The program of a figure or a table prints no mathematics_s.
    return {"mathematics_s": 0.0, **costs, "part": part, "result": path, "wall_s": float(measured["s"])}


def timings_as_markdown(timings: pd.DataFrame, missing: int) -> str:
    """Return a Markdown table with one row per experiment, one per kind of further job, and one for all jobs.

    timings: one row per job, columns as in timings.parquet; missing: the number of results without costs.
    """
    heads = ["", "jobs", "wall s", "processor s", "mathematics s", "share", "peak memory MB"]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for part, jobs in [*timings.groupby("part", sort=False, observed=True), ("all", timings)]:
        wall, cpu, mathematics = (jobs[column].sum() for column in ("wall_s", "cpu_s", "mathematics_s"))
        cells = [part, len(jobs), f"{wall:.1f}", f"{cpu:.1f}", f"{mathematics:.1f}", f"{mathematics / cpu:.0%}"]
        lines.append(f"| {' | '.join(map(str, cells))} | {jobs['peak_memory_mb'].max():.0f} |")
    processors = ", ".join(sorted(timings["processor"].unique()))
    lines += [
        "",
        f"Measured on {processors}. Wall and processor seconds are sums over jobs. Memory is that of the largest job. "
        "Share is the share of mathematics in the processor time; the rest starts programs, reads and writes.",
    ]
    if missing:
        lines += ["", f"Left out: {missing} results whose jobs recorded no costs in this folder."]
    return "\n".join(lines) + "\n"


def main(job: Job, parquet: Path, markdown: Path) -> None:
    """Read logs and benchmarks of the jobs that made the spec's results; write the table as Parquet and Markdown."""
    spec = job.spec
    specs = {
        point.path: point.spec for experiment, grids in spec["grids"].items() for point in points_of(experiment, grids)
    }
    results = [*specs, *filter(counts_for_its_job, spec["files"])]
    found = {path: timing_of(path) for path in results}
    rows = [{**timing, "spec": specs.get(path, "")} for path, timing in found.items() if timing is not None]
    if not rows:
        raise UserError(
            "results/logs contains no costs of the jobs that made these results; make them again in this folder: "
            "snakemake --cores 8 --forceall"
        )
    missing = len(found) - len(rows)
    if missing:
        print(f"{missing} results have no costs in results/logs and are left out", file=sys.stderr)
    schema = pa.schema([pa.field(name, type_, nullable=False) for name, type_ in _COLUMNS.items()])
    table = pa.Table.from_pylist(rows, schema=schema)
    with replacing(parquet) as unfinished, replacing(markdown) as unfinished_markdown:
        write_table(unfinished, table, job.provenance({}))
        unfinished_markdown.write_text(timings_as_markdown(table.to_pandas(), missing), encoding="utf-8")


def job_of(path: str) -> tuple[str, str]:
    """Return the part of a result, its row in the Markdown table, and the name of its job's log and benchmark."""
    match PurePosixPath(path).parts:
        case _ if path == CLAIMS:
            return "claims", "ledger"
        case ("results", "data", data):
            return "data", {"mnist.npz": "fetch", "whitened.npz": "whiten"}[data]
        case ("results", "runs", experiment, *axes, _):
            return experiment.removeprefix("experiment="), "/".join(["train", experiment, *axes])
        case ("results", "tables", table):
            return "tables", f"aggregate/{PurePosixPath(table).stem}"
        case ("results", page) if page.startswith("report"):
            return "page", PurePosixPath(page).stem.replace("report", "page")
        case ("results", "claims", document):
            return "claims", f"judge/{PurePosixPath(document).stem}"
        case ("results", "figures", document, figure):
            return "figures", f"figure/{document}/{PurePosixPath(figure).stem}"
        case ("results", "interactive", document, chart):
            return "interactive", f"interactive/{document}/{PurePosixPath(chart).stem}"
    raise UserError(f"{path}: no rule that records costs makes this file")
