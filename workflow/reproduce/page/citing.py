"""Works to cite, as BibTeX."""

import re
from collections.abc import Mapping
from typing import Any


def bibtex_of(work: Mapping[str, Any]) -> str:
    """Return the BibTeX entry of a work, which has title and authors, and may have year, url and notes."""
    fields = {
        "title": f"{{{_escape(work['title'])}}}",
        "author": " and ".join(map(_escape, work["authors"])),
        "year": work.get("year", ""),
        "note": _escape(work.get("notes", "")),
        "url": work.get("url", ""),
    }
    words = re.findall(r"\w+", f"{work['authors'][0].split()[-1]} {fields['year']} {work['title']}".lower())
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{''.join(words[:3])},", *lines, "}"])


def _escape(text: str) -> str:
    """Return a text in which signs that mean something to BibTeX are escaped."""
    return re.sub(r"([&%$#_{}])", r"\\\1", text)
