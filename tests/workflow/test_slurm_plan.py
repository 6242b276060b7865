import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

CLUSTER = ("-m", "snakemake", "--workflow-profile", "workflow/profiles/slurm")


@pytest.fixture
def folder(tmp_path):
    for name in ("Snakefile", "config.yaml", "workflow", "profiles"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def list_requests(folder):
    """A function that starts the workflow and returns what each kind of job asks of sbatch: options with their values.

    Slurm's programs are scripts here. They accept every request, but no partition has GPUs: so the start ends before
    the first job.
    """
    programs, asked = folder / "bin", folder / "asked"
    programs.mkdir()
    scripts = {"sbatch": f'echo "$@" >> {asked}', "sinfo": 'echo "main* (null)"', "scontrol": "", "squeue": ""}
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    (folder / "gpu.yaml").write_text("only: [regression, propagation]\nexperiments: {propagation: {device: cuda}}")

    def start(*arguments, **environment):
        asked.unlink(missing_ok=True)
        command = [sys.executable, *CLUSTER, *arguments, "--configfile", "config.yaml", "gpu.yaml"]
        variables = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", **environment}
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        assert "there are no GPUs in the partition" in done.stderr, done.stdout + done.stderr
        options = re.findall(r"^--test-only --ntasks=1 (.*) --wrap true$", asked.read_text(), flags=re.MULTILINE)
        return {frozenset(re.findall(r"--?[a-zA-Z]+[ =]\S+", each)) for each in options}

    return start


def test_a_site_names_its_partitions_and_its_account_and_no_job_loses_memory_or_time(list_requests, folder):
    plain = list_requests()
    assert {"-t 5", "--mem 1000"} in plain and any("--gpus=1" in each for each in plain)
    (folder / "site.yaml").write_text(
        "default-resources: {slurm_partition: short, slurm_account: physics, gpu_partition: fast}"
    )
    named = {each | {"-A physics", "-p fast" if "--gpus=1" in each else "-p short"} for each in plain}
    assert list_requests(SNAKEMAKE_PROFILE=str(folder / "site.yaml")) == named
    resources = ("slurm_partition=short", "slurm_account=physics", "gpu_partition=fast")
    assert list_requests("--default-resources", *resources) == named
    # A single request can be raised in the same way.
    raised = list_requests("--set-resources", "aggregate:mem_mb=7000")
    assert raised == plain | {frozenset({"-t 5", "--mem 7000"})}
