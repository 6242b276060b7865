"""What the words of document 002 mean in its criteria: "with high probability", "negligible", "in expectation"."""

import numpy as np

from workflow.deepnets.documents.propagation.printed import READINGS

# "With high probability", and "≪ 1", of the document's “≲”.
HIGH_PROBABILITY, MUCH_LESS_THAN_1 = 0.95, 0.1
# A growth per layer that is not negligible: over 200 layers it amounts to four orders of magnitude.
NOT_NEGLIGIBLE = 0.05
# The growth of ln χ per layer from which on χ explodes.
EXPLODING = float(np.log1p(NOT_NEGLIGIBLE))
# The growth of ln χ per layer up to which χ does not explode: a factor of e over 100 layers. A net whose χ grows faster
# than this, but does not explode, is undecided at its depth.
NOT_EXPLODING = float(np.log1p(0.01))
# The effective rank below which a signal is nearer to a line (1) than to a plane (2).
LINE = 1.5
# The share of the variance in the mean square below which a signal is on a point.
POINT = 0.01
# The effective rank that divides few directions from many: the geometric mean of those at which the pictures' nets end.
FEW = round((READINGS["rank"][200].value * READINGS["branch_rank"][500].value) ** 0.5, 1)
ERRORS = 6

IN_EXPECTATION = (
    "The theory bounds expectations, which take many nets: here fully connected ones. Of up to 60 layers the one "
    "closest to the bound is judged: with 10 simulations or more, Student's t exceeds 6 standard errors at one of them "
    "in fewer than 1 of 100 such tests."
)
PREFERENCE = "ln(error of an exponential / error of a power law), both fitted to ln χ"
EACH = "What holds with high probability is to be seen in each simulation."
ROUNDING = "An identity, up to the rounding of float32 sums."


def with_slack(least: float, greatest: float) -> tuple[float, float]:
    """Return the bounds of what the document writes with “≲” between these."""
    return least / (1 + MUCH_LESS_THAN_1), greatest * (1 + MUCH_LESS_THAN_1)
