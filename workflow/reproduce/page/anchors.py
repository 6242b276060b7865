"""Anchors of the page, to which links point: of documents, figures and claims."""

import re

_NUMBER = re.compile("[0-9]{3}(?=-)")


def number_of(document: str) -> str:
    """Return the short name of a document in links: its number, if it has one."""
    number = _NUMBER.match(document)
    return number.group() if number else document


def anchor_of(document: str, name: str) -> str:
    """Return the anchor of a figure, such as 000-accuracy_by_depth."""
    return f"{number_of(document)}-{name}"


def anchor_of_chart(document: str, name: str) -> str:
    """Return the anchor of a chart with sliders, which may have the name of a figure."""
    return f"{anchor_of(document, name)}-sliders"


def anchor_of_claim(document: str, claim: str) -> str:
    """Return the anchor of a claim, such as claim-000-deeper_is_better."""
    return f"claim-{anchor_of(document, claim)}"


def anchor_of_word(word: str) -> str:
    """Return the anchor of a word of the glossary."""
    return f"word-{word.replace(' ', '-')}"
