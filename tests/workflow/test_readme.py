"""READMEs and docs contain the right commands, versions, rooms and links."""

import re

import pytest

from conftest import ROOT
from deepnets.code.modules import read_pins

README = (ROOT / "README.md").read_text()


def test_the_build_without_gpu_support_has_the_pinned_version():
    (version,) = re.findall(r"`torch==([^`]+)`", README)
    assert version == read_pins(ROOT / "envs/pins.txt")["torch"]
    assert f"`{version}+cpu`" in README


def test_contributing_lists_every_room():
    rooms = {path.parent.name for path in (ROOT / "workflow/deepnets").glob("*/__init__.py")}
    listed = (ROOT / "CONTRIBUTING.md").read_text()
    assert rooms == set(re.findall(r"\[(\w+)\]\(workflow/deepnets/\1\)", listed))


def test_the_readme_is_short():
    assert len(README.encode()) <= 8192


def test_ci_runs_the_second_command():
    make, test = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert make.endswith("&& snakemake --cores 8")
    assert test in (ROOT / ".ci/run").read_text().splitlines()


@pytest.mark.parametrize(
    "page",
    [
        *(
            "README.md",
            "CONTRIBUTING.md",
            "docs/adding.md",
            "docs/claims.md",
            "docs/glossary.md",
            "docs/running.md",
            "docs/staleness.md",
        ),
        *("results/README.md", "workflow/profiles/slurm/README.md"),
    ],
)
def test_every_linked_file_exists(page):
    for target in re.findall(r"\]\((?!https:)([^)]+)\)", (ROOT / page).read_text()):
        assert (ROOT / page).parent.joinpath(target).exists(), target
