"""What every program of the workflow is given besides its files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from workflow.deepnets.records.provenance import Provenance


@dataclass(frozen=True)
class Job:
    """The two params of a rule: the spec as canonical JSON, and `ENTRY@FINGERPRINT`."""

    spec_text: str
    code: str

    @property
    def spec(self) -> dict:
        """What the text says: for a point, its axes and settings."""
        return json.loads(self.spec_text)

    def provenance(self, inputs: Mapping[str, str], mnist: str = "") -> Provenance:
        """Return the origin of the job's result.

        inputs: name of each file read → SHA-256; mnist: full, subset or "".
        """
        return Provenance(self.spec_text, self.code, dict(inputs), mnist)
