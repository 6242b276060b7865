"""The environments name one set of versions, and it is the one under test."""

from importlib import metadata

import pytest
import yaml
from conftest import ROOT

from workflow.deepnets.fingerprint import read_pins

# What only the machine that starts the workflow needs.
LAUNCHER = {"snakemake", "pygments", "pypdf"}


def test_conda_and_pip_pin_the_same_versions():
    environment = yaml.safe_load((ROOT / "envs/deepnets.yaml").read_text())
    (packages,) = (entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict))
    pins = read_pins(ROOT / "envs/requirements.txt")
    assert dict(package.lower().split("==") for package in packages) == {
        name: version for name, version in pins.items() if name not in LAUNCHER
    }


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_the_installed_versions_are_the_pinned_ones(name):
    pins = read_pins(ROOT / "envs" / name)
    assert pins
    # A build tag (+cpu) is no other version.
    assert {name: metadata.version(name).split("+")[0] for name in pins} == pins


def test_every_requirement_is_exact():
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-slurm.txt", "constraints.txt"):
        lines = [line.split("#")[0].strip() for line in (ROOT / "envs" / name).read_text().splitlines()]
        assert all("==" in line or line.startswith("-") for line in lines if line)
