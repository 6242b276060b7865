"""What the launcher gives every program besides its files."""

import gc
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workflow.deepnets.records.provenance import Provenance


@dataclass(frozen=True)
class Job:
    """The spec as canonical JSON, the code as `ENTRY@FINGERPRINT`, and the packages that the code reaches, by name."""

    spec_text: str
    code: str
    packages: tuple[str, ...] = ()

    @property
    def spec(self) -> dict:
        """The parsed spec: for a run, its axes and settings."""
        return json.loads(self.spec_text)

    @property
    def function(self) -> Callable:
        """The function that the code names."""
        return function_of(self.code.partition("@")[0])

    def provenance(self, inputs: Mapping[str, str], mnist: str = "") -> Provenance:
        """Return the origin of the job's result.

        inputs: name of each file read → SHA-256; mnist: full, subset or "".
        """
        return Provenance(self.spec_text, self.code, dict(inputs), mnist, self.packages)


def function_of(entry: str) -> Callable:
    """Return the function "module:name"."""
    module, _, name = entry.partition(":")
    # Modules stay until the process ends: to search them for garbage would take a tenth of a job's start.
    gc.disable()
    # The only place that imports a function by name. The name is the entry point that was fingerprinted.
    function = getattr(importlib.import_module(module), name)
    gc.freeze()
    gc.enable()
    return function
