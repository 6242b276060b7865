"""The descriptions of the results for other services, made for the thinned tables of the default config."""

import json
import shutil
import subprocess
import sys

import pandas as pd
import pytest
import yaml

from default_tables import FOLDER
from reproduce.config.check import schema
from reproduce.records.digests import sha256_of
from reproduce.tools import describe

NAMES = [path.stem for path in sorted(FOLDER.glob("*.parquet"))]


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["describe"])
    shutil.copytree(FOLDER, tmp_path / "results/tables")
    for name in ("._hierarchy", "hierarchy copy"):
        (tmp_path / f"results/tables/{name}.parquet").write_bytes(b"no table")
    describe.main()
    return tmp_path / "results/tables"


def test_the_card_has_a_configuration_for_each_table_and_lists_the_metrics(tables):
    _, head, text = (tables / "README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(head)["configs"] == [{"config_name": name, "data_files": f"{name}.parquet"} for name in NAMES]
    metrics = pd.read_parquet(tables.parent / "metrics.parquet")
    written = pd.read_csv(tables.parent / "metrics.csv", keep_default_na=False)
    assert written.to_dict("list") == metrics.to_dict("list") and set(NAMES) <= set(metrics["experiment"])
    assert "| half_time | i | updates | at step 0 | when singular_value[i] first reaches half" in text


def test_the_croissant_describes_each_file_and_each_column(tables):
    croissant = json.loads((tables / "croissant.json").read_text())
    assert {file["contentUrl"]: file["sha256"] for file in croissant["distribution"]} == {
        f"{name}.parquet": sha256_of(tables / f"{name}.parquet") for name in NAMES
    }
    columns = {each["name"]: {one["name"]: one["dataType"] for one in each["field"]} for each in croissant["recordSet"]}
    for name in NAMES:
        assert [*columns[name]] == [*pd.read_parquet(tables / f"{name}.parquet")]
    assert all("@type" in each for name in ("creator", "distribution", "recordSet") for each in croissant[name])
    assert [columns["hierarchy"][name] for name in ("depth", "init", "scale")] == ["sc:Integer", "sc:Text", "sc:Float"]


def test_the_schema_for_editors_is_printed():
    done = subprocess.run([sys.executable, "-m", "reproduce.tools.schema"], capture_output=True, check=True)
    assert json.loads(done.stdout) == schema()
