import os
import shlex
import subprocess
import sys
from contextlib import chdir

import pytest
from test_staleness import plan_of

from reproduce.records.command import command_line
from reproduce.records.paths import RUNS
from reproduce.records.record import record_of

# The beginning of the paths of each program's results.
PROGRAMS = {
    **{"data": "results/data/", "train": RUNS, "aggregate": "results/tables/mnist_dynamics"},
    **{"judge": "results/claims/000", "draw": "results/figures/001", "interact": "results/interactive/001"},
}
# Python reads and writes texts in ASCII, unless a program says otherwise.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0"}


@pytest.fixture
def surroundings(tmp_path):
    """Environment variables as a user may have set them, and what they name."""
    # Python runs this file at every start if it finds it.
    stop = "import sys\nif 'workflow/launch.py' in sys.orig_argv: sys.exit('runs before the job')\n"
    (tmp_path / "sitecustomize.py").write_text(stop)
    (tmp_path / "matplotlibrc").write_bytes(b"lines.linewidth: 9\n# Gr\xfcn\n")
    return {
        **ASCII,
        **{"PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1", "PYTHONOPTIMIZE": "2"},
        **{"OPENBLAS_CORETYPE": "Prescott", "ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"},
        # Jupyter sets this one.
        **{
            "TZ": "Asia/Tokyo",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
        },
        **{"HOME": str(tmp_path), "MPLCONFIGDIR": str(tmp_path / "matplotlib"), "OMP_NUM_THREADS": "2"},
    }


@pytest.mark.slow
def test_a_job_writes_the_same_bytes_in_other_surroundings_and_by_hand(finished, surroundings, tmp_path):
    plan = plan_of(finished)
    with chdir(finished.folder):
        results = dict(plan.results)

    def start(launcher, path, **environment):
        result = results[path]
        # One job writes all files of a figure.
        made = [each for each in results if results[each] is result] if "figures" in path else [path]
        (program,) = (program for program, place in PROGRAMS.items() if path.startswith(place))
        read = {name: paths for name, paths in result.inputs.items() if name in ("style", "statements")}
        option = {"train": "data", "data": "data", "aggregate": "runs"}.get(program, "tables")
        read[option] = [each for name, paths in result.inputs.items() if name not in read for each in paths]
        read |= {"output": [str(tmp_path / each) for each in made], "record": [record_of(tmp_path / made[0])]}
        command = command_line(launcher, program, result.spec, result.entry, read)
        # By hand, without the options that protect a job.
        command = (
            command if launcher == ["workflow/launch.py"] else command.replace("python -s -P -X utf8", "python", 1)
        )
        done = finished.run(*shlex.split(command), **environment)
        assert done.returncode == 0, done.stderr
        for each in (*made, record_of(made[0])):
            assert (tmp_path / each).read_bytes() == (finished.folder / each).read_bytes(), each

    # Two more runs: with matrices, and with torch.
    runs = [f"{RUNS}/experiment={each}/" for each in ("mnist_dynamics", "propagation")]
    for place in (*PROGRAMS.values(), *runs):
        path = next(path for path in results if path.startswith(place))
        start(["workflow/launch.py"], path, **surroundings)
        if place not in runs:
            start(["-m", "reproduce.jobs"], path, **ASCII)


def test_characters_that_a_locale_lacks_are_printed_as_escapes():
    program = "from reproduce.errors import exit_plainly; exit_plainly(lambda: print('\\u0394'))"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **ASCII}, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"\\u0394\n")


def test_a_spec_is_ascii(config, planned):
    config["data"]["mnist"]["directory"] = "/data/Größe"
    assert planned(config).results["results/data/mnist.npz"].spec.isascii()
