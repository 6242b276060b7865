import os
from pathlib import Path

import pytest

from reproduce.errors import UserError
from reproduce.records.atomic import check_folders, check_writable, replacing
from reproduce.records.paths import check_no_braces


def write_by_name(path, text):
    path.unlink(missing_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("write", [lambda path, text: path.write_text(text), write_by_name])
def test_the_result_of_the_last_started_writer_is_kept(tmp_path, write):
    result = tmp_path / "run.parquet"
    message = r"another job began to write .*run\.parquet after this one"
    with pytest.raises(UserError, match=message), replacing(result) as orphan:
        with replacing(result) as unfinished:
            unfinished.write_text("new")
        # The file of the orphan was deleted, but its program opens the path again.
        write(orphan, "old")
    assert result.read_text() == "new"
    assert list(tmp_path.iterdir()) == [result]


def test_an_orphan_that_ends_first_writes_no_result(tmp_path):
    result = tmp_path / "run.parquet"
    old, new = replacing(result), replacing(result)
    orphan, unfinished = old.__enter__(), new.__enter__()
    orphan.write_text("old")
    with pytest.raises(UserError, match="another job began"):
        old.__exit__(None, None, None)
    assert not result.exists()
    unfinished.write_text("new")
    new.__exit__(None, None, None)
    assert result.read_text() == "new"


def test_only_files_of_killed_jobs_are_deleted(tmp_path):
    left = [tmp_path / ".run.abc.partial.parquet", tmp_path / ".other.abc.partial.parquet"]
    for path in left:
        path.write_text("half")
    with replacing(tmp_path / "run.parquet") as unfinished:
        unfinished.write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.abc.partial.parquet", "run.parquet"]


def test_a_failed_write_leaves_the_old_file_and_a_written_one_has_ordinary_permissions(tmp_path):
    path = tmp_path / "result"
    with replacing(path) as temporary:
        temporary.write_text("old")
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    # A file in place of a folder stops even root, who may write everywhere.
    message = r"cannot write .*result/run\.parquet: .*; nothing was left in its place"
    with pytest.raises(UserError, match=message), replacing(path / "run.parquet"):
        pass


def test_a_missing_input_is_not_reported_as_a_fault_of_the_output(tmp_path):
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "run.parquet"):
        (tmp_path / "input").read_text()


def test_a_file_that_another_job_deleted_becomes_no_result(tmp_path):
    message = r"another job began to write .*run\.parquet after this one"
    with pytest.raises(UserError, match=message), replacing(tmp_path / "run.parquet") as unfinished:
        unfinished.unlink()
    assert not list(tmp_path.iterdir())


def test_folders_that_cannot_hold_results_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("results/logs/train").mkdir(parents=True)
    check_writable("results", levels=3)
    check_folders(["results/figures/a/one.pdf", "results/logs/train/one.log"])
    check_no_braces(str(tmp_path))
    Path("results/logs/train/depth=1").symlink_to("/nowhere")
    with pytest.raises(UserError, match=r"results/logs/train/depth=1 must be a folder, for results"):
        check_folders(["results/logs/train/depth=1/one.log"])
    Path("results/figures").touch()
    for check in (lambda: check_folders(["results/figures/a/one.pdf"]), lambda: check_writable("results/figures")):
        with pytest.raises(UserError, match=r"results/figures must be a folder"):
            check()
    # The rights of root have no effect here.
    monkeypatch.setattr(os, "access", lambda path, mode: "train" not in str(path))
    check_writable("results", levels=1)
    with pytest.raises(UserError, match=r"results/logs/train must be a folder that you may write to"):
        check_writable("results", levels=2)
    with pytest.raises(UserError, match=r"/\{y\}: Snakemake reads the braces in this path as wildcards"):
        check_no_braces("/{y}")
