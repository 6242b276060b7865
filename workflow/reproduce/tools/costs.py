"""Program: print what the jobs in a folder cost, compare two folders, or estimate the cost of a config."""

import argparse
import csv
import json
import sys
from pathlib import Path

import pandas as pd

from reproduce.config import files
from reproduce.config.plan import Plan
from reproduce.config.points import canonical_json
from reproduce.errors import UserError, run_tool
from reproduce.jobs.cost import costs_in
from reproduce.records.tables import read_metadata


def costs_in_folder(folder: Path) -> pd.DataFrame:
    """Return one row per job that ran in a folder.

    rule: the rule that started the job.
    subject: its experiment or its document; None if it has none.
    wall_s: seconds from the start of the job's command to its end.
    cpu_s: seconds of processor time of the job's program.
    mathematics_s: the part of cpu_s that the mathematics took.
    peak_memory_mb: 10⁶ bytes.
    processor: the model of the processor.
    run: the path of the run that the job made; None for other jobs.
    """
    rows, unreadable = [], []
    benchmarks, logs = folder / "results/benchmarks", folder / "results/logs"
    for benchmark in sorted(benchmarks.rglob("[!.]*.tsv")):
        name = benchmark.relative_to(benchmarks)
        log = logs / name.with_suffix(".log")
        try:
            costs = costs_in(log.read_text(encoding="utf-8")) if log.exists() else {}
            with benchmark.open(encoding="utf-8", newline="") as file:
                row = next(csv.DictReader(file, delimiter="\t"), {})
                wall = float(row["s"])
        # A job that was killed leaves half a line, or an empty file.
        except (ValueError, LookupError, TypeError):
            unreadable.append(name)
            continue
        if "cpu_s" in costs:
            # The page of one document is `page-DOCUMENT`.
            first, *axes = name.with_suffix("").parts
            rule, _, document = first.partition("-")
            subject = axes[0].removeprefix("experiment=") if axes else document or None
            run = folder.joinpath("results/runs", *axes, "run.parquet") if rule == "train" else None
            # The program of a figure or a table prints no mathematics_s.
            rows.append({"mathematics_s": 0.0, **costs, "rule": rule, "subject": subject, "wall_s": wall, "run": run})
    if unreadable:
        print(
            f"{benchmarks}: {len(unreadable)} jobs do not count, since their benchmark or log is damaged, "
            f"{unreadable[0]} among them",
            file=sys.stderr,
        )
    columns = ["rule", "subject", "wall_s", "cpu_s", "mathematics_s", "peak_memory_mb", "processor", "run"]
    return pd.DataFrame(rows, columns=columns)


