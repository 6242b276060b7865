"""Write texts (Markdown, SVG, HTML) with their stamp, which is an invisible comment in the last line."""

import hashlib
import json
from collections.abc import Mapping

from deepnets.errors import UserError
from deepnets.records.provenance import Provenance

_BEGIN, _END = "<!-- provenance ", " -->"
_HYPHENS = r"\u002d\u002d"


def stamp_text(text: str, provenance: Provenance) -> str:
    """Return a text with its stamp, which contains a digest of the text."""
    stamp = json.dumps({**provenance.as_stamp(), "text": _digest(text)}, sort_keys=True)
    # Two hyphens would end the comment, so escape them in the JSON.
    return f"{text}\n{_BEGIN}{stamp.replace('--', _HYPHENS)}{_END}\n"


def stamp_of_text(content: str) -> Mapping[str, str]:
    """Return the stamp of a text; raises UserError if it has none or was changed."""
    text, _, last = content.rstrip("\n").rpartition("\n")
    if not (last.startswith(_BEGIN) and last.endswith(_END)):
        raise UserError("its last line contains no stamp")
    stamp = json.loads(last.removeprefix(_BEGIN).removesuffix(_END))
    if isinstance(stamp, dict) and stamp.get("text") != _digest(text):
        raise UserError("its text was changed after the workflow wrote it")
    return stamp


def _digest(text: str) -> str:
    return hashlib.sha256(text.rstrip("\n").encode()).hexdigest()
