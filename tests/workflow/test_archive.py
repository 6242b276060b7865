import re

import pytest
from test_content import backdate
from test_staleness import (
    ALL_FIGURES,
    CLASSIFIER,
    CLASSIFIER_ALL,
    CLASSIFIER_TABLE,
    DOCUMENT,
    append,
    assert_stale,
    match_paths,
)
from test_workflow import count_jobs

from conftest import ROOT, Project
from reproduce.records.digests import sha256_of

ARCHIVE = "results/archive.tar.gz"
pytestmark = pytest.mark.slow


def test_work_goes_on_from_an_archive_in_a_fresh_clone(finished, tmp_path_factory):
    archived, clone = (tmp_path_factory.mktemp(name) for name in ("archived", "clone"))
    archived, clone = finished.copy(archived), Project(clone)
    assert archived.snakemake("archive").returncode == 0
    packed = sha256_of(archived.folder / ARCHIVE)
    for path in archived.folder.glob("results/**/*"):
        backdate(path)
    assert archived.snakemake("archive", "--forcerun", "archive").returncode == 0
    assert sha256_of(archived.folder / ARCHIVE) == packed
    assert clone.run("tar", "-xzf", str(archived.folder / ARCHIVE)).returncode == 0
    assert not (clone.folder / "results/logs").exists()
    done = clone.snakemake()
    assert "Nothing to be done" in done.stdout + done.stderr
    done = clone.snakemake("--report", "report.zip")
    assert done.returncode == 0, done.stderr
    clone.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    append("workflow/reproduce/figures/column.mplstyle", "axes.labelpad: 9\n")(clone)
    assert_stale(clone, lambda paths: CLASSIFIER_ALL(paths) | ALL_FIGURES(paths))
    done = clone.snakemake("--until", "train")
    assert done.returncode == 0, done.stderr
    assert_stale(clone, lambda paths: match_paths(*CLASSIFIER_TABLE)(paths) | ALL_FIGURES(paths))


def test_the_page_is_current_after_unpacking_the_small_archive(finished, project, tmp_path_factory):
    (command,) = re.findall(r"^tar -czf page\.tar\.gz (.*)$", (ROOT / "docs/running.md").read_text(), re.MULTILINE)
    packed = project.folder / "page.tar.gz"
    assert finished.run("bash", "-c", f"tar -czf {packed} {command}").returncode == 0
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
