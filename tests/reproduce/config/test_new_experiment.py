"""A new experiment needs a module, settings and a block of the config; a missing part is reported."""

import json
import shutil
import subprocess
import sys

import pytest

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
UNCLEAR, RUNS = f"{TOY}/settings.py:", "deepnets.experiments.toy.run"
MISSING = "is missing; an experiment needs run.py and settings.py"
DEFAULT = "has a default, but a spec contains only what the config sets; remove the default, and set the value in the "
DEFAULT += "config"
BLOCK = {"grids": {"one": {"axes": {"depth": 1, "init": "none", "slope": [0.5, 1.0], "seeds": 2}}}}


# Plans the config of each line in a forked process, which has its parent's imports.
PLANNER = """
import json, os, sys
from reproduce.config.plan import Plan
from reproduce.errors import UserError
for line in sys.stdin:
    if os.fork() == 0:
        try:
            results = Plan(json.loads(line)).results
            read = {path for result in results.values() for paths in result.inputs.values() for path in paths}
            told = [path for path in results if "toy" in path] + sorted(path for path in read if "/toy/" in path)
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

    def planned(*, run=RUN, settings=SETTINGS, block=BLOCK, data=()):
        (folder / TOY).mkdir()
        for name in data:
            (folder / TOY / name).write_text("time,loss\n1,2\n")
        for module, text in (("__init__", ""), ("run", run), ("settings", settings)):
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
    block = {"grids": {"one": {"axes": {"depth": 1, "init": "none", "slope": 0.5, "seeds": 1}}}}
    run = "results/runs/experiment=toy/depth=1/init=none/slope=0.5/seed=0/run.parquet"
    paths = plan(settings=SETTINGS.replace("Axis[Positive]", "Positive"), block=block)
    assert paths == [run, "results/tables/toy.parquet"]


def test_a_module_its_settings_and_a_block_are_sufficient(plan):
    axes = [f"slope={slope}/seed={seed}" for slope in ("0.5", "1") for seed in (0, 1)]
    runs = [f"results/runs/experiment=toy/depth=1/init=none/{each}/run.parquet" for each in axes]
    assert plan() == [*runs, "results/tables/toy.parquet"]


def test_a_data_file_of_the_folder_is_an_input_of_each_run(plan):
    found = plan(run="def run(spec, curve):\n    return curve\n", data=["curve.csv", "other.npz"])
    assert found[-1] == f"{TOY}/curve.csv"
    assert len(found) == 6


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"settings": None}, f"config: experiments.toy: {TOY}/settings.py {MISSING}"),
        ({"run": None}, f"config: experiments.toy: {TOY}/run.py {MISSING}"),
        ({"settings": "Settings = dict\n"}, f"{UNCLEAR} there is no class Settings(Experiment[…]) in it"),
        ({"settings": "", "block": None}, f"{UNCLEAR} there is no class Settings(Experiment[…]) in it"),
        ({"run": "def walk(spec): pass"}, f"{RUNS} defines no 'run'"),
        ({"run": "def run(): pass"}, f"{RUNS}:run takes no argument; the first one must be the spec"),
        (
            {"run": "def run(spec, cifar): pass"},
            f"{RUNS}:run takes cifar; allowed: mnist, whitened, or the name of a .csv or .npz file in {TOY}",
        ),
        ({"settings": SETTINGS.replace("    slope:", "    depth: int=1\n    slope:")}, f"{UNCLEAR} 'depth' {DEFAULT}"),
        ({"settings": SETTINGS.replace('"Toy."', '"Toy."\n    hidden: int = 3')}, f"{UNCLEAR} 'hidden' {DEFAULT}"),
        (
            {"settings": SETTINGS.replace('"Toy."', '"Toy."\n    slope: int')},
            f"{UNCLEAR} 'slope' is both an axis and a setting",
        ),
        ({"settings": SETTINGS.replace("slope", "step")}, f"{UNCLEAR} an axis may not be called 'step'"),
        (
            {"settings": SETTINGS.replace("Axis[Positive]", "Axis[int | str]")},
            f"{UNCLEAR} axis 'slope' has no single type; allowed: integers, numbers, texts or booleans",
        ),
        (
            {"settings": SETTINGS.replace("Axis[Positive]", "Axis[str]")},
            f"{UNCLEAR} axis 'slope' may be any text, but names folders; allowed: Name, or a Literal",
        ),
    ],
)
def test_a_missing_part_is_reported(plan, parts, told):
    assert plan(**parts) == [told]
