"""A claim of document 002 that a quantity lies within the bounds of the theory."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import MeanWithin
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.propagation.criteria import (
    ERRORS,
    IN_EXPECTATION,
)
from deepnets.documents.propagation.measures import (
    over_bound,
)
from deepnets.documents.propagation.quantities import (
    Bound,
    Quantity,
)
from deepnets.documents.propagation.runs import Net

_TAU = "The lower bound uses the least τ of all units, the upper bound the greatest."


def claim_within_bounds(
    section: Section,
    name: str,
    symbol: str,
    net: Net,
    quantity: Quantity,
    lower: float | Bound,
    upper: float | Bound | None = None,
    *,
    printed: str,
    explanation: str = "",
) -> Claim:
    """Claim that the expectation of a quantity lies above a lower bound and, if given, below an upper bound."""
    parts = {"lower bound": (over_bound(net, quantity, lower), MeanWithin(least=1, errors=ERRORS, precision=0.1))}
    if upper is not None:
        above = over_bound(net, quantity, upper, upper=True)
        parts["upper bound"] = above, MeanWithin(greatest=1, errors=ERRORS, precision=0.1)
    bounds = f"within its bounds, {printed}," if upper is not None else f"above its lower bound, {printed},"
    return section.bound(
        f"{name}_is_within_bounds",
        f"{symbol} is {bounds} at each depth.",
        *combine_parts(parts),
        because=f"{IN_EXPECTATION} {_TAU}" if callable(lower) else IN_EXPECTATION,
        quantity=f"{symbol} divided by its bound, at the layer where they are closest",
        explanation=explanation,
        revised="the limit was 4.5 standard errors with 20 simulations or more; with 10, Student's t needs 6",
    )
