"""Read CITATION.cff, which describes this workflow. The documents name the works that it reproduces."""

from functools import cache
from pathlib import Path

import yaml

NAME = "CITATION.cff"


@cache
def read_citation(science: Path) -> dict:
    """Return title, license, version, date (ISO 8601) and authors (full names).

    science: the folder of the science. In a checkout, the file is at the root, where services look for it; an installed
        package contains a copy.
    """
    at_root = science.parents[1] / NAME
    content = yaml.safe_load((at_root if at_root.exists() else science / NAME).read_text(encoding="utf-8"))
    return {
        "title": content["title"],
        "license": content["license"],
        "version": str(content["version"]),
        "date": str(content["date-released"]),
        "authors": [each.get("name") or f"{each['given-names']} {each['family-names']}" for each in content["authors"]],
    }
