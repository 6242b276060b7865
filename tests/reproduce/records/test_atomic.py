import os

import pytest

from reproduce.errors import UserError
from reproduce.records.files import replacing


def test_a_job_that_began_later_writes_a_whole_result_and_leaves_no_other_file(tmp_path):
    result = tmp_path / "run.parquet"
    with pytest.raises(UserError, match=r"cannot write .*run\.parquet: .*; nothing was left"), replacing(result) as old:
        old.write_text("old")
        with replacing(result) as new:
            new.write_text("new")
    assert result.read_text() == "new"
    assert list(tmp_path.iterdir()) == [result]


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
    for below in ("run.parquet", "depth=1/run.parquet"):
        message = rf"cannot write .*result/{below}: .*; nothing was left in its place"
        with pytest.raises(UserError, match=message), replacing(path / below):
            pass
