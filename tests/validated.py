"""Validate a folder as RO-Crate, without a network."""

import io
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from urllib3 import HTTPResponse

# The only file that the validator downloads; the package rocrate contains it.
CONTEXT = "https://w3id.org/ro/crate/1.1/context"


class _Shipped(HTTPAdapter):
    """Adapter that answers every request with this file."""

    def send(self, request, **_):
        content = resources.files("rocrate").joinpath("data/ro-crate.jsonld").read_bytes()
        assert json.loads(content)["@id"] == CONTEXT
        headers = {"Content-Type": "application/ld+json"}
        body = HTTPResponse(io.BytesIO(content), headers, 200, preload_content=False, request_url=CONTEXT)
        return self.build_response(request, body)


def issues_of(crate: Path, severity: str, scratch: Path) -> list[dict]:
    """Return the issues that the validator finds for Process Run Crate 0.5; check that it skipped no check.

    severity: required, or recommended, which includes required; scratch: an empty folder.
    """
    with CachedSession(str(scratch / "cache"), backend="sqlite", expire_after=-1) as session:
        session.mount("https://", _Shipped())
        session.get(CONTEXT)
    report = scratch / "report.json"
    options = ["--profile-identifier", "process-run-crate-0.5", "--requirement-severity", severity, "--no-paging"]
    cache = ["--offline", "--cache-path", str(scratch / "cache")]
    output = ["--output-format", "json", "--output-file", str(report)]
    program = [str(Path(sys.executable).parent / "rocrate-validator"), "-y", "validate"]
    command = [*program, str(crate), *options, *cache, *output]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert report.exists(), done.stdout + done.stderr
    told = json.loads(report.read_text())
    # The validator skips checks whose files it cannot download, and reports this only here.
    assert told["skipped_checks"] == 0, told["skipped_check_details"]
    assert told["passed"] == (not told["issues"])
    assert done.returncode == (0 if told["passed"] else 1)
    return told["issues"]
