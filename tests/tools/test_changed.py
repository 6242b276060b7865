import shutil

from conftest import ROOT

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.tools.changed import compare


def test_two_states_are_compared(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for root in (old, new):
        for name in ("workflow", "envs"):
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    experiments = new / "workflow/deepnets/experiments"
    module = new / "workflow/deepnets/data/angular_slices.py"
    module.write_text(module.read_text().replace("np.minimum(", "np.maximum("))
    assert compare(Package(old), Package(old)) == {}
    assert compare(Package(old), Package(new)) == {"train classifier": [f"{PACKAGE}.data.angular_slices:slice_labels"]}
    shutil.copy(experiments / "classifier.py", experiments / "another.py")
    assert compare(Package(old), Package(new))["train another"] == ["new"]
