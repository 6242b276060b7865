"""The smallest differences that matter: how far our value may be from a document's number.

One table serves all documents; no claim has a difference of its own. The values of the default config had been seen
when this table was written.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """The smallest difference in a kind of quantity that matters to statements about it.

    size: in the unit of the quantity, or as a share of the document's value if `relative`; because: why.
    positive: whether the quantity is positive, so that means and intervals are those of its logarithm.
    """

    size: float
    relative: bool
    because: str
    positive: bool = False

    def at(self, value: float) -> float:
        """Return the difference for a document's value, in the unit of the quantity."""
        return self.size * abs(value) if self.relative else self.size


DIFFERENCES = {
    "replay": Difference(0, False, "The runs use the document's own random numbers: only rounding and reading differ."),
    "share of images, %": Difference(
        1, False, "One point: documents compare accuracies that differ by several points."
    ),
    "share": Difference(0.03, False, "Documents speak of halves, fifths and tenths, not of hundredths."),
    "loss": Difference(0.05, True, "Documents compare losses that differ by a third or more.", positive=True),
    "growth per layer": Difference(
        0.02,
        False,
        "Half of the gap between growth that the slides neglect (1 % a layer) and growth that explodes (5 %).",
    ),
    "exponent": Difference(
        0.1, True, "A tenth: documents compare exponents of 1, 3/2 and 2, and 14 orders of magnitude."
    ),
    "effective rank": Difference(
        0.25, True, "Few directions (2) and many (16) differ by a factor of eight.", positive=True
    ),
    "moment": Difference(0.1, True, "A tenth: thin and fat tails differ by a factor of two or more.", positive=True),
    "logarithm of a moment": Difference(0.1, False, "A tenth of the moment, on a natural logarithmic scale."),
    "place in depth": Difference(
        10, False, "Ten layers are a twentieth of the depth of the nets that are compared.", positive=True
    ),
    "number of updates": Difference(
        0.05, True, "Documents compare times that differ by a tenth or more.", positive=True
    ),
    "singular value": Difference(
        0.03, True, "Neighbouring singular values that documents name differ by a tenth or more.", positive=True
    ),
}
