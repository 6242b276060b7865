"""The files that catalogs, citation tools and hosted CI read agree with each other."""

import http.server
import json
import re
import shutil
import subprocess
import threading
import tomllib

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
PYTHONS = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: \d", each)]


def test_there_is_one_version_and_one_licence():
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    heading = f"## {PROJECT['version']}, {CITATION['date-released']}"
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert next(line for line in headings if line != "## Unreleased") == heading
    assert PROJECT["version"] == CITATION["version"] == codemeta["version"]
    assert PROJECT["license"] == CITATION["license"] == codemeta["license"].removeprefix("https://spdx.org/licenses/")
    assert (ROOT / "LICENSE").read_text().startswith(f"{PROJECT['license']} License\n")


def test_all_files_name_the_same_title_and_authors():
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    title = (ROOT / "README.md").read_text().splitlines()[0].removeprefix("# ")
    assert PROJECT["description"] == CITATION["title"] == codemeta["name"] == title
    authors = [author["name"] for author in CITATION["authors"]]
    assert [author["name"] for author in PROJECT["authors"]] == authors
    assert [author["name"] for author in codemeta["author"]] == authors
    # cffconvert copies these fields too: if they differ, codemeta.json was made from another CITATION.cff.
    assert codemeta["datePublished"] == str(CITATION["date-released"])
    assert (codemeta["description"], codemeta["keywords"]) == (CITATION["abstract"], CITATION["keywords"])


def test_the_oldest_declared_python_is_the_required_one():
    accepted = SpecifierSet(PROJECT["requires-python"])
    least, minor = PYTHONS[0].split(".")
    assert [f"3.{int(minor) + each}" for each in range(len(PYTHONS))] == PYTHONS
    assert accepted.contains(PYTHONS[0])
    assert not accepted.contains(f"{least}.{int(minor) - 1}")
    environment = yaml.safe_load((ROOT / "workflow/envs/deepnets.yaml").read_text())
    assert f"python={PYTHONS[0]}" in environment["dependencies"]


def test_snakemake_s_catalog_lists_the_workflow():
    # The catalog's script requires these; .ci/run checks that snakefmt and `snakemake --lint` find nothing.
    readme = (ROOT / "README.md").read_text().lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (ROOT / "workflow/Snakefile").is_file()
    assert {path.suffix for path in (ROOT / "workflow/rules").iterdir()} == {".smk"}
    settings = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
    assert settings["usage"].keys() <= {"mandatory-flags", "software-stack-deployment", "report"}


def test_hosted_ci_runs_the_commands_of_contributors_on_every_declared_python():
    jobs = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]
    assert jobs["fast"]["strategy"]["matrix"]["python"] == PYTHONS
    assert jobs["all"]["container"].startswith(f"python:{PYTHONS[0]}-")
    ran = [step["run"].removeprefix(". .venv/bin/activate && ") for step in jobs["fast"]["steps"] if "run" in step]
    listed = re.findall(r"^(pytest -m .*?|ruff .*?)(?: +#.*)?$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert len(listed) == 2
    assert set(listed) <= set(ran)
    nightly = [step["run"] for step in jobs["all"]["steps"] if "run" in step]
    assert nightly[-1] == "CI_TIERS=all .ci/run"


def test_the_page_is_published_from_an_archive():
    jobs = yaml.safe_load((ROOT / ".github/workflows/page.yml").read_text())["jobs"]
    made = "\n".join(step.get("run", "") for step in jobs["archive"]["steps"])
    assert "snakemake --cores 4 archive --config 'mnist={source: download}'" in made
    published = "\n".join(step.get("run", "") for step in jobs["publish"]["steps"])
    (packed,) = re.findall(r"^tar -czf page\.tar\.gz (.*)$", (ROOT / "docs/running.md").read_text(), re.MULTILINE)
    assert f"tar -czf site/page.tar.gz {packed}\n" in published


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_command_for_zenodo_sends_the_archive_and_the_token(tmp_path):
    (command,) = re.findall(r"^curl .*$", (ROOT / "docs/running.md").read_text(), flags=re.MULTILINE)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/archive.tar.gz").write_bytes(b"all results")
    received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            content = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, self.headers["Authorization"], content))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request).start()
        variables = {"TOKEN": "secret", "BUCKET": f"http://127.0.0.1:{server.server_port}/files/7", "no_proxy": "*"}
        subprocess.run(["bash", "-c", command], cwd=tmp_path, env=variables, check=True, capture_output=True)
    assert received == [("/files/7/archive.tar.gz", "Bearer secret", b"all results")]
