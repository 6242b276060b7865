"""The command line of a job."""

import shlex
from collections.abc import Mapping, Sequence

# jobs/__main__.py explains the options. By default, Python orders sets of texts by a random number per process. With
# PYTHONOPTIMIZE, it would drop docstrings, without which Altair does not start.
_PYTHON = ("env", "PYTHONPATH=", "PYTHONOPTIMIZE=", "PYTHONHASHSEED=0", "python", "-s", "-P", "-X", "utf8")


def command_line(
    launcher: Sequence[str], program: str, spec: str, entry: str, files: Mapping[str, Sequence[str]]
) -> str:
    """Return the shell command that starts a program.

    launcher: what Python starts, such as `-m reproduce.jobs`
    program: a module of workflow/reproduce/jobs
    spec: the spec, or @FILE
    entry: the function that the job calls
    files: option of the program → paths, or @FILE; an option without paths is left out
    """
    options = [word for name, paths in files.items() if paths for word in (f"--{name}", *paths)]
    return shlex.join([*_PYTHON, *launcher, program, "--spec", spec, "--entry", entry, *options])
