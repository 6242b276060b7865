"""Program: draw one figure from its tables, as PDF, PNG and SVG, and write its numbers as CSV."""

import gc
import io
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
from fontTools import subset
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser

from reproduce.errors import UserError
from reproduce.figures.drawn import csv_text
from reproduce.figures.sheet import draw_or_explain, runs_in
from reproduce.jobs.frames import draw_tables, known_metrics, read_tables
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records.files import guard_inputs, replacing
from reproduce.records.record import merge_reduced, words_on_reduced
from reproduce.tables.words import reduced_sizes


def main(job: Job, style: Path, tables: list[Path], output: list[Path]) -> None:
    """Draw the figure that the code names and write it to each path, in the format of the path's suffix.

    tables: files with the names of the figure function's arguments.
    """
    matplotlib.use("Agg")
    sources = {**{path.stem: [path] for path in tables}, "style": [style]}
    # A figure's artists stay to the end: searching them for garbage takes a thirtieth of a job.
    gc.disable()
    with ExitStack() as stack:
        unfinished = [stack.enter_context(replacing(path)) for path in output]
        inputs = stack.enter_context(guard_inputs(sources))
        # "default" resets matplotlib, so that no matplotlibrc changes a figure.
        plt.style.use(["default", style])
        _keep_own_fonts()
        MathTextParser.parse = _read_formula
        # Matplotlib places every glyph, so a PDF needs no tables for this; reading them takes a fourth of a PDF's time.
        dropped = [*subset.Options().drop_tables, "GDEF", "GPOS", "GSUB", "kern"]
        subset.Options = partial(subset.Options, drop_tables=dropped)  # ty: ignore[invalid-assignment]
        read, reduced = read_tables(tables)
        with known_metrics(read), isolated(job) as draw:
            figure = draw_or_explain(lambda: draw_tables(draw, read))
            if reduced:
                mark_reduced(figure, reduced)
            reduced = merge_reduced([reduced, reduced_sizes(runs_in(figure), job.spec.get("sizes", {}))])
            # Isolated too: only now, the figure opens its fonts and calls its formatters.
            contents = []
            for path in unfinished:
                contents.append(_render(figure, path.suffix))
                _fix_layout(figure)
        for path, content in zip(unfinished, contents, strict=True):
            path.write_bytes(content)
        job.write_record(dict(zip(output, unfinished, strict=True)), inputs, reduced)


def _read_formula(*given: Any, parse: Callable = MathTextParser.parse, **options: Any) -> Any:
    """Read a formula as Matplotlib does; raises UserError for one that it cannot read."""
    try:
        return parse(*given, **options)
    except (ValueError, RecursionError) as error:
        reason = str(error).strip().rpartition("\n")[2]
        raise UserError(f"the formula {given[1][:80]!r} cannot be read: {reason}") from None


def _render(figure: Figure, suffix: str) -> bytes:
    """Render a figure in the format of a suffix, without a date and Matplotlib's version."""
    if suffix == ".csv":
        return csv_text(figure).encode()
    content, undated = io.BytesIO(), {".pdf": "CreationDate", ".svg": "Date", ".png": "Software"}
    figure.savefig(content, format=suffix[1:], metadata={undated[suffix]: None})
    return content.getvalue()


def _fix_layout(figure: Figure) -> None:
    """Compute a figure's layout at the resolution of its PNG, and fix it for the files that follow.

    The first file, the PDF, has its own layout: constrained layout needs a second pass to fit the ticks that the first
    pass chose.
    """
    if layout := figure.get_layout_engine():
        figure.dpi = plt.rcParams["savefig.dpi"]
        layout.execute(figure)
        # Without a layout engine, `savefig` draws only once. The string "none" would leave a placeholder engine, and
        # `savefig` would draw twice. None selects the engine of rcParams, so constrained layout must be off there.
        plt.rcParams["figure.constrained_layout.use"] = False
        figure.set_layout_engine(None)


def _keep_own_fonts() -> None:
    """Restrict matplotlib to its own fonts; for weights that these lack, it would use fonts of the machine."""
    fonts, own = font_manager.fontManager, Path(matplotlib.get_data_path(), "fonts", "ttf")
    kept = [font for font in fonts.ttflist if Path(font.fname).is_relative_to(own)]
    fonts.ttflist = kept
    # The user's cached font list may belong to a deleted installation.
    for path in sorted(own.glob("*.ttf")) if not kept else ():
        fonts.addfont(path)


def mark_reduced(figure: Figure, reduced: str) -> None:
    """Write, below or above a figure, what stood in for a data set."""
    text = words_on_reduced(reduced)
    # 17 letters per inch: a figure of one column needs two lines.
    words = fill(text, width=int(17 * figure.get_figwidth()))
    figure.draw_without_rendering()
    if any(legend.get_window_extent().y1 < figure.bbox.height / 2 for legend in figure.legends):
        # The words would cover a legend below the panels. A taller figure keeps the size of the panels.
        figure.set_figheight(figure.get_figheight() + 0.15 * (words.count("\n") + 1))
        figure.suptitle("\n".join(filter(None, (words, figure.get_suptitle()))), color="#b00020", fontsize=7)
    else:
        figure.supxlabel(words, color="#b00020", fontsize=7)
