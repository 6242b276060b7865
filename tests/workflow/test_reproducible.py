"""A job that is started again writes the same bytes."""

import shlex
from contextlib import chdir
from pathlib import Path

import pytest

from deepnets.code.modules import Package
from deepnets.config import files
from deepnets.config.plan import Plan
from deepnets.records.command import command_line
from deepnets.records.paths import RUNS

pytestmark = pytest.mark.slow
# The beginning of the paths of each program's results.
PROGRAMS = {
    "train": RUNS,
    "judge": "results/claims/000",
    "draw": "results/figures/000",
    "interact": "results/interactive/001",
}


def build_command(path, result, outputs):
    """Return the command of the job that makes a result, with other output paths."""
    (program,) = (program for program, place in PROGRAMS.items() if path.startswith(place))
    files = {name: paths for name, paths in result.inputs.items() if name in ("style", "statements")}
    read = [each for name, paths in result.inputs.items() if name not in files for each in paths]
    files |= {"data" if program == "train" else "tables": read, "output": outputs}
    return command_line(["workflow/launch.py"], program, result.spec, result.code, files)


def test_a_second_process_writes_the_same_bytes(finished, tmp_path):
    with chdir(finished.folder):
        plan = Plan(files.read(list(map(Path, finished.configfiles))), package=Package(finished.folder / "workflow"))
        results = dict(plan.results)
    places = [f"{RUNS}/experiment={experiment}/" for experiment in plan.experiments]
    chosen = [next(path for path in results if path.startswith(place)) for place in [*places, *PROGRAMS.values()]]
    assert len(set(chosen)) == len(plan.experiments) + 3
    for path in dict.fromkeys(chosen):
        # One job writes all files of a figure.
        made = [each for each in results if results[each] is results[path]] if "figures" in path else [path]
        outputs = [tmp_path / each for each in made]
        done = finished.run(*shlex.split(build_command(path, results[path], list(map(str, outputs)))))
        assert done.returncode == 0, done.stderr
        assert [each.read_bytes() for each in outputs] == [(finished.folder / each).read_bytes() for each in made], path
