"""The command line of a job. It is in every fingerprint: an option added here reruns all jobs."""

import shlex
from collections.abc import Mapping, Sequence

# workflow/deepnets/jobs/__main__.py explains the options of Python itself.
_LAUNCHER = ("python", "-E", "-s", "-X", "utf8", "-m", "workflow.deepnets.jobs")


def command_line(program: str, spec: str, code: str, files: Mapping[str, Sequence[str]]) -> str:
    """Return the shell command that starts a program.

    program: a module of workflow/deepnets/jobs
    spec: the spec, or @FILE
    code: ENTRY@FINGERPRINT
    files: option of the program → paths; an option without paths is left out
    """
    options = [word for name, paths in files.items() if paths for word in (f"--{name}", *paths)]
    return shlex.join([*_LAUNCHER, program, "--spec", spec, "--code", code, *options])
