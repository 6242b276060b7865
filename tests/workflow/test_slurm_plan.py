"""The documented command for a cluster plans the whole default config, in bundles. This needs no Slurm."""

import re
import subprocess

import pytest

from conftest import ROOT
from one_node_slurm import UnavailableError, launcher


def test_the_profile_plans_all_jobs_of_the_default_config(tmp_path):
    for name in ("Snakefile", "config.yaml", "workflow", "profiles"):
        (tmp_path / name).symlink_to(ROOT / name)
    try:
        with launcher() as python:
            command = [python, "-m", "snakemake", "--workflow-profile", "workflow/profiles/slurm", "--dry-run"]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    except UnavailableError as error:
        pytest.skip(str(error))
    assert done.returncode == 0, done.stdout + done.stderr
    # A document and an experiment share the name `balancedness`; as one bundle they would depend on each other.
    counts = dict(re.findall(r"^(\w+) +(\d+)\b", done.stdout, re.MULTILINE))
    assert counts["page"] == "1" and int(counts["train"]) > 900, done.stdout
