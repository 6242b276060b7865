"""The runs that document 003 describes, and the kinds of claims that it makes of them again and again."""

from collections.abc import Callable

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Draw, Near
from workflow.deepnets.claims.measures import reduced, setting
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.hierarchy.claims.plateaus import on_first_data
from workflow.deepnets.documents.hierarchy.printed import CANNOT_SPEAK, HAS_BONES

# The settings that the document's code names.
TREE = {"levels": 3, "branches": 2, "flip_probability": 0.15, "features": 10_000, "hidden": 30, "steps": 250}
_PLAIN = {**TREE, "data": {"draw": 0}}
_TRAINED = {"depth": 2, "init": "fan_sum_normal", "scale": 1e-12, "learning_rate": 100}
MAIN = {**_PLAIN, **_TRAINED, "block": "main"}
_OF_ANIMALS = [1, 1, 1, 1, -1, -1, -1, -1]
SHARK = {**TREE, **_TRAINED, "block": "shark", "data": {"draw": 1, "added_feature": HAS_BONES, "illusory_item": 0}}
PARROT = {**TREE, **_TRAINED, "block": "parrot", "data": {"draw": 2, "added_feature": CANNOT_SPEAK, "illusory_item": 3}}
BONES = {**TREE, **_TRAINED, "block": "bones", "data": {"draw": 1, "added_feature": _OF_ANIMALS, "illusory_item": 0}}
ZERO_DEPTH = {
    **_PLAIN,
    "block": "zero_depth",
    "depth": 1,
    "init": "fan_in_uniform",
    "scale": 1,
    "learning_rate": 1000,
}
FROM_SMALL = {
    **_PLAIN,
    "block": "zero_depth_from_small",
    "depth": 1,
    "init": "fan_sum_normal",
    "scale": 1e-12,
    "learning_rate": 1000,
}
DEPTHS = {
    **_PLAIN,
    "block": "depths",
    "depth": [1, 2, 3, 4],
    "init": "fan_sum_normal",
    "scale": 1,
    "learning_rate": 5,
}
SLIDERS = {**_PLAIN, "block": "sliders", "depth": 2, "init": "fan_sum_normal"}
REGRESSION = {"inputs": 3, "outputs": 3, "samples": 37, "weight_bound": 10, "noise": 0.01}

GOLDFISH, TUNA, ROBIN, CANARY, ROSE, OAK = 0, 1, 2, 3, 4, 7
EACH_RUN = "Every run has its own data and its own init, and each is to show it."
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


def settings(
    place: str,
    *entries: tuple[str, str, float, str],
    figure: str = "",
    experiment: str = "hierarchy",
    by: Callable[[np.ndarray], float] | None = None,
    **axes: object,
) -> list[Claim]:
    """Return claims that the config runs what the document's code does.

    entries: name, statement, value and key of each; by: what of several values is meant, such as the least.
    """
    return [
        as_set(
            name,
            place,
            statement,
            value,
            reduced(setting(experiment, key, **axes), by) if by else setting(experiment, key, **axes),
            figure=figure,
        )
        for name, statement, value, key in entries
    ]


def read_off(name: str, place: str, statement: str, value: float, measure: Measure, *, error: float = 0.004) -> Claim:
    """Return a claim on a number of a picture that the data of seed 2021 decide. error: of the reading."""
    return Claim(
        name=name,
        place=place,
        kind="number",
        statement=statement,
        printed=f"{value:g} (read off)",
        measure=measure,
        rule=Near(value, error=error, errors=1),
        because=_REPLAYED,
    )


def pictured(
    name: str, place: str, statement: str, value: float, measure: Measure, *, level: int, runs: dict[str, object]
) -> Claim:
    """Return a claim on a time in a picture, which the init decides, too. measure: when our runs learn a level."""
    return Claim(
        name=name,
        place=place,
        kind="number",
        statement=statement,
        printed=f"{value:g} (read off)",
        measure=on_first_data(measure, level, **runs),
        rule=Draw(value),
        because=_ONE_DRAW,
        revised=_KEPT_THEIR_DATA,
    )
