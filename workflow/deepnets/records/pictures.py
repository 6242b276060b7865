"""Figures as PDF and PNG with their provenance: in the keywords of a PDF, in a text chunk of a PNG."""

import hashlib
import io
import json
from collections.abc import Mapping

import pypdf
from PIL import Image
from PIL.PngImagePlugin import PngInfo, putchunk

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import Provenance

# In place of the digest while it is taken: the keywords are inside the bytes that it is the digest of.
_NO_DIGEST = "0" * 64
# A PNG begins with its signature (8 bytes) and its header (25 bytes).
_HEADER = 33


def keywords_for(provenance: Provenance) -> str:
    """Return the keywords of a PDF for `stamped_pdf`: the stamp without its digest."""
    return _stamp(provenance, _NO_DIGEST)


def stamped_pdf(content: bytes) -> bytes:
    """Return a PDF that has the keywords `keywords_for` with the digest of all its bytes in its stamp."""
    return _exchanged(content, _NO_DIGEST, hashlib.sha256(content).hexdigest())


def stamped_png(content: bytes, provenance: Provenance) -> bytes:
    """Return a PNG with its stamp, which holds the digest of all other bytes."""
    chunk = _chunk(_stamp(provenance, hashlib.sha256(content).hexdigest()))
    return content[:_HEADER] + chunk + content[_HEADER:]


def stamp_of_pdf(content: bytes) -> Mapping[str, str]:
    """Return the stamp that a PDF carries; raises UserError where any other byte was changed."""
    stamp = json.loads(str((pypdf.PdfReader(io.BytesIO(content)).metadata or {})["/Keywords"]))
    if isinstance(stamp, dict):
        digest = str(stamp.get("content"))
        _check(_exchanged(content, digest, _NO_DIGEST), digest)
    return stamp


def stamp_of_png(content: bytes) -> Mapping[str, str]:
    """Return the stamp that a PNG carries; raises UserError where any other byte was changed."""
    with Image.open(io.BytesIO(content)) as image:
        text = image.info["provenance"]
    stamp = json.loads(text)
    if isinstance(stamp, dict):
        _check(content.replace(_chunk(text), b"", 1), str(stamp.get("content")))
    return stamp


def _check(content: bytes, digest: str) -> None:
    if hashlib.sha256(content).hexdigest() != digest:
        raise UserError("the picture was changed after the workflow wrote it")


def _stamp(provenance: Provenance, digest: str) -> str:
    return json.dumps({**provenance.as_metadata(), "content": digest}, sort_keys=True)


def _exchanged(content: bytes, old: str, new: str) -> bytes:
    """Return a PDF with another digest in its keywords; a spec has no such text, since JSON in JSON escapes quotes."""
    return content.replace(f'"content": "{old}"'.encode(), f'"content": "{new}"'.encode(), 1)


def _chunk(text: str) -> bytes:
    """Return the bytes of the text chunk that holds a stamp."""
    information, chunk = PngInfo(), io.BytesIO()
    information.add_text("provenance", text)
    for kind, content, _ in information.chunks:
        putchunk(chunk, kind, content)
    return chunk.getvalue()
