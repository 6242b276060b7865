"""Texts (Markdown, SVG, HTML) with their provenance in a comment, which readers do not see, as their last line."""

import hashlib
import json
from collections.abc import Mapping

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import Provenance

_BEGIN, _END = "<!-- provenance ", " -->"
_HYPHENS = r"\u002d\u002d"


def stamped(text: str, provenance: Provenance) -> str:
    """Return a text with its stamp, which holds a digest of it."""
    stamp = json.dumps({**provenance.as_metadata(), "text": _digest(text)}, sort_keys=True)
    # Two hyphens would end the comment; in JSON, an escape means the same.
    return f"{text}\n{_BEGIN}{stamp.replace('--', _HYPHENS)}{_END}\n"


def stamp_of_text(content: str) -> Mapping[str, str]:
    """Return the stamp that a text carries; raises UserError where it has none or is of another text."""
    text, _, last = content.rstrip("\n").rpartition("\n")
    if not (last.startswith(_BEGIN) and last.endswith(_END)):
        raise UserError("its last line holds no stamp")
    stamp = json.loads(last.removeprefix(_BEGIN).removesuffix(_END))
    if isinstance(stamp, dict) and stamp.get("text") != _digest(text):
        raise UserError("its text was changed after the workflow wrote it")
    return stamp


def _digest(text: str) -> str:
    return hashlib.sha256(text.rstrip("\n").encode()).hexdigest()
