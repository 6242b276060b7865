"""The display of progress that docs offer."""

import os
import pty
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
TABLE = "results/tables/regression.parquet"


def test_without_a_terminal_it_tells_what_is_to_be_done_and_the_end(project):
    done = project.snakemake(TABLE, "--logger", "rich")
    assert done.returncode == 0, done.stderr
    assert re.search(r"train +2\b", done.stderr)
    assert "Workflow Finished" in done.stderr
    # No bar, no escape.
    assert "\x1b" not in done.stderr
    assert "%" not in done.stderr
    assert (project.folder / TABLE).exists()


def test_in_a_terminal_it_shows_a_bar_per_rule(project):
    command = [sys.executable, "-m", "snakemake", TABLE, "--cores", "2", "--configfile", "tests/tiny.yaml"]
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(
        [*command, "--logger", "rich"], cwd=project.folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        # Linux ends the reading with an error where the other side is closed.
        while chunk := _read(ours):
            shown += chunk
    os.close(ours)
    assert process.returncode == 0, shown[-2000:]
    assert (project.folder / TABLE).exists()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    for rule in ("train", "aggregate"):
        assert re.search(rf"✓ - {rule} +━+ +100%", plain), plain[-2000:]


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
