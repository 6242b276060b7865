import json
import shutil
import subprocess
import sys

import pytest
import yaml
from pydantic import ValidationError

from reproduce.config.blocks import with_defaults
from reproduce.config.inferred import inferred_settings
from small_package import copied_sources

RUN = '"""Toy."""\n\n\ndef run(spec: dict):\n    return spec["slope"]\n'
SETTINGS = """\
from pydantic import Field

from reproduce.config.blocks import Axes, Experiment, Grid
from reproduce.config.fields import Axis, Positive


class _Axes(Axes):
    slope: Axis[Positive] = Field(description="Slope.")


class Settings(Experiment[Grid[_Axes]]):
    "Toy."
"""
TOY = "deepnets/experiments/toy"
RUNS = "deepnets.experiments.toy.run"
NO_BLOCK = "config.yaml has no block 'toy' below experiments; write it: it says which axes and settings there are"
NO_AXIS = TOY + ": axis '{}' names columns and folders; allowed: a name that no setting has, "


def grid(**axes):
    return {"axes": {"depth": 1, "seeds": 1, **axes}}


def toy(**axes):
    return {"grids": {"one": grid(**axes)}}


BLOCK = toy(slope=[0.5, 1.0], seeds=2)
# Plans the config of each line in a forked process, which has its parent's imports.
PLANNER = """
import json, os, sys
from reproduce.config.plan import Plan
from reproduce.errors import UserError
for line in sys.stdin:
    if os.fork() == 0:
        try:
            results = Plan(json.loads(line)).results
            told = [path for path in results if "toy" in path]
        except UserError as error:
            told = str(error).splitlines()
        print(json.dumps(told), flush=True)
        os._exit(0)
    if os.wait()[1]:
        break
"""


@pytest.fixture(scope="module")
def planner(tmp_path_factory):
    """A folder with a copy of the sources, and a process that plans in it."""
    folder = copied_sources(tmp_path_factory.mktemp("sources"))
    command = [sys.executable, "-c", PLANNER]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield folder, process
        process.stdin.close()


@pytest.fixture
def plan(planner, config):
    """A function that plans a toy experiment and returns the paths of its runs or the error."""
    folder, process = planner

    def planned(*, run=RUN, settings=SETTINGS, block=BLOCK, written=None):
        """settings: None if there are none; written: the block in config.yaml, which `block` overrides."""
        (folder / TOY).mkdir()
        (folder / "config.yaml").write_text(yaml.safe_dump({"experiments": {**config["experiments"], "toy": written}}))
        for module, text in (("run", run), ("settings", settings)):
            if text is not None:
                (folder / TOY / f"{module}.py").write_text(text)
        config["experiments"]["toy"] = block
        config["only"] = block and ["toy"]
        process.stdin.write(json.dumps(config) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield planned
    shutil.rmtree(folder / TOY)


def test_an_axis_may_refuse_lists(plan):
    block = {"grids": {"one": {"axes": {"depth": 1, "slope": 0.5, "seeds": 1}}}}
    run = "results/runs/experiment=toy/depth=1/slope=0.5/seed=0/run.parquet"
    paths = plan(settings=SETTINGS.replace("Axis[Positive]", "Positive"), block=block)
    assert paths == [run, "results/tables/toy.parquet"]


def test_a_module_its_settings_and_a_block_are_sufficient(plan):
    axes = [f"slope={slope}/seed={seed}" for slope in ("0.5", "1") for seed in (0, 1)]
    runs = [f"results/runs/experiment=toy/depth=1/{each}/run.parquet" for each in axes]
    assert plan() == [*runs, "results/tables/toy.parquet"]


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"settings": None}, f"{TOY}/run.py: {NO_BLOCK}"),
        ({"run": "def walk(spec): pass"}, f"{RUNS} defines no 'run'"),
        (
            {"run": "def run(spec, cifar): pass"},
            f"{RUNS}:run, after the spec: 'cifar' is no data set; allowed: mnist, whitened",
        ),
        # An axis with the name of a column or of a setting, with values of two types, or that are no names of folders.
        ({"settings": SETTINGS.replace("slope", "step"), "block": toy(step=0.5)}, NO_AXIS.format("step")),
        (
            {"settings": SETTINGS.replace('"Toy."', '"Toy."\n    slope: float'), "block": {**BLOCK, "slope": 0.5}},
            NO_AXIS.format("slope"),
        ),
        ({"settings": SETTINGS.replace("[Positive]", "[float | str]")}, NO_AXIS.format("slope")),
        ({"settings": SETTINGS.replace("[Positive]", "[str]"), "block": toy(slope="a")}, NO_AXIS.format("slope")),
        ({"settings": None, "written": toy(slope="a b"), "block": toy(slope="a b")}, NO_AXIS.format("slope")),
    ],
)
def test_a_missing_part_is_reported(plan, parts, told):
    (fault,) = plan(**parts)
    assert fault.startswith(told)


WRITTEN = {
    **{"steps": 5, "shift": 0, "offset": -1, "rate": 0.1, "share": 0.0, "slope": -0.5, "shape": "round", "fast": True},
    **{"sizes": [1, 2], "decay": {"factor": 0.5}, "defaults": {"part": 1.0}},
    "grids": {"one": grid(net=["relu", "linear"]), "two": grid(net="tanh", seeds=[1])},
}


def test_without_settings_updates_of_days_are_refused(plan):
    block = {**WRITTEN, "steps": 10**9, "grids": {"one": grid(net="relu", depth=2)}}
    (fault,) = plan(settings=None, written=WRITTEN, block=block)
    assert fault.endswith(".one: a run may take 1.2 days (steps 1,000,000,000, depth 2, shift 0); allowed: 1 day")


def test_settings_follow_from_the_block_of_config_yaml_and_init_may_be_absent(plan):
    runs = [f"results/runs/experiment=toy/depth=1/net={net}/run.parquet" for net in ("linear/seed=0", "relu/seed=0")]
    runs.append("results/runs/experiment=toy/depth=1/net=tanh/seed=1/run.parquet")
    assert sorted(plan(settings=None, written=WRITTEN, block=WRITTEN)) == [*runs, "results/tables/toy.parquet"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("steps", 0), ("steps", 0.5), ("shift", -1), ("offset", 0.5), ("rate", 0.0), ("share", -0.1), ("slope", "x")),
        *(("shape", "square"), ("fast", 1), ("sizes", [0]), ("decay", {"factor": 0.0}), ("defaults", {"part": 0.0})),
        ("grids", toy(net="rleu")["grids"]),
    ],
)
def test_another_value_is_checked_by_those_of_config_yaml(name, value):
    model = inferred_settings(with_defaults(WRITTEN))
    model.model_validate(WRITTEN)
    with pytest.raises(
        ValidationError, match=f"1 validation error for Settings\n{name if name != 'defaults' else 'grids'}"
    ):
        model.model_validate({**WRITTEN, "grids": toy(net="relu")["grids"], name: value})


@pytest.mark.parametrize(("value", "other"), [(None, "x"), ([], [0.5, "x"]), ([1, "a"], ["x", None])])
def test_values_of_no_common_kind_allow_any_value(value, other):
    inferred_settings(with_defaults({**WRITTEN, "size": value})).model_validate({**WRITTEN, "size": other})
