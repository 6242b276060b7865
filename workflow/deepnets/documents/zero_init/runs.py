from reproduce import api

# The number of updates in an epoch: 60,000 images in batches of 64.
UPDATES = 938
_DECAY = {"epochs": 12, "factor": 0.7}
_TRAINED = api.Selection("zero_init", batch=64, learning_rate=0.1, decay=_DECAY, depth=4)
# Both figures of the document.
EPOCH = _TRAINED.but(steps=UPDATES, bias=0.01)
# The document prints test results and matrices of this net, which is the first net of the left figure.
PRINTED = EPOCH.but(block="widths", width=256, init="partial_identity", seed=1)
# "Test set: Average loss: 0.1849, Accuracy: 9454/10000"
TEST_LOSS, TEST_COUNT, TEST_IMAGES = 0.1849, 9454, 10_000
# The left figure: width → runs. The net of 1,024 units belongs to both figures; its runs are in the right figure's
# block.
PARTIAL = {
    width: EPOCH.but(width=width, init="partial_identity", block="inits" if width == 1024 else "widths")
    for width in (256, 512, 1024, 2048)
}
# The right figure: its width, and the inits that it shows; the document defines OnE and Spray, but leaves them out.
RIGHT = 1024
RIGHT_FIGURE = EPOCH.but(width=RIGHT, block="inits")
SHOWN = ["random", "partial_identity", "zero"]
# Not in the document: the nets of the right figure with a quarter of its inputs.
FEWER_INPUTS = RIGHT_FIGURE.but(block="fewer_inputs", pool=2)
# How often ranks are recorded, and the tolerance of a rank.
RANKS = {"record_every": 50, "rank_tolerance": 1e-4}
# The authors' own notebook, with no biases and 20 epochs; only its pictures are left. In the default config, n_h = 1024
# is the width of the right figure; in configs/paper_size.yaml, 1024 is a width of the left figure.
AUTHORS = _TRAINED.but(**RANKS, bias=0, seed=1)
BLOCKS_OF_AUTHORS = {
    256: ["widths_without_bias"],
    512: ["widths_without_bias"],
    1024: ["inits_without_bias", "widths_without_bias"],
    2048: ["inits_without_bias"],
}
