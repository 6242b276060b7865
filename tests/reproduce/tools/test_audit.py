import io
import sys
from pathlib import Path

import pytest

from reproduce.tools import audit
from reproduce.tools.audit import CURRENT, FOREIGN, FileAudit

KEPT = "results/runs/experiment=toy/depth=1/seed=0/run.parquet"
OLD = "results/runs/experiment=toy/depth=2/seed=0/run.parquet"


@pytest.mark.parametrize(("answer", "left"), [("y\n", [KEPT]), ("n\n", [KEPT, OLD]), ("", [KEPT, OLD])])
def test_prune_lists_files_of_earlier_configs_and_deletes_them_after_a_yes(tmp_path, monkeypatch, capsys, answer, left):
    monkeypatch.chdir(tmp_path)
    for path in map(Path, (KEPT, OLD)):
        path.parent.mkdir(parents=True)
        path.touch()
    monkeypatch.setattr(audit, "Plan", dict)
    monkeypatch.setattr(audit.files, "read", lambda configfiles: {})
    monkeypatch.setattr(audit, "audit", lambda plan: [FileAudit(KEPT, CURRENT), FileAudit(OLD, FOREIGN)])
    monkeypatch.setattr(sys, "argv", ["audit", "--prune"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    audit.main()
    assert capsys.readouterr().out.startswith(f"{OLD}\nThe config does not plan these 1 files. Delete them? [y/N] ")
    assert [path.as_posix() for path in sorted(Path("results").rglob("*")) if path.is_file()] == left
    assert Path(OLD).parents[1].exists() == (OLD in left)
