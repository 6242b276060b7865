"""What readers, catalogs, citation tools and hosted CI find in the root folder agrees with the rest and with itself."""

import fnmatch
import json
import re
import runpy
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from importlib import metadata

import pytest
import setuptools
import yaml
from packaging.specifiers import SpecifierSet

from conftest import ROOT, sources
from reproduce.code.modules import read_pins

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, TOOLS = PYPROJECT["project"], PYPROJECT["tool"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
CODEMETA = json.loads((ROOT / "codemeta.json").read_text())
PYTHONS = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: \d", each)]
README = (ROOT / "README.md").read_text()
ENVIRONMENT = yaml.safe_load((ROOT / "workflow/envs/deepnets.yaml").read_text())["dependencies"]
PINS = read_pins(ROOT / "workflow/deepnets/envs/pins.txt")


def test_there_is_one_version_and_one_licence():
    heading = f"## {PROJECT['version']}, {CITATION['date-released']}"
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert next(line for line in headings if line != "## Unreleased") == heading
    assert PROJECT["version"] == CITATION["version"] == CODEMETA["version"]
    # An installed package contains this copy.
    assert (ROOT / "workflow/deepnets/CITATION.cff").read_bytes() == (ROOT / "CITATION.cff").read_bytes()
    assert PROJECT["license"] == CITATION["license"] == CODEMETA["license"].removeprefix("https://spdx.org/licenses/")
    assert (ROOT / "LICENSE").read_text().startswith(f"{PROJECT['license']} License\n")
    assert (ROOT / f"LICENSES/{PROJECT['license']}.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_documents_name_the_works_to_cite_where_the_citation_says():
    named = re.search(r"`(\w+)` in\s+(\S+) names", CITATION["message"])
    assert any(f"\n- {named[1]}: " in page.read_text() for page in ROOT.glob(named[2].replace("NAME", "*")))


def test_a_hub_and_an_image_have_the_oldest_python_and_files_that_exist():
    image = (ROOT / "envs/Dockerfile").read_text()
    assert re.findall("^FROM (.*)-slim", image, re.MULTILINE) == [f"python:{PYTHONS[0]}"]
    ((source, copy),) = re.findall(r"^COPY (\S+) (\S+)$", image, re.MULTILINE)
    assert all((ROOT / source / file).exists() for file in re.findall(rf"-[rc] {copy}/(\S+)", image))
    assert (ROOT / ".binder/runtime.txt").read_text() == f"python-{PYTHONS[0]}\n"
    for file in re.findall(r"-r (\S+)", (ROOT / ".binder/postBuild").read_text()):
        assert (ROOT / file).exists()


def test_the_oldest_declared_python_is_the_required_one():
    accepted = SpecifierSet(PROJECT["requires-python"])
    minor = int(PYTHONS[0].removeprefix("3."))
    assert [f"3.{minor + each}" for each in range(len(PYTHONS))] == PYTHONS
    assert accepted.contains(PYTHONS[0]) and not accepted.contains(f"3.{minor - 1}")
    assert f"python={PYTHONS[0]}" in ENVIRONMENT


@pytest.mark.parametrize("minor", [10, 11])
def test_an_older_python_is_refused_with_a_sentence(monkeypatch, minor):
    monkeypatch.setattr(sys, "version_info", (3, minor, 0))
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    accepted = SpecifierSet(PROJECT["requires-python"]).contains(f"3.{minor}")
    refused = pytest.raises(SystemExit, match=rf"needs Python {PYTHONS[0]} or newer, and this is 3\.{minor}\. Make")
    with nullcontext() if accepted else refused:
        runpy.run_path(str(ROOT / "setup.py"))


def test_conda_and_pip_pin_the_same_versions_and_those_are_installed():
    (packages,) = (entry["pip"] for entry in ENVIRONMENT if isinstance(entry, dict))
    # Only the machine that starts the workflow needs these packages.
    launcher = {"snakemake", "snakemake-executor-plugin-cluster-generic", "pydantic", "pygments"}
    assert dict(each.lower().split("==") for each in packages) == {
        name: version for name, version in PINS.items() if name not in launcher
    }
    every = PINS | read_pins(ROOT / "envs/requirements-dev.txt")
    # Ignore build tags (+cpu).
    assert {name: metadata.version(name).split("+")[0] for name in every} == every
    files = [path for folder in ("envs", "workflow/deepnets/envs") for path in (ROOT / folder).glob("*.txt")]
    assert len(files) == 6
    lines = [line.split("#")[0].strip() for path in files for line in path.read_text().splitlines()]
    assert all("==" in line or line.startswith("-") for line in lines if line)
    assert f"`{PINS['torch']}+cpu`" in README
    # uv installs again after an edit of these only.
    assert {each["file"] for each in TOOLS["uv"]["cache-keys"]} == {
        *("pyproject.toml", "setup.py"),
        *TOOLS["setuptools"]["dynamic"]["dependencies"]["file"],
    }


def test_every_rule_with_a_job_names_the_environment_of_conda():
    texts = {path: path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")}
    assert sum(text.count("    shell:\n") for text in texts.values()) > 0
    for path, text in texts.items():
        environments = re.findall(r'    conda:\n        "(.*)"\n', text)
        assert len(environments) == text.count("    shell:\n")
        assert all((path.parent / each).samefile(ROOT / "workflow/envs/deepnets.yaml") for each in environments)


@pytest.mark.parametrize("page", fnmatch.filter(sources(), "*.md"))
def test_every_linked_or_named_file_exists(page):
    text, folder = (ROOT / page).read_text(), (ROOT / page).parent
    for target in re.findall(r"\]\((?!https:)([^)]+)\)", text):
        assert folder.joinpath(target).exists(), target
    # Capitals are placeholders, results are made later, and `scalar_net` is the example that docs/adding.md contains.
    for name in re.findall(r"`(?!results/)([a-z.][\w./-]*/[\w.-]+\.(?:cff|js|json|md|py|smk|toml|txt|ya?ml))`", text):
        if not re.search("[A-Z]{2}|scalar_net", name) and page != "CHANGELOG.md":
            assert any((place / name).exists() for place in (ROOT, folder, ROOT / "workflow/reproduce")), name


def test_a_checkout_has_no_links_and_the_same_bytes_on_every_system(tmp_path):
    git = ["git", "-C", ROOT]
    files = subprocess.run([*git, "ls-files", "--stage"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in files.splitlines()} == {"100644", "100755"}
    command = [*git, "-c", "core.autocrlf=true", "checkout-index", "--all", f"--prefix={tmp_path}/"]
    subprocess.run(command, capture_output=True, check=True)
    assert not [path for path in tmp_path.rglob("*.py") if b"\r\n" in path.read_bytes()]


def test_files_that_snakemake_reads_in_the_locale_are_ascii():
    # Snakemake reads profiles in the locale's encoding, and for a report also the config.
    for pattern in ("*Snakefile", "workflow/rules/*", "*.yaml"):
        paths = fnmatch.filter(sources(), pattern)
        assert paths and all((ROOT / path).read_bytes().isascii() for path in paths)
