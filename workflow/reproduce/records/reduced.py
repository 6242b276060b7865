"""Words on what is reduced: what stood in for a data set, or was smaller than the document's own."""

from collections.abc import Iterable


def merge_reduced(texts: Iterable[str]) -> str:
    """Merge the words of several inputs on what is reduced, each once, in order; "" if nothing is."""
    return "; ".join(dict.fromkeys(part for text in texts if text for part in text.split("; ")))


def words_on_reduced(reduced: str) -> str:
    """Return the mark of a figure or a chart that shows results of less than a whole data set."""
    return f"{reduced[0].upper()}{reduced[1:]}: not the document's numbers"
