"""The cost of a job in processor time and memory. A job prints its cost into its log; results contain no times."""

import json
import platform
import re
import resource
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_MARK = "cost: "
_STATUS, _PROCESSORS = Path("/proc/self/status"), Path("/proc/cpuinfo")


@contextmanager
def mathematics() -> Generator[None]:
    """Count the processor time of the `with` block as mathematics; the rest of a job starts, reads and writes."""
    start = time.process_time()
    yield
    _print(mathematics_s=time.process_time() - start)


def print_cost() -> None:
    """Print the cost of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _print(cpu_s=usage.ru_utime + usage.ru_stime, peak_memory_mb=_peak_memory(usage) / 1e6, processor=_processor())


def costs_in(log: str) -> dict[str, float | str]:
    """Return the costs in a log, or {}: cpu_s and mathematics_s (seconds), peak_memory_mb, processor."""
    costs = {}
    for line in log.splitlines():
        if line.startswith(_MARK):
            costs |= json.loads(line.removeprefix(_MARK))
    return costs


def _print(**costs: float | str) -> None:
    print(_MARK + _as_text(costs), file=sys.stderr)


# The fingerprint does not follow `_print`, so that an edit makes no result stale.
def _as_text(costs: dict[str, float | str]) -> str:
    rounded = {name: round(cost, 4) if isinstance(cost, float) else cost for name, cost in costs.items()}
    return json.dumps(rounded)


def _peak_memory(usage: resource.struct_rusage) -> float:
    """Return the peak memory of this process, in bytes.

    On Linux, getrusage also counts the memory of the parent process before exec, so use VmHWM.
    """
    if _STATUS.exists() and (peak := re.search(r"VmHWM:\s*(\d+) kB", _STATUS.read_text(encoding="utf-8"))):
        return 1024 * float(peak[1])
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _processor() -> str:
    text = _PROCESSORS.read_text(encoding="utf-8") if _PROCESSORS.exists() else ""
    models = re.findall(r"model name\s*: (.*)", text)
    return models[0] if models else platform.processor() or platform.machine()
