"""Count the multiply-adds of a computation by running it on shapes instead of arrays."""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """The number of multiply-adds in all matrix products so far."""

    multiply_adds: int = 0

    def shape(self, rows: int, columns: int) -> "Shape":
        """Return a stand-in for a matrix whose products this tally counts."""
        return Shape(rows, columns, self)


@dataclass(frozen=True)
class Shape:
    """A matrix with a shape but no entries."""

    rows: int
    columns: int
    tally: Tally = field(repr=False, compare=False)

    @property
    def T(self) -> "Shape":  # noqa: N802
        """The transpose."""
        return Shape(self.columns, self.rows, self.tally)

    def __matmul__(self, other: "Shape") -> "Shape":
        if self.columns != other.rows:
            raise ValueError(f"cannot multiply {self} by {other}")
        self.tally.multiply_adds += self.rows * self.columns * other.columns
        return Shape(self.rows, other.columns, self.tally)

    def __sub__(self, other: "Shape") -> "Shape":
        if self != other:
            raise ValueError(f"cannot subtract {other} from {self}")
        return self

    def __rmul__(self, factor: float) -> "Shape":
        return self
