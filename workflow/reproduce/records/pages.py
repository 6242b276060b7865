"""Write texts (Markdown, SVG, HTML, CSV) with their stamp, which is a comment in the last line."""

import hashlib
import json
from collections.abc import Mapping

from reproduce.errors import UserError
from reproduce.records.provenance import Provenance

# The beginning and the end of a comment in each kind of text.
_COMMENTS = ("<!-- provenance ", " -->"), ("# provenance ", "")
_HYPHENS = r"\u002d\u002d"


def stamp_text(text: str, provenance: Provenance, *, csv: bool = False) -> str:
    """Return a text with its stamp, which contains a digest of the text."""
    begin, end = _COMMENTS[csv]
    return f"{text}\n{begin}{_to_json({**provenance.as_stamp(), 'text': _digest(text)})}{end}\n"


def stamp_of_text(content: str) -> Mapping[str, str]:
    """Return the stamp of a text; raises UserError if it has none or if a byte outside its values was changed."""
    text, _, last = content.removesuffix("\n").rpartition("\n")
    for begin, end in _COMMENTS:
        if last.startswith(begin) and last.endswith(end):
            stamp = json.loads(last.removeprefix(begin).removesuffix(end))
            break
    else:
        raise UserError("its last line contains no stamp")
    written = f"{text}\n{begin}{_to_json(stamp)}{end}\n"
    if isinstance(stamp, dict) and (stamp.get("text") != _digest(text) or content != written):
        raise UserError("its text was changed after the workflow wrote it")
    return stamp


def _to_json(stamp: object) -> str:
    # Two hyphens would end the comment.
    return json.dumps(stamp, sort_keys=True).replace("--", _HYPHENS)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
