"""What CITATION.cff says of this workflow, and of the works that it reproduces."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from workflow.deepnets.errors import UserError

NAME = "CITATION.cff"
_NEEDED = ("title", "license", "date-released", "authors", "references")


def read_citation(root: Path) -> dict:
    """Return title, license, date (ISO 8601), authors, and works: title, kind, authors, year, url, notes of each.

    Authors are full names. Raises UserError where the file in this folder is missing, no YAML, or lacks a key.
    """
    path = root / NAME
    try:
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
        if missing := [key for key in _NEEDED if key not in told]:
            raise UserError(f"{NAME}: {', '.join(missing)} missing; an archive is described by what stands there")
        return {
            "title": told["title"],
            "license": told["license"],
            "date": str(told["date-released"]),
            "authors": [_full_name(author) for author in told["authors"]],
            "works": [_work(reference) for reference in told["references"]],
        }
    except OSError as error:
        # Snakemake takes an error that names FileNotFoundError for one about an input that is still to be made.
        raise UserError(
            f"{NAME} cannot be read: {error.strerror}; an archive is described by what stands there"
        ) from error
    except (yaml.YAMLError, LookupError, TypeError, AttributeError) as error:
        raise UserError(f"{NAME} cannot be read: {error!r}; allowed: the Citation File Format 1.2") from error


def _work(reference: Mapping) -> dict:
    return {
        "title": reference["title"],
        "kind": reference["type"],
        "authors": [_full_name(author) for author in reference["authors"]],
        "year": str(reference.get("year", "")),
        "url": reference.get("url", ""),
        "notes": reference.get("notes", ""),
    }


def _full_name(author: Mapping) -> str:
    """Return a person's or an organisation's name as it is read."""
    return author.get("name") or f"{author['given-names']} {author['family-names']}"
