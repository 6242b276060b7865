"""The runs that document 004 describes."""

from workflow.deepnets.documents.zero_init.printed import NET

PIXELS, CLASSES, UPDATES = 784, 10, 938
# The settings that the document's code names.
TRAINING = {"batch": 64, "learning_rate": 0.1, "decay": {"epochs": 12, "factor": 0.7}}
RANKS = {"record_every": 50, "rank_tolerance": 1e-4}
BLOCKS = {"block": ["widths", "inits"]}
WITH_BIASES = {"depth": NET["depth"], "bias": NET["bias"]}
EPOCH = {**TRAINING, **WITH_BIASES, "steps": UPDATES}
# Its printed net: the first of the left figure.
QUOTED = {**EPOCH, **NET, "seed": 1}
# The width of the right figure.
RIGHT = 1024
