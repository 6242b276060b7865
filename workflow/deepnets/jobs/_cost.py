"""What a job costs in processor time and memory: told in its log alone, since results hold no clock."""

import json
import platform
import re
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MARK = "cost: "
_STATUS, _PROCESSORS = Path("/proc/self/status"), Path("/proc/cpuinfo")


@contextmanager
def mathematics() -> Iterator[None]:
    """Count the block as mathematics: the rest of a job is its start, its reading and its writing."""
    start = time.process_time()
    yield
    _tell(mathematics_s=time.process_time() - start)


def tell_cost() -> None:
    """Tell what this process cost until now."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _tell(
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_memory_mb=_peak_memory(usage) / 1e6,
        processor=_processor(),
    )


def told(log: str) -> dict[str, float | str]:
    """Return what a job told in its log: cpu_s (seconds), mathematics_s, peak_memory_mb, processor; {} if nothing."""
    costs = {}
    for line in log.splitlines():
        if line.startswith(_MARK):
            costs |= json.loads(line.removeprefix(_MARK))
    return costs


def _tell(**costs: float | str) -> None:
    print(_MARK + _spelt(costs), file=sys.stderr)


def _spelt(costs: dict[str, float | str]) -> str:
    rounded = {name: round(cost, 4) if isinstance(cost, float) else cost for name, cost in costs.items()}
    return json.dumps(rounded)


def _peak_memory(usage: resource.struct_rusage) -> float:
    """Return the most memory that this process held, in bytes.

    Linux's getrusage also counts what the process held before it became this program: a copy of its parent.
    """
    if _STATUS.exists() and (peak := re.search(r"VmHWM:\s*(\d+) kB", _STATUS.read_text(encoding="utf-8"))):
        return 1024 * float(peak[1])
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _processor() -> str:
    text = _PROCESSORS.read_text(encoding="utf-8") if _PROCESSORS.exists() else ""
    models = re.findall(r"model name\s*: (.*)", text)
    return models[0] if models else platform.processor() or platform.machine()
