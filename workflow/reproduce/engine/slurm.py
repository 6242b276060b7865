"""Check Slurm before the first job is submitted, and cancel jobs after Ctrl-C.

These checks stop the workflow at once with one message. Otherwise a cluster that demands a partition or an account
would reject every job, with one message per job and attempt. Or the executor plugin could miss the end of a job, and
wait for ever without a message.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable

from reproduce.engine.snakemake_internals import Workflow
from reproduce.errors import UserError

PROFILE = "workflow/profiles/slurm/profile.yaml"
# Errors in the request itself. A node or a partition that is down may come back.
_FAULTS = re.compile(r"account|partition|qos|gres|denied|permitted", re.IGNORECASE)
_TEMPORARY = re.compile(r"not available|configuration", re.IGNORECASE)
# Slurm up to 23.02 prints the first, Slurm from 23.11 on the second.
_NO_ACCOUNTING = ("accounting_storage/none", "(null)")
# Seconds: the plugin's longest pause between two status checks, and a margin. Slurm must list finished jobs for longer.
_LONGEST_PAUSE = 180 + 20


def check_requests(requests: Iterable[tuple[str, ...]]) -> None:
    """Raise UserError if sbatch would reject one of these requests even on an idle cluster. Nothing is submitted.

    requests: options of sbatch, from `sbatch_options`
    """
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


def check_gpus(partitions: Iterable[str]) -> None:
    """Raise UserError if jobs on GPUs would be submitted to a partition without GPUs.

    partitions: names, several separated by commas; "" for the default partition
    """
    # One line for each kind of node; the default partition has an asterisk.
    kinds = re.findall(r"^(\S+) (\S+)$", _query(["sinfo", "-h", "-o", "%P %G"]).stdout, flags=re.MULTILINE)
    default = {name.rstrip("*") for name, _ in kinds if name.endswith("*")}
    with_gpus = {name.rstrip("*") for name, gres in kinds if re.search(r"\bgpu\b", gres)}
    for asked in sorted(set(partitions)):
        names = set(asked.split(",")) if asked else default
        if kinds and not names & with_gpus:
            others = f"name one of {', '.join(sorted(with_gpus))} with --default-resources gpu_partition=NAME, or "
            raise UserError(
                f"the config has runs with `device: cuda`, but there are no GPUs in the partition "
                f"{', '.join(sorted(names)) or '(none)'}, says sinfo: {others if with_gpus else ''}set `device: cpu`"
            )


def sbatch_options(resources: dict) -> tuple[str, ...]:
    """Return the options of sbatch that decide whether it accepts a job with these resources."""
    named = {"-p": "slurm_partition", "-A": "slurm_account", "--qos": "qos", "-t": "runtime", "--mem": "mem_mb"}
    # The plugin tries several accounts one after another; check the first.
    values = {option: str(resources[name]).partition(",")[0] for option, name in named.items() if resources.get(name)}
    options = [word for option, value in values.items() for word in (option, value)]
    return (*options, *([f"--gpus={resources['gpu']}"] if resources.get("gpu") else []))


def check_status_command(*, status_command: str, interval: int) -> None:
    """Raise UserError if the plugin could miss the end of a job, and so wait for ever.

    Version 2.8 of the plugin uses sacct if MinJobAge is below three intervals.

    status_command: `squeue` lists a finished job only for MinJobAge seconds; `sacct` reads the accounting
    interval: the plugin's first pause, in seconds
    """
    settings = dict(re.findall(r"^(\w+)\s*= (\S+)", _query(["scontrol", "show", "config"]).stdout, flags=re.MULTILINE))
    if not {"MinJobAge", "AccountingStorageType"} <= settings.keys():
        return
    age, accounting = int(settings["MinJobAge"]), settings["AccountingStorageType"] not in _NO_ACCOUNTING
    if status_command == "squeue" and age < 3 * interval and shutil.which("sacct"):
        status_command = "sacct"
    forgets = f"squeue lists a finished job for only {age} s here (MinJobAge), and the plugin may pause for 180 s"
    if not accounting and age < _LONGEST_PAUSE:
        raise UserError(f"{forgets}; and there is no accounting: ask the cluster's administrators for MinJobAge=300")
    if not accounting and status_command == "sacct":
        raise UserError(
            "this cluster has no accounting, so sacct never lists the end of a job: in "
            f"{PROFILE} set slurm-status-command to squeue and slurm-init-seconds-before-status-checks to at most "
            f"{age // 3} (a third of the cluster's MinJobAge)"
        )
    if status_command == "squeue" and age < _LONGEST_PAUSE:
        raise UserError(f"{forgets}; set slurm-status-command to sacct in {PROFILE}")


def _query(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"Slurm does not answer on this machine: {error}") from None


def _list_names(command: list[str]) -> str:
    answer = _query(command)
    return ", ".join(sorted(set(answer.stdout.split()))) if answer.returncode == 0 and answer.stdout else "unknown"


def cancel_submitted(workflow: Workflow) -> None:
    """Cancel all jobs that this start of Snakemake submitted.

    After Ctrl-C, the plugin cancels the submitted jobs, but then submits the jobs that were waiting for sbatch.
    """
    if workflow.executor_plugin.name == "slurm":
        # The jobs of this start, and no others, have its run_uuid as their name.
        subprocess.run(["scancel", "--name", workflow.scheduler._executor.run_uuid], timeout=60)
