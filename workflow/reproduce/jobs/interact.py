"""Program: draw one chart with sliders from its tables, as a Vega-Lite specification."""

from pathlib import Path

from deepnets.data.mnist import SUBSET, TRAINING_IMAGES, merged_mnist
from reproduce.charts.charts import nothing_to_show
from reproduce.jobs.frames import draw_tables
from reproduce.records.atomic import replacing
from reproduce.records.charts import chart_text
from reproduce.records.content import guard_inputs
from reproduce.records.job import Job
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.rows import NotRecordedError


def main(job: Job, tables: list[Path], output: Path) -> None:
    """Draw the chart that the code names and write its specification.

    tables: files with the names of the chart function's arguments.
    """
    with replacing(output) as unfinished, guard_inputs({path.stem: [path] for path in tables}) as inputs:
        read = {path.stem: read_table(path) for path in tables}
        try:
            chart = draw_tables(job.function, read)
        except NotRecordedError as reason:
            chart = nothing_to_show(output.stem.replace("_", " "), str(reason))
        specification = chart.to_dict()
        mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
        if mnist == SUBSET:
            specification = mark_chart_as_subset(specification)
        unfinished.write_text(chart_text(specification, job.provenance(inputs, mnist)), encoding="utf-8")


def mark_chart_as_subset(specification: dict) -> dict:
    """Return a chart with a subtitle: it shows results of the embedded subset of MNIST."""
    text = f"Embedded subset of MNIST, {TRAINING_IMAGES[SUBSET]:,} training images: not the document's numbers"
    title = specification.get("title", {})
    title = title if isinstance(title, dict) else {"text": title}
    lines = title.get("subtitle", [])
    subtitle = [text, *(lines if isinstance(lines, list) else [lines])]
    return {
        **specification,
        "title": {"text": "", **title, "subtitle": subtitle, "subtitleColor": "#b00020"},
    }
