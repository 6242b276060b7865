import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FEW
from deepnets.data.mnist import SUBSET
from reproduce.config import environment
from reproduce.config.files import read
from reproduce.config.grids import canonical_json, points_of
from reproduce.records.paths import TABLE
from reproduce.records.record import Record

SCALARS = st.one_of(
    st.booleans(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)


@given(value=st.dictionaries(st.text(), VALUES, max_size=6))
@settings(max_examples=FEW)
def test_canonical_text_keeps_the_value_and_ignores_the_order(value):
    assert json.loads(canonical_json(value)) == value
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


@given(number=st.integers(-(2**53), 2**53))
def test_whole_floats_are_integers(number):
    assert canonical_json({"a": [float(number)]}) == canonical_json({"a": [number]})


@pytest.mark.parametrize("number", [2**53, 2**53 + 2, 10**20, -(10**22)])
def test_a_number_has_one_value_of_an_arrow_type_in_any_notation(number):
    (point,), (again,) = (
        points_of("e", [{"axes": {"depth": [1], "init": ["x"], "scale": [each], "seed": [0]}, "settings": {}}])
        for each in (number, float(number))
    )
    assert (point.path, point.spec) == (again.path, again.spec)
    assert pa.scalar(json.loads(point.spec)["scale"], pa.float64()).as_py() == number


def test_a_path_contains_the_axes_in_hive_form_and_a_spec_axes_and_settings():
    axes = {"seed": [3], "scale": [1e-4], "init": ["x"], "block": ["b"], "depth": [2]}
    (point,) = points_of("e", [{"axes": axes, "settings": {"rate": 0.5}}])
    assert point.path == "results/runs/experiment=e/depth=2/init=x/block=b/scale=0.0001/seed=3/run.parquet"
    spec = {"experiment": "e", "depth": 2, "init": "x", "block": "b", "scale": 1e-4, "seed": 3, "rate": 0.5}
    assert json.loads(point.spec) == spec


def test_names_and_order_in_the_config_do_not_count(config, default_plan, planned):
    block = config["experiments"]["classifier"]
    axes = block["grids"]["depth_3_to_6"]["axes"]
    axes["depth"], axes["seeds"] = axes["depth"][::-1], list(range(block["defaults"]["axes"]["seeds"]))[::-1]
    reordered = planned(config)
    assert list(reordered.results) == list(default_plan.results)
    # Grids may have other names and places, and experiments other places.
    block["grids"] = {f"{name}_again": grid for name, grid in reversed(block["grids"].items())}
    renamed = planned({**config, "experiments": dict(reversed(config["experiments"].items()))})
    assert dict(renamed.results) == dict(reordered.results) == dict(default_plan.results)


def test_a_setting_of_a_grid_changes_only_the_specs_of_one_depth(config, default_plan, planned):
    before = default_plan.points
    config["experiments"]["classifier"]["grids"]["depth_2"]["record_every"] = 5
    after = planned(config).points
    changed = [path for path in before if before[path].spec != after[path].spec]
    assert len(changed) == 10
    assert all("block=depths" in path and "depth=2" in path for path in changed)


def test_a_page_reads_the_scripts_of_its_documents(default_plan):
    whole, own, other = (
        default_plan.page(document).inputs["templates"] for document in ("", "synthesis", "000-classifier")
    )
    assert whole == own and own[:-1] == other and own[-1].endswith("documents/synthesis/small_net.js")


def test_the_specs_of_tables_contain_their_points(default_plan):
    for experiment in default_plan.experiments:
        spec = json.loads(default_plan.table_spec(experiment))
        table = default_plan.results[TABLE.format(experiment=experiment)]
        assert tuple(point.path for point in points_of(experiment, spec["grids"])) == table.inputs["runs"]


def test_each_file_has_a_spec_and_an_entry_and_is_planned_after_its_inputs(default_plan):
    places = {path: place for place, path in enumerate(default_plan.results)}
    for path, result in default_plan.results.items():
        assert isinstance(json.loads(result.spec), dict) and re.fullmatch(
            r"(deepnets|reproduce)\.[\w.]+:\w+", result.entry
        )
        read = [each for paths in result.inputs.values() for each in paths]
        assert max((places.get(each, -1) for each in read), default=-1) < places[path], path


@pytest.mark.parametrize(
    ("source", "folder", "contents"),
    [
        ("auto", "", ["", SUBSET]),
        # The subset is stale as soon as a folder is named.
        ("auto", "/mnist", [""]),
        ("directory", "", [""]),
        ("download", "", [""]),
        ("index", "", [""]),
        ("embedded", "/mnist", [SUBSET]),
    ],
)
@pytest.mark.parametrize("by_variable", [True, False])
def test_a_data_set_records_its_content_and_not_its_source(
    config, planned, monkeypatch, source, folder, contents, by_variable
):
    monkeypatch.setenv("MNIST_DIR", folder * by_variable)
    config["data"]["mnist"] |= {"source": source, "directory": None if by_variable or not folder else folder}
    plan = planned(config)
    recorded = plan.results["results/data/mnist.npz"].recorded_specs
    assert [json.loads(each) for each in recorded] == [{"reduced": each} for each in contents]
    # A start names the subset if it may be replaced, but is not replaced anyway.
    warning = environment.reduced_data(
        plan, {"results/data/mnist.npz": Record(reduced=SUBSET, outputs={"mnist.npz": "ab"})}.get, "snakemake"
    )
    if len(contents) == 1:
        assert warning == ""
    else:
        assert f"mnist.npz holds the {SUBSET}; " in warning and warning.endswith(": snakemake --forcerun data")
        whole = {"results/data/mnist.npz": Record(outputs={"mnist.npz": ""})}
        assert environment.reduced_data(plan, whole.get, "snakemake") == ""


def test_every_figure_has_a_caption(default_plan):
    assert default_plan.charts
    drawings = [*default_plan.figures.values(), *default_plan.charts.values()]
    assert all(drawing.caption.endswith(".") for drawing in drawings)


NUMERICAL = {"torch", "pandas", "numpy", "pyarrow"}
PLANNING = """
import yaml
from reproduce.config.plan import Plan
plan = Plan(yaml.safe_load(open('config.yaml')))
plan.figures, plan.charts, plan.results
"""
RECORDING = """
import reproduce.jobs.train
from reproduce.records.measurements import Measurements
Measurements().add(0, "loss", [1.0])
"""


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        (PLANNING, NUMERICAL),
        ("from reproduce.config import grids", NUMERICAL | {"pydantic"}),
        (RECORDING, {"torch", "pandas", "numpy.ma"}),
    ],
    ids=["planning", "what jobs read of points", "recording"],
)
def test_code_that_every_start_runs_imports_no_heavy_packages(code, heavy):
    code = f"{code}\nimport sys; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_specs_do_not_grow_with_the_seeds(config, planned):
    plans = []
    for seeds in (20, 90):
        config["experiments"]["regression"]["grids"]["exercise"]["axes"]["seeds"] = seeds
        plans.append(planned(config))
    few, many = plans
    assert len(many.table_spec("regression")) == len(few.table_spec("regression"))


def test_quick_makes_everything_from_few_runs_of_the_default_config(default_plan):
    quick = type(default_plan)(read([Path("configs/quick.yaml")]), package=default_plan.package)
    made = [path for path in quick.results if path.startswith(("results/runs/", "results/data/"))]
    assert len(quick.points) < len(made) < len(default_plan.points) / 3
    assert {path: default_plan.results.get(path) for path in made} == {path: quick.results[path] for path in made}
    for each in ("experiments", "figures", "charts", "ledgers"):
        assert getattr(quick, each) == getattr(default_plan, each)
    specs = [json.loads(point.spec) for point in quick.points.values()]
    assert max(spec[name] for spec in specs for name in ("width", "size", "hidden") if name in spec) == 1000
