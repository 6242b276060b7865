"""Program: tell how many jobs, CPU hours and GPU hours a config takes, from measured timings, before anything runs."""

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pandas as pd

from workflow.deepnets import config_files
from workflow.deepnets.errors import UserError, exit_plainly
from workflow.deepnets.fingerprint import PACKAGE, Package
from workflow.deepnets.plan import TIMINGS, Plan
from workflow.deepnets.tables import read_table

# Multiply-adds per second in float32 on one GPU, where none was measured: half the peak of an A100.
_GPU_RATE = 5e12
Operations = Callable[[dict], float]


@dataclass(frozen=True)
class Cost:
    """What one job takes: processor seconds, GPU seconds, and where the numbers come from.

    basis: measured (a run of just this spec), scaled (from another run) or assumed (the speed of the GPU is).
    """

    cpu_s: float
    gpu_s: float
    basis: str


def cost_of(spec: str, timings: pd.DataFrame, operations: Operations | None, gpu_rate: float) -> Cost:
    """Return what a run will take.

    A run that was measured takes what it took. Another one takes the start-up of the run whose operations are
    nearest to its own, and that run's mathematics in proportion to the operations; where the experiment counts none,
    the mean of its runs. Where no run was measured on a GPU, one takes operations / gpu_rate (multiply-adds per
    second) there. One processor waits for a GPU. timings: the measured runs of the experiment: spec, cpu_s,
    mathematics_s.
    """
    settings, measured = json.loads(spec), timings["spec"].map(json.loads)
    on_gpu = settings.get("device") == "cuda"
    same = timings.loc[timings["spec"] == spec, "cpu_s"]
    if len(same):
        return Cost(same.iloc[0], same.iloc[0] * on_gpu, "measured")
    if operations is None:
        mean = timings["cpu_s"].mean()
        return Cost(mean, mean * on_gpu, "scaled")
    same_device = measured.map(lambda other: other.get("device") == settings.get("device"))
    assumed = on_gpu and not same_device.any()
    comparable = measured if assumed else measured[same_device]
    if comparable.empty:
        raise UserError(f"{TIMINGS}: no run of {settings['experiment']} was measured on {settings['device']}")
    wanted, counted = operations(settings), comparable.map(operations)
    nearest = (counted / wanted).map(math.log).abs().idxmin()
    startup = timings.loc[nearest, "cpu_s"] - timings.loc[nearest, "mathematics_s"]
    rate = gpu_rate if assumed else counted[nearest] / timings.loc[nearest, "mathematics_s"]
    seconds = startup + wanted / rate
    return Cost(seconds, seconds * on_gpu, "assumed" if assumed else "scaled")


def costs_of(plan: Plan, timings: pd.DataFrame, gpu_rate: float) -> Iterator[tuple[str, Cost]]:
    """Yield, for every job of a plan, its experiment ("tables", "figures", "data") and its cost.

    timings: as in results/timings.parquet. Raises UserError for an experiment that was never measured.
    """
    for experiment in plan.experiments:
        measured = timings[timings["part"] == experiment]
        if measured.empty:
            raise UserError(
                f"{TIMINGS} holds no run of {experiment}; measure a small one first: snakemake --cores 8 timings"
            )
        operations = _operations_of(experiment)
        for point in plan.points.values():
            if point.axes["experiment"] == experiment:
                yield experiment, cost_of(point.spec, measured, operations, gpu_rate)
    for path in plan.results:
        part = path.split("/")[1]
        # A figure's PNG is its PDF's job.
        if part != "runs" and not path.endswith(".png"):
            mean = timings.loc[timings["part"] == part, "cpu_s"].mean()
            yield part, Cost(mean, 0.0, "scaled")


def as_markdown(costs: pd.DataFrame) -> str:
    """Return the table for readers. costs: one row per job: part, cpu_s, gpu_s, basis."""
    heads = ["", "jobs", "of them measured", "CPU hours", "GPU hours", "longest job, hours"]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for part, jobs in [*costs.groupby("part", sort=False), ("all", costs)]:
        hours = (jobs["cpu_s"].sum() / 3600, jobs["gpu_s"].sum() / 3600, jobs["cpu_s"].max() / 3600)
        cells = [part, len(jobs), (jobs["basis"] == "measured").sum(), *(f"{value:.3g}" for value in hours)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Print the estimate for config.yaml with further files on top."""
    parser = argparse.ArgumentParser(description="Tell what a config takes, from measured timings.")
    parser.add_argument(
        "--configfile", nargs="*", default=[], type=Path, help="as for snakemake: on top of config.yaml"
    )
    parser.add_argument("--timings", type=Path, default=Path(TIMINGS), help="of a smaller run: snakemake timings")
    parser.add_argument(
        "--gpu-rate", type=float, default=_GPU_RATE, help="multiply-adds per second of a GPU (default: %(default)g)"
    )
    arguments = parser.parse_args()
    if not arguments.timings.exists():
        raise UserError(f"{arguments.timings} is missing; measure a smaller run first: snakemake --cores 8 timings")
    timings = read_table(arguments.timings).to_pandas()
    plan = Plan(config_files.read(arguments.configfile))
    costs = pd.DataFrame(
        {"part": part, "cpu_s": cost.cpu_s, "gpu_s": cost.gpu_s, "basis": cost.basis}
        for part, cost in costs_of(plan, timings, arguments.gpu_rate)
    )
    print(as_markdown(costs))
    if (costs["basis"] == "assumed").any():
        print(f"\nNo GPU was measured: its hours assume {arguments.gpu_rate:g} multiply-adds per second (--gpu-rate).")


def _operations_of(experiment: str) -> Operations | None:
    """Return the function by which an experiment counts its operations, None where it has none."""
    module = f"{PACKAGE}.experiments.{experiment}"
    if "operations" not in Package().public_functions(module):
        return None
    return import_module(module).operations


if __name__ == "__main__":
    exit_plainly(main)
