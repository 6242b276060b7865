"""Captions are short enough to be read beside their figure."""

import inspect
import re

import pytest
from entries import FIGURES

# A full stop that ends no sentence.
ABBREVIATED = re.compile(r"\b(?:Figs?|eqs?|vs|al)\.")


def sentences_of(caption):
    return re.split(r"(?<=[.!?])\s+", ABBREVIATED.sub("…", " ".join(caption.split())))


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_caption_has_six_sentences_at_most(name):
    sentences = sentences_of(inspect.getdoc(FIGURES[name]))
    assert len(sentences) <= 6, f"{len(sentences)} sentences: {sentences}"


def test_abbreviations_end_no_sentence():
    assert len(sentences_of("Saxe et al. 2013, Fig. 2. Dashed: eqs. 23 to 26.")) == 2
