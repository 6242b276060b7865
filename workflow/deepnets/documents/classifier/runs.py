"""The runs of document 000."""

from deepnets.documents.classifier.nets import DOCUMENT_DATA
from deepnets.documents.classifier.printed import NETS
from deepnets.tables.rows import Runs

# The document averages over ten inits. A config may contain more.
REPETITIONS = list(range(10))
# The settings in the document's text and code, and the seed of its points.
TASK: Runs = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01, "data_seed": DOCUMENT_DATA}
# The net with one layer starts from zeros and has one run. All deeper nets of the document have ten runs.
LINEAR: Runs = {**TASK, "block": "linear", **NETS["linear"], "learning_rate": 10, "seed": 0}
_TEN: Runs = {**TASK, "seed": REPETITIONS}
TWO_LAYERS: Runs = {**_TEN, "block": "two_layers", **NETS["two_layers"], "learning_rate": 1}
RANK_2: Runs = {**_TEN, "block": "rank_2", **NETS["rank_2"], "learning_rate": 1}
NEAR_ZERO: Runs = {**_TEN, "block": "near_zero", **NETS["near_zero"], "learning_rate": 100}
LARGE_SCALE: Runs = {**_TEN, "block": "large_scale", **NETS["large_scale"], "learning_rate": 0.001}
# The document drew its last figure with the learning rate 0.1; its sweep of depths has 0.03 with three layers.
STANDARD_SCALE: Runs = {**_TEN, "block": "standard_scale", **NETS["two_layers"], "depth": 3, "learning_rate": 0.1}
LEARNING_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
DEPTHS: dict[int, Runs] = {
    depth: {**_TEN, "block": "depths", **NETS["two_layers"], "depth": depth, "learning_rate": rate}
    for depth, rate in LEARNING_RATES.items()
}
# All nets of the document.
DOCUMENT: tuple[Runs, ...] = (LINEAR, TWO_LAYERS, *DEPTHS.values(), RANK_2, NEAR_ZERO, LARGE_SCALE, STANDARD_SCALE)
# Not in the document: four of these depths, and the net of rank 2, on 20 draws of the points with one init per draw.
_DRAWS: Runs = {"data_seed": list(range(20)), "seed": 0}
DATA_SETS: dict[int, Runs] = {
    depth: {**TASK, "block": "data_sets", **net, "learning_rate": LEARNING_RATES[depth], **_DRAWS}
    for depth, net in {1: NETS["linear"], **{deep: {**NETS["two_layers"], "depth": deep} for deep in (2, 3, 6)}}.items()
}
RANK_2_DATA_SETS: Runs = {**DATA_SETS[2], **NETS["rank_2"]}
