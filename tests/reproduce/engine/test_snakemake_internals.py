from snakemake.persistence.file import FilePersistence

from reproduce.engine.snakemake_internals import keep_locks_of_others


def test_a_start_that_ends_leaves_the_locks_of_another_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep_locks_of_others()
    first, second, later, unlocking = (FilePersistence(nolock=True) for _ in range(4))
    first._write_locks("output", ["one"])
    second._write_locks("output", ["two"])
    first._delete_locks()
    assert list(later._read_locks()) == [("output", "two")]
    second._delete_locks()
    # Snakemake itself would have deleted the folder.
    later._write_locks("input", ["three"])
    unlocking._delete_locks()
    assert list(later._read_locks()) == []
