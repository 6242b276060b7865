"""Links from the words of a text to the glossary of the page."""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup, escape

from reproduce.page.anchors import anchor_of_word


def linker(words: Iterable[str]) -> Callable[[str], Markup]:
    """Return a function that links the first occurrence of each word in a text, also in the plural, to its meaning."""
    longest_first = sorted(words, key=len, reverse=True)
    pattern = (
        re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})(s?)\b") if longest_first else re.compile("(?!)")
    )

    def link(text: str) -> Markup:
        seen = set()

        def linked(found: re.Match) -> str:
            if found[1] in seen:
                return found[0]
            seen.add(found[1])
            return f'<a class="word" href="#{anchor_of_word(found[1])}">{found[0]}</a>'

        return Markup(pattern.sub(linked, str(escape(text))))

    return link
