"""Program: run a small science before and after edits, each time in a new process, as a job does.

It starts in a folder with `workflow/reproduce`. From stdin it reads a list of [files before, files after]; into
found.json it writes for each both values, whether the result of the first is stale, and its footprint.
Arguments: modules to import once.
"""

import importlib
import json
import os
import shutil
import sys
from pathlib import Path

SCIENCE = Path("workflow/toy")


def write(files):
    for folder in (SCIENCE, "workflow/libs", "libs"):
        shutil.rmtree(folder, ignore_errors=True)
    rooms = ("__init__.py", "experiments/__init__.py", "documents/__init__.py", "experiments/e/__init__.py")
    for path, text in {**dict.fromkeys(rooms, ""), **files}.items():
        (SCIENCE / path).parent.mkdir(parents=True, exist_ok=True)
        (SCIENCE / path).write_text(text, encoding="utf-8")


write({})
from reproduce import RAN, SOURCES  # noqa: E402
from reproduce.code import modules  # noqa: E402
from reproduce.code.footprint import Codes  # noqa: E402
from reproduce.jobs.isolation import isolated  # noqa: E402
from reproduce.jobs.job import Job  # noqa: E402
from reproduce.records.files import digests_of  # noqa: E402
from reproduce.records.record import Record  # noqa: E402


def run():
    """Return the value of the experiment, its footprint and the files that it opened."""
    importlib.invalidate_caches()
    job = Job("{}", "toy.experiments.e.run:run", Path("record.json"))
    try:
        with isolated(job) as function:
            value = repr(function(job.spec))
    except BaseException as error:
        value = f"{type(error).__name__}: {error}"
    names = {module: [] for module in SOURCES if module.startswith("toy")}
    for module, _, name in (key.partition(":") for key in RAN):
        if module in names:
            names[module].append(name)
    return value, names, job.opened


# The mechanics stay the same.
modules.PACKAGES = (modules.SCIENCE,)


def in_another_process(function):
    answer = Path("answer.json")
    if (child := os.fork()) == 0:
        answer.write_text(json.dumps(function()), encoding="utf-8")
        os._exit(0)
    os.waitpid(child, 0)
    return json.loads(answer.read_text(encoding="utf-8"))


def state(footprint, opened):
    """Return what a start compares, with the cache that the starts before it left."""
    package = modules.Package()
    vars(package)["versions"] = {}
    codes = Codes(package)
    found = codes.of("", Record(footprint=footprint)), digests_of(opened)
    codes.save()
    return found


for module in sys.argv[1:]:
    importlib.import_module(module)
found = []
for before, after in json.load(sys.stdin):
    write(before)
    value, footprint, opened = in_another_process(run)
    old = state(footprint, opened)
    assert old[1] == opened
    write(after)
    found.append([value, in_another_process(run)[0], state(footprint, opened) != old, footprint])
    write(before)
    assert state(footprint, opened) == old
Path("found.json").write_text(json.dumps(found), encoding="utf-8")
