import shutil

import pytest

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.errors import UserError
from reproduce.tools.changed import compare, jobs, unpack_commit
from small_package import copied_sources


def test_the_jobs_that_changed_between_two_commits_are_printed(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for root in (old, new):
        copied_sources(root)
        # Keep only one document and two experiments: every further job takes time.
        for room, kept in (("documents", {"classifier"}), ("experiments", {"classifier", "regression"})):
            for name in set(Package(root).rooms_in(room)) - kept:
                shutil.rmtree(root / PACKAGE / room / name)
    experiments = new / "deepnets/experiments"
    module = new / "deepnets/data/angular_slices.py"
    module.write_text(module.read_text().replace("np.minimum(", "np.maximum("))
    shutil.copytree(experiments / "classifier", experiments / "another")
    before = Package(old)
    assert {"train regression", "judge 000-classifier"} < jobs(before).keys()
    assert compare(before, Package(new)) == {
        "train classifier": [f"{PACKAGE}.data.angular_slices:slice_labels"],
        "train another": ["new"],
    }


@pytest.mark.parametrize("option", ["--output={}", "--remote={}", "-o{}"])
def test_options_of_git_are_refused_as_commits(tmp_path, option):
    file = tmp_path / "file"
    with pytest.raises(UserError, match="git cannot read the sources of commit '-"):
        unpack_commit(option.format(file), tmp_path)
    assert not file.exists()
