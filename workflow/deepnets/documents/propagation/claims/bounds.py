"""Claims that a quantity of document 002 respects the bounds of the theory."""

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import MeanWithin
from workflow.deepnets.claims.section import Section, in_parts
from workflow.deepnets.documents.propagation.criteria import (
    ERRORS,
    IN_EXPECTATION,
)
from workflow.deepnets.documents.propagation.measures import (
    over_bound,
)
from workflow.deepnets.documents.propagation.quantities import (
    Bound,
    Quantity,
)
from workflow.deepnets.documents.propagation.runs import Net

_TAU = "The lower bound takes the least τ of all units, the upper one the greatest."


def within_bounds(
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
    """Claim that a quantity respects a lower bound, and an upper one if there is one, in expectation."""
    parts = {"lower bound": (over_bound(net, quantity, lower), MeanWithin(least=1, errors=ERRORS, precision=0.1))}
    if upper is not None:
        above = over_bound(net, quantity, upper, upper=True)
        parts["upper bound"] = above, MeanWithin(greatest=1, errors=ERRORS, precision=0.1)
    named = "its bounds" if upper is not None else "its lower bound"
    return section.bound(
        f"{name}_is_within_bounds",
        f"{symbol} respects {named}, {printed}, at each depth.",
        *in_parts(parts),
        because=f"{IN_EXPECTATION} {_TAU}" if callable(lower) else IN_EXPECTATION,
        quantity=f"{symbol} over its bound, at the layer closest to it",
        explanation=explanation,
        revised="the limit was 4.5 standard errors with 20 simulations or more; with 10, Student's t needs 6",
    )
