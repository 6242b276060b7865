"""Claims on numbers that were read off pictures, and reasons that several sections share."""

from collections.abc import Mapping

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Near, OneMoreDraw
from deepnets.claims.section import READ_OFF, Runs, Section
from deepnets.documents.hierarchy.measures.plateaus import times_on_first_data

EACH_RUN = "Every run has its own data and init, and the claim must hold in each."
# The error of reading a height in a picture: a line's width.
_LINE_WIDTH = 0.004
_REPLAYED = (
    "The run replays the data of seed 2021, and only the data, not the init, determine the height of a plateau. Only "
    "the reading of the picture is uncertain, by a line's width."
)
# In epochs: a third of the shortest time between two drops.
_LARGEST_SPREAD = 8
_ONE_DRAW = (
    "The picture shows one run on the data of seed 2021, with an init drawn by torch. Our runs have other inits and "
    "data; theory predicts from the singular values how much later or earlier they learn, and we subtract this. If the "
    "tolerance exceeds a third of the shortest time between two drops, the claim is not judged."
)
_KEPT_THEIR_DATA = (
    "at first we did not correct for the data of our draws, whose modes may be a percent stronger than those of seed "
    "2021, and are then learned one update earlier; two times were judged as not reproduced."
)
# Part of a claim → its measure, and the value in the picture.
Heights = Mapping[str, tuple[Measure, float]]
# Part of a claim → its measure, the value in the picture, and the level of the tree that is learned at that time.
Times = Mapping[str, tuple[Measure, float, int]]


def read_heights(
    section: Section, name: str, statement: str, heights: Heights, *, because: str = _REPLAYED, replayed: bool = True
) -> Claim:
    """Return a claim on heights in a picture; if `replayed`, the data of seed 2021 determine them."""
    parts = {
        part: (measure, Near(value, error=_LINE_WIDTH, errors=1, precision=2 * _LINE_WIDTH))
        for part, (measure, value) in heights.items()
    }
    place = section.with_replayed_draws() if replayed else section
    return place.numbers(name, statement, parts, because=because, printed=READ_OFF)


def read_times(section: Section, name: str, statement: str, times: Times, *, runs: Runs) -> Claim:
    """Return a claim on times in a picture, in epochs, which depend on the data and the init."""
    parts = {
        part: (times_on_first_data(measure, level, **runs), OneMoreDraw(value, precision=_LARGEST_SPREAD))
        for part, (measure, value, level) in times.items()
    }
    return section.of("epoch").numbers(
        name, statement, parts, because=_ONE_DRAW, printed=READ_OFF, revised=_KEPT_THEIR_DATA
    )
