"""Program: draw one chart with sliders from its tables, as a Vega-Lite specification."""

import json
from pathlib import Path

from reproduce.charts.charts import nothing_to_show
from reproduce.errors import UserError
from reproduce.jobs.frames import draw_tables, known_metrics, read_tables
from reproduce.jobs.isolation import isolated
from reproduce.jobs.job import Job
from reproduce.records.files import guard_inputs, replacing
from reproduce.records.record import words_on_reduced
from reproduce.tables.rows import NotRecordedError


def main(job: Job, tables: list[Path], output: Path) -> None:
    """Draw the chart that the code names and write its specification.

    tables: files with the names of the chart function's arguments.
    """
    with replacing(output) as unfinished, guard_inputs({path.stem: [path] for path in tables}) as inputs:
        read, reduced = read_tables(tables)
        try:
            with known_metrics(read), isolated(job) as draw:
                chart = draw_tables(draw, read)
        except NotRecordedError as reason:
            chart = nothing_to_show(str(job.spec["chart"]).replace("_", " "), str(reason))
        specification = chart.to_dict()
        if reduced:
            specification = mark_chart_as_reduced(specification, reduced)
        unfinished.write_text(chart_text(specification), encoding="utf-8")
        job.write_record({output: unfinished}, inputs, reduced)


def chart_text(specification: dict) -> str:
    """Return a specification as JSON; raises UserError for NaN and infinities: the browser would draw nothing."""
    try:
        text = json.dumps(specification, allow_nan=False, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    except ValueError as error:
        raise UserError(f"a chart's data contain a number that JSON lacks (NaN or an infinity): {error}") from None
    return text + "\n"


def mark_chart_as_reduced(specification: dict, reduced: str) -> dict:
    """Return a chart with a subtitle on what stood in for a data set."""
    text = words_on_reduced(reduced)
    title = specification.get("title", {})
    title = title if isinstance(title, dict) else {"text": title}
    lines = title.get("subtitle", [])
    subtitle = [text, *(lines if isinstance(lines, list) else [lines])]
    return {**specification, "title": {"text": "", **title, "subtitle": subtitle, "subtitleColor": "#b00020"}}
