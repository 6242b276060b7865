"""Program: draw one figure from its tables, as PDF and PNG."""

import json
from pathlib import Path
from textwrap import fill

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from workflow.deepnets.data.mnist import SUBSET, merged_mnist
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.provenance import sha256_of
from workflow.deepnets.records.tables import metadata_of, read_table


def main(job: Job, style: Path, tables: list[Path], outputs: list[Path]) -> None:
    """Draw the figure that the code names and write it in the format of each output's name.

    tables: each named like the argument that it is for.
    """
    matplotlib.use("Agg")
    # Not what a matplotlibrc in this folder or the user's says.
    plt.style.use(["default", style])
    draw = job.function
    read = {path.stem: read_table(path) for path in tables}
    figure = draw(**{name: table.to_pandas() for name, table in read.items()})
    mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
    if mnist == SUBSET:
        mark_subset(figure)
    inputs = {path.stem: sha256_of(path) for path in tables} | {"style": sha256_of(style)}
    stamp = json.dumps(job.provenance(inputs, mnist).as_metadata(), sort_keys=True)
    for output in outputs:
        # A PDF states the time of its making unless it is told not to; it takes a stamp among its keywords only.
        metadata = {"Keywords": stamp, "CreationDate": None} if output.suffix == ".pdf" else {"provenance": stamp}
        with replacing(output) as temporary:
            figure.savefig(temporary, metadata=metadata)


def mark_subset(figure: Figure) -> None:
    """Say below a figure that its numbers come from the embedded subset of MNIST."""
    text = "Embedded subset of MNIST, 4,000 training images: not the document's numbers"
    # Seventeen letters an inch: a figure of one column takes two lines.
    figure.supxlabel(fill(text, width=int(17 * figure.get_figwidth())), color="#b00020", fontsize=7)
