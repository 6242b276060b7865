"""The limits that stand for words of document 002: "with high probability", "negligible", "in expectation"."""

import numpy as np

from deepnets.documents.propagation.printed import READINGS

# The document defines “≲” with these two: "with high probability" and "≪ 1".
HIGH_PROBABILITY, MUCH_LESS_THAN_1 = 0.95, 0.1
# A growth of 5 % per layer is not negligible: over 200 layers it amounts to four orders of magnitude.
NOT_NEGLIGIBLE = 0.05
# If ln χ grows by this much per layer or more, χ explodes.
EXPLODING = float(np.log1p(NOT_NEGLIGIBLE))
# If ln χ grows by this much per layer or less, χ does not explode: by a factor of e over 100 layers. Between the two
# limits, the depth is too small to decide.
NOT_EXPLODING = float(np.log1p(0.01))
# Below this effective rank, a signal is nearer to a line (1) than to a plane (2).
LINE = 1.5
# If the share of the variance in the mean square is below this, the signal is on a point.
POINT = 0.01
# The limit between few and many directions: the geometric mean of the last effective ranks in the pictures.
FEW = round((READINGS["rank"][200].value * READINGS["branch_rank"][500].value) ** 0.5, 1)
# Standard errors by which a mean may miss a bound: IN_EXPECTATION gives the reason.
ERRORS = 6
FEWEST_SIMULATIONS = 10

IN_EXPECTATION = (
    "The theory bounds expectations. To estimate them we need many nets. We use fully connected nets, which take less "
    f"time. Of up to 60 recorded layers we judge the one closest to the bound. With {FEWEST_SIMULATIONS} simulations "
    f"or more, Student's t exceeds {ERRORS} standard errors at one of these layers by chance in fewer than 1 of 100 "
    "such tests."
)
PREFERENCE = "ln(error of an exponential / error of a power law), both fitted to ln χ"
POWER_FITS_BETTER = "A power law fits ln χ with a smaller error than an exponential, from a tenth of the depth on."
EACH = "The document states this with high probability, so it must hold in each simulation."
ROUNDING = "An identity, up to the rounding of float32 sums."


def with_slack(least: float, greatest: float) -> tuple[float, float]:
    """Return the bounds that the document writes with “≲”: widened by the factor 1 + MUCH_LESS_THAN_1."""
    return least / (1 + MUCH_LESS_THAN_1), greatest * (1 + MUCH_LESS_THAN_1)
