"""Before the first job, the workflow checks its demands on Slurm. Slurm's answers here are from version 22.05."""

import os
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import yaml
from snakemake.cli import parse_set_resources

from conftest import ROOT
from reproduce.engine.slurm import check_requests, check_status_command, sbatch_options
from reproduce.errors import UserError

NO_ACCOUNTING, ACCOUNTING = "accounting_storage/none", "accounting_storage/slurmdbd"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A function that puts a program on the path, with the given output and exit status."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")

    def put(name: str, *, out: str = "", err: str = "", status: int = 0) -> None:
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\ncat <<'END'\n{out}\nEND\ncat >&2 <<'END'\n{err}\nEND\nexit {status}\n")
        script.chmod(0o755)

    put("sinfo", out="short\nlong")
    put("sshare", out="physics")
    return put


WRONG = (
    "No partition specified or system default partition",
    "sbatch: error: invalid partition specified: nix\nallocation failure: Invalid partition name specified",
    "Invalid account or account/partition combination specified",
    "Invalid generic resource (gres) specification",
)
TEMPORARY = (
    "Requested node configuration is not available",
    "Requested partition configuration not available now",
    "Required partition not available (inactive or drain)",
    "Unable to contact slurm controller (connect failure)",
)


@pytest.mark.parametrize("answer", [*WRONG, *TEMPORARY])
def test_the_error_for_a_wrong_request_lists_partitions_and_accounts_and_temporary_failures_are_none(program, answer):
    program("sbatch", err=f"allocation failure: {answer}", status=1)
    if answer in TEMPORARY:
        check_requests([()])
        return
    with pytest.raises(UserError, match=r"Partitions here: long, short; your accounts: physics") as told:
        check_requests([("-p", "nix")])
    assert " ".join(answer.split()) in str(told.value)


def test_each_request_is_tested_once(program, tmp_path):
    asked = tmp_path / "asked"
    (tmp_path / "sbatch").write_text(f'#!/bin/sh\necho "$@" >> {asked}\n')
    (tmp_path / "sbatch").chmod(0o755)
    named = {"mem_mb": 1, "runtime": 7, "slurm_partition": "long", "slurm_account": "physics,biology"}
    jobs = [{**named, "gpu": gpu} for gpu in (0, 0, 1, 1)]
    check_requests(map(sbatch_options, jobs))
    assert asked.read_text().splitlines() == [
        "--test-only --ntasks=1 -p long -A physics -t 7 --mem 1 --wrap true",
        "--test-only --ntasks=1 -p long -A physics -t 7 --mem 1 --gpus=1 --wrap true",
    ]


@pytest.mark.parametrize(
    ("command", "age", "accounting", "told"),
    [
        ("squeue", 300, NO_ACCOUNTING, None),
        ("squeue", 300, ACCOUNTING, None),
        ("sacct", 2, ACCOUNTING, None),
        # The plugin uses sacct if jobs are kept for less than three intervals; sacct works only with accounting.
        ("squeue", 2, ACCOUNTING, None),
        ("squeue", 60, ACCOUNTING, "set slurm-status-command to sacct"),
        ("squeue", 60, NO_ACCOUNTING, "for MinJobAge=300"),
        ("squeue", 30, NO_ACCOUNTING, "for MinJobAge=300"),
        ("sacct", 300, NO_ACCOUNTING, "set slurm-status-command to squeue"),
        ("sacct", 300, "(null)", "set slurm-status-command to squeue"),
    ],
)
def test_a_status_command_that_misses_ended_jobs_is_refused(program, command, age, accounting, told):
    program("scontrol", out=f"AccountingStorageType   = {accounting}\nMinJobAge               = {age} sec")
    program("sacct")
    with pytest.raises(UserError, match=told) if told else nullcontext():
        check_status_command(status_command=command, interval=15)


def test_without_slurm_the_error_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="Slurm does not answer on this machine"):
        check_requests([()])


@pytest.mark.parametrize(("experiment", "minutes"), [("zero_init", 120), ("another", 5)])
def test_the_profile_sets_the_time_by_experiment_and_attempt(experiment, minutes):
    profile = yaml.safe_load((ROOT / "workflow/profiles/slurm/profile.yaml").read_text())
    # Parsed as Snakemake parses a profile's resources.
    asked = parse_set_resources([f"train:runtime={profile['set-resources']['train']['runtime']}"])["train"]["runtime"]
    for attempt in (1, 2):
        wildcards = SimpleNamespace(experiment=experiment)
        given = {"input": None, "attempt": attempt, "threads": 1, "rulename": "train", "async_run": None}
        assert asked.evaluate(wildcards, **given).value == minutes * attempt
