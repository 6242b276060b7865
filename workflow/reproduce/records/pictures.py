"""Write the stamp of a figure into the keywords of its PDF and into a text chunk of its PNG."""

import hashlib
import io
import json
from collections.abc import Mapping

from PIL import Image
from PIL.PngImagePlugin import PngInfo, putchunk

from reproduce.errors import UserError
from reproduce.records.provenance import Provenance

# In place of the digest while it is computed, because it covers the keywords, too.
_NO_DIGEST = "0" * 64
# Bytes: the signature (8) and the header (25) of a PNG.
_HEADER = 33


def keywords_for(provenance: Provenance) -> str:
    """Return the keywords of a PDF for `stamp_pdf`: the stamp with zeros for the digest."""
    return _stamp_json(provenance, _NO_DIGEST)


def stamp_pdf(content: bytes) -> bytes:
    """Return a PDF that has the keywords `keywords_for` with the digest of all its bytes."""
    return _replace_digest(content, _NO_DIGEST, hashlib.sha256(content).hexdigest())


def stamp_png(content: bytes, provenance: Provenance) -> bytes:
    """Return a PNG with its stamp, which contains the digest of all other bytes."""
    chunk = _png_chunk(_stamp_json(provenance, hashlib.sha256(content).hexdigest()))
    return content[:_HEADER] + chunk + content[_HEADER:]


def stamp_of_pdf(content: bytes) -> Mapping[str, str]:
    """Return the stamp of a PDF; raises UserError if any byte except its digest was changed."""
    # Imported here because programs that draw only write stamps.
    import pypdf

    stamp = json.loads(str((pypdf.PdfReader(io.BytesIO(content)).metadata or {})["/Keywords"]))
    if isinstance(stamp, dict):
        digest = str(stamp.get("content"))
        _check_digest(_replace_digest(content, digest, _NO_DIGEST), digest)
    return stamp


def stamp_of_png(content: bytes) -> Mapping[str, str]:
    """Return the stamp of a PNG; raises UserError if any byte outside the stamp was changed."""
    with Image.open(io.BytesIO(content)) as image:
        text = image.info["provenance"]
    stamp = json.loads(text)
    if isinstance(stamp, dict):
        _check_digest(content.replace(_png_chunk(text), b"", 1), str(stamp.get("content")))
    return stamp


def _check_digest(content: bytes, digest: str) -> None:
    if hashlib.sha256(content).hexdigest() != digest:
        raise UserError("the picture was changed after the workflow wrote it")


def _stamp_json(provenance: Provenance, digest: str) -> str:
    return json.dumps({**provenance.as_stamp(), "content": digest}, sort_keys=True)


def _replace_digest(content: bytes, old: str, new: str) -> bytes:
    """Return a PDF with another digest in its keywords."""
    # No spec contains this text: in its JSON inside JSON, quotes are escaped.
    return content.replace(f'"content": "{old}"'.encode(), f'"content": "{new}"'.encode(), 1)


def _png_chunk(text: str) -> bytes:
    """Return a PNG chunk with this text."""
    information, chunk = PngInfo(), io.BytesIO()
    information.add_text("provenance", text)
    for kind, content, _ in information.chunks:
        putchunk(chunk, kind, content)
    return chunk.getvalue()
