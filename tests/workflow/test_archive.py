import json
import re
import tarfile

import numpy as np
import pytest
from test_content import backdate
from test_staleness import (
    ALL_FIGURES,
    CLASSIFIER,
    CLASSIFIER_ALL,
    CLASSIFIER_TABLE,
    DOCUMENT,
    STYLE,
    WHITENED_ALL,
    assert_stale,
    match_paths,
)
from test_workflow import count_jobs

from conftest import ROOT, Project
from reproduce.jobs.archive import pack
from reproduce.records.provenance import sha256_of
from validated import issues_of

# All tests share one archive, so they run in one process.
pytestmark = pytest.mark.xdist_group("archive")
ARCHIVE = "results/archive.tar.gz"


def test_an_archive_depends_only_on_names_and_contents(tmp_path):
    members = [("results/a", b"one"), ("results/b" * 40, b"two")]
    for name in ("first", "second"):
        pack(members, tmp_path / name / "archive.tar.gz")
    assert sha256_of(tmp_path / "first/archive.tar.gz") == sha256_of(tmp_path / "second/archive.tar.gz")
    with tarfile.open(tmp_path / "first/archive.tar.gz") as archive:
        assert [(member.name, archive.extractfile(member).read()) for member in archive] == members


@pytest.fixture(scope="module")
def archived(finished, tmp_path_factory):
    """A finished project with an archive, which was packed in a copy."""
    project = finished.copy(tmp_path_factory.mktemp("archived"))
    done = project.snakemake("archive")
    assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def unpacked(archived, tmp_path_factory):
    """A fresh clone into which an archive from another project was unpacked."""
    clone = Project(tmp_path_factory.mktemp("clone"))
    assert clone.run("tar", "-xzf", str(archived.folder / ARCHIVE)).returncode == 0
    return clone


@pytest.mark.slow
def test_an_archive_describes_each_of_its_files_once(unpacked, tmp_path_factory):
    assert issues_of(unpacked.folder, "required", tmp_path_factory.mktemp("scratch")) == []
    graph = json.loads((unpacked.folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
    files = {each["@id"]: each["sha256"] for each in graph if each["@type"] == "File"}
    assert sum(each["@type"] == "File" for each in graph) == len(files)
    paths = [path for path in unpacked.folder.glob("results/**/*") if path.is_file()]
    assert {str(path.relative_to(unpacked.folder)): sha256_of(path) for path in paths} == files
    made = [each["result"] for each in graph if each["@type"] == "CreateAction"]
    together = [one["@id"] for each in made for one in (each if isinstance(each, list) else [each])]
    assert sorted(together) == sorted(files)
    found = {each["@id"]: each for each in graph}
    read = [each["@id"] for each in found["#job/results/tables/classifier.parquet"]["object"]]
    assert sorted(read[1:]) == sorted(path for path in files if "/experiment=classifier/" in path)
    assert found["results/figures/000-classifier/accuracy_by_depth.pdf"]["description"].startswith("Test accuracy")
    assert "train_loss: " in found["results/tables/classifier.parquet"]["description"]
    assert all(found[path].get("description") for path in files if path.startswith("results/interactive/"))


@pytest.mark.slow
def test_the_page_is_current_after_unpacking_the_small_archive(finished, project, tmp_path_factory):
    (command,) = re.findall(r"^tar -czf page\.tar\.gz (.*)$", (ROOT / "docs/running.md").read_text(), re.MULTILINE)
    packed = project.folder / "page.tar.gz"
    assert finished.run("tar", "-czf", str(packed), *command.split()).returncode == 0
    assert project.run("tar", "-xzf", str(packed)).returncode == 0
    assert not (project.folder / "results/runs").exists()
    done = project.snakemake("report")
    assert "Nothing to be done" in done.stdout + done.stderr
    # Later edits are noticed, although there are no runs.
    clone = project.copy(tmp_path_factory.mktemp("clone"))
    clone.edit_function(DOCUMENT, "accuracy_by_depth")
    assert set(count_jobs(clone, "report")) == {"figure", "page", "report"}
    project.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    assert {"train", "aggregate", "judge", "figure", "page"} <= set(count_jobs(project, "report"))


@pytest.mark.slow
def test_edits_of_captions_or_citation_and_other_results_make_the_archive_stale(archived, tmp_path):
    project = archived.copy(tmp_path)
    assert "archive" not in count_jobs(project, "archive")
    for path, old, new in (
        (f"{DOCUMENT}/figures/accuracy.py", "Test accuracy against the number", "The accuracy against the number"),
        ("CITATION.cff", "license: MIT", "license: BSD-3-Clause"),
    ):
        project.edit(path, old, new)
        assert "archive" in count_jobs(project, "archive")
        project.edit(path, new, old)
    project.edit_function(DOCUMENT, "accuracy_by_depth")
    assert project.snakemake().returncode == 0
    for path in project.folder.glob("results/*/**/*"):
        backdate(path)
    assert "archive" in count_jobs(project, "archive")


@pytest.mark.slow
def test_work_goes_on_from_an_archive_in_a_fresh_clone(unpacked):
    done = unpacked.snakemake()
    assert "Nothing to be done" in done.stdout + done.stderr
    done = unpacked.snakemake("--report", "report.zip")
    assert done.returncode == 0, done.stderr
    unpacked.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    assert_stale(unpacked, CLASSIFIER_ALL)
    done = unpacked.snakemake("--until", "train")
    assert done.returncode == 0, done.stderr
    assert_stale(unpacked, match_paths(*CLASSIFIER_TABLE))


@pytest.mark.slow
def test_edits_of_style_or_data_make_unpacked_results_stale(unpacked):
    # The edit comes before Snakemake's first run in this clone.
    style = unpacked.folder / STYLE
    style.write_text(style.read_text() + "axes.labelpad: 9\n")
    assert_stale(unpacked, ALL_FIGURES)
    path = unpacked.folder / "results/data/whitened.npz"
    with np.load(path) as archive:
        np.savez(path, **{**archive, "inputs": archive["inputs"][::-1]})
    assert_stale(unpacked, match_paths("whitened", *WHITENED_ALL, "^results/figures/"))
