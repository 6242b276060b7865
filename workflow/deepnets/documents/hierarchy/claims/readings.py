"""Claims on numbers that were read off pictures, and a reason that several sections give."""

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Near, OneMoreDraw
from workflow.deepnets.claims.section import READ_OFF, Runs, Section
from workflow.deepnets.documents.hierarchy.measures.plateaus import on_first_data

EACH_RUN = "Every run has its own data and its own init, and each is to show it."
# Heights in pictures are uncertain by a line's width.
_LINE_WIDTH = 0.004
_REPLAYED = (
    "The data of seed 2021 are replayed, and on plateaus they alone decide, not the init: only the reading of the "
    "picture is uncertain, by a line's width."
)
_ONE_DRAW = (
    "The picture is of one run, on the data of seed 2021, with an init that torch drew. Our runs, moved to these data "
    "by what theory says of their singular values, are further draws of the init."
)
_KEPT_THEIR_DATA = (
    "at first our draws kept data of their own, whose modes may be a percent stronger than those of seed 2021 and come "
    "an update earlier for that; two times were then judged as not reproduced."
)


def read_height(
    section: Section, name: str, statement: str, measure: Measure, value: float, *, because: str = _REPLAYED
) -> Claim:
    """Claim a height in a picture, which the data of seed 2021 determine."""
    criterion = Near(value, error=_LINE_WIDTH, errors=1)
    return section.number(name, statement, measure, criterion, because=because, printed=READ_OFF)


def read_time(
    section: Section, name: str, statement: str, measure: Measure, value: float, *, level: int, runs: Runs
) -> Claim:
    """Claim a time in a picture, which the init determines too.

    measure: when the runs learn a level of the tree.
    """
    moved = on_first_data(measure, level, **runs)
    return section.number(
        name, statement, moved, OneMoreDraw(value), because=_ONE_DRAW, printed=READ_OFF, revised=_KEPT_THEIR_DATA
    )
