"""Escape captions for Snakemake's own report, which reads them as reStructuredText."""

import re

# Markup of emphasis, code, substitutions, references and literal blocks, as in |z|, x_ and ::.
_SIGNS = re.compile(r"[\\*`|_]|(?<=:):")
_BLANK_LINES = re.compile(r"\n\s*\n")


def as_restructured_text(caption: str) -> str:
    """Escape a caption, with each paragraph on one line."""
    paragraphs = (" ".join(part.split()) for part in _BLANK_LINES.split(caption) if part.strip())
    # With a backslash at its start, no paragraph is read as a list or a title.
    return "\n\n".join("\\ " + _SIGNS.sub(lambda sign: f"\\{sign[0]}", part) for part in paragraphs)
