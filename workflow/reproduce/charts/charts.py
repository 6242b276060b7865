"""Parts of all charts with sliders: controls, a message for an empty chart, and one style."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

# The palette of Okabe and Ito for colour-blind readers, in the order of figures/column.mplstyle.
PALETTE = ("#0072B2", "#D55E00", "#005F46", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
BLUE, RED = PALETTE[:2]
GREY = "#595959"
# Width of a panel, in pixels. With its axis, a panel fits into a narrow page at four fifths of this width.
WIDTH = 370
# The title of the first panel. On the page, it is empty, because the page writes these words under the controls.
HEADING = "in_page ? '' : split(setting + '\\n' + words, '\\n')"


def slider(name: str, label: str, values: Sequence[str], at: int) -> alt.Parameter:
    """Return a slider over the places 0, 1, … of some values; if there is only one value, no slider appears.

    name: the signal that contains the place. label: the text beside the slider. at: the first place.
    """
    bind = alt.binding_range(min=0, max=len(values) - 1, step=1, name=f"{label} ") if len(values) > 1 else alt.Undefined
    return alt.param(name=name, value=at, bind=bind)


def chooser(name: str, label: str, values: Sequence[str], at: int) -> alt.Parameter:
    """Return a drop-down list, for values without order such as names. The signal `name` contains the value's place."""
    bind = alt.binding_select(options=list(range(len(values))), labels=list(values), name=f"{label} ")
    return alt.param(name=name, value=at, bind=bind if len(values) > 1 else alt.Undefined)


def nothing_to_show(title: str, reason: str) -> alt.Chart:
    """Return an empty chart with the reason why there is nothing to show."""
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(color=GREY, text=f"Nothing to show: {reason}")
    return style_chart(words.properties(width=WIDTH, height=60), title, f"Nothing to show: {reason}", {})


def style_chart(
    chart: alt.TopLevelMixin, title: str, description: str, labels: Mapping[str, Sequence[str]]
) -> alt.TopLevelMixin:
    """Return a chart with the common style, a title, and a description for screen readers.

    labels: slider → the texts of its places, for the page (controls.js).
    """
    return (
        chart.properties(
            title=alt.TitleParams(text=title, anchor="start", fontSize=13, subtitleFontSize=10),
            description=description,
            background="white",
            # Without `resize`, Vega cuts off parts that become wider later.
            autosize=alt.AutoSizeParams(type="pad", resize=True),
            usermeta={"labels": labels},
        )
        .configure(font="sans-serif")
        # On a phone, smaller type cannot be read.
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", grid=False)
        # Keeps panels in place when the numbers on their axes change.
        .configure_axisY(minExtent=30)
        .configure_title(fontSize=12, fontWeight="normal", anchor="start")
        .configure_legend(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", symbolStrokeWidth=2)
        .configure_view(stroke=None)
    )


def rounded(values: Sequence[float] | np.ndarray, digits: int = 4) -> list[float | None]:
    """Return numbers rounded to `digits` significant digits, with None for values that are not finite."""
    return [float(f"{value:.{digits - 1}e}") if np.isfinite(value) else None for value in np.ravel(values)]
