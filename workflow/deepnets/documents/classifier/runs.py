import pandas as pd

from reproduce import api

# The settings in the document's text and code, and the seed of its points.
TASK = api.Selection("classifier", dimension=10, classes=10, samples=100, class_rank=2, target_loss=0.01, data_seed=0)
# The net with one layer starts from zeros and has one run.
LINEAR = TASK.but(block="linear", depth=1, init="zeros", rank=0, scale=1, learning_rate=10, seed=0)
# The document averages over ten inits. A config may contain more.
TWO_LAYERS = TASK.but(
    seed=list(range(10)), block="two_layers", depth=2, init="xavier_normal", rank=0, scale=1, learning_rate=1
)
RANK_2 = TWO_LAYERS.but(block="rank_2", rank=2)
NEAR_ZERO = TWO_LAYERS.but(block="near_zero", depth=3, scale=1e-4, learning_rate=100)
LARGE_SCALE = TWO_LAYERS.but(block="large_scale", depth=3, scale=1000, learning_rate=0.001)
# The document drew its last figure with the learning rate 0.1; its sweep of depths has 0.03 with three layers.
STANDARD_SCALE = TWO_LAYERS.but(block="standard_scale", depth=3, learning_rate=0.1)
LEARNING_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
DEPTHS = {
    depth: TWO_LAYERS.but(block="depths", depth=depth, learning_rate=rate) for depth, rate in LEARNING_RATES.items()
}
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
# The text's mean test accuracies in percent, by the block of config.yaml, and the standard errors that it gives.
ACCURACIES = {
    "linear": 53.0,  # "We get an accuracy of 53%"
    "two_layers": 60.3,  # "60.3% with standard deviation 0.6%"
    "rank_2": 85.0,  # "85% accuracy!"
    "near_zero": 84.0,  # "ca 84%"
    "large_scale": 57.5,  # "57.5% with standard deviation 1%"
}
STANDARD_ERRORS = {"two_layers": 0.6, "large_scale": 1.0}
# Not in the document: four of these depths and three other nets, on 20 draws of the points with one init per draw.
DATA_SETS = {
    depth: net.but(block="data_sets", data_seed=api.EVERY, seed=api.EVERY)
    for depth, net in {1: LINEAR, **{depth: DEPTHS[depth] for depth in (2, 3, 6)}}.items()
}
RANK_2_DATA_SETS = DATA_SETS[2].but(rank=2)
NEAR_ZERO_DATA_SETS = DATA_SETS[3].but(scale=1e-4, learning_rate=100)
LARGE_SCALE_DATA_SETS = DATA_SETS[3].but(scale=1000, learning_rate=0.001)
# Not in the document: more features determine the class.
CLASS_RANKS = {rank: {depth: DATA_SETS[depth].but(class_rank=rank) for depth in DATA_SETS} for rank in (2, 4, 6, 10)}
# Not in the document: 30 more inits at the large scale, on its points.
LARGE_SCALE_INITS = LARGE_SCALE.but(block=["large_scale", "more_inits"], seed=api.EVERY)
# One update of two layers that start at zero.
ZERO_START = LINEAR.but(block="zero_start", depth=2, learning_rate=1, target_loss=2.31)


def swept_net(depth: int, *, rate: float | None = None, threshold: float | None = None) -> api.Selection:
    """Return the runs of the document's net of this depth, with another learning rate or stopping threshold."""
    own = LINEAR if depth == 1 else DEPTHS[depth]
    if rate:
        return own.but(block="rates", learning_rate=rate)
    return own.but(block="thresholds", target_loss=threshold) if threshold else own


def variant_name(net: pd.Series | api.Selection) -> str:
    """Return the name of a net: its depth, and each setting that differs from the default.

    net: a row of the table, or a selection that names these axes.
    """
    parts = [
        "1 layer" if net["depth"] == 1 else f"{net['depth']} layers",
        "from zeros" if net["init"] == "zeros" else "",
        f"rank {net['rank']}" if net["rank"] else "",
        f"× {api.text_of(net['scale'])}" if net["scale"] != 1 else "",
    ]
    return ", ".join(filter(None, parts))
