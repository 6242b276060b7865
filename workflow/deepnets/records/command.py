"""The command line of a job. The fingerprint of every job covers it, so an option added here reruns all jobs."""

import shlex
from collections.abc import Mapping, Sequence

# workflow/deepnets/jobs/__main__.py explains Python's own options.
_LAUNCHER = ("python", "-E", "-s", "-X", "utf8", "-m", "workflow.deepnets.jobs")


def command_line(program: str, spec: str, code: str, files: Mapping[str, Sequence[str]]) -> str:
    """Return the command that starts a program, for a shell.

    program: a module of workflow/deepnets/jobs; spec: the spec, or @FILE; code: ENTRY@FINGERPRINT;
    files: paths by the names of the program's options, which are left out where there are no paths.
    """
    options = [word for name, paths in files.items() if paths for word in (f"--{name}", *paths)]
    return shlex.join([*_LAUNCHER, program, "--spec", spec, "--code", code, *options])
