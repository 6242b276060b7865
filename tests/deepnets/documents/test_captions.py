import inspect
import re

import pytest

from entries import FIGURES

# The full stop of these abbreviations does not end a sentence.
ABBREVIATED = re.compile(r"\b(?:Figs?|eqs?|vs|al)\.")


def split_sentences(caption):
    return re.split(r"(?<=[.!?])\s+", ABBREVIATED.sub("…", " ".join(caption.split())))


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_caption_has_six_sentences_at_most_and_no_name_of_code(name):
    caption = inspect.getdoc(FIGURES[name])
    sentences = split_sentences(caption)
    assert len(sentences) <= 6, f"{len(sentences)} sentences: {sentences}"
    assert not re.findall(r"\b[a-z]{2,}_[a-z]\w+|\b\w+/\w+\.yaml", caption)


def test_abbreviations_end_no_sentence():
    assert len(split_sentences("Saxe et al. 2013, Fig. 2. Dashed: eqs. 23 to 26.")) == 2
