"""The runs that document 004 describes."""

from deepnets.tables.rows import Runs

# The number of updates in an epoch: 60,000 images in batches of 64.
UPDATES = 938
# The settings that the document's code names.
TRAINING: Runs = {"batch": 64, "learning_rate": 0.1, "decay": {"epochs": 12, "factor": 0.7}}
RANKS: Runs = {"record_every": 50, "rank_tolerance": 1e-4}
WITH_BIASES: Runs = {"depth": 4, "bias": 0.01}
EPOCH: Runs = {**TRAINING, **WITH_BIASES, "steps": UPDATES}
BOTH_FIGURES: Runs = {**EPOCH, **RANKS, "block": ["widths", "inits"]}
# Width → runs, for claims about the nets before training. For these claims, any number of updates will do.
BEFORE_TRAINING: dict[int, Runs] = {
    width: {**TRAINING, **RANKS, **WITH_BIASES, "width": width, "block": block}
    for width, block in ((256, "widths"), (1024, "inits"))
}
# The document prints test results and matrices of this net, which is the first net of the left figure.
NET: Runs = {**WITH_BIASES, "init": "partial_identity", "width": 256}
PRINTED: Runs = {**EPOCH, **NET, "block": "widths", "seed": 1}
# The left figure: width → runs. The net of 1,024 units belongs to both figures; its runs are in the right figure's
# block.
PARTIAL: dict[int, Runs] = {
    width: {**EPOCH, "width": width, "init": "partial_identity", "block": "inits" if width == 1024 else "widths"}
    for width in (256, 512, 1024, 2048)
}
# The right figure: its width, its inits, and the inits that the document defines but leaves out of its plots.
RIGHT = 1024
RIGHT_FIGURE: Runs = {**EPOCH, "width": RIGHT, "block": "inits"}
SHOWN = {"zero": "ZerO", "partial_identity": "partial identity", "random": "random weights"}
LEFT_OUT = {"one": "OnE", "spray": "Spray"}
# The authors' own notebook, with no biases and 20 epochs; only its pictures are left. In the default config, n_h = 1024
# is the width of the right figure; in configs/paper_size.yaml, 1024 is a width of the left figure.
AUTHORS: Runs = {**TRAINING, **RANKS, "depth": 4, "bias": 0, "seed": 1}
BLOCKS_OF_AUTHORS = {
    256: ["widths_without_bias"],
    512: ["widths_without_bias"],
    1024: ["inits_without_bias", "widths_without_bias"],
    2048: ["inits_without_bias"],
}
# The numbers of updates at the last log of the first epoch and of the last epoch. The last log of each epoch follows
# that epoch's update 901.
FIRST_EPOCH, LAST_EPOCH = 901, 19 * UPDATES + 901
