import pandas as pd
import pytest

from reproduce.tables.words import reduced_sizes

OWN = {
    "toy": [
        ["the document", {"block": "main"}, {"width": [1000, "units"]}],
        ["the document", {"block": ["main", "other"]}, {"batch": [64, "images"]}],
        ["another", {}, {"data": ["digits", "letters"]}],
    ]
}
RUNS = pd.DataFrame({"block": ["main", "main", "other"], "width": [1000, 50, 10], "batch": [64, 8, 16]})
DATA = "digits, another has letters"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], ""),
        ([0], DATA),
        ([0, 1], f"50 units, the document has 1,000; 8 images, the document has 64; {DATA}"),
        # No size is known of the width of this block.
        ([2], f"16 images, the document has 64; {DATA}"),
    ],
)
def test_only_what_is_smaller_is_named(rows, words):
    assert reduced_sizes([("toy", RUNS.iloc[rows])], OWN) == words


def test_runs_of_several_selections_are_named_together():
    found = reduced_sizes([("toy", RUNS.iloc[[each]]) for each in (2, 1, 2)], OWN)
    assert found == f"8 or 16 images, the document has 64; {DATA}; 50 units, the document has 1,000"
    assert reduced_sizes([("toy", RUNS)], {}) == reduced_sizes([("other", RUNS)], OWN) == ""
