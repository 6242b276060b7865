"""All files in envs/ pin the same versions, and the tests run with them."""

import os
import sys
from importlib import metadata

import pytest
import torch
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import ROOT
from deepnets.code.modules import read_dependents, read_pins

CONSTRAINTS = ROOT / "envs/constraints.txt"
# Packages that only the machine that starts the workflow needs.
LAUNCHER = {"snakemake", "pydantic", "pygments"}


def test_conda_and_pip_pin_the_same_versions():
    environment = yaml.safe_load((ROOT / "workflow/envs/deepnets.yaml").read_text())
    (packages,) = (entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict))
    pins = read_pins(ROOT / "envs/pins.txt")
    assert dict(package.lower().split("==") for package in packages) == {
        name: version for name, version in pins.items() if name not in LAUNCHER
    }


# A stand-in for conda: it answers Snakemake's questions and keeps the file that describes the environment.
CONDA = """\
#!/bin/sh
case "$1" in
    info) echo '{{"conda_version": "24.7.1", "conda_prefix": "{folder}", "platform": "linux-64"}}' ;;
    --version) echo "conda 24.7.1" ;;
    config) echo '{{"get": {{"channel_priority": "strict"}}}}' ;;
    env) echo "$*" >> {folder}/asked; cp "$6" {folder}/environment.yaml; mkdir -p "$8" ;;
esac
"""


@pytest.mark.slow
def test_snakemake_makes_one_conda_environment_for_all_rules(small_project, tmp_path_factory):
    # Without conda itself, check that Snakemake passes on the file, and that every rule with a job names it.
    folder = tmp_path_factory.mktemp("conda")
    (folder / "bin").mkdir()
    for program in (folder / "conda", folder / "bin/conda"):
        program.write_text(CONDA.format(folder=folder))
        program.chmod(0o755)
    paths = os.pathsep.join([str(folder), os.path.dirname(sys.executable), os.environ["PATH"]])
    done = small_project.snakemake("--sdm", "conda", "--conda-create-envs-only", PATH=paths)
    assert done.returncode == 0, done.stderr
    (asked,) = (folder / "asked").read_text().splitlines()
    assert asked.startswith("env create ")
    assert (folder / "environment.yaml").read_text() == (ROOT / "workflow/envs/deepnets.yaml").read_text()
    rules = "\n".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert rules.count("    shell:\n") == rules.count('"../envs/deepnets.yaml"') > 0


@pytest.mark.parametrize("name", ["pins.txt", "requirements-dev.txt"])
def test_the_pinned_versions_are_installed(name):
    pins = read_pins(ROOT / "envs" / name)
    assert pins
    # Ignore build tags (+cpu).
    assert {name: metadata.version(name).split("+")[0] for name in pins} == pins


def test_the_constraints_name_the_packages_that_require_each_package():
    # Fingerprints use these comments to find a package's dependencies, so none may be wrong or missing.
    askers = {canonicalize_name(name): set(named) for (name, _), named in read_dependents(CONSTRAINTS).items()}
    pinned = {canonicalize_name(name): name for name in read_pins(CONSTRAINTS) | read_pins(ROOT / "envs/pins.txt")}
    asked = {name: set() for name in askers}
    for asker, spelt in pinned.items():
        for requirement in map(Requirement, metadata.requires(asker) or []):
            name = canonicalize_name(requirement.name)
            if name in asked and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
                asked[name].add(spelt)
    assert {name: named - {""} for name, named in askers.items()} == asked


def test_every_requirement_pins_one_version():
    files = [path.name for path in (ROOT / "envs").glob("*.txt")]
    assert len(files) == 7
    for name in files:
        lines = [line.split("#")[0].strip() for line in (ROOT / "envs" / name).read_text().splitlines()]
        assert all("==" in line or line.startswith("-") for line in lines if line)


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_missing_gpu_is_an_error_before_the_first_job(project):
    (project.folder / "gpu.yaml").write_text("experiments: {propagation: {device: cuda}}", encoding="utf-8")
    project.configfiles = ("tests/tiny.yaml", "gpu.yaml")
    assert project.snakemake("--dry-run", "--quiet", "all").returncode == 0
    done = project.snakemake()
    assert done.returncode == 1
    assert "config: experiments.propagation.device: cuda, but torch finds no GPU on this machine" in done.stderr
    assert not list(project.folder.glob("results/*/*.npz"))
