"""Numbers that the paper prints, which several modules need."""

# Appendix D: the best rate and the highest stable one, times the largest eigenvalue of the Hessian at the optimum.
BEST_RATE, STABLE_RATE = 1.9, 2
# Figure 5: the images that the paper trains on, and their classes.
IMAGES, CLASSES = 50_000, 10
# Figure 6C: the width of its bins, and the percentage of eigenvalues in the bin at the origin by number of factors.
BIN_WIDTH = 0.1
SHARES_AT_ORIGIN = {5: 32, 100: 94}
# Figure 6B, C: how many matrices are multiplied.
FACTORS = (1, 5, 100)
# Figure 7.
GAINS = (0.9, 0.95, 1, 1.05, 1.1)
