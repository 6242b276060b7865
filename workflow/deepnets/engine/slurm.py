"""Check Slurm before the first job is submitted, and cancel jobs after Ctrl-C.

A cluster that demands a partition or an account rejects every job, and Snakemake prints this once per job and attempt.
Worse, if the executor plugin cannot learn that a job has ended, it waits for ever and prints nothing. These checks stop
the workflow at once, with one message.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable

from workflow.deepnets.engine.snakemake_internals import Workflow
from workflow.deepnets.errors import UserError

PROFILE = "workflow/profiles/slurm/profile.yaml"
# Faults of the request itself. A node or a partition that is down is none: it may come back.
_FAULTS = re.compile(r"account|partition|qos|gres|denied|permitted", re.IGNORECASE)
_TEMPORARY = re.compile(r"not available|configuration", re.IGNORECASE)
# Up to Slurm 23.02, and from 23.11 on.
_NO_ACCOUNTING = ("accounting_storage/none", "(null)")
# Slurm must list a finished job for longer than the plugin's longest pause (seconds) between two questions.
_LONGEST_PAUSE = 180 + 20


def check_requests(requests: Iterable[tuple[str, ...]]) -> None:
    """Raise UserError if sbatch would reject one of these requests, whatever is free. Nothing is submitted.

    requests: options of sbatch, from `sbatch_options`.
    """
    for options in sorted(set(requests)):
        answer = _answer(["sbatch", "--test-only", "--ntasks=1", *options, "--wrap", "true"])
        if answer.returncode and _FAULTS.search(answer.stderr) and not _TEMPORARY.search(answer.stderr):
            # Slurm gives one answer for a missing account, for too large a request and for too many jobs at once.
            limits = " (or see what limits your jobs here)" if "policy" in answer.stderr else ""
            raise UserError(
                f"Slurm accepts no job with {' '.join(options)}: {' '.join(answer.stderr.split())}. "
                f"Fill in slurm_partition and slurm_account under default-resources in {PROFILE}{limits}. "
                f"Partitions here: {_listed(['sinfo', '-h', '-o', '%R'])}; your accounts: "
                f"{_listed(['sshare', '-U', '-h', '-P', '-o', 'Account'])}"
            )


def sbatch_options(resources: dict) -> tuple[str, ...]:
    """Return the options of sbatch that decide whether it accepts a job with these resources."""
    named = {"-p": "slurm_partition", "-A": "slurm_account", "--qos": "qos", "-t": "runtime", "--mem": "mem_mb"}
    # Of several accounts the plugin tries one after another.
    values = {option: str(resources[name]).partition(",")[0] for option, name in named.items() if resources.get(name)}
    options = [word for option, value in values.items() for word in (option, value)]
    return (*options, *([f"--gpus={resources['gpu']}"] if resources.get("gpu") else []))


def check_status_command(*, status_command: str, interval: int) -> None:
    """Raise UserError if the plugin would not learn that a job has ended, and so would wait for ever.

    status_command: `squeue` lists a finished job for MinJobAge seconds only, `sacct` reads the accounting; interval:
    the plugin's first pause (seconds). Version 2.8 of the plugin uses sacct if MinJobAge is below three intervals.
    """
    settings = dict(re.findall(r"^(\w+)\s*= (\S+)", _answer(["scontrol", "show", "config"]).stdout, flags=re.MULTILINE))
    if not {"MinJobAge", "AccountingStorageType"} <= settings.keys():
        return
    age, accounting = int(settings["MinJobAge"]), settings["AccountingStorageType"] not in _NO_ACCOUNTING
    if status_command == "squeue" and age < 3 * interval and shutil.which("sacct"):
        status_command = "sacct"
    forgets = f"squeue forgets a finished job after {age} s on this cluster (MinJobAge), the plugin may ask every 180 s"
    if not accounting and age < _LONGEST_PAUSE:
        raise UserError(f"{forgets}, and there is no accounting: ask the cluster's administrators for MinJobAge=300")
    if not accounting and status_command == "sacct":
        raise UserError(
            "this cluster keeps no accounting, so sacct never lists the end of a job: in "
            f"{PROFILE} set slurm-status-command to squeue and slurm-init-seconds-before-status-checks to at most "
            f"{age // 3} (a third of the cluster's MinJobAge)"
        )
    if status_command == "squeue" and age < _LONGEST_PAUSE:
        raise UserError(f"{forgets}: set slurm-status-command to sacct in {PROFILE}")


def _answer(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"Slurm does not answer here: {error}") from None


def _listed(command: list[str]) -> str:
    answer = _answer(command)
    return ", ".join(sorted(set(answer.stdout.split()))) if answer.returncode == 0 and answer.stdout else "unknown"


def cancel_submitted(workflow: Workflow) -> None:
    """Cancel all jobs that this start of Snakemake submitted.

    After Ctrl-C the plugin cancels what it has submitted, and then submits what was still waiting for sbatch.
    """
    if workflow.executor_plugin.name == "slurm":
        # All jobs bear the name of this start, and no others do.
        subprocess.run(["scancel", "--name", workflow.scheduler._executor.run_uuid], timeout=60)
