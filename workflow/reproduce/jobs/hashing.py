"""Give sets of texts the same order in every job: by default, Python hashes texts with a random number per process."""

import os
import sys


def restart_if_steered() -> None:
    """Start this program again without Python's variables, except for fixed hashes, if it has others.

    Rules start Python without PYTHONPATH, on which it would find a sitecustomize.py, and with PYTHONHASHSEED=0, which
    the options -I and -E would ignore (records/command.py). Other variables of Python may change a result too.
    """
    others = [name for name, value in os.environ.items() if name.startswith("PYTHON") and value]
    if set(others) - {"PYTHONHASHSEED"} or sys.flags.hash_randomization:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        # Besides ignoring Python's variables, -I means -s and -P.
        spelled = {"-I": ("-s", "-P"), "-E": ()}
        words = [option for word in sys.orig_argv[1:] for option in spelled.get(word, (word,))]
        os.execve(sys.executable, [sys.executable, *words], {**kept, "PYTHONHASHSEED": "0"})
