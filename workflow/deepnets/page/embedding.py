"""Embedding of files in the page: pictures as data addresses, and data as safe JSON in `script` elements."""

import json
import re
from urllib.parse import quote

# Characters that need no escape in an address between double quotes.
_PLAIN = " !'()*+,-./:;=?@_~$&^|`{}[]"
_COMMENTS = re.compile("<!--.*?-->", re.DOTALL)
_BEFORE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile("<metadata>.*?</metadata>", re.DOTALL)
_SPACE = re.compile(r"\s+")
_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)pt" height="([0-9.]+)pt"')
# CSS: a point is 4/3 of a pixel.
_PIXELS_PER_POINT = 4 / 3


def address_of(svg: str) -> str:
    """Return a picture as a data address, without comments, metadata and line breaks, which are invisible."""
    bare = svg
    for unseen in (_BEFORE, _COMMENTS, _METADATA):
        bare = unseen.sub("", bare)
    return "data:image/svg+xml," + quote(_SPACE.sub(" ", bare).strip(), safe=_PLAIN)


def size_of(svg: str) -> tuple[int, int]:
    """Return width and height, in pixels, of an SVG that matplotlib wrote."""
    size = _SIZE.search(svg)
    if size is None:
        raise ValueError("this SVG contains no width and height in points, as matplotlib writes them")
    width, height = size.groups()
    return round(float(width) * _PIXELS_PER_POINT), round(float(height) * _PIXELS_PER_POINT)


def script_of(data: object) -> str:
    """Return data as JSON that cannot end the `script` element around it, whatever its texts contain."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # These characters occur only within strings. Older JavaScript forbids the last two (line breaks) in strings.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
