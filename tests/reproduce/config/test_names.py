import shutil

import pytest

from conftest import ROOT
from reproduce.code.modules import Package
from reproduce.config.names import find_wrong_names

EXPERIMENT = "deepnets/experiments/balancedness/run.py"
DOCUMENT = {
    "runs.py": """\
from reproduce import api

RELU = api.Selection("balancedness", activation="relu", width=30)
DEEP = RELU.but(depth=[2, 3], learning_rate=0.01)
KEPT = DEEP.only("depth", "width")
""",
    "figures.py": """\
from deepnets.documents.toy import runs
from reproduce import api

_AXES = {"depth": "layers", "init": "start"}


def curve(balancedness: api.Table):
    shown = runs.RELU.shown(balancedness, "depth", *_AXES)
    chart = api.SettingChart(shown, _AXES, describe=str, left_out="")
    chart.add_ranges("losses", "train_loss", mean=True)
    return _draw(api.rows_of(shown, "layer_drift", depth=2, index=0), metric="neuron_drift")


def _draw(rows, metric):
    return api.runs_of(rows.pipe(api.require_rows, metric), init="gaussian")
""",
    "claims.py": """\
from deepnets.documents.toy.runs import DEEP
from reproduce import api


def decisions():
    drift = api.final(DEEP.but(seed=0), "matrix_drift")
    return api.Decisions({"grows": (drift - api.slope(DEEP, "train_loss", over="depth"), api.ABOVE_0)})
""",
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    root = tmp_path_factory.mktemp("sources")
    ignored = shutil.ignore_patterns("__pycache__", "envs")
    shutil.copytree(ROOT / "workflow/reproduce", root / "reproduce", ignore=ignored)
    shutil.copytree(ROOT / "workflow" / EXPERIMENT.rpartition("/")[0], (root / EXPERIMENT).parent, ignore=ignored)
    for name, text in {"__init__.py": "", **DOCUMENT}.items():
        path = root / "deepnets/documents/toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_right_names_are_accepted(sources):
    assert find_wrong_names(Package(sources)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        (
            "runs.py",
            '"balancedness"',
            '"balancednes"',
            "3: 'balancednes' is no experiment (did you mean 'balancedness'",
        ),
        ("runs.py", "activation=", "activaton=", "3: 'activaton' is no axis or setting of balancedness (did you mean"),
        ("runs.py", '"relu"', '"rellu"', "3: activation: 'rellu' is not known (did you mean 'relu'?); allowed: "),
        ("runs.py", "width=30", "width=0", "3: width: 0 is too small; allowed: 1 or more"),
        ("runs.py", "[2, 3]", "[2, 1]", "4: depth: 1 is too small; allowed: 2 or more"),
        ("runs.py", "depth=", "dept=", "4: 'dept' is no axis or setting of balancedness (did you mean 'depth'?)"),
        ("runs.py", '"width"', '"with"', "5: 'with' is no axis or setting of balancedness (did you mean 'width'?)"),
        ("figures.py", '"init":', '"inti":', "4: 'inti' is no axis or setting of balancedness (did you mean 'init'?)"),
        ("figures.py", '"depth", *', '"dept", *', "8: 'dept' is no axis or setting"),
        ("figures.py", '"train_loss"', '"test_loss"', "10: 'test_loss' is no metric of balancedness (did you mean 'tr"),
        ("figures.py", '"layer_drift"', '"drift"', "11: 'drift' is no metric of balancedness"),
        ("figures.py", "depth=2", "dept=2", "11: 'dept' is no axis or setting"),
        ("figures.py", '"neuron_drift"', '"drift"', "11: 'drift' is no metric of balancedness"),
        ("figures.py", '"gaussian"', '"gausian"', "15: init: 'gausian' is not known"),
        ("claims.py", "seed=", "sead=", "6: 'sead' is no axis or setting of balancedness (did you mean 'seed'?)"),
        ("claims.py", '"matrix_drift"', '"drift"', "6: 'drift' is no metric of balancedness"),
        ("claims.py", '"depth"', '"dept"', "7: 'dept' is no axis or setting"),
        ("run.py", 'spec["width"]', 'spec["with"]', " 'with' is no axis or setting of balancedness (did you mean 'wid"),
        ("run.py", '"training_time"', '"time"', " 'time' is no metric of balancedness"),
    ],
)
def test_a_misspelt_name_is_reported(sources, file, old, new, fault):
    path = sources / (EXPERIMENT if file == "run.py" else f"deepnets/documents/toy/{file}")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    try:
        found = find_wrong_names(Package(sources))
    finally:
        path.write_text(text)
    assert any(line.startswith(f"{path}:") and fault in line for line in found), found
