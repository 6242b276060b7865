"""The runs that document 000 describes, and how accurate they are."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Printed
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import final
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.classifier.nets import DOCUMENT_DATA
from workflow.deepnets.documents.classifier.printed import ACCURACIES, NETS

# The document averages ten inits. A config may ask for more, which the document does not have.
REPETITIONS = list(range(10))
# The settings that the document's text and code name, and the points that its random stream draws.
TASK: Runs = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01, "data_seed": DOCUMENT_DATA}
# From zeros there is one run; of all other nets, the document has ten.
LINEAR: Runs = {**TASK, "block": "linear", **NETS["linear"], "learning_rate": 10, "seed": 0}
_TEN: Runs = {**TASK, "seed": REPETITIONS}
TWO_LAYERS: Runs = {**_TEN, "block": "two_layers", **NETS["two_layers"], "learning_rate": 1}
RANK_2: Runs = {**_TEN, "block": "rank_2", **NETS["rank_2"], "learning_rate": 1}
NEAR_ZERO: Runs = {**_TEN, "block": "near_zero", **NETS["near_zero"], "learning_rate": 100}
LARGE_SCALE: Runs = {**_TEN, "block": "large_scale", **NETS["large_scale"], "learning_rate": 0.001}
# The last figure: its net has the rate 0.1, not that of the sweep.
STANDARD_SCALE: Runs = {**_TEN, "block": "standard_scale", **NETS["two_layers"], "depth": 3, "learning_rate": 0.1}
LEARNING_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
DEPTHS: dict[int, Runs] = {
    depth: {**_TEN, "block": "depths", **NETS["two_layers"], "depth": depth, "learning_rate": rate}
    for depth, rate in LEARNING_RATES.items()
}
# All nets of the document.
DOCUMENT: tuple[Runs, ...] = (LINEAR, TWO_LAYERS, *DEPTHS.values(), RANK_2, NEAR_ZERO, LARGE_SCALE, STANDARD_SCALE)
# Not in the document: the same nets on 20 draws of the points with one init for each, and the one of rank 2.
_DRAWS: Runs = {"data_seed": list(range(20)), "seed": 0}
DATA_SETS: dict[int, Runs] = {
    depth: {**TASK, "block": "data_sets", **net, "learning_rate": LEARNING_RATES[depth], **_DRAWS}
    for depth, net in {1: NETS["linear"], **{deep: {**NETS["two_layers"], "depth": deep} for deep in (2, 3, 6)}}.items()
}
RANK_2_DATA_SETS: Runs = {**DATA_SETS[2], **NETS["rank_2"]}
REPLAYED = (
    "The run replays the document's random numbers, and accuracies of 100 points are whole percents: a mean over ten "
    "repetitions is the document's to its last printed digit."
)
ACCURACY = "test accuracy, %"
POINTS = "difference of test accuracies, percentage points"


def accuracy(runs: Runs) -> Measure:
    """Measure the final test accuracy of each run, in percent."""
    return final("classifier", "test_accuracy", factor=100, **runs)


def accuracy_of_all(runs: Runs) -> Measure:
    """Measure the same, if the results have all repetitions that the document's mean is over."""

    def measured(evidence: Evidence) -> np.ndarray:
        values, repetitions = accuracy(runs)(evidence), np.size(runs["seed"])
        if len(values) < repetitions:
            raise NotTestableError(f"the document's mean is over {repetitions} repetitions, of which {len(values)} ran")
        return values

    return measured


def replayed_accuracy(section: Section, statement: str, runs: Runs, printed: str = "{}%", main: str = "") -> Claim:
    """Claim a mean accuracy that the replayed random numbers make exact."""
    block = str(runs["block"])
    value = ACCURACIES[block]
    criterion = Printed(value, places=0 if value == round(value) else 1)
    return section.of(ACCURACY).number(
        f"{block}_accuracy", statement, accuracy_of_all(runs), criterion, because=REPLAYED, printed=printed, main=main
    )
