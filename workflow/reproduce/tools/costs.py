"""Program: print what the jobs in a folder cost, from Snakemake's benchmarks."""

import argparse
from pathlib import Path

import pandas as pd

from reproduce.errors import UserError, run_tool

# Column of a benchmark → its name here, and how the values of several jobs are joined.
_COLUMNS = {"s": ("wall s", "sum"), "cpu_time": ("CPU s", "sum"), "max_rss": ("peak memory MB", "max")}


def costs_in_folder(folder: Path) -> pd.DataFrame:
    """Return one row per job that ran in a folder: its rule, its experiment or document, and the columns above."""
    rows = []
    benchmarks = folder / "results/benchmarks"
    for path in sorted(benchmarks.rglob("[!.]*.tsv")):
        # The page of one document is `page-DOCUMENT`.
        first, *axes = path.relative_to(benchmarks).with_suffix("").parts
        rule, _, document = first.partition("-")
        (row,) = pd.read_csv(path, sep="\t", na_values="-")[[*_COLUMNS]].to_dict("records")
        rows.append({"rule": rule, "of": axes[0].removeprefix("experiment=") if axes else document, **row})
    return pd.DataFrame(rows, columns=["rule", "of", *_COLUMNS])


def sum_costs(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the costs of all jobs, by experiment or document, and by rule. jobs: as in `costs_in_folder`."""
    columns = {name: (column, join) for column, (name, join) in _COLUMNS.items()}
    parts = {"all": ["" for _ in jobs.index], "of": jobs["of"], "rule": jobs["rule"]}
    return pd.concat({name: jobs.groupby(part).agg(jobs=("s", "size"), **columns) for name, part in parts.items()})


def main() -> None:
    """Print the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=Path(), type=Path, help="where the workflow ran; default: here")
    folder = parser.parse_args().folder
    jobs = costs_in_folder(folder)
    if jobs.empty:
        raise UserError(f"{folder / 'results/benchmarks'} contains no benchmark of a job")
    print(sum_costs(jobs).to_string(float_format="{:.1f}".format))


if __name__ == "__main__":
    run_tool(main)
