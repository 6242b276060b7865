"""How a spec reaches its program: on the command line or, where none holds it, in a file."""

import hashlib
from pathlib import Path

from workflow.deepnets.config.paths import SPECS
from workflow.deepnets.records.atomic import replacing

# Linux takes 128 KiB as one argument, and Snakemake makes one of the whole command.
_LONGEST = 120_000


def argument_for(spec: str) -> str:
    """Return what stands for a spec on the command line of its job: the spec itself, or @FILE with the spec in it.

    The file is named after what it says: a plan of another config leaves it as it is. Raises UserError where it cannot
    be written.
    """
    if len(spec) <= _LONGEST:
        return spec
    path = Path(SPECS, f"{hashlib.sha256(spec.encode()).hexdigest()}.json")
    if not path.exists():
        with replacing(path) as unfinished:
            unfinished.write_text(spec, encoding="utf-8")
    return f"@{path}"
