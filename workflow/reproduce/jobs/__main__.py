"""Start the program of a rule: python -m reproduce.jobs PROGRAM --spec JSON --entry MODULE:NAME …

A program is a module of this room with a function `main`. `main` takes a `Job` and named files, each a
`Path` or a list of `Path`s. The rules start Python so that neither packages in the user's home (-s) nor modules in
the working folder (-P) change a result. The option -X utf8 makes results independent of the locale.
"""

import argparse
import gc
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS
from reproduce.errors import exit_plainly
from reproduce.jobs.job import Job, import_function

# These variables change the instructions, precision or threads of numerical libraries, and thus the rounding.
_STEERING = re.compile(
    "(ATEN|CUBLAS|CUDNN|DNNL|GOTO|MKL|NPY|NVIDIA_TF32|ONEDNN|OPENBLAS|PYTORCH_TUNABLEOP|TORCH|VECLIB)_"
)
# The rounding of a sum depends on how threads split it.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> None:
    """Run the program that the first argument names, on one thread."""
    _set_environment()
    chooser = argparse.ArgumentParser(prog=f"python -m {MECHANICS}.jobs", description="Run the program of a rule.")
    chooser.add_argument("program", help="a module of this room, such as train")
    name = chooser.parse_args(sys.argv[1:2]).program
    gc.disable()
    program = import_function(f"{MECHANICS}.jobs.{name}:main")
    gc.freeze()
    gc.enable()
    # `main` takes the job first, and returns nothing.
    _, *files, _ = program.__annotations__.items()
    arguments = vars(_parser(name, dict(files)).parse_args(sys.argv[2:]))
    job = Job(arguments.pop("spec"), arguments.pop("entry"), arguments.pop("record"))
    program(job, **arguments)


def _set_environment() -> None:
    """Set or delete environment variables that would change a result, before programs import numerical libraries.

    This function cannot undo variables that act before a program starts (GLIBC_TUNABLES, LD_PRELOAD).
    """
    for name in filter(_STEERING.match, list(os.environ)):
        del os.environ[name]
    # MPLBACKEND may name Jupyter's backend, which is not installed; a user's matplotlibrc must not change a figure.
    os.environ.update(dict.fromkeys(_THREADS, "1"), MPLBACKEND="agg", MATPLOTLIBRC=os.devnull, TZ="UTC")
    time.tzset()


def _parser(name: str, files: dict[str, type]) -> argparse.ArgumentParser:
    """Return the parser of a program's options; the files are the arguments of its `main`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {MECHANICS}.jobs {name}",
        description=Package().docstring(f"{MECHANICS}.jobs.{name}:main"),
        # argparse replaces @FILE by the file's content: the longest specs do not fit on a command line.
        fromfile_prefix_chars="@",
    )
    parser.add_argument("--spec", required=True, help="JSON: what the result depends on besides code and inputs")
    parser.add_argument("--entry", required=True, help="MODULE:NAME: the function that the job calls")
    parser.add_argument("--record", type=Path, required=True, help="the path of the record of the results")
    for file, kind in files.items():
        several: dict[str, Any] = {"nargs": "*", "default": []}
        parser.add_argument(f"--{file}", type=Path, **(several if kind == list[Path] else {"required": True}))
    return parser


if __name__ == "__main__":
    exit_plainly(main)
    sys.stdout.flush()
    sys.stderr.flush()
    # All output is written. A normal exit of torch or matplotlib would take another third of a job's start.
    os._exit(0)
