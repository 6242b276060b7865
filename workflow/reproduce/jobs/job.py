"""The argument that every program gets besides the paths of its files."""

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reproduce.code.footprint import taken
from reproduce.errors import UserError
from reproduce.records.files import digests_of, sha256_of
from reproduce.records.packages import versions
from reproduce.records.record import Record, write_record


@dataclass(frozen=True)
class Job:
    """The spec of a job as canonical JSON, and the function that it calls.

    record: the path of its record
    opened: what the function read in this repository → its digest then, as in `records/files.py`
    """

    spec_text: str
    entry: str
    record: Path
    opened: dict[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> dict:
        """The parsed spec; of a run, its axes and settings."""
        return json.loads(self.spec_text)

    def write_record(self, outputs: Mapping[Path, Path], inputs: Mapping[str, str], reduced: str = "") -> None:
        """Write the record of the job's results, with the code that ran so far.

        A record is written before its results are: if the job is killed between the two, it is of other bytes than the
        old results, and these are made again.

        outputs: result → the file with its bytes, which is renamed to it afterwards
        inputs: name of each input → digest
        Raises UserError if a file that the job opened has changed since.
        """
        if changed := [name for name, digest in digests_of(self.opened).items() if digest != self.opened[name]]:
            raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")
        fingerprint, footprint, packages = taken()
        digests = {path.name: sha256_of(file) for path, file in outputs.items()}
        made_from = {"inputs": {**inputs}, "files": self.opened, "packages": versions(packages), "reduced": reduced}
        code = f"{self.entry}@{fingerprint}"
        write_record(self.record, Record(self.spec_text, code, footprint, **made_from, outputs=digests))


def import_function(entry: str) -> Callable:
    """Import the function "module:name"."""
    module, _, name = entry.partition(":")
    return getattr(importlib.import_module(module), name)
