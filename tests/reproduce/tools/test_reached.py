import pytest

from reproduce.errors import UserError
from reproduce.records.digests import sha256_of
from reproduce.records.record import Record, write_record
from reproduce.tools import reached


def test_the_functions_that_made_a_result_are_listed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["reached", str(path := tmp_path / "run.parquet")])
    with pytest.raises(UserError, match=r"run\.json is missing or damaged"):
        reached.main()
    path.write_text("rows")
    footprint = {"reproduce.jobs.job": ["*"], "toy.run": ["run", "Net.train"]}
    write_record(tmp_path / "run.json", Record("{}", "toy:run@1", footprint, outputs={path.name: sha256_of(path)}))
    reached.main()
    listed = "reproduce.jobs.job\n  (all functions)\ntoy.run\n  run\n  Net.train\ntoy:run@1\n"
    assert capsys.readouterr().out == listed
    path.write_text("others")
    with pytest.raises(UserError, match="was changed after the workflow wrote it"):
        reached.main()
