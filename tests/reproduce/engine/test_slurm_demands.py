"""Before the first job, the workflow checks its demands on Slurm. Slurm's answers here are from version 22.05."""

import json
import os
import subprocess
from types import SimpleNamespace

import pytest
from snakemake.logging import logger

from conftest import ROOT
from reproduce.engine.sbatch import LOGS, main, sbatch_options
from reproduce.engine.slurm import check_requests, print_failures
from reproduce.errors import UserError

STATUS = ROOT / "workflow/profiles/slurm/status.sh"


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
    "Invalid feature specification",
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
    named = {"mem_mb": 1, "runtime": 7, "slurm_partition": "long", "slurm_account": "physics", "constraint": "avx"}
    jobs = [{**named, "gpu": gpu} for gpu in (0, 0, 1, 1)]
    check_requests(map(sbatch_options, jobs))
    assert asked.read_text().splitlines() == [
        "--test-only --ntasks=1 -p long -A physics -t 7 --mem 1 --constraint avx --wrap true",
        "--test-only --ntasks=1 -p long -A physics -t 7 --mem 1 --constraint avx --gpus=1 --wrap true",
    ]


@pytest.mark.parametrize(
    ("state", "log", "told"),
    [
        ("RUNNING", None, "running"),
        ("PENDING", "exit status 1 of a program", "running"),
        # A state of a newer Slurm.
        ("DREAMING", None, "running"),
        ("COMPLETED", None, "success"),
        ("TIMEOUT", "DUE TO TIME LIMIT", "failed"),
        # The controller notices the end of a job late, or has forgotten the job.
        ("RUNNING", "exit status 0", "success"),
        ("", "exit status 0", "success"),
        # A script that was killed may run again; the controller notices the end of one that failed late.
        *((state, "exit status 143", "running") for state in ("RUNNING", "PENDING", "COMPLETING", "REQUEUED", None)),
        *((state, "exit status 2", "failed") for state in ("FAILED", "CANCELLED", "")),
        # Slurm took the job back, and does not let us put it into the queue again.
        *((state, "exit status 143", "failed") for state in ("PREEMPTED", "NODE_FAIL")),
        ("", "Running regression", "failed"),
        # The controller is away.
        (None, "Running regression", "running"),
    ],
)
def test_the_status_of_a_job_follows_from_its_log_or_from_squeue(program, tmp_path, state, log, told):
    program("squeue", out="70 FAILED\n" + (f"7 {state}" if state else ""), status=int(state is None))
    program("scontrol", status=1)
    logs = tmp_path / LOGS
    for folder in (logs, tmp_path / ".snakemake"):
        folder.mkdir(parents=True)
    if log:
        (logs / "7.log").write_text(f"first\n{log}\n")
    ask = ["sh", STATUS, "7"]
    # The second answer is from the stored list; the log of a success is deleted, and not asked for again.
    for _ in range(1 if told == "success" else 2):
        done = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, f"{told}\n")
        assert told != "failed" or (f"{LOGS}/7.log" in done.stderr and log in done.stderr)
    assert (tmp_path / ".snakemake/slurm_failed").exists() == (told == "failed")


def test_a_job_that_slurm_took_back_is_put_into_its_queue_again_once(program, tmp_path):
    (tmp_path / ".snakemake").mkdir()
    program("scontrol", out="requeued")
    for state, requeued in (("PREEMPTED", True), ("PENDING", False)):
        # The stored list still contains the old state.
        program("squeue", out=f"70 PREEMPTED\n7 {state}")
        done = subprocess.run(["sh", STATUS, "7"], cwd=tmp_path, capture_output=True, text=True)
        assert (done.stdout, "requeued" in done.stderr) == ("running\n", requeued)


@pytest.mark.parametrize("group", [{}, {"groupid": "points"}])
def test_a_jobscript_requests_its_resources_and_ends_with_its_status(program, tmp_path, capfd, monkeypatch, group):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sbatch").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > asked\ncat > script\necho 7\n')
    (tmp_path / "sbatch").chmod(0o755)
    job = {"rule": "train", "wildcards": {"experiment": "regression"}, "jobid": 3, "threads": 1, **group}
    job["resources"] = {"mem_mb": 2000, "runtime": 10, "slurm_partition": None, "gpu": 1}
    jobscript = tmp_path / "tmp.ab/job.sh"
    jobscript.parent.mkdir()
    jobscript.write_text(f"#!/bin/sh\n# properties = {json.dumps(job)}\n\nfalse && exit 0 || exit 3\n")
    # The log of a job with this id in an earlier Slurm.
    (tmp_path / LOGS).mkdir(parents=True)
    (tmp_path / LOGS / "7.log").touch()
    os.utime(tmp_path / LOGS / "7.log", (0, 0))
    assert main(jobscript) == 0
    assert capfd.readouterr().out == "7\n"
    assert not (tmp_path / LOGS / "7.log").exists()
    asked = (tmp_path / "asked").read_text().splitlines()
    comment = f"--comment={'points' if group else 'train'} regression 3"
    assert {"--cpus-per-task=1", "--requeue", "--job-name=snakemake_tmp.ab", comment, "--gpus=1"} < {*asked}
    # A bundle loads Python once.
    assert " ".join(asked).endswith(f"-t {14 if group else 10} --mem 2000 --gpus=1")
    done = subprocess.run(["sh", tmp_path / "script"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "exit status 3\n")


def test_the_end_of_a_start_repeats_why_jobs_failed_once_for_all_of_one_reason(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logger, "propagate", True)
    (tmp_path / LOGS).mkdir(parents=True)
    last = {job: f"slurmstepd-n{job}: error: *** JOB {job} CANCELLED DUE TO MEMORY ***" for job in range(1, 11)}
    last |= {11: "exit status 1", 12: None}
    for job, line in last.items():
        if line:
            (tmp_path / LOGS / f"{job}.log").write_text(f"first\n{line}\n")
    (tmp_path / ".snakemake").mkdir()
    (tmp_path / ".snakemake/slurm_failed").write_text("".join(f"{job} FAILED\n" for job in last))
    for command in ("qsub", "python sbatch.py"):
        print_failures(SimpleNamespace(executor_settings=SimpleNamespace(submit_cmd=command)))
    (block,) = caplog.messages
    assert block.strip().splitlines()[1:] == [
        f"  10 × FAILED (*** JOB 1 CANCELLED DUE TO MEMORY ***): {LOGS}/1.log, …",
        f"  1 × FAILED (exit status 1): {LOGS}/11.log",
        f"  1 × FAILED: {LOGS}/12.log",
    ]


def test_without_slurm_the_error_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="Slurm does not answer on this machine"):
        check_requests([()])
