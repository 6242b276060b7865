"""The runs of the paper."""

from deepnets.tables.rows import Runs

# Figures 1 to 3.
TASK: Runs = {"size": 100, "rank": 5}
DEPTHS = (1, 2, 3)
# Figure 1.
COMPLETED_DEPTHS = (2, 3, 4)
# Figure 3.
DYNAMICS: Runs = {**TASK, "block": "dynamics", "init": "identity", "learning_rate": 0.1, "entries": 2000}
# The scale of Figure 3 and a larger one: Theorem 3 holds for every scale.
SCALES_OF_FLOW = [0.001, 0.1]
FLOW: Runs = {**DYNAMICS, "depth": DEPTHS, "scale": SCALES_OF_FLOW}
# Figures 1 and 2.
COMPLETION: Runs = {**TASK, "block": "completion", "init": "gaussian"}
SMALL: Runs = {**COMPLETION, "scale": 0.001}
FEW: Runs = {**COMPLETION, "entries": 2000}
SMALL_AND_FEW: Runs = {**SMALL, **FEW}
# Figure 1, on the right; of a rank so high, 2,000 entries are hardly more than the numbers that determine the matrix.
RANKS = (5, 10)
OF_RANK_10: Runs = {**SMALL, "rank": 10, "entries": 3000}
