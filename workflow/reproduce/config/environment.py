"""Check this machine's packages, cores and GPU against envs/, the results and the config."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.records.packages import versions
from reproduce.records.record import Record


def other_versions(plan: Plan, read_record: Callable[[str], Record | None], command: str, config: str) -> str:
    """Return a warning if results were made with other versions than are installed, otherwise "".

    command: of this start; config: its options that name config files and settings, for the audit.
    """
    read = ((path, result, read_record(path)) for path, result in plan.results.items())
    # Others are made again anyway.
    made = [
        path
        for path, result, record in read
        if record and record.code == plan.codes.of(result.entry, record) and differs(record)
    ]
    if not made:
        return ""
    return (
        f"{len(made)} results were made with other versions of Python or packages than are installed, {made[0]} "
        f"among them. They are kept; to see them: python -m reproduce.tools.audit{config}; to make them again: "
        f"{command} --forcerun $(python -m reproduce.tools.audit --stale environment{config})"
    )


def reduced_data(plan: Plan, read_record: Callable[[str], Record | None], command: str) -> str:
    """Return a warning if a data set is smaller than its sources may give, otherwise "". command: of this start."""
    records = {path: read_record(path) for path, result in plan.results.items() if len(result.recorded_specs) > 1}
    found = [f"{path} holds the {record.reduced}" for path, record in records.items() if record and record.reduced]
    again = f"; all that was made from it is marked. To try its sources again: {command} --forcerun data"
    return ", ".join(found) + again if found else ""


def processors() -> int:
    """Return the number of processors that this process may use: its affinity, and the quota of its container."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Without a quota, the file contains "max".
    with suppress(OSError, ValueError):
        quota, period = map(int, Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split())
        here = min(here, max(1, quota // period))
    return here


def check_gpu(experiments: Iterable[str]) -> None:
    """Raise UserError if torch finds no GPU on this machine. experiments: those of all runs that need one."""
    if asking := min(experiments, default=""):
        # Imported here because importing torch takes a second.
        import torch

        if not torch.cuda.is_available():
            raise UserError(
                f"config: experiments.{asking}.device: cuda, but torch finds no GPU on this machine; allowed here: cpu"
            )


def differs(record: Record) -> bool:
    """Return whether a result was made with other versions of Python or its packages than the installed ones."""
    return record.packages != versions(record.packages.keys() - {"python"})
