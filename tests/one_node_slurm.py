"""A real Slurm with one node on this machine's loopback.

Everything is in a temporary folder and ends with the test. It neither reads nor changes the configuration of an
installed Slurm, and needs no privileges.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from conftest import HANGS

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
# Jobs at a time, independent of the number of cores, so that jobs that wait or stall do not block others.
SLOTS = 3
_PATIENCE = 20
# The daemons are in folders that are not on the path of ordinary users.
_PATH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
# munge authenticates users; without it, any user of this machine could run jobs in our name.
_CONFIGURATION = """\
ClusterName=onenode
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# The memory that a job asked for is a limit, also where there are no control groups.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
# What a partition does not take is turned away at once, as where accounts are kept.
EnforcePartLimits=ALL
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=3600
KillWait=2
StateSaveLocation={folder}/controller
SlurmdSpoolDir={folder}/node
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName=localhost NodeAddr=127.0.0.1 CPUs={slots} RealMemory=16000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
# Its jobs take the place of those in the other partition.
PartitionName=urgent Nodes=localhost PriorityTier=2 MaxTime=INFINITE State=UP
"""


class UnavailableError(Exception):
    """Slurm cannot run on this machine; the message says why."""


class Cluster:
    """A running cluster. environment: variables with which programs use it."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def ask(self, *command: str) -> str:
        """Return the output of one of Slurm's programs."""
        variables = {**os.environ, **self.environment}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=HANGS)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def jobs(self) -> list[dict[str, str]]:
        """Return all jobs, including ended ones, oldest first: id, state, memory, time limit (m:ss), comment."""
        rows = self.ask("squeue", "--states=all", "--noheader", "--sort=i", "--format=%i|%T|%m|%l|%k").splitlines()
        return [dict(zip(("id", "state", "memory", "time", "comment"), row.split("|"), strict=True)) for row in rows]

    def active(self, *states: str) -> list[dict[str, str]]:
        """Return the jobs in one of the states, by default all that have not ended."""
        return [job for job in self.jobs() if job["state"] in (states or ("PENDING", "RUNNING", "COMPLETING"))]

    def cancel(self) -> None:
        self.ask("scancel", f"--user={psutil.Process().username()}")

    def drain(self) -> None:
        """Let running jobs end, and start no further ones."""
        self.ask("scontrol", "update", "NodeName=localhost", "State=DRAIN", "Reason=test")

    def resume(self) -> None:
        self.ask("scontrol", "update", "NodeName=localhost", "State=RESUME")

    def is_idle(self) -> bool:
        """Return whether the node is up and runs no job."""
        with suppress(AssertionError, subprocess.TimeoutExpired):
            return self.ask("sinfo", "--noheader", "--format=%t").strip() == "idle"
        return False

    def partition(self, *settings: str) -> None:
        self.ask("scontrol", "update", "PartitionName=main", *settings)


@contextmanager
def one_node() -> Iterator[Cluster]:
    """Start Slurm and stop it at the end; raise UnavailableError if that is not possible."""
    if missing := [program for program in PROGRAMS if shutil.which(program, path=_PATH) is None]:
        raise UnavailableError(f"no {', '.join(missing)} here (Debian: slurm-wlm)")
    # Paths of sockets may have at most 107 characters, so pytest's folders are too long.
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    try:
        cluster = _start(folder)
        yield cluster
        cluster.cancel()
        _wait(lambda: not cluster.active())
    finally:
        for name in ("slurmctld", "slurmd", "munge"):
            with suppress(OSError, ValueError, psutil.NoSuchProcess):
                daemon = psutil.Process(int((folder / f"{name}.pid").read_text()))
                daemon.kill()
                daemon.wait(_PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path) -> Cluster:
    for name in ("controller", "node"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))
    names = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    _run(folder, "munged", *(f"--{option}={folder}/munge.{name}" for option, name in names.items()))
    configuration = folder / "slurm.conf"
    with socket.socket() as one, socket.socket() as two:
        for each in (one, two):
            each.bind(("127.0.0.1", 0))
        ports = {"controller": one.getsockname()[1], "node": two.getsockname()[1]}
    user = psutil.Process().username()
    configuration.write_text(_CONFIGURATION.format(folder=folder, **ports, user=user, slots=SLOTS))
    cluster = Cluster({"SLURM_CONF": str(configuration)})
    _run(folder, "slurmctld", "-f", configuration)
    for _ in range(2):
        _run(folder, "slurmd", "-N", "localhost", "-f", configuration)
        if _wait(cluster.is_idle):
            return cluster
        # Without control groups, Slurm 24 starts with this file only, and Slurm 22 only without it.
        (folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
    logs = "".join(path.read_text(errors="replace") for path in folder.glob("*.log"))
    raise UnavailableError(f"Slurm's node does not come up: {logs[-1000:]}")


def _run(folder: Path, program: str, *arguments: object) -> None:
    command = [shutil.which(program, path=_PATH), *map(str, arguments)]
    # A file instead of a pipe: a daemon keeps its standard streams open, so a pipe would never end.
    with (folder / f"{program}.words.log").open("w") as words:
        subprocess.run(command, stdout=words, stderr=words, timeout=_PATIENCE)


def _wait(found: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + _PATIENCE / 2
    while not (answer := found()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return answer
