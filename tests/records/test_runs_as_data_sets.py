"""Other libraries read the folder of an experiment's runs as one data set, and all tables as one table."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from conftest import ROOT
from deepnets.config.grids import points_of
from deepnets.records.measurements import Measurements
from deepnets.records.paths import RUNS
from deepnets.records.provenance import Provenance
from deepnets.records.tables import write_run
from default_tables import FOLDER, frames

# The two runs have different axes. There are texts that look like numbers, integers and fractions.
AXES = {
    "toy": {"depth": [1, 2], "init": ["x"], "block": ["a_1", "2"], "scale": [1, 0.5, 1e-12], "seed": [[0, 2], 5]},
    "other": {"depth": [3], "init": ["none"], "seed": [7]},
}
TOY = f"{RUNS}/experiment=toy"


@pytest.fixture(autouse=True)
def values(tmp_path, monkeypatch):
    """The values of the runs of `toy` in a temporary working folder, by depth, block, scale and seed."""
    monkeypatch.chdir(tmp_path)
    values = {}
    for experiment, axes in AXES.items():
        for point in points_of(experiment, [{"axes": axes, "settings": {}}]):
            Path(point.path).parent.mkdir(parents=True)
            measurements = Measurements()
            measurements.add(0, "loss", 0.0)
            measurements.add(9, "loss", float(len(values)))
            write_run(point.path, measurements, Provenance(point.spec, "module:run@0"))
            if experiment == "toy":
                _, depth, _, block, scale, seed = point.axes.values()
                values[depth, block, float(scale), seed] = float(len(values))
    return values


def by_axes(rows):
    """Return the values of the last step. rows: (depth, block, scale, seed, value), with axes of any type."""
    return {(int(depth), str(block), float(scale), int(seed)): value for depth, block, scale, seed, value in rows}


def test_pandas_reads_the_runs_as_one_table(values):
    rows = pd.read_parquet(TOY)
    found = rows[(rows["metric"] == "loss") & (rows["step"] == 9)]
    assert by_axes(found[["depth", "block", "scale", "seed", "value"]].itertuples(index=False)) == values
    together = pd.read_parquet(RUNS)
    assert together.groupby("experiment", observed=True).size().to_dict() == {"toy": 2 * len(values), "other": 2}


def test_polars_reads_the_runs_as_one_table(values):
    rows = pl.read_parquet(f"{TOY}/**/*.parquet", hive_partitioning=True)
    found = rows.filter((pl.col("metric") == "loss") & (pl.col("step") == 9))
    assert by_axes(found.select("depth", "block", "scale", "seed", "value").iter_rows()) == values
    parts = [pl.read_parquet(f"{RUNS}/experiment={each}/**/*.parquet", hive_partitioning=True) for each in AXES]
    together = pl.concat(parts, how="diagonal_relaxed")
    assert dict(together.group_by("experiment").len().iter_rows()) == {"toy": 2 * len(values), "other": 2}


def query_duckdb(query):
    """Return DuckDB's answer to a query. It runs in its own process, since it reports leaks when a process ends."""
    program = "import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall(), default=str))"
    done = subprocess.run([sys.executable, "-c", program, query], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_duckdb_reads_the_runs_as_one_table(values):
    toy, other = (f"from '{RUNS}/experiment={each}/**/*.parquet'" for each in AXES)
    found = query_duckdb(f"select depth, block, scale, seed, value {toy} where metric = 'loss' and step = 9")
    assert by_axes(found) == values
    typed = f"'{TOY}/**/*.parquet', hive_types = {{'scale': DOUBLE, 'block': VARCHAR}}"
    assert query_duckdb(f"select distinct typeof(scale), typeof(block) from read_parquet({typed})") == [
        ["DOUBLE", "VARCHAR"]
    ]
    together = query_duckdb(f"select experiment, count(*) from ({toy} union all by name {other}) group by experiment")
    assert dict(together) == {"toy": 2 * len(values), "other": 2}


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
def test_the_readme_s_command_reads_all_tables_with_the_right_types(library):
    Path("results/tables").symlink_to(FOLDER)
    (command,) = re.findall(
        rf"^everything = ({library}\.\w+\(.*\))$", (ROOT / "results/README.md").read_text(), re.MULTILINE
    )
    names = ("depth", "scale", "init", "index", "value")
    show = {
        "pandas": "{name: str(everything[name].dtype) for name in names}",
        "polars": "{name: str(everything[name].dtype) for name in names}",
        "duckdb": "{name: str(everything.types[everything.columns.index(name)]) for name in names}",
    }[library]
    program = f"import {library}, json; from glob import glob; names = {names}\neverything = {command}\n"
    program += f"print(json.dumps([len(everything), {show}]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    rows, types = json.loads(done.stdout)
    assert rows == sum(len(frame) for frame in frames().values())
    assert (
        types
        == {
            "pandas": {"depth": "int64", "scale": "float64", "init": "str", "index": "int32", "value": "float64"},
            "polars": {
                "depth": "Int64",
                "scale": "Float64",
                "init": "Categorical",
                "index": "Int32",
                "value": "Float64",
            },
            "duckdb": {"depth": "BIGINT", "scale": "DOUBLE", "init": "VARCHAR", "index": "INTEGER", "value": "DOUBLE"},
        }[library]
    )
