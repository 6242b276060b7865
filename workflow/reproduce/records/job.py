"""The argument that every program gets besides the paths of its files."""

import gc
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reproduce.records.provenance import Provenance


@dataclass(frozen=True)
class Job:
    """The spec of a job as canonical JSON, its code as `ENTRY@FINGERPRINT`, and the packages that the code reaches."""

    spec_text: str
    code: str
    packages: tuple[str, ...] = ()

    @property
    def spec(self) -> dict:
        """The parsed spec; of a run, its axes and settings."""
        return json.loads(self.spec_text)

    def provenance(self, inputs: Mapping[str, str], reduced: str = "") -> Provenance:
        """Return the provenance of the job's result.

        inputs: name of each input → digest
        reduced: as in `Provenance`
        """
        return Provenance(self.spec_text, self.code, dict(inputs), reduced, self.packages)


def import_function(entry: str) -> Callable:
    """Import the function "module:name"."""
    module, _, name = entry.partition(":")
    # Modules are never freed, and searching them for garbage would take a tenth of a job's start.
    gc.disable()
    # The only place that imports a function by name. The name is the entry point that was fingerprinted.
    function = getattr(importlib.import_module(module), name)
    gc.freeze()
    gc.enable()
    return function
