from reproduce import api

# Figures 1 to 3.
_TASK = api.Selection("matrix_completion", size=100, rank=5)
# Figure 2.
LEAST_NORM = api.Selection("least_nuclear_norm", size=100, rank=5)
DEPTHS = (1, 2, 3)
# Figure 1.
COMPLETED_DEPTHS = (2, 3, 4)
# Figure 3.
DYNAMICS = _TASK.but(block="dynamics", init="identity", learning_rate=0.1, entries=2000)
# The scale of Figure 3 and a larger one: Theorem 3 holds for every scale.
FLOW = DYNAMICS.but(scale=[0.001, 0.1])
FIGURE_3 = DYNAMICS.but(scale=0.001)
# Figures 1 and 2.
COMPLETION = _TASK.but(block="completion", init="gaussian")
SMALL = COMPLETION.but(scale=0.001)
FEW = COMPLETION.but(entries=2000)
SMALL_AND_FEW = SMALL.but(entries=2000)
# Figure 1, on the right; of a rank so high, 2,000 entries are hardly more than the numbers that determine the matrix.
OF_RANK_10 = SMALL.but(rank=10, entries=3000)
