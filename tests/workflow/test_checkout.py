import os
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT


@pytest.mark.parametrize(
    "reach",
    [
        lambda: (ROOT / "results/nothing").open(),
        lambda: [*(ROOT / "results").iterdir()],
        lambda: (ROOT / ".snakemake/nothing").mkdir(),
        lambda: os.chdir(ROOT),
        lambda: subprocess.run(["true"], cwd=ROOT),
    ],
)
def test_a_test_that_reaches_the_user_s_files_fails(reach):
    with pytest.raises(pytest.fail.Exception, match="belongs to the user"):
        reach()


def test_the_working_folder_has_the_sources_and_no_results(working_folder):
    assert Path.cwd() == working_folder
    assert Path("config.yaml").samefile(ROOT / "config.yaml") and Path("workflow/Snakefile").exists()
    assert not Path("results").is_symlink() and not Path(".git").exists()
