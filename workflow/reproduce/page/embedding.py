"""Embedding of files in the page: pictures as data addresses, and data as safe JSON in `script` elements."""

import json
import re
from urllib.parse import quote

# Characters that need no escape in an address between double quotes.
_PLAIN = " !'()*+,-./:;<=>?@_~$^|`{}[]"
# A reader sees none of these: text before the picture, comments, metadata, and attributes that name elements.
_UNSEEN = re.compile(r'^.*?(?=<svg)|<!--.*?-->|<metadata>.*?</metadata>| (?:aria-[a-z]+|role|class)="[^"]*"', re.DOTALL)
# Coordinates, and digits beyond a hundredth of a point.
_COORDINATES = re.compile(r'\b(?:d|x|y|points)="[^"]*"|translate\([^)]*\)')
_SMALL = re.compile(r"(\.\d\d)\d+")
# Blanks beside a letter of a path, and after the signs of a style.
_BLANKS = re.compile(r"(?<=[A-Za-z]) (?=[-.\d])|(?<=\d) (?=[A-Za-z])|(?<=[;:]) ")
_PACKED = re.compile(r'\b(?:d|style)="[^"]*"')
# Colours whose digits are pairs.
_COLOUR = re.compile(r"#(?:([0-9a-f])\1)(?:([0-9a-f])\2)(?:([0-9a-f])\3)\b")
_REFERENCE = re.compile(r'(?<=href=")#[^"]+|(?<=url\()#[^)]+')


def address_of(svg: str) -> str:
    """Return a picture as a data address without all that is invisible.

    These are comments, metadata, line breaks, digits beyond a hundredth of a point, and long names and colours.
    """
    # SVG 2 needs no prefix here.
    bare = _UNSEEN.sub("", svg).replace(" xlink:href=", " href=")
    bare = " ".join(_shorten_names(bare).split()).replace("> <", "><")
    bare = _COORDINATES.sub(lambda found: _SMALL.sub(r"\1", found[0]), bare)
    bare = _COLOUR.sub(r"#\1\2\3", _PACKED.sub(lambda found: _BLANKS.sub("", found[0]), bare))
    # An attribute between double quotes that contains a single one stays as it is.
    bare = re.sub("<[^>]*>", lambda found: found[0] if "'" in found[0] else found[0].replace('"', "'"), bare)
    return "data:image/svg+xml," + quote(bare, safe=_PLAIN)


def _shorten_names(svg: str) -> str:
    """Return an SVG whose elements have short names, and none if nothing refers to them."""
    names = {name: f"i{place}" for place, name in enumerate(dict.fromkeys(_REFERENCE.findall(svg)))}
    svg = re.sub(' id="([^"]*)"', lambda id: f' id="{names[name]}"' if (name := f"#{id[1]}") in names else "", svg)
    return _REFERENCE.sub(lambda found: f"#{names[found[0]]}", svg)


def size_of(svg: str) -> tuple[int, int]:
    """Return width and height, in pixels, of an SVG that matplotlib wrote."""
    (points, *_) = re.findall(r'<svg[^>]*? width="([0-9.]+)pt" height="([0-9.]+)pt"', svg)
    # CSS: a point is 4/3 of a pixel.
    width, height = (round(float(each) * (4 / 3)) for each in points)
    return width, height


def script_of(data: object) -> str:
    """Return data as JSON that cannot end the `script` element around it, whatever its texts contain."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # These characters occur only within strings. Older JavaScript forbids the last two (line breaks) in strings.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
