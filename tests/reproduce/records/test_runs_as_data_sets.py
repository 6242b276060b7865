"""Other libraries read the folder of an experiment's runs as one data set, and all tables as one table."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from conftest import ROOT
from default_tables import FOLDER, default_tables
from reproduce.config.grids import points_of
from reproduce.records.measurements import Measurements
from reproduce.records.paths import RUNS
from reproduce.records.tables import write_run

# There are texts that look like numbers, integers and fractions.
AXES = {"depth": [1, 2], "init": ["x"], "block": ["a_1", "2"], "scale": [1, 0.5, 1e-12], "seed": [[0, 2], 5]}
TOY = f"{RUNS}/experiment=toy"
COLUMNS = ["depth", "block", "scale", "seed", "value"]


def read_pandas():
    rows = pd.read_parquet(TOY)
    return rows[(rows["metric"] == "loss") & (rows["step"] == 9)][COLUMNS].itertuples(index=False)


def read_duckdb():
    """Return DuckDB's answer. It runs in its own process, since it reports leaks when a process ends."""
    runs = f"read_parquet('{TOY}/**/*.parquet', hive_types = {{'scale': DOUBLE, 'block': VARCHAR}})"
    query = f"select {', '.join(COLUMNS)} from {runs} where metric = 'loss' and step = 9"
    program = "import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))"
    done = subprocess.run([sys.executable, "-c", program, query], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("read", [read_pandas, read_duckdb])
def test_other_libraries_read_the_runs_of_an_experiment_as_one_table(tmp_path, monkeypatch, read):
    monkeypatch.chdir(tmp_path)
    values = {}
    for point in points_of("toy", [{"axes": AXES, "settings": {}}]):
        Path(point.path).parent.mkdir(parents=True)
        measurements = Measurements()
        measurements.add(0, "loss", 0.0)
        measurements.add(9, "loss", float(len(values)))
        write_run(point.path, measurements, point.spec, "")
        _, depth, _, block, scale, seed = point.axes.values()
        values[depth, block, float(scale), seed] = float(len(values))
    found = {(int(depth), str(block), float(scale), int(seed)): value for depth, block, scale, seed, value in read()}
    assert found == values


TYPES = {
    "pandas": {"depth": "int64", "scale": "float64", "init": "str", "index": "int32", "value": "float64"},
    "polars": {"depth": "Int64", "scale": "Float64", "init": "Categorical", "index": "Int32", "value": "Float64"},
    "duckdb": {"depth": "BIGINT", "scale": "DOUBLE", "init": "VARCHAR", "index": "INTEGER", "value": "DOUBLE"},
}


@pytest.mark.parametrize("library", TYPES)
def test_the_readme_s_command_reads_all_tables_with_the_right_types(library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("results").mkdir()
    Path("results/tables").symlink_to(FOLDER)
    readme = (ROOT / "results/README.md").read_text()
    (command,) = re.findall(rf"^everything = ({library}\.\w+\(.*\))$", readme, re.MULTILINE)
    kind = "everything.types[everything.columns.index(name)]" if library == "duckdb" else "everything[name].dtype"
    program = f"import {library}, json; from glob import glob\neverything = {command}\n"
    program += f"print(json.dumps([len(everything), {{name: str({kind}) for name in {[*TYPES[library]]}}}]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [sum(len(table.frame) for table in default_tables().values()), TYPES[library]]
