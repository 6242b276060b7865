import json
import shutil
import subprocess
import sys

import pytest
import yaml
from pydantic import Field, ValidationError

from reproduce.config.check import with_defaults
from reproduce.config.inferred import inferred_model
from small_package import copied_sources

RUN = '"""Toy."""\n\n\ndef run(spec: dict):\n    return spec["slope"]\n'
LIMITS = """\
from pydantic import Field
from reproduce.api import Needs

LIMITS = {"slope": Field(gt=0)}


def needs(run):
    if run["slope"] == 3:
        raise ValueError("slope 3; allowed: another")
    return Needs(2e9 if run["slope"] > 5 else 1, 2000 if run["slope"] == 4 else 1)
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

    def planned(*, run=RUN, limits=LIMITS, block=BLOCK, written=BLOCK):
        """limits: None if there are none; written: the block in config.yaml, which `block` overrides."""
        (folder / TOY).mkdir()
        (folder / "config.yaml").write_text(yaml.safe_dump({"experiments": {**config["experiments"], "toy": written}}))
        for module, text in (("run", run), ("limits", limits)):
            if text is not None:
                (folder / TOY / f"{module}.py").write_text(text)
        config["experiments"]["toy"] = block
        config["only"] = block and ["toy"]
        process.stdin.write(json.dumps(config) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield planned
    shutil.rmtree(folder / TOY)


@pytest.mark.parametrize("limits", [LIMITS, None])
def test_a_module_and_a_block_are_sufficient(plan, limits):
    axes = [f"slope={slope}/seed={seed}" for slope in ("0.5", "1") for seed in (0, 1)]
    runs = [f"results/runs/experiment=toy/depth=1/{each}/run.parquet" for each in axes]
    assert plan(limits=limits) == [*runs, "results/tables/toy.parquet"]


PLACE = "config: experiments.toy.grids.one"


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"written": None}, f"{TOY}/run.py: {NO_BLOCK}"),
        ({"run": "def walk(spec): pass"}, f"{RUNS} defines no 'run'"),
        (
            {"run": "def run(spec, letters): pass"},
            f"{RUNS}:run, after the spec: 'letters' is no data set; allowed: cifar10, mnist, whitened",
        ),
        # An axis with the name of a column or of a setting, with values of two types, or that are no names of folders.
        *(
            ({"limits": None, "written": block, "block": block}, NO_AXIS.format(name))
            for block, name in (
                (toy(step=0.5), "step"),
                ({**toy(noise=0.5), "noise": 0.5}, "noise"),
                (toy(slope=[0.5, "a"]), "slope"),
                (toy(slope="a b"), "slope"),
            )
        ),
        ({"block": toy(slope=-1.0)}, f"{PLACE}.axes.slope: -1.0: Input should be greater than 0"),
        ({"block": toy(slope=3)}, f"{PLACE}: slope 3; allowed: another"),
        ({"block": toy(slope=4)}, f"{PLACE}: a run may take 1.39 days (slope 4); allowed: 1 day"),
        ({"block": toy(slope=8)}, f"{PLACE}: a run needs arrays of 2.0e+09 numbers (slope 8); allowed: 1e+09 or less"),
        (
            {"limits": LIMITS.replace('run["slope"] == 3', 'run["scale"]')},
            f"{PLACE}: 'scale' is missing, which the run",
        ),
        ({"written": toy(slop=1.0)}, "config.yaml: experiments.toy: 'slope' is missing (did you mean 'slop'?); a run"),
        (
            {"written": {"rate": 1, "grids": {"one": grid(slope=1), "two": {**grid(slope=2), "rate": 2}}}},
            "config.yaml: experiments.toy: 'rate' stands beside the grids and in one of them; move the first",
        ),
        (
            {"block": {"grids": {"one": {"axes": {"depth": 1, "seeds": 1}}}}},
            f"{PLACE}.axes.slope: is missing; write it there, or below `defaults` for all grids",
        ),
    ],
)
def test_a_missing_or_wrong_part_is_reported(plan, parts, told):
    (fault,) = plan(**parts)
    assert fault.startswith(told)


WRITTEN = {
    **{"steps": 5, "shift": 0, "offset": -1, "rate": 0.1, "share": 0.0, "slope": -0.5, "shape": "round", "fast": True},
    **{"sizes": [1, 2], "decay": {"factor": 0.5}},
    "grids": {"one": grid(net=["relu", "linear"]), "two": grid(net="tanh", seeds=[1])},
}


def test_without_limits_updates_of_days_are_refused(plan):
    block = {**WRITTEN, "steps": 10**9, "grids": {"one": grid(net="relu", depth=2)}}
    (fault,) = plan(limits=None, written=WRITTEN, block=block)
    assert fault.endswith(".one: a run may take 1.16 days (steps 1,000,000,000, depth 2); allowed: 1 day")


def test_settings_follow_from_the_block_of_config_yaml_and_init_may_be_absent(plan):
    runs = [f"results/runs/experiment=toy/depth=1/net={net}/run.parquet" for net in ("linear/seed=0", "relu/seed=0")]
    runs.append("results/runs/experiment=toy/depth=1/net=tanh/seed=1/run.parquet")
    assert sorted(plan(limits=None, written=WRITTEN, block=WRITTEN)) == [*runs, "results/tables/toy.parquet"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        *(("steps", 0.5, "int"), ("rate", "x", "float"), ("slope", "x", "float"), ("fast", 1, "bool")),
        *(("shape", "square", "'round'"), ("sizes", [], "at least 1 item"), ("sizes", [0.5], "int")),
        *(
            ("decay", {"factor": "x"}, "float"),
            ("decay", {}, "required"),
            ("grids", toy(net="rleu")["grids"], "'relu'"),
        ),
    ],
)
def test_another_value_has_the_kind_of_those_in_config_yaml_but_may_have_any_sign(name, value, told):
    model, block = inferred_model(with_defaults(WRITTEN), {}), {**WRITTEN, "grids": toy(net="relu")["grids"]}
    model.model_validate({**block, "steps": -3, "rate": 0.0, "share": -0.1, "sizes": [0], "decay": {"factor": -1}})
    with pytest.raises(ValidationError, match=f"1 validation error for Settings\n{name}") as error:
        model.model_validate({**block, name: value})
    assert told in str(error.value)


@pytest.mark.parametrize(("value", "other"), [(None, "x"), ([], [0.5, "x"]), ([1, "a"], ["x", None])])
def test_values_of_no_common_kind_allow_any_value(value, other):
    inferred_model(with_defaults({**WRITTEN, "size": value}), {}).model_validate({**WRITTEN, "size": other})


def test_a_key_that_some_value_of_a_setting_lacks_may_be_missing():
    data = ({"draw": 0}, {"draw": 1, "added": [1, -1]})
    block = {"grids": {name: {**grid(), "data": each} for name, each in zip("ab", data, strict=True)}}
    model = inferred_model(block, {"draw": Field(ge=0)})
    model.model_validate(block)
    block["grids"]["a"]["data"] = {"draw": -1}
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        model.model_validate(block)
