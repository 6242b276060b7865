"""The command line of a job: an option with many words (a spec, or paths) is in a file."""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from reproduce.records.files import replacing
from reproduce.records.paths import OPTIONS

# jobs/__main__.py explains the options. By default, Python orders sets of texts by a random number per process. With
# PYTHONOPTIMIZE, it would drop docstrings, without which Altair does not start.
_PYTHON = ("env", "PYTHONPATH=", "PYTHONOPTIMIZE=", "PYTHONHASHSEED=0", "python", "-s", "-P", "-X", "utf8")
# Characters. Linux allows 128 KiB for one argument, and Snakemake passes the whole command, of up to seven options, as
# one.
_LONGEST = 16_000


def command_line(
    launcher: Sequence[str], program: str, spec: str, entry: str, files: Mapping[str, Sequence[str]]
) -> str:
    """Return the shell command that starts a program.

    launcher: what Python starts, such as `-m reproduce.jobs`
    program: a module of workflow/reproduce/jobs
    entry: the function that the job calls
    files: option of the program → paths; an option without paths is left out
    """
    options = [word for name, paths in files.items() if paths for word in (f"--{name}", *shorten(paths))]
    return shlex.join([*_PYTHON, *launcher, program, "--spec", *shorten([spec]), "--entry", entry, *options])


def shorten(words: Sequence[str]) -> Sequence[str]:
    """Return the words of an option for the command line, or @FILE for a file with one word per line.

    The file's name is a hash of its content, so plans of several configs never write different texts to one file.
    """
    text = "\n".join(words)
    if len(text) <= _LONGEST:
        return words
    path = Path(OPTIONS, f"{hashlib.sha256(text.encode()).hexdigest()}.txt")
    if not path.exists():
        with replacing(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    return [f"@{path}"]
