"""Check this machine's packages, cores and GPU against envs/, the results and the config."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec

from reproduce.code.modules import Package
from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.records.packages import versions
from reproduce.records.record import Record

# Returns the record of a result, None if there is no file.
RecordReader = Callable[[str], Record | None]


def warnings(plan: Plan, read_record: RecordReader) -> Iterator[str]:
    """Yield one warning if packages differ from the pins, and one if results were made with other versions."""
    if differing := differences(plan.package):
        yield f"Other packages are installed than envs/ pin: {', '.join(differing)}. Each result names its versions."
    if made := made_with_other_versions(plan, read_record):
        yield (
            f"{len(made)} results were made with other versions of Python or packages than are installed, {made[0]} "
            "among them. They are kept; to see them: python -m reproduce.tools.audit; to make them again: "
            "snakemake --cores 8 --forcerun $(python -m reproduce.tools.audit --stale)"
        )


def reduced_data(plan: Plan, read_record: RecordReader) -> str:
    """Return a warning if a data set is smaller than its sources may give, otherwise ""."""
    records = {path: read_record(path) for path, result in plan.results.items() if len(result.recorded_specs) > 1}
    found = [f"{path} holds the {record.reduced}" for path, record in records.items() if record and record.reduced]
    again = "; all that was made from it is marked. To try its sources again: snakemake --cores 8 --forcerun data"
    return ", ".join(found) + again if found else ""


def too_many_cores(cores: int | None) -> str:
    """Return a warning if `--cores` exceeds the cores that this process may use, otherwise "".

    cores: the cores for jobs on this machine; None if only the number of jobs is bounded.
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if cores is None or here is None or cores <= here:
        return ""
    return f"--cores {cores}: this machine gives {here}. More jobs at a time than cores slow each other down."


def check_installed(packages: Iterable[str]) -> None:
    """Raise UserError if one of the packages that the planned jobs import is not installed in this environment."""
    if missing := [name for name, version in versions(packages).items() if version == "not installed"]:
        raise UserError(
            f"the jobs need {', '.join(missing)}, and {sys.prefix} does not contain it; install it with: "
            f"{sys.executable} -m pip install -r envs/requirements.txt"
        )


def check_notebooks() -> None:
    """Raise UserError if a package that only the pages of notebooks need is not installed."""
    if missing := [name for name in ("ipykernel", "jupytext", "nbconvert") if not find_spec(name)]:
        raise UserError(
            f"notebooks: the pages of notebooks need {', '.join(missing)}, and {sys.prefix} does not contain it; "
            f"install it with: {sys.executable} -m pip install -r envs/requirements-notebook.txt"
        )


def check_gpu(experiments: Iterable[str]) -> None:
    """Raise UserError if experiments need a GPU and torch finds none on this machine.

    experiments: the experiments of all runs that need a GPU.
    """
    asking = sorted(set(experiments))
    if not asking:
        return
    # Imported here because importing torch takes a second.
    import torch

    if not torch.cuda.is_available():
        raise UserError(
            f"config: experiments.{asking[0]}.device: cuda, but torch finds no GPU on this machine; allowed here: cpu"
        )


def differences(package: Package) -> list[str]:
    """Return "NAME INSTALLED (pinned: VERSION)" for each package of runs whose two versions differ.

    Packages that only developers need do not count.
    """
    pins = package.versions
    installed = versions(pins)
    # A build tag (+cpu) does not change the version.
    differing = {name for name, version in pins.items() if installed[name].partition("+")[0] != version}
    return [f"{name} {installed[name]} (pinned: {pins[name]})" for name in sorted(differing)]


def made_with_other_versions(plan: Plan, read_record: RecordReader) -> list[str]:
    """Return the results that were made with other versions of their packages than the installed ones."""
    read = ((path, result, read_record(path)) for path, result in plan.results.items())
    # Others are made again anyway.
    return [
        path
        for path, result, record in read
        if record and record.code == plan.codes.of(result.entry, record) and differs(record)
    ]


def differs(record: Record) -> bool:
    """Return whether a result was made with other versions of Python or its packages than the installed ones."""
    return record.packages != versions(record.packages.keys() - {"python"})
