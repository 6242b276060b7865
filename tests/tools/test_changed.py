import shutil

import pytest
from small_package import copied_sources

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.errors import UserError
from workflow.deepnets.tools.changed import at_commit, compare


def test_two_states_are_compared(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for root in (old, new):
        copied_sources(root)
    experiments = new / "workflow/deepnets/experiments"
    module = new / "workflow/deepnets/data/angular_slices.py"
    module.write_text(module.read_text().replace("np.minimum(", "np.maximum("))
    assert compare(Package(old), Package(old)) == {}
    assert compare(Package(old), Package(new)) == {"train classifier": [f"{PACKAGE}.data.angular_slices:slice_labels"]}
    shutil.copytree(experiments / "classifier", experiments / "another")
    assert compare(Package(old), Package(new))["train another"] == ["new"]


@pytest.mark.parametrize("option", ["--output={}", "--remote={}", "-o{}"])
def test_an_option_of_git_s_is_no_commit(tmp_path, option):
    file = tmp_path / "file"
    with pytest.raises(UserError, match="git knows no sources of '-"):
        at_commit(option.format(file), tmp_path)
    assert not file.exists()
