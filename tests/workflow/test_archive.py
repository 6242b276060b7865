import os
import re

import pytest
from test_staleness import CLASSIFIER_RUNS, COUNTS, LONG_AGO, NOTHING, assert_audited, assert_stale

from conftest import ROOT, Project
from reproduce.records.files import sha256_of

pytestmark = pytest.mark.slow
ARCHIVE = "results/archive.tar.gz"


def test_work_goes_on_from_an_archive_in_a_fresh_clone(finished, tmp_path_factory):
    archived, clone = (tmp_path_factory.mktemp(name) for name in ("archived", "clone"))
    archived, clone = finished.copy(archived), Project(clone)
    assert archived.snakemake("archive").returncode == 0
    packed = sha256_of(archived.folder / ARCHIVE)
    for path in archived.folder.glob("results/**/*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    assert archived.snakemake("archive", "--forcerun", "archive").returncode == 0
    assert sha256_of(archived.folder / ARCHIVE) == packed
    assert clone.run("tar", "-xzf", str(archived.folder / ARCHIVE)).returncode == 0
    assert not (clone.folder / "results/logs").exists()
    assert_stale(clone, NOTHING)
    done = clone.snakemake("--report", "report.zip")
    assert done.returncode == 0, done.stderr
    COUNTS["train: helper of one experiment"][0](clone)
    assert_audited(clone, CLASSIFIER_RUNS)


def test_the_page_is_current_after_unpacking_the_small_archive(finished, project):
    (command,) = re.findall(r"^tar -czf page\.tar\.gz (.*)$", (ROOT / "docs/running.md").read_text(), re.MULTILINE)
    packed = project.folder / "page.tar.gz"
    assert finished.run("bash", "-c", f"tar -czf {packed} {command}").returncode == 0
    assert project.run("tar", "-xzf", str(packed)).returncode == 0
    assert not (project.folder / "results/runs").exists()
    assert_stale(project, NOTHING, "report")
    # Later edits are noticed, although there are no runs.
    COUNTS["train: helper of one experiment"][0](project)
    assert {"train", "aggregate", "judge", "figure", "page"} <= set(project.count_jobs("report"))
