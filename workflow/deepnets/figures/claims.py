"""The figure of a document's claims: how far our numbers lie from its own."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.claims.criteria import NOT_REPRODUCED
from workflow.deepnets.figures.panels import say_nothing_to_show

# Rows of one panel, and what lies further out stands at the edge, with its number.
_ROW, _EDGE = 0.17, 6.0


def claims(claims: pd.DataFrame) -> Figure:
    """How far our value lies from the document's, for each claim that states a number, in units of the error.

    The unit is the combined standard error of both values. Where the document's number is one more draw like ours, it
    is the standard deviation; where we replay the document's own random numbers, it is the rounding of the last printed
    digit. The band spans ±3, and the rule of a claim may be narrower. Filled: the claim's rule holds; open: it does
    not. A value further out stands at the edge.
    """
    rows = claims[np.isfinite(claims["deviation"])]
    figure, axis = plt.subplots(figsize=(6.9, 0.8 + _ROW * max(len(rows), 6)))
    if rows.empty:
        say_nothing_to_show(axis, "no claim states a number that these runs can judge")
        return figure
    places = np.arange(len(rows))[::-1]
    shown = rows["deviation"].clip(-_EDGE, _EDGE)
    holds = (rows["verdict"] != NOT_REPRODUCED).to_numpy()
    axis.axvspan(-3, 3, color="0.93", zorder=0)
    axis.axvline(0, color="0.6", lw=0.6, zorder=1)
    for mask, face in ((holds, "C0"), (~holds, "white")):
        axis.plot(shown[mask], places[mask], "o", color="C0" if face == "C0" else "C1", mfc=face, zorder=3)
    for place, row, at in zip(places, rows.itertuples(), shown, strict=True):
        if abs(row.deviation) > _EDGE:
            side = "left" if at > 0 else "right"
            axis.annotate(
                f"{row.deviation:.1f}",
                (at, place),
                (-5 if at > 0 else 5, 0),
                textcoords="offset points",
                ha="right" if side == "left" else "left",
                va="center",
                fontsize=6,
            )
    axis.set_yticks(places, [f"{row.claim}: {_numbers(row)}" for row in rows.itertuples()], fontsize=6)
    axis.set(xlim=(-_EDGE - 0.5, _EDGE + 0.5), ylim=(-0.7, len(rows) - 0.3), xlabel="(ours − the document's) / error")
    return figure


def _numbers(row: object) -> str:
    """Return our value and the document's, as text."""
    ours = f"{row.value:.4g}" if np.isnan(row.standard_error) else f"{row.value:.4g} ± {row.standard_error:.1g}"
    error = f" ± {row.document_error:.2g}" if row.document_error > 0 else ""
    return f"{ours} (document: {row.document_value:.6g}{error})"
