"""The commit that a page names as its origin."""

import subprocess
from pathlib import Path

# What decides results. A commit that changes only texts or tests makes no page stale.
_DECISIVE = ("Snakefile", "config.yaml", "envs", "workflow")


def last_commit(root: Path) -> str:
    """Return hash and date of the last commit that changed the workflow, its config or its environment.

    "" outside a checkout by git. Changes that are not committed are in no commit: fingerprints of code name them.
    """
    command = ["git", "-C", str(root), "log", "-1", "--format=%H of %cs", "--", *_DECISIVE]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
