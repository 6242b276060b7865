"""The runs that document 000 describes, and how accurate they are."""

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Printed
from workflow.deepnets.claims.measures import final
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.classifier.printed import ACCURACIES, NETS

# The settings that the document's text and code name.
TASK: Runs = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
LINEAR: Runs = {**TASK, "block": "linear", **NETS["linear"], "learning_rate": 10}
TWO_LAYERS: Runs = {**TASK, "block": "two_layers", **NETS["two_layers"], "learning_rate": 1}
RANK_2: Runs = {**TASK, "block": "rank_2", **NETS["rank_2"], "learning_rate": 1}
NEAR_ZERO: Runs = {**TASK, "block": "near_zero", **NETS["near_zero"], "learning_rate": 100}
LARGE_SCALE: Runs = {**TASK, "block": "large_scale", **NETS["large_scale"], "learning_rate": 0.001}
STANDARD_SCALE: Runs = {**TASK, "block": "standard_scale", "depth": 3, "scale": 1, "learning_rate": 0.1}
LEARNING_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
DEPTHS: dict[int, Runs] = {
    depth: {**TASK, "block": "depths", "depth": depth, "learning_rate": rate} for depth, rate in LEARNING_RATES.items()
}
REPLAYED = (
    "The run replays the document's random numbers, and accuracies of 100 points are whole percents: a mean over ten "
    "repetitions is the document's to its last printed digit."
)


def accuracy(runs: Runs) -> Measure:
    """Measure the final test accuracy of each run, in percent."""
    return final("classifier", "test_accuracy", factor=100, **runs)


def rate_of(section: Section, statement: str, runs: Runs, **axes: object) -> list[Claim]:
    """Claim the learning rate of a block, at some depth of it where one is given."""
    name = "_".join(["rate_of", str(runs["block"]), *map(str, axes.values())])
    return section.settings("classifier", runs, {"learning_rate": (name, statement)}, **axes)


def replayed_accuracy(section: Section, statement: str, runs: Runs, printed: str = "{}%") -> Claim:
    """Claim a mean accuracy that the replayed random numbers make exact."""
    block = str(runs["block"])
    value = ACCURACIES[block]
    criterion = Printed(value, places=0 if value == round(value) else 1)
    name = f"{block}_accuracy"
    return section.number(name, statement, accuracy(runs), criterion, because=REPLAYED, printed=printed)
