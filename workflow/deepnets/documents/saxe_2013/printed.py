"""Numbers that several modules need: the paper's, and our choice of a number that the paper does not give."""

# Our choice: the best rate times the largest eigenvalue of the Hessian at the optimum. The paper states only that this
# product is constant (eq. 42). Gradient descent becomes unstable at 2.
BEST_RATE = 1.9
# Figure 5: the images that the paper trains on, and their classes.
IMAGES, CLASSES = 50_000, 10
# Appendix C: the layers of the nets of Figures 4 and 6A.
LAYERS = (3, 5, 8, 10, 14, 20, 28, 36, 44, 54, 64, 74, 84, 94, 100)
# Figure 6C: the width of the bins, and, for each number of factors, the percentage of eigenvalues in the bin at the
# origin.
BIN_WIDTH = 0.1
SHARES_AT_ORIGIN = {5: 32, 100: 94}
# Figure 6B, C: the numbers of matrices in a product, and the number of products in each histogram.
FACTORS = (1, 5, 100)
PRODUCTS_OF_A_HISTOGRAM = 500
# Figure 7.
GAINS = (0.9, 0.95, 1, 1.05, 1.1)
# Figure 8, right.
LAYERS_OF_FIGURE_8 = 30
# The width of the nets and matrices of Figures 4, 6, 7 and 8.
UNITS = 1000