def sum_costs(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the costs of all jobs, by experiment or document, and by rule. jobs: as in `costs_in_folder`."""
    columns = {
        "jobs": ("cpu_s", "size"),
        "wall s": ("wall_s", "sum"),
        "CPU s": ("cpu_s", "sum"),
        "of it mathematics": ("mathematics_s", "sum"),
        "peak memory MB": ("peak_memory_mb", "max"),
    }
    parts = {"all": ["" for _ in jobs.index], "of": jobs["subject"], "rule": jobs["rule"]}
    return pd.concat({name: jobs.groupby(part).agg(**columns) for name, part in parts.items()})


def compare_costs(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Return the costs of two workflow runs side by side. first, second: jobs as in `costs_in_folder`."""
    compared = ["jobs", "CPU s", "of it mathematics"]
    sums = {name: sum_costs(jobs)[compared] for name, jobs in (("first", first), ("second", second))}
    sums["second − first"] = sums["second"].sub(sums["first"], fill_value=0)
    return pd.concat(sums, axis=1).sort_index().fillna(0).astype(dict.fromkeys([(name, "jobs") for name in sums], int))


def estimate_runs(plan: Plan, jobs: pd.DataFrame) -> pd.DataFrame:
    """Return one row per run of a plan: path, experiment, settings (without the seed), gpu, wall_s, cpu_s.

    wall_s, cpu_s: the mean over the runs with these settings that ran in the folder; NaN if there are none. Costs are
        not scaled to other sizes, because they do not scale predictably.
    jobs: as in `costs_in_folder`.
    """
    ran = jobs[[run is not None and run.exists() for run in jobs["run"]]]
    settings = [_settings(json.loads(read_metadata(run)["spec"])) for run in ran["run"]]
    means = ran[["wall_s", "cpu_s"]].groupby(pd.Series(settings, ran.index, dtype=str)).mean()
    rows = []
    for path, point in plan.points.items():
        spec = json.loads(point.spec)
        rows.append((path, spec["experiment"], _settings(spec), spec.get("device") == "cuda"))
    return pd.DataFrame(rows, columns=["path", "experiment", "settings", "gpu"]).join(means, on="settings")


def sum_estimates(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the hours by experiment and of all runs. runs: as in `estimate_runs`."""

    def hours(own: pd.DataFrame) -> pd.Series:
        seconds = {
            "CPU hours": own["cpu_s"].sum(min_count=1),
            "GPU hours": own["wall_s"][own["gpu"]].sum(),
            "longest run, hours": own["wall_s"].max(),
        }
        return pd.Series({"runs": len(own), "of them measured": own["cpu_s"].count()} | seconds) / ([1, 1] + 3 * [3600])

    rows = {str(name): hours(own) for name, own in runs.groupby("experiment", sort=False)}
    return pd.DataFrame({**rows, "all": hours(runs)}).T.astype({"runs": int, "of them measured": int})


def list_unmeasured(runs: pd.DataFrame) -> list[str]:
    """Return the path of one run for each combination of settings of which none ran. runs: as in `estimate_runs`."""
    return list(runs[runs["cpu_s"].isna()].drop_duplicates("settings")["path"])


def _settings(spec: dict) -> str:
    return canonical_json({**spec, "seed": None})


def main() -> None:
    """Print the costs or the estimate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=Path(), type=Path, help="where the workflow ran; default: here")
    parser.add_argument("other", nargs="?", type=Path, help="second folder, to compare")
    parser.add_argument("--configfile", nargs="+", type=Path, help="estimate these files, on top of config.yaml")
    parser.add_argument("--unmeasured", action="store_true", help="only list one run of each kind that never ran here")
    arguments = parser.parse_args()
    folders = [folder for folder in (arguments.folder, arguments.other) if folder]
    costs = [costs_in_folder(folder) for folder in folders]
    if arguments.unmeasured:
        print("\n".join(list_unmeasured(estimate_runs(Plan(files.read(arguments.configfile or [])), costs[0]))))
        return
    for folder, jobs in zip(folders, costs, strict=True):
        if jobs.empty:
            raise UserError(f"{folder / 'results'}: its logs and benchmarks contain no costs of a job")
    if arguments.configfile:
        _print_estimate(estimate_runs(Plan(files.read(arguments.configfile)), costs[0]))
        return
    table = sum_costs(*costs) if len(costs) == 1 else compare_costs(*costs)
    print(table.to_string(float_format="{:.1f}".format))
    processors = sorted({*pd.concat(costs)["processor"]})
    print(f"\nMeasured on {', '.join(processors)}. Wall and CPU seconds are sums over jobs.")


def _print_estimate(runs: pd.DataFrame) -> None:
    print(sum_estimates(runs).to_string(float_format="{:.3g}".format, na_rep="?"))
    print("\nOnly runs are counted; tables, figures, claims and the page take minutes.")
    if unmeasured := list_unmeasured(runs):
        print(
            f"{runs['cpu_s'].isna().sum()} runs are not in the hours: none with their {len(unmeasured)} settings ran "
            "here. To make one run of each, add to snakemake with the same --configfile: "
            "$(python -m reproduce.tools.costs --unmeasured --configfile …)"
        )


if __name__ == "__main__":
    run_tool(main)
