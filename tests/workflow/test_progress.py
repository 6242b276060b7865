"""The display of progress that docs/running.md describes."""

import os
import pty
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
TABLE = "results/tables/regression.parquet"


def test_a_terminal_shows_a_bar_per_rule(project):
    command = [sys.executable, "-m", "snakemake", TABLE, "--cores", "2", "--configfile", "tests/tiny.yaml"]
    ours, tty = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(
        [*command, "--logger", "rich"],
        cwd=project.folder,
        env=variables,
        stdin=tty,
        stdout=tty,
        stderr=tty,
    ) as process:
        os.close(tty)
        shown = b""
        # On Linux, a read fails after the other side was closed.
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
