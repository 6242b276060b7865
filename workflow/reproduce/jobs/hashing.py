"""Give sets of texts the same order in every job: by default, Python hashes texts with a random number per process."""

import os
import sys


def restart_without_random_hashes() -> None:
    """Start this program again with fixed hashes, unless it has them.

    Python reads the seed of hashes from its environment, which the option -I of the rules ignores.
    """
    if sys.flags.hash_randomization:
        kept = {name: value for name, value in os.environ.items() if not _is_ignored(name)}
        # Besides ignoring Python's variables, -I means -s and -P.
        words = [option for word in sys.orig_argv[1:] for option in (("-s", "-P") if word == "-I" else (word,))]
        os.execve(sys.executable, [sys.executable, *words], {**kept, "PYTHONHASHSEED": "0"})


def _is_ignored(variable: str) -> bool:
    return variable.startswith("PYTHON") and bool(sys.flags.ignore_environment)
