import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest

from conftest import ROOT

pytestmark = pytest.mark.slow
FIGURE = "results/figures/001-mnist-dynamics/loss_and_accuracy.pdf"
SNAKEFILE = """\
configfile: "config.yaml"


module deepnets:
    snakefile:
        "workflow/Snakefile"
    config:
        config


use rule * from deepnets as deepnets_*
"""


@pytest.fixture
def python(tmp_path):
    """A function that runs a Python with the packages of this one, except the library."""
    venv.create(tmp_path / "venv")
    with open(site_packages(tmp_path) / "packages.pth", "w", encoding="utf-8") as file:
        file.write(sysconfig.get_path("purelib"))
    # The environment is not activated, and another Python comes first.
    other = tmp_path / "bin/python"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho another Python >&2\nexit 1\n")
    other.chmod(0o755)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables["PATH"] = os.pathsep.join([str(other.parent), os.environ["PATH"]])

    def run(*arguments, folder=tmp_path):
        command = [tmp_path / "venv/bin/python", *arguments]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def site_packages(folder):
    return folder / f"venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


@pytest.fixture
def wheel(tmp_path, python):
    """The wheel of the library, after its installation."""
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "workflow", sources / "workflow", ignore=shutil.ignore_patterns("*.egg-info"))
    for name in ("pyproject.toml", "setup.py", "config.yaml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    python("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", sources)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(site_packages(tmp_path))
        return archive.namelist()


def test_jobs_of_a_checkout_need_no_installed_library(python):
    assert "None" in python("-c", "from importlib import util; print(util.find_spec('deepnets'))")
    help_ = python("-I", ROOT / "workflow/launch.py", "data", "--help")
    assert "Run the function that the code names on the settings" in help_


def test_the_wheel_contains_all_that_jobs_read_and_another_workflow_uses_it(wheel, python, tmp_path):
    texts = (
        "reproduce/figures/*.mplstyle",
        "reproduce/page/templates/*",
        "deepnets/data/*/*.npz",
        "deepnets/CITATION.cff",
        "deepnets/envs/*.txt",
    )
    for pattern in (*texts, "deepnets/documents/*/claims.md", "reproduce/**/*.py", "deepnets/**/*.py"):
        files = {str(path.relative_to(ROOT / "workflow")) for path in (ROOT / "workflow").glob(pattern)}
        assert files and files <= set(wheel), pattern
    assert "deepnets/config.yaml" in wheel
    # Without a config of its own, a folder uses the one that comes with the library.
    (tmp_path / "config.yaml").write_text("title: my site\n", encoding="utf-8")
    trained = "import deepnets; print(deepnets.train('regression', seeds=1)['value'].notna().all())"
    assert python("-c", trained).startswith("True")
    folder = tmp_path / "other"
    shutil.copytree(
        ROOT / "workflow", folder / "workflow", ignore=shutil.ignore_patterns("deepnets", "reproduce", "launch.py")
    )
    (folder / "Snakefile").write_text(SNAKEFILE)
    shutil.copy(ROOT / "config.yaml", folder)
    own = ("--configfile", ROOT / "tests/tiny.yaml", "--config", "only=[mnist_dynamics]")
    python("-m", "snakemake", "--cores", "2", FIGURE, *own, folder=folder)
    assert (folder / FIGURE).exists()
    assert "Nothing to be done" in python("-m", "snakemake", FIGURE, "--cores", "2", *own, folder=folder)
