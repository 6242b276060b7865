import shutil
import tarfile

import pytest
from conftest import Project
from test_staleness import CLASSIFIER, CLASSIFIER_ALL, planned_files, stale_for_audit, stale_for_snakemake

from workflow.deepnets.jobs.archive import pack
from workflow.deepnets.records.provenance import sha256_of

ARCHIVE = "results/archive.tar.gz"


def test_an_archive_depends_on_names_and_contents_alone(tmp_path):
    members = [("results/a", b"one"), ("results/b" * 40, b"two")]
    for name in ("first", "second"):
        pack(members, tmp_path / name / "archive.tar.gz")
    assert sha256_of(tmp_path / "first/archive.tar.gz") == sha256_of(tmp_path / "second/archive.tar.gz")
    with tarfile.open(tmp_path / "first/archive.tar.gz") as archive:
        assert [(member.name, archive.extractfile(member).read()) for member in archive] == members


@pytest.mark.slow
def test_work_goes_on_from_an_archive_in_a_fresh_clone(copied, tmp_path_factory):
    done = copied.snakemake("archive")
    assert done.returncode == 0, done.stderr
    clone = Project(tmp_path_factory.mktemp("clone"))
    assert clone.run("tar", "-xzf", str(copied.folder / ARCHIVE)).returncode == 0

    done = clone.snakemake()
    assert "Nothing to be done" in done.stdout + done.stderr
    assert stale_for_audit(clone) == set()
    clone.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    expected = CLASSIFIER_ALL(planned_files(clone))
    assert stale_for_snakemake(clone) == stale_for_audit(clone) == expected


@pytest.mark.slow
def test_two_machines_pack_the_same_bytes(small_project, tmp_path_factory):
    other = Project(tmp_path_factory.mktemp("other"), configfiles=small_project.configfiles)
    for folder, cores in ((small_project, "1"), (other, "2")):
        done = folder.snakemake("archive", "--cores", cores)
        assert done.returncode == 0, done.stderr
    assert sha256_of(small_project.folder / ARCHIVE) == sha256_of(other.folder / ARCHIVE)


@pytest.mark.slow
def test_results_copied_with_snakemake_s_memory_are_current(finished, tmp_path):
    clone = Project(tmp_path)
    for name in ("results", ".snakemake"):
        shutil.copytree(finished.folder / name, tmp_path / name, copy_function=shutil.copy)
    assert stale_for_snakemake(clone) == stale_for_audit(clone) == set()
