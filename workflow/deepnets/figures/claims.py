"""The figure of a document's claims: how far our numbers lie from its own."""

from textwrap import wrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.claims.criteria import REPRODUCED
from workflow.deepnets.figures.sheet import Sheet

# The height of a row (inches), and the largest deviation on the scale.
_ROW_HEIGHT, _EDGE = 0.3, 6.0
# Characters in a line of a label, of which three fit into a row.
_LABEL_WIDTH = 60


def claims(claims: pd.DataFrame) -> Figure:
    """How far our value lies from the document's, for each claim that states a number, in units of the error.

    The unit is the combined standard error of both values. If the document's number is one more draw like ours, it is
    the standard deviation; if a value has to be the document's to its last printed digit, it is half of that digit. A
    claim of several numbers shows the one that lies furthest away. The band spans ±3; the criterion of a claim may be
    narrower. Filled: reproduced; open: not. Values further out are drawn at the edge, with their numbers.
    """
    sheet, rows = Sheet(), claims[np.isfinite(claims["deviation"])]
    axis = sheet.panel(figsize=(6.9, 0.8 + _ROW_HEIGHT * max(len(rows), 6)))
    if rows.empty:
        sheet.leave_empty(axis, "no claim states a number that these runs can judge")
        return sheet.finish()
    places = np.arange(len(rows))[::-1]
    shown = rows["deviation"].clip(-_EDGE, _EDGE)
    holds = (rows["verdict"] == REPRODUCED).to_numpy()
    axis.axvspan(-3, 3, color="0.93", zorder=0)
    axis.axvline(0, color="0.6", lw=0.6, zorder=1)
    for mask, edge, face in ((holds, "C0", "C0"), (~holds, "C1", "white")):
        axis.plot(shown[mask], places[mask], "o", color=edge, mfc=face, zorder=3)
    for place, deviation, at in zip(places, rows["deviation"], shown, strict=True):
        if deviation != at:
            offset, side = (-5, "right") if at > 0 else (5, "left")
            axis.annotate(
                f"{deviation:.1f}",
                (at, place),
                (offset, 0),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=6,
            )
    axis.set_yticks(places, [_label(row) for _, row in rows.iterrows()], fontsize=6)
    axis.set(xlim=(-_EDGE - 0.5, _EDGE + 0.5), ylim=(-0.7, len(rows) - 0.3), xlabel="(ours − the document's) / error")
    return sheet.finish()


def _label(row: pd.Series) -> str:
    """Return the name of a claim with both values, and below it what they are; the ledger lists several values."""
    if np.isnan(row["value"]):
        numbers = "several values"
    else:
        error = f" ± {row['document_error']:.2g}" if row["document_error"] > 0 else ""
        ours = row["ours"].partition(" (n = ")[0]
        numbers = f"{ours} (document: {row['document_value']:.6g}{error})"
    return "\n".join([f"{row['claim']}: {numbers}", *wrap(row["quantity"], _LABEL_WIDTH)])
