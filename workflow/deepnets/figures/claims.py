"""The figure of a document's claims: one cell for each claim, and a list of the claims that are not reproduced."""

from textwrap import wrap

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from deepnets.claims.claim import BESIDE, MAIN, OURS, SUPPORTING, THEOREM
from deepnets.claims.criteria import FAILED, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from deepnets.figures.sheet import Sheet

# Verdicts in the order of the cells.
_COLOURS = {NOT_REPRODUCED: "C1", UNDECIDED: "C4", NOT_TESTABLE: "0.75", REPRODUCED: "C0"}
# Weight → label of its row, and the side of its cells, in units of a small cell.
_ROWS = {
    **{MAIN: ("main\nstatements", 2), SUPPORTING: ("supporting\nstatements", 1), THEOREM: ("theorems", 1)},
    **{BESIDE: ("works\nbeside it", 1), OURS: ("our own\nstatements", 2)},
}
# The number of small cells in a line, and the width of the labels on the left, in units.
_CELLS, _WORDS = 32, 5.5
# The width of the figure (inches), the height of a line of text (units), and the characters in a line.
_WIDTH, _LINE, _LETTERS = 6.9, 0.62, 130
_UNIT = _WIDTH / (_WORDS + _CELLS)


def claims(claims: pd.DataFrame) -> Figure:
    """Every claim of the document is a cell in the colour of its verdict.

    Cells of main statements are large. Cells of supporting statements and of theorems are small. Numbers in cells refer
    to the list of claims that are not reproduced.
    """
    # Errata have no weight.
    sheet, rows = Sheet(), claims[claims["weight"].isin(list(_ROWS))]
    order = {name: place for place, name in enumerate((*_ROWS, *_COLOURS))}
    rows = rows.sort_values(["weight", "verdict"], key=lambda names: names.map(order), kind="stable")
    failed = rows.loc[rows["verdict"].isin(FAILED), "statement"]
    items = [wrap(f"{number}  {statement}", _LETTERS) for number, statement in enumerate(failed, start=1)]
    verdicts = {weight: rows.loc[rows["weight"] == weight, "verdict"] for weight in _ROWS}
    heights = {weight: _height(len(verdicts[weight]), side) for weight, (_, side) in _ROWS.items()}
    height = sum(heights.values()) + 2 + _LINE * sum(len(item) + 0.4 for item in items)
    axis = sheet.panel(figsize=(_WIDTH, _UNIT * max(height, 5)))
    if rows.empty:
        sheet.leave_empty(axis, "the document has no claims")
        return sheet.finish()
    axis.set(xlim=(-_WORDS, _CELLS), ylim=(height, 0))
    axis.set_axis_off()
    top, number = 2.0, 0
    axis.legend(handles=_legend(rows["verdict"]), loc="upper left", ncols=len(_COLOURS), borderpad=0, handlelength=1)
    for weight, (words, side) in _ROWS.items():
        if heights[weight]:
            axis.text(-_WORDS, top + side / 2, words, va="center", fontsize=7)
        for place, verdict in enumerate(verdicts[weight]):
            number += verdict in FAILED
            _draw_cell(axis, (place, top, side), verdict, str(number) if verdict in FAILED else "")
        top += heights[weight]
    for item in items:
        axis.text(-_WORDS, top, "\n".join(item), va="top", fontsize=7, linespacing=1.2, parse_math=False)
        top += _LINE * (len(item) + 0.4)
    return sheet.finish()


def _height(count: int, side: int) -> float:
    """Return the height of a row of cells with the gap below it, in units."""
    return -(-count // (_CELLS // side)) * side + 0.6 if count else 0


def _draw_cell(axis: Axes, at: tuple[int, float, int], verdict: str, number: str) -> None:
    """Draw a claim as a cell. at: the cell's place in its row, the top of the row, and the side of a cell."""
    place, top, side = at
    line, column = divmod(place, _CELLS // side)
    x, y = column * side, top + line * side
    axis.add_patch(Rectangle((x + 0.06, y + 0.06), side - 0.12, side - 0.12, facecolor=_COLOURS[verdict], lw=0))
    axis.text(x + side / 2, y + side / 2, number, ha="center", va="center", fontsize=7, color="black")


def _legend(verdicts: pd.Series) -> list[Patch]:
    counts = verdicts.value_counts()
    return [
        Patch(color=colour, label=f"{verdict}: {counts[verdict]}")
        for verdict, colour in reversed(_COLOURS.items())
        if verdict in counts
    ]
