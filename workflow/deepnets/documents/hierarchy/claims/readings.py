"""Claims on numbers that were read off pictures, several in one claim, and a reason that several sections give."""

from collections.abc import Mapping

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Near, OneMoreDraw
from workflow.deepnets.claims.section import READ_OFF, Runs, Section
from workflow.deepnets.documents.hierarchy.measures.plateaus import on_first_data

EACH_RUN = "Every run has its own data and its own init, and each is to show it."
# Heights in pictures are uncertain by a line's width.
_LINE_WIDTH = 0.004
_REPLAYED = (
    "The data of seed 2021 are replayed, and on plateaus only they decide, not the init. Only the reading of the "
    "picture is uncertain, by a line's width."
)
# Epochs: a third of the shortest wait between two drops.
_LARGEST_SPREAD = 8
_ONE_DRAW = (
    "The picture is of one run, on the data of seed 2021, with an init that torch drew. Our runs, moved to these data "
    "by what theory says of their singular values, are further draws of the init. With a tolerance above a third of "
    "the shortest wait between two drops, nothing is judged."
)
_KEPT_THEIR_DATA = (
    "at first our draws kept data of their own, whose modes may be a percent stronger than those of seed 2021 and come "
    "an update earlier for that; two times were then judged as not reproduced."
)
# Parts of a claim: what is read off → its measure, and the value in the picture.
Heights = Mapping[str, tuple[Measure, float]]
# The same with the level of the tree that the runs learn at that time.
Times = Mapping[str, tuple[Measure, float, int]]


def read_heights(
    section: Section, name: str, statement: str, heights: Heights, *, because: str = _REPLAYED, replayed: bool = True
) -> Claim:
    """Claim heights in a picture, which the data of seed 2021 determine if they are replayed."""
    parts = {
        part: (measure, Near(value, error=_LINE_WIDTH, errors=1, precision=2 * _LINE_WIDTH))
        for part, (measure, value) in heights.items()
    }
    place = section.with_replayed_draws() if replayed else section
    return place.numbers(name, statement, parts, because=because, printed=READ_OFF)


def read_times(section: Section, name: str, statement: str, times: Times, *, runs: Runs) -> Claim:
    """Claim times in a picture, in epochs, which the init determines too."""
    parts = {
        part: (on_first_data(measure, level, **runs), OneMoreDraw(value, precision=_LARGEST_SPREAD))
        for part, (measure, value, level) in times.items()
    }
    return section.of("epoch").numbers(
        name, statement, parts, because=_ONE_DRAW, printed=READ_OFF, revised=_KEPT_THEIR_DATA
    )
