"""Works to cite, as BibTeX."""

import re
from collections.abc import Iterable, Mapping
from string import ascii_lowercase
from typing import Any


def bibtex_of(works: Iterable[Mapping[str, Any]]) -> str:
    """Return a BibTeX entry for each title of works, which have title and authors, and may have year, url and notes."""
    entries: dict[str, str] = {}
    for work in {each["title"]: each for each in works}.values():
        words = re.findall(r"\w+", f"{work['authors'][0].split()[-1]} {work.get('year', '')} {work['title']}".lower())
        key = "".join(words[:3])
        # Another title may begin with the same word.
        key = next(each for each in (key, *(f"{key}{letter}" for letter in ascii_lowercase)) if each not in entries)
        fields = {
            "title": f"{{{_escape(work['title'])}}}",
            "author": " and ".join(map(_escape, work["authors"])),
            "year": work.get("year", ""),
            "note": _escape(work.get("notes", "")),
            "url": work.get("url", ""),
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        entries[key] = "\n".join([f"@misc{{{key},", *lines, "}"])
    return "\n\n".join(entries.values())


def _escape(text: str) -> str:
    """Return a text in which signs that mean something to BibTeX are escaped."""
    return re.sub(r"([&%$#_{}])", r"\\\1", text)
