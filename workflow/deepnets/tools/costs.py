"""Program: print the costs of the workflow's jobs in one folder, for each part, or compare two folders."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from deepnets.errors import UserError, exit_plainly
from deepnets.jobs.timings import timing_of, timings_as_markdown

_ALL = "all"
# Patterns that match one file of each job with costs.
_RESULTS = (
    "data/*.npz",
    "runs/**/run.parquet",
    "tables/*.parquet",
    "claims/*.parquet",
    "claims.md",
    "figures/*/*.pdf",
    "interactive/*/*.json",
    "report*.html",
)


def costs_in_folder(folder: Path) -> tuple[pd.DataFrame, int]:
    """Return one row for each job of a folder's results, and the number of jobs without costs."""
    timings = [timing_of(path, folder) for path in _results_in(folder)]
    found = [timing for timing in timings if timing is not None]
    if not found:
        raise UserError(f"{folder / 'results'}: its logs and benchmarks contain no costs of a job")
    return pd.DataFrame(found), len(timings) - len(found)


def comparison_as_markdown(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """Return a Markdown table that compares two workflow runs. first, second: tables by `costs_in_folder`."""
    sums = [_sums(run) for run in (first, second)]
    parts = [part for part in {**sums[0], **sums[1]} if part != _ALL]
    heads = ["", "jobs", "CPU s", "of it mathematics", "jobs", "CPU s", "of it mathematics", "CPU s, second − first"]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for part in [*parts, _ALL]:
        before, after = (each.get(part, (0, 0.0, 0.0)) for each in sums)
        cells = [f"{count} | {cpu:.1f} | {mathematics:.1f}" for count, cpu, mathematics in (before, after)]
        lines.append(f"| {part} | {' | '.join(cells)} | {after[1] - before[1]:+.1f} |")
    return "\n".join(lines)


def _results_in(folder: Path) -> Iterator[str]:
    for pattern in _RESULTS:
        for path in sorted((folder / "results").glob(pattern)):
            yield path.relative_to(folder).as_posix()


def _sums(run: pd.DataFrame) -> dict[str, tuple[int, float, float]]:
    """Return part → number of jobs, seconds of processor time, seconds of mathematics; one entry is for all jobs."""
    parts = [*run.groupby("part", sort=False), (_ALL, run)]
    return {str(part): (len(jobs), jobs["cpu_s"].sum(), jobs["mathematics_s"].sum()) for part, jobs in parts}


def main() -> None:
    """Print the costs of the jobs in one folder, or compare the costs in two folders."""
    parser = argparse.ArgumentParser(description="Print the costs of the jobs in one folder, or compare two folders.")
    parser.add_argument(
        "folder", nargs="?", default=Path(), type=Path, help="folder in which the workflow ran; default: here"
    )
    parser.add_argument("other", nargs="?", type=Path, help="second folder, to compare")
    arguments = parser.parse_args()
    first, missing = costs_in_folder(arguments.folder)
    if arguments.other is None:
        print(timings_as_markdown(first, missing), end="")
    else:
        print(comparison_as_markdown(first, costs_in_folder(arguments.other)[0]))


if __name__ == "__main__":
    exit_plainly(main)
