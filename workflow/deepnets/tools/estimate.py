"""Program: estimate the CPU and GPU hours of a config from the costs of jobs that ran in this folder."""

import argparse
import json
from pathlib import Path

import pandas as pd

from deepnets.config import files
from deepnets.config.plan import Plan
from deepnets.config.points import canonical_json
from deepnets.errors import UserError, exit_plainly
from deepnets.jobs.timings import job_of, timing_of
from deepnets.records.paths import counts_for_its_job
from deepnets.records.tables import read_metadata


def jobs_of(plan: Plan) -> pd.DataFrame:
    """Return one row per job of a plan: path, part, like, gpu, measured, wall_s, cpu_s.

    like: for a run, its spec without the seed; for any job that is not a run, its part.
    wall_s, cpu_s: the job's own cost if it ran here, otherwise the mean over jobs with the same `like` that ran here,
        NaN if there are none. Costs are not scaled to other sizes, because they do not scale predictably.
    """
    rows = []
    for path in filter(counts_for_its_job, plan.results):
        part, _ = job_of(path)
        point = plan.points.get(path)
        spec = json.loads(point.spec) if point else {}
        # The file at this path may be a run with settings that differ from the plan.
        there = point is None or (Path(path).exists() and read_metadata(path)["spec"] == point.spec)
        timing = timing_of(path) if there else None
        rows.append(
            {
                "path": path,
                "part": part,
                "like": canonical_json({**spec, "seed": None}) if spec else part,
                "gpu": spec.get("device") == "cuda",
                "measured": timing is not None,
                "wall_s": timing["wall_s"] if timing else float("nan"),
                "cpu_s": timing["cpu_s"] if timing else float("nan"),
            }
        )
    jobs = pd.DataFrame(rows)
    costs = jobs[["wall_s", "cpu_s"]]
    return jobs.assign(**costs.fillna(costs.groupby(jobs["like"]).transform("mean")))


def unmeasured(jobs: pd.DataFrame) -> list[str]:
    """Return the path of one job for each value of `like` without a job that ran here. jobs: as in `jobs_of`."""
    return list(jobs[jobs["cpu_s"].isna()].drop_duplicates("like")["path"])


def estimate_as_markdown(jobs: pd.DataFrame) -> str:
    """Return a Markdown table of hours, with one row per part. jobs: as in `jobs_of`."""
    heads = ["", "jobs", "of them measured", "CPU hours", "GPU hours", "longest job, hours"]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for part, own in [*jobs.groupby("part", sort=False), ("all", jobs)]:
        seconds = (own["cpu_s"].sum(min_count=1), own["wall_s"][own["gpu"]].sum(), own["wall_s"].max())
        hours = ("?" if pd.isna(each) else f"{each / 3600:.3g}" for each in seconds)
        cells = [part, len(own), own["measured"].sum(), *hours]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Print the estimate for config.yaml, updated by the given config files."""
    parser = argparse.ArgumentParser(description="Estimate the hours of a config from the costs of jobs that ran here.")
    parser.add_argument(
        "--configfile", nargs="*", default=[], type=Path, help="as for snakemake: on top of config.yaml"
    )
    parser.add_argument("--unmeasured", action="store_true", help="print one result of each kind that never ran here")
    arguments = parser.parse_args()
    jobs = jobs_of(Plan(files.read(arguments.configfile)))
    if arguments.unmeasured:
        print("\n".join(unmeasured(jobs)))
        return
    if not jobs["measured"].any():
        raise UserError("results/logs contains no costs of this config's jobs; make some of its results first")
    print(estimate_as_markdown(jobs))
    if kinds := unmeasured(jobs):
        print(
            f"\n{jobs['cpu_s'].isna().sum()} jobs are left out of the hours: no job of their {len(kinds)} settings "
            "ran here. To run one job of each, add to snakemake with the same --configfile: "
            "$(python -m deepnets.tools.estimate --unmeasured --configfile …)"
        )


if __name__ == "__main__":
    exit_plainly(main)
