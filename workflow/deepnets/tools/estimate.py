"""Program: tell how many jobs, CPU hours and GPU hours a config takes, from measured timings, before anything runs."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import repeat
from pathlib import Path

import numpy as np
import pandas as pd

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.config import files
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError, exit_plainly
from workflow.deepnets.jobs.timings import job_of
from workflow.deepnets.records.paths import TIMINGS, stands_for_its_job
from workflow.deepnets.records.tables import read_table

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


class Measured:
    """The measured runs of one experiment, from which those of another config are estimated.

    timings: their rows of the timings: spec, cpu_s, mathematics_s; operations: what counts a run's multiply-adds from
    its spec, if the experiment has it.
    """

    def __init__(self, timings: pd.DataFrame, operations: Operations | None) -> None:
        self._operations = operations
        settings = timings["spec"].map(json.loads)
        self._seconds = dict(zip(timings["spec"], timings["cpu_s"], strict=True))
        self._mean = timings["cpu_s"].mean()
        runs = timings.assign(device=settings.map(lambda each: each.get("device")))
        if operations is not None:
            # Seeds count alike: one stands for all.
            runs = runs.assign(operations=settings.map(operations)).drop_duplicates(["device", "operations"])
        self._runs = runs

    def cost(self, spec: str, gpu_rate: float) -> Cost:
        """Return what a run will take.

        A run that was measured takes what it took. Another one takes the start-up of the run whose operations are
        nearest to its own, and that run's mathematics in proportion to the operations; where the experiment counts
        none, the mean of its runs. Where no run was measured on a GPU, one takes operations / gpu_rate (multiply-adds
        per second) there. One processor waits for a GPU. Raises UserError where only other devices were measured.
        """
        settings = json.loads(spec)
        on_gpu = settings.get("device") == "cuda"
        if spec in self._seconds:
            return Cost(self._seconds[spec], self._seconds[spec] * on_gpu, "measured")
        if self._operations is None:
            return Cost(self._mean, self._mean * on_gpu, "scaled")
        same_device = self._runs[self._runs["device"].isin([settings.get("device")])]
        assumed = on_gpu and same_device.empty
        comparable = self._runs if assumed else same_device
        if comparable.empty:
            raise UserError(f"{TIMINGS}: no run of {settings['experiment']} was measured on {settings['device']}")
        wanted = self._operations(settings)
        nearest = comparable.loc[np.log(comparable["operations"] / wanted).abs().idxmin()]
        rate = gpu_rate if assumed else nearest["operations"] / nearest["mathematics_s"]
        seconds = nearest["cpu_s"] - nearest["mathematics_s"] + wanted / rate
        return Cost(seconds, seconds * on_gpu, "assumed" if assumed else "scaled")


def costs_of(plan: Plan, timings: pd.DataFrame, gpu_rate: float) -> Iterator[tuple[str, Cost]]:
    """Yield, for every job of a plan, its experiment ("tables", "figures", "data") and its cost.

    timings: as in results/timings.parquet. Raises UserError for what was never measured.
    """
    for experiment in plan.experiments:
        measured = Measured(_rows(timings, experiment), _operations_of(experiment))
        for point in plan.points.values():
            if point.axes["experiment"] == experiment:
                yield experiment, measured.cost(point.spec, gpu_rate)
    others = [path for path in plan.results if path not in plan.points and stands_for_its_job(path)]
    parts = Counter(job_of(path)[0] for path in others)
    for part, jobs in parts.items():
        cost = Cost(_rows(timings, part)["cpu_s"].mean(), 0.0, "scaled")
        yield from repeat((part, cost), jobs)


def _rows(timings: pd.DataFrame, part: str) -> pd.DataFrame:
    rows = timings[timings["part"] == part]
    if rows.empty:
        raise UserError(
            f"{TIMINGS} holds no job of {part}; measure a small run of it first: snakemake --cores 8 timings"
        )
    return rows


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
    plan = Plan(files.read(arguments.configfile))
    costs = pd.DataFrame(
        {"part": part, "cpu_s": cost.cpu_s, "gpu_s": cost.gpu_s, "basis": cost.basis}
        for part, cost in costs_of(plan, timings, arguments.gpu_rate)
    )
    print(as_markdown(costs))
    if (costs["basis"] == "assumed").any():
        print(f"\nNo GPU was measured: its hours assume {arguments.gpu_rate:g} multiply-adds per second (--gpu-rate).")


def _operations_of(experiment: str) -> Operations | None:
    """Return the function by which an experiment counts its operations, None where it has none."""
    module = f"{PACKAGE}.experiments.{experiment}.run"
    if "operations" not in Package().public_functions(module):
        return None
    return import_module(module).operations


if __name__ == "__main__":
    exit_plainly(main)
