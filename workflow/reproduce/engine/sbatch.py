"""Submit one of Snakemake's jobscripts to Slurm: python sbatch.py JOBSCRIPT. It prints the id of Slurm's job.

Snakemake starts this file for each job, so it imports only the standard library.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

# Slurm's messages about a job, of which status.sh reads the last line.
LOGS = "results/logs/slurm"
# Minutes that a bundle requests to load Python from a slow file system, beside those of its jobs (engine/jobs.py).
_START = 4
# Seconds for which to try again if Slurm's controller is away.
PATIENCE = 300


def sbatch_options(resources: dict) -> tuple[str, ...]:
    """Return the options of sbatch for a job with these resources."""
    named = {"-p": "slurm_partition", "-A": "slurm_account", "-t": "runtime", "--mem": "mem_mb"}
    named |= {f"--{name}": name for name in ("qos", "constraint")}
    options = [word for option, name in named.items() if resources.get(name) for word in (option, str(resources[name]))]
    return (*options, *([f"--gpus={resources['gpu']}"] if resources.get("gpu") else []))


def job_name(folder: str) -> str:
    """Return the name of all Slurm jobs of a start of Snakemake, whose temporary folder no other start has."""
    return f"snakemake_{Path(folder).name}"


def main(jobscript: Path) -> int:
    """Submit a jobscript, and print the id of Slurm's job. Return the exit status of sbatch."""
    head, properties, script = jobscript.read_text(encoding="utf-8").split("\n", 2)
    job = json.loads(properties.removeprefix("# properties = "))
    if "groupid" in job and "runtime" in job["resources"]:
        job["resources"]["runtime"] += _START
    words = [job.get("groupid") or job["rule"], *job.get("wildcards", {}).values(), job["jobid"]]
    command = [
        *("sbatch", "--parsable", "--ntasks=1", f"--cpus-per-task={job['threads']}", f"--output={LOGS}/%j.log"),
        *("--requeue", f"--job-name={job_name(str(jobscript.parent))}", f"--comment={' '.join(map(str, words))}"),
        *sbatch_options(job["resources"]),
    ]
    # status.sh reads the last line: Slurm forgets ended jobs after some minutes. A killed job does not write it.
    script = f'{head}\n(\n{script}\n)\nstatus=$?\necho "exit status $status"\nexit $status\n'
    Path(LOGS).mkdir(parents=True, exist_ok=True)
    start = time.time()
    while True:
        done = subprocess.run(command, input=script, capture_output=True, text=True)
        print(done.stderr, end="", file=sys.stderr)
        if "Unable to contact" not in done.stderr or time.time() > start + PATIENCE:
            break
        time.sleep(5)
    print(done.stdout, end="")
    log = Path(LOGS, f"{done.stdout.strip()}.log")
    # A reinstalled Slurm counts its jobs from 1 again.
    if log.is_file() and log.stat().st_mtime < start:
        log.unlink()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
