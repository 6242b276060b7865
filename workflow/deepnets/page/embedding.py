"""Files as parts of a page: pictures as addresses of their own, data as scripts that no text in it can end."""

import json
import re
from urllib.parse import quote

# Characters that stay as they are in an address between double quotes; the others are spelt by their bytes.
_PLAIN = " !'()*+,-./:;=?@_~$&^|`{}[]"
_COMMENTS = re.compile("<!--.*?-->", re.DOTALL)
_BEFORE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile("<metadata>.*?</metadata>", re.DOTALL)
_SPACE = re.compile(r"\s+")
_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)pt" height="([0-9.]+)pt"')
# Points are three quarters of a pixel.
_PIXELS_PER_POINT = 4 / 3


def address_of(svg: str) -> str:
    """Return a picture as a data address, without what no reader sees: comments, metadata and line breaks."""
    bare = svg
    for unseen in (_BEFORE, _COMMENTS, _METADATA):
        bare = unseen.sub("", bare)
    return "data:image/svg+xml," + quote(_SPACE.sub(" ", bare).strip(), safe=_PLAIN)


def size_of(svg: str) -> tuple[int, int]:
    """Return width and height of a picture by matplotlib, in pixels."""
    size = _SIZE.search(svg)
    if size is None:
        raise ValueError("a picture by matplotlib states its size in points; this one does not")
    width, height = size.groups()
    return round(float(width) * _PIXELS_PER_POINT), round(float(height) * _PIXELS_PER_POINT)


def script_of(data: object) -> str:
    """Return data as JSON that stays inside the element `script` which holds it, whatever its texts contain."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # "<" occurs in texts only; so do the two line breaks that older scripts do not take within a text.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
