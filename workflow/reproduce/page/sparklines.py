"""The small curve beside an answer: one line of a figure, drawn for a size at which only its form can be read."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reproduce.claims.claims_in_words import with_math_signs

# The picture, and its frame: left, top, right and bottom (pixels).
WIDTH, HEIGHT = 360, 116
FRAME = 4, 20, 348, 96


@dataclass(frozen=True)
class Sparkline:
    """A curve in pixels of the picture.

    ours, given: SVG paths; given is a line beside it that helps to guess, "" if there is none. mark: the last point.
    x, y: what the axes show. ends, limits: the numbers at the ends of the x axis, and of the y axis.
    """

    ours: str
    given: str
    mark: tuple[int, int]
    x: str
    y: str
    ends: tuple[str, str]
    limits: tuple[str, ...]


def sparkline_of(numbers: str, curve: Mapping[str, Any]) -> Sparkline | None:
    """Return a line of a figure as a sparkline, None if the figure lacks this line.

    numbers: what the figure shows, as in its CSV file.
    curve: panel, series and given, the beginnings of names in the file (if several lines fit, the first; given may be
        ""); x and y, in words; limits, of the y axis; log, the axes that are logarithmic: "", "x", "y" or "xy".
    """
    # The name of a series may be empty.
    rows = pd.read_csv(io.StringIO(numbers), dtype={"panel": str, "series": str}).fillna({"panel": "", "series": ""})
    rows = rows[rows.kind.eq("line") & rows.panel.str.startswith(curve["panel"])]
    ours = rows[rows.series.str.startswith(curve["series"])]
    if ours.empty:
        return None
    given = rows[rows.series.str.startswith(curve["given"])] if curve["given"] else rows[:0]
    left, top, right, bottom = FRAME
    # The first of several lines that fit, such as those of several seeds.
    ours, given = (
        next((line for _, line in rows.groupby(["series", "run"], sort=False)), rows) for rows in (ours, given)
    )
    ends = ours.x.min(), ours.x.max()

    def pixels(line: pd.DataFrame) -> list[tuple[int, int]]:
        across = left + (right - left) * _share(line.x, ends, "x" in curve["log"])
        up = bottom - (bottom - top) * _share(line.y, curve["limits"], "y" in curve["log"])
        places = np.rint(np.column_stack([across, up.clip(top, bottom)])).astype(int).tolist()
        # Points that are nearer to each other than three pixels along x look like one.
        return list({x // 3: (x, y) for x, y in places}.values())

    drawn = pixels(ours)
    return Sparkline(
        ours=_path(drawn),
        given=_path(pixels(given)) if len(given) else "",
        mark=drawn[-1],
        x=curve["x"],
        y=curve["y"],
        ends=(f"{ends[0]:,g}", f"{ends[1]:,g}"),
        limits=tuple(with_math_signs(f"{limit:,g}") for limit in curve["limits"]),
    )


def _share(values: pd.Series, ends: tuple[float, float], logarithmic: bool) -> pd.Series:
    """Return how far values are from the first end to the second: 0 to 1."""
    low, high = np.log(ends) if logarithmic else np.array(ends)
    return ((np.log(values) if logarithmic else values) - low) / (high - low)


def _path(places: list[tuple[int, int]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in places)
