"""JSON files that end with the SHA-256 of their own text, so that any other byte is noticed when they are read."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from reproduce.records.files import replacing

_SEAL = b'"sha256": '


def write_sealed(path: Path | str, content: Mapping[str, object]) -> None:
    """Write a mapping as JSON, one key per line."""
    lines = (f"{json.dumps(name)}: {json.dumps(each, sort_keys=True)},\n" for name, each in content.items())
    with replacing(path) as unfinished:
        unfinished.write_bytes(_seal("".join(("{\n", *lines)).encode()))


def read_sealed(path: Path | str) -> dict[str, Any]:
    """Return what was written; an empty mapping if the file is missing or damaged."""
    with suppress(OSError):
        text = Path(path).read_bytes()
        if text == _seal(text.rpartition(_SEAL)[0]):
            return dict([*json.loads(text).items()][:-1])
    return {}


def _seal(text: bytes) -> bytes:
    return b'%s%s"%s"\n}\n' % (text, _SEAL, hashlib.sha256(text).hexdigest().encode())
