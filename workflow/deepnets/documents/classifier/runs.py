"""The runs that document 000 describes, and the kinds of claims that it makes of them again and again."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Printed
from workflow.deepnets.claims.measures import final, setting
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.classifier.printed import ACCURACIES, NETS

# The settings that the document's text and code name.
TASK = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
LINEAR = {**TASK, "block": "linear", **NETS["linear"], "learning_rate": 10}
TWO_LAYERS = {**TASK, "block": "two_layers", **NETS["two_layers"], "learning_rate": 1}
RANK_2 = {**TASK, "block": "rank_2", **NETS["rank_2"], "learning_rate": 1}
NEAR_ZERO = {**TASK, "block": "near_zero", **NETS["near_zero"], "learning_rate": 100}
LARGE_SCALE = {**TASK, "block": "large_scale", **NETS["large_scale"], "learning_rate": 0.001}
STANDARD_SCALE = {**TASK, "block": "standard_scale", "depth": 3, "scale": 1, "learning_rate": 0.1}
RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
REPLAYED = (
    "The run replays the document's random numbers, and accuracies of 100 points are whole percents: a mean over ten "
    "repetitions is the document's to its last printed digit."
)


def set_to(name: str, place: str, statement: str, value: float, key: str, *, figure: str = "", **axes: object) -> Claim:
    """A claim that the config runs what the document's code does."""
    return as_set(name, place, statement, value, setting("classifier", key, **axes), figure=figure)


def rate_of(block: str, place: str, statement: str, value: float, *, figure: str = "", **axes: object) -> Claim:
    """A claim on the learning rate of a block, at some depth of it where one is given."""
    name = "_".join(["rate_of", block, *map(str, axes.values())])
    return set_to(name, place, statement, value, "learning_rate", figure=figure, block=block, **axes)


def accuracy_of(block: str, place: str, statement: str, printed: str, runs: dict[str, object]) -> Claim:
    """A claim on a mean accuracy in percent, {} in the texts, that the replayed random numbers make exact."""
    value, _ = ACCURACIES[block]
    number = f"{value:g}"
    return Claim(
        name=f"{block}_accuracy",
        place=place,
        figure="accuracy_by_variant",
        kind="number",
        statement=statement.format(number),
        printed=printed.format(number),
        measure=final("classifier", "test_accuracy", factor=100, **runs),
        rule=Printed(value, places=len(number.partition(".")[2])),
        because=REPLAYED,
    )


def at_depth(depth: int) -> dict[str, object]:
    """The runs of the sweep over depths at one of them."""
    return {**TASK, "block": "depths", "depth": depth, "learning_rate": RATES[depth]}
