"""The net under the refusals: two fresh processes, whose sets differ in order, write the same bytes."""

import shlex
from contextlib import chdir
from pathlib import Path

import pytest

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config import files
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.records.command import command_line
from workflow.deepnets.records.paths import RUNS, STYLE

pytestmark = pytest.mark.slow
# What begins the paths of the results of a program.
PROGRAMS = {
    "train": RUNS,
    "judge": "results/claims/000",
    "draw": "results/figures/000",
    "interact": "results/interactive/000",
}


def command_of(path, result, outputs):
    """The command of the job that makes a result, with other outputs."""
    (program,) = (program for program, place in PROGRAMS.items() if path.startswith(place))
    read = [each for paths in result.inputs.values() for each in paths if each != STYLE]
    inputs = {"data" if program == "train" else "tables": read, "style": [STYLE] if program == "draw" else []}
    return command_line(program, result.spec, result.code, {**inputs, "output": outputs})


def test_a_job_writes_the_same_bytes_whatever_the_order_of_sets(finished, tmp_path):
    with chdir(finished.folder):
        plan = Plan(files.read(list(map(Path, finished.configfiles))), package=Package(finished.folder))
        results = dict(plan.results)
    places = [f"{RUNS}/experiment={experiment}/" for experiment in plan.experiments]
    chosen = [next(path for path in results if path.startswith(place)) for place in [*places, *PROGRAMS.values()]]
    assert len(set(chosen)) == len(plan.experiments) + 3
    for path in dict.fromkeys(chosen):
        written = []
        for seed in ("1", "2"):
            # All files of a figure come from one job.
            made = [each for each in results if results[each] is results[path]] if "figures" in path else [path]
            outputs = [tmp_path / seed / each for each in made]
            words = shlex.split(command_of(path, results[path], list(map(str, outputs))))
            # With -E, as rules start a job, each process takes a seed of its own.
            done = finished.run(*(word for word in words if word != "-E"), PYTHONHASHSEED=seed)
            assert done.returncode == 0, done.stderr
            written.append([output.read_bytes() for output in outputs])
        assert written[0] == written[1] == [(finished.folder / each).read_bytes() for each in made], path
