"""Links within the page: the anchors of documents, figures, claims and words, and links from words to the glossary."""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup, escape


def number_of(document: str) -> str:
    """Return the short name of a document in links: its number, if it has one."""
    number = re.match("[0-9]{3}(?=-)", document)
    return number[0] if number else document


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


def linker(words: Iterable[str]) -> Callable[[str], Markup]:
    """Return a function that links the first occurrence of each word in a text, also in the plural, to its meaning."""
    longest_first = sorted(words, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})(s?)\b" if longest_first else "(?!)")

    def link(text: str) -> Markup:
        seen = set()

        def linked(found: re.Match) -> str:
            if found[1] in seen:
                return found[0]
            seen.add(found[1])
            return f'<a class="word" href="#{anchor_of_word(found[1])}">{found[0]}</a>'

        return Markup(pattern.sub(linked, str(escape(text))))

    return link
