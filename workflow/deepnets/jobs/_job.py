"""What every program of the workflow is given besides its files."""

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
        """What the text says: for a point, its axes and settings."""
        return json.loads(self.spec_text)

    @property
    def function(self) -> Callable:
        """The function that the code names: what the job is there to run."""
        return function_of(self.code.partition("@")[0])

    def provenance(self, inputs: Mapping[str, str], mnist: str = "") -> Provenance:
        """Return the origin of the job's result.

        inputs: name of each file read → SHA-256; mnist: full, subset or "".
        """
        return Provenance(self.spec_text, self.code, dict(inputs), mnist, self.packages)


def function_of(entry: str) -> Callable:
    """Return the function "module:name"."""
    module, _, name = entry.partition(":")
    # What is imported stays to the end: to search it for what can be freed would cost a tenth of a job's start.
    gc.disable()
    # In this module alone a text becomes code: it is the text that the fingerprint was taken of.
    function = getattr(importlib.import_module(module), name)
    gc.freeze()
    gc.enable()
    return function
