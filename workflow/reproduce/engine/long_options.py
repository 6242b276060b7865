"""Pass the words of an option (a spec, or paths) to a program: on the command line, or in a file if they are too long.

The file's name is a hash of its content, so plans of several configs never write different texts to one file.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from reproduce.records.files import replacing
from reproduce.records.paths import OPTIONS

# Characters. Linux allows 128 KiB for one argument, and Snakemake passes the whole command, of up to seven options, as
# one.
_LONGEST = 16_000


def shorten(words: Sequence[str]) -> Sequence[str]:
    """Return the words of an option for the command line, or @FILE for a file with one word per line."""
    text = "\n".join(words)
    if len(text) <= _LONGEST:
        return words
    path = Path(OPTIONS, f"{hashlib.sha256(text.encode()).hexdigest()}.txt")
    if not path.exists():
        with replacing(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    return [f"@{path}"]
