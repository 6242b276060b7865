"""What the words of document 002 mean in its rules: "with high probability", "negligible", "in expectation"."""

# "With high probability", and "≪ 1", of the document's “≲”.
HIGH_PROBABILITY, MUCH_LESS_THAN_1 = 0.95, 0.1
# A growth per layer that can be neglected no more: over 200 layers it makes four orders of magnitude.
NOT_NEGLIGIBLE = 0.05
# Few directions and many: between the ends of the pictures' curves, ranks of 2.1 and 15.9, lies √(2.1 · 15.9).
FEW = 5.8
ERRORS = 4.5

IN_EXPECTATION = (
    "The theory bounds expectations. Of up to 60 layers the one closest to the bound is judged: with 20 simulations or "
    "more, Student's t exceeds 4.5 standard errors at one of them in fewer than 1 of 100 such tests."
)
EACH = "What holds with high probability is to be seen in each simulation."
ROUNDING = "An identity, up to the rounding of float32 sums."


def with_slack(least: float, greatest: float) -> tuple[float, float]:
    """Return the bounds of what the document writes with “≲” between these."""
    return least / (1 + MUCH_LESS_THAN_1), greatest * (1 + MUCH_LESS_THAN_1)
