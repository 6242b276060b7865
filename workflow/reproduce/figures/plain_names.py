"""Names in a figure as plain text: of its axes, and of its series without the results that a legend adds."""

import re

from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.mathtext import get_unicode_index
from matplotlib.ticker import FixedLocator

from reproduce.claims.claims_in_words import RAISED, with_math_signs

_FORMULA, _COMMAND = re.compile(r"\$([^$]*)\$"), re.compile(r"\\[A-Za-z]+|\\.")
_COMMANDS = {r"\,": "", r"\ln": "ln ", r"\mathrm": "", r"\mathdefault": "", r"\sqrt": "√", r"\phi": "φ"}
_POWER = re.compile(r"\^{?([-−0-9]+)}?(?![-−0-9.])")
# Counts, ranges and fits in the label of a series.
RESULTS = re.compile(r": .*\d.*|, (n|z) = .*|, \d+ seeds?|, [0-9.]+ × theory|, [^,]*≤.*| \([^()]*\d[^()]*\)$")


def plain_text(label: str) -> str:
    """Return a label on one line, with Unicode in place of TeX: χ^l for $\\chi^{\\,l}$, 10⁻³ for $10^{-3}$."""

    def command(found: re.Match) -> str:
        try:
            return _COMMANDS[found[0]] if found[0] in _COMMANDS else chr(get_unicode_index(found[0]))
        except ValueError:
            # The name of a function.
            return found[0][1:]

    def formula(found: re.Match) -> str:
        raised = _POWER.sub(lambda power: power[1].translate(RAISED), _COMMAND.sub(command, found[1]))
        return raised.replace("{", "").replace("}", "")

    return with_math_signs(" ".join(_FORMULA.sub(formula, label).split()))


def axis_name(panel: Axes, along: str) -> str:
    """Return the name of a panel's axis with its unit: its own, or that of another panel in its column or row.

    along: x or y. An axis whose only names are those of its ticks is called by them: "0: one, 1: two"; one without any
    name "column" or "row" in a matrix, and "position" in a drawing.
    """
    figure, spec = panel.figure, panel.get_subplotspec()
    side = "colspan" if along == "x" else "rowspan"
    # Panels that share an axis name it only once.
    beside = [
        other
        for other in figure.axes
        if spec and (its := other.get_subplotspec()) and its.get_gridspec() is spec.get_gridspec()
        if getattr(its, side) == getattr(spec, side)
    ]
    named = [panel, *reversed(beside)]
    labels = [getattr(each, f"get_{along}label")() for each in named]
    ticks = [_tick_names(each, along) for each in named]
    if _is_matrix(panel):
        of_matrices = [label for each, label in zip(named, labels, strict=True) if _is_matrix(each)]
        names = [labels[0], *ticks, *of_matrices, {"x": "column", "y": "row"}[along]]
    else:
        names = [*labels, getattr(figure, f"get_sup{along}label")(), *ticks, "position"]
    return plain_text(next(filter(None, names)))


def _is_matrix(panel: Axes) -> bool:
    return bool(panel.images) or any(isinstance(each, QuadMesh) for each in panel.collections)


def _tick_names(panel: Axes, along: str) -> str:
    axis = panel.xaxis if along == "x" else panel.yaxis
    if not isinstance(axis.get_major_locator(), FixedLocator):
        return ""
    places = axis.get_majorticklocs()
    # Ticks that are given as numbers stay such.
    words = [plain_text(str(word)) for word in axis.get_major_formatter().format_ticks(places.tolist())]
    names = [f"{place:g}: {word}" for place, word in zip(places, words, strict=True) if re.search(r"[^\W\d_]", word)]
    return ", ".join(names)
