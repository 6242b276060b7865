"""Check Slurm before the first job is submitted, repeat at the end why jobs failed, and cancel jobs after Ctrl-C.

This check stops the workflow at once with one message. Otherwise a cluster that demands a partition or an account would
reject every job, with one message per job and attempt.
"""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from snakemake.logging import logger

from reproduce.engine.sbatch import LOGS, job_name
from reproduce.engine.snakemake_internals import Workflow
from reproduce.errors import UserError

# Errors in the request itself. A node or a partition that is down may come back.
_FAULTS = re.compile(r"account|partition|qos|feature|gres|denied|permitted", re.IGNORECASE)
_TEMPORARY = re.compile(r"not available|configuration", re.IGNORECASE)
# Lines "ID STATE" of the jobs that failed, which status.sh writes.
_FAILED = Path(".snakemake/slurm_failed")


def check_requests(requests: Iterable[tuple[str, ...]]) -> None:
    """Raise UserError if sbatch would reject one of these `sbatch_options` even on an idle cluster; submit nothing."""
    _FAILED.unlink(missing_ok=True)
    for options in sorted(set(requests)):
        answer = _query(["sbatch", "--test-only", "--ntasks=1", *options, "--wrap", "true"])
        if answer.returncode and _FAULTS.search(answer.stderr) and not _TEMPORARY.search(answer.stderr):
            # Slurm's answer is the same for a missing account, too large a request, and too many jobs.
            limits = " (or check the limits of your jobs on this cluster)" if "policy" in answer.stderr else ""
            raise UserError(
                f"Slurm rejects all jobs with {' '.join(options)}: {' '.join(answer.stderr.split())}. "
                f"Name yours with --default-resources slurm_partition=NAME slurm_account=NAME, or in a profile of your "
                f"own (docs/running.md){limits}. "
                f"Partitions here: {_list_names(['sinfo', '-h', '-o', '%R'])}; your accounts: "
                f"{_list_names(['sshare', '-U', '-h', '-P', '-o', 'Account'])}"
            )


def _query(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"Slurm does not answer on this machine: {error}") from None


def _list_names(command: list[str]) -> str:
    answer = _query(command)
    return ", ".join(sorted(set(answer.stdout.split()))) if answer.returncode == 0 and answer.stdout else "unknown"


def runs_on_slurm(workflow: Workflow) -> bool:
    """Return whether Snakemake submits jobs with sbatch.py."""
    return "sbatch" in (getattr(workflow.executor_settings, "submit_cmd", None) or "")


def print_failures(workflow: Workflow) -> None:
    """Print how many of Slurm's jobs failed for which reason, since each reported it far above."""
    if not (runs_on_slurm(workflow) and _FAILED.exists()):
        return
    logs = defaultdict(list)
    for number, state in map(str.split, _FAILED.read_text(encoding="utf-8").splitlines()):
        log = Path(LOGS, f"{number}.log")
        last = log.read_text(encoding="utf-8", errors="replace").split("\n")[-2:-1] if log.exists() else []
        reason = "".join(last).rpartition("error: ")[2]
        # Reasons differ in numbers and times.
        logs[state, re.sub(r"\d+", "", reason)].append((f"{state}{reason and f' ({reason})'}", log))
    lines = [f"  {len(jobs)} × {jobs[0][0]}: {jobs[0][1]}{', …' * (len(jobs) > 1)}" for jobs in logs.values()]
    logger.error("\n".join(["", "Jobs that failed on Slurm:", *lines, ""]))


def cancel_submitted(workflow: Workflow) -> None:
    """Cancel all jobs that this start of Snakemake submitted.

    After Ctrl-C, Snakemake cancels jobs itself, but not those of which it was just asking the status, nor the last one.
    """
    if runs_on_slurm(workflow):
        subprocess.run(["scancel", "--name", job_name(workflow.scheduler._executor.tmpdir)], timeout=60)
