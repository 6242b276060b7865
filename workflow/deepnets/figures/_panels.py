"""Letters by which captions and texts name the panels of a figure."""

from collections.abc import Iterable
from string import ascii_lowercase

from matplotlib.axes import Axes


def letter(axes: Iterable[Axes]) -> None:
    """Write a, b, c, … in bold above the left corner of each panel, in the order given."""
    for axis, name in zip(axes, ascii_lowercase, strict=False):
        axis.set_title(name, loc="left", fontweight="bold")
