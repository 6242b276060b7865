"""What is installed, held against what envs/ pin and against what made the results that are there."""

import json
import os
from collections.abc import Callable, Iterator, Mapping

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.records.provenance import versions

# Returns the stamp of a result, None if there is no file.
StampReader = Callable[[str], Mapping[str, str] | None]


def warnings(plan: Plan, read_stamp: StampReader) -> Iterator[str]:
    """Yield a line for users where packages are not as pinned, and one where results were made with other versions."""
    if differing := differences(plan.package):
        yield f"Other packages are installed than envs/ pin: {', '.join(differing)}. Each result names its versions."
    if made := made_with_other_versions(plan, read_stamp):
        yield (
            f"{len(made)} results were made with other versions of Python or packages than are installed, {made[0]} "
            "among them. They are kept; to see them: python -m workflow.deepnets.tools.audit; to make them again: "
            "snakemake --cores 8 --forcerun $(python -m workflow.deepnets.tools.audit --stale)"
        )


def too_many_cores(cores: int | None) -> str:
    """Return a line for users who ask for more cores than this process may use, "" for all others.

    cores: those for jobs here; None where the number of jobs alone is bounded.
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if cores is None or here is None or cores <= here:
        return ""
    return f"--cores {cores}: this machine gives {here}. More jobs at a time than cores slow each other down."


def differences(package: Package) -> list[str]:
    """Return, for each package that runs need, "NAME INSTALLED (pinned: VERSION)" where the two are not the same.

    What developers' packages alone bring along is none of a user's.
    """
    pins, queue = dict(package.pins), list(package.pins)
    while queue:
        needed = dict(pin.split("==") for pin in package.transitive_pins.get(queue.pop(), ()))
        queue += needed.keys() - pins.keys()
        pins |= needed
    installed = versions(pins)
    # A build tag (+cpu) is no other version.
    differing = {name for name, version in pins.items() if installed[name].partition("+")[0] != version}
    return [f"{name} {installed[name]} (pinned: {pins[name]})" for name in sorted(differing)]


def made_with_other_versions(plan: Plan, read_stamp: StampReader) -> list[str]:
    """Return the results whose stamps name other versions than are installed, of the packages that they depend on."""
    now = {code: versions(packages) for code, packages in plan.packages.items()}
    stamps = {path: read_stamp(path) for path in plan.results}
    return [
        path
        for path, stamp in stamps.items()
        # Of another code, it is to be made again anyway.
        if stamp and stamp["code"] in now and json.loads(stamp["versions"]) != now[stamp["code"]]
    ]
