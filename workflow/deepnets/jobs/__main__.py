"""Starts the program of a rule: python -m workflow.deepnets.jobs PROGRAM --spec JSON --code ENTRY@FINGERPRINT …

A program is a module of this room with a `main`. This takes a `Job`, then files by name: one `Path`, or a list of them.
Rules start it with -E and -s, so that neither Python's own variables (PYTHONPATH, PYTHONSAFEPATH, PYTHONOPTIMIZE) nor
packages in the user's home change what runs, and with -X utf8, so that no locale does.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from workflow.deepnets.code.fingerprint_cache import verify
from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.errors import exit_plainly
from workflow.deepnets.jobs.cost import print_cost
from workflow.deepnets.records.job import Job, import_function

# By these, numerical libraries take other instructions, another precision or more threads, and so round otherwise.
_STEERING = re.compile(
    "(ATEN|CUBLAS|CUDNN|DNNL|GOTO|MKL|NPY|NVIDIA_TF32|ONEDNN|OPENBLAS|PYTORCH_TUNABLEOP|TORCH|VECLIB)_"
)
# Sums depend on how they are split.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> None:
    """Run the program that the first argument names, on one thread, from the sources that its job was planned with."""
    _set_environment()
    chooser = argparse.ArgumentParser(prog=f"python -m {PACKAGE}.jobs", description="Run the program of a rule.")
    chooser.add_argument("program", choices=Package().programs)
    name = chooser.parse_args(sys.argv[1:2]).program
    program = import_function(f"{PACKAGE}.jobs.{name}:main")
    # `main` takes the job first, and returns nothing.
    _, *files, _ = program.__annotations__.items()
    arguments = vars(_parser(name, dict(files)).parse_args(sys.argv[2:]))
    spec, code = arguments.pop("spec"), arguments.pop("code")
    program(Job(spec, code, verify(name, code)), **arguments)


def _set_environment() -> None:
    """Take from the user's variables what would change a result, before programs import the libraries that read them.

    What acts before the first line of any program (GLIBC_TUNABLES, LD_PRELOAD) is out of its reach.
    """
    for name in filter(_STEERING.match, list(os.environ)):
        del os.environ[name]
    # Jupyter's backend is not installed here, and a user's matplotlibrc is no input.
    os.environ.update(dict.fromkeys(_THREADS, "1"), MPLBACKEND="agg", MATPLOTLIBRC=os.devnull)


def run_to_end(main: Callable[[], None]) -> None:
    """Run a function as a whole process: print its cost at the end, or a plain message where the user is at fault."""
    exit_plainly(main)
    print_cost()
    sys.stdout.flush()
    sys.stderr.flush()
    # All is written: taking torch or matplotlib apart, module by module, would cost a job a third of its start again.
    os._exit(0)


def _parser(name: str, files: dict[str, type]) -> argparse.ArgumentParser:
    """Return the options of a program: what every job is given, and its files, the arguments of its `main`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PACKAGE}.jobs {name}",
        description=Package().docstring(f"{PACKAGE}.jobs.{name}:main"),
        # @FILE is replaced by the file's content: no command line can hold the longest specs.
        fromfile_prefix_chars="@",
    )
    parser.add_argument("--spec", required=True, help="JSON: what the result depends on besides code and inputs")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT: the function behind the job, and its code")
    for file, kind in files.items():
        if kind == list[Path]:
            parser.add_argument(f"--{file}", type=Path, nargs="*", default=[])
        else:
            parser.add_argument(f"--{file}", type=Path, required=True)
    return parser


if __name__ == "__main__":
    run_to_end(main)
