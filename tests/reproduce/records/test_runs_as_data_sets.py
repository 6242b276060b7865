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
from default_tables import FOLDER, default_tables
from reproduce.config.grids import points_of
from reproduce.records.measurements import Measurements
from reproduce.records.paths import RUNS
from reproduce.records.tables import write_run

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
            write_run(point.path, measurements, point.spec, "")
            if experiment == "toy":
                _, depth, _, block, scale, seed = point.axes.values()
                values[depth, block, float(scale), seed] = float(len(values))
    return values


def read_pandas(last):
    rows = pd.read_parquet(TOY)
    counts = pd.read_parquet(RUNS).groupby("experiment", observed=True).size()
    return rows[(rows["metric"] == "loss") & (rows["step"] == 9)][last].itertuples(index=False), counts.items()


def read_polars(last):
    toy, other = (pl.read_parquet(f"{RUNS}/experiment={each}/**/*.parquet", hive_partitioning=True) for each in AXES)
    counts = pl.concat([toy, other], how="diagonal_relaxed").group_by("experiment").len()
    return toy.filter((pl.col("metric") == "loss") & (pl.col("step") == 9)).select(last).iter_rows(), counts.iter_rows()


def read_duckdb(last):
    toy, other = (f"from '{RUNS}/experiment={each}/**/*.parquet'" for each in AXES)
    rows = query_duckdb(f"select {', '.join(last)} {toy} where metric = 'loss' and step = 9")
    typed = f"'{TOY}/**/*.parquet', hive_types = {{'scale': DOUBLE, 'block': VARCHAR}}"
    types = query_duckdb(f"select distinct typeof(scale), typeof(block) from read_parquet({typed})")
    assert types == [["DOUBLE", "VARCHAR"]]
    every = f"{toy} union all by name {other}"
    return rows, query_duckdb(f"select experiment, count(*) from ({every}) group by experiment")


def query_duckdb(query):
    """Return DuckDB's answer to a query. It runs in its own process, since it reports leaks when a process ends."""
    program = "import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall(), default=str))"
    done = subprocess.run([sys.executable, "-c", program, query], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("read", [read_pandas, read_polars, read_duckdb])
def test_other_libraries_read_the_runs_as_one_table(values, read):
    rows, counts = read(["depth", "block", "scale", "seed", "value"])
    found = {(int(depth), str(block), float(scale), int(seed)): value for depth, block, scale, seed, value in rows}
    assert found == values
    assert dict(counts) == {"toy": 2 * len(values), "other": 2}


TYPES = {
    "pandas": {"depth": "int64", "scale": "float64", "init": "str", "index": "int32", "value": "float64"},
    "polars": {"depth": "Int64", "scale": "Float64", "init": "Categorical", "index": "Int32", "value": "Float64"},
    "duckdb": {"depth": "BIGINT", "scale": "DOUBLE", "init": "VARCHAR", "index": "INTEGER", "value": "DOUBLE"},
}


@pytest.mark.parametrize("library", TYPES)
def test_the_readme_s_command_reads_all_tables_with_the_right_types(library):
    Path("results/tables").symlink_to(FOLDER)
    readme = (ROOT / "results/README.md").read_text()
    (command,) = re.findall(rf"^everything = ({library}\.\w+\(.*\))$", readme, re.MULTILINE)
    kind = "everything.types[everything.columns.index(name)]" if library == "duckdb" else "everything[name].dtype"
    program = f"import {library}, json; from glob import glob\neverything = {command}\n"
    program += f"print(json.dumps([len(everything), {{name: str({kind}) for name in {[*TYPES[library]]}}}]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [sum(len(table.frame) for table in default_tables().values()), TYPES[library]]
