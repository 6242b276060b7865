from deepnets.documents.classifier.nets import DOCUMENT_DATA
from deepnets.documents.classifier.printed import NETS
from reproduce import api

# The settings in the document's text and code, and the seed of its points.
TASK = api.Selection("classifier", dimension=10, classes=10, samples=100, target_loss=0.01, data_seed=DOCUMENT_DATA)
# The net with one layer starts from zeros and has one run.
LINEAR = TASK.but(block="linear", **NETS["linear"], learning_rate=10, seed=0)
# The document averages over ten inits. A config may contain more.
_TEN = TASK.but(seed=list(range(10)))
TWO_LAYERS = _TEN.but(block="two_layers", **NETS["two_layers"], learning_rate=1)
RANK_2 = _TEN.but(block="rank_2", **NETS["rank_2"], learning_rate=1)
NEAR_ZERO = _TEN.but(block="near_zero", **NETS["near_zero"], learning_rate=100)
LARGE_SCALE = _TEN.but(block="large_scale", **NETS["large_scale"], learning_rate=0.001)
# The document drew its last figure with the learning rate 0.1; its sweep of depths has 0.03 with three layers.
STANDARD_SCALE = TWO_LAYERS.but(block="standard_scale", depth=3, learning_rate=0.1)
LEARNING_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
DEPTHS = {
    depth: TWO_LAYERS.but(block="depths", depth=depth, learning_rate=rate) for depth, rate in LEARNING_RATES.items()
}
# Not in the document: ten more inits on its points.
MORE_INITS = {depth: DEPTHS[depth].but(block="more_inits", seed=api.EVERY) for depth in (4, 5, 6)}
# All nets of the document.
DOCUMENT = {
    "one layer": LINEAR,
    "two layers": TWO_LAYERS,
    **{f"depth {depth}": runs for depth, runs in DEPTHS.items()},
    "rank 2": RANK_2,
    "start near zero": NEAR_ZERO,
    "start times 1000": LARGE_SCALE,
    "standard start": STANDARD_SCALE,
}
# Not in the document: four of these depths and three other nets, on 20 draws of the points with one init per draw.
DATA_SETS = {
    depth: net.but(block="data_sets", data_seed=api.EVERY, seed=api.EVERY)
    for depth, net in {1: LINEAR, **{depth: DEPTHS[depth] for depth in (2, 3, 6)}}.items()
}
RANK_2_DATA_SETS = DATA_SETS[2].but(**NETS["rank_2"])
NEAR_ZERO_DATA_SETS = DATA_SETS[3].but(**NETS["near_zero"], learning_rate=100)
LARGE_SCALE_DATA_SETS = DATA_SETS[3].but(**NETS["large_scale"], learning_rate=0.001)
# One update of two layers that start at zero.
ZERO_START = LINEAR.but(block="zero_start", depth=2, learning_rate=1, target_loss=2.31)


def swept_net(depth: int, *, rate: float | None = None, threshold: float | None = None) -> api.Selection:
    """Return the runs of the document's net of this depth, with another learning rate or stopping threshold."""
    own = LINEAR if depth == 1 else DEPTHS[depth]
    if rate:
        return own.but(block="rates", learning_rate=rate)
    return own.but(block="thresholds", target_loss=threshold) if threshold else own
