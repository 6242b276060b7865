"""Program: draw one figure from its tables, as PDF and PNG."""

import argparse
import json
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from workflow.deepnets.code.fingerprint import load
from workflow.deepnets.jobs._cost import run_job
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.provenance import SUBSET, Provenance, merged_mnist, sha256_of
from workflow.deepnets.records.tables import metadata_of, read_table


def main() -> None:
    """Draw the figure that the code names from the tables and write it in the format of each output's name."""
    parser = argparse.ArgumentParser(description="Draw one figure from its tables, as PDF and PNG.")
    parser.add_argument("--spec", required=True, help="JSON: document and figure")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT")
    parser.add_argument("--style", required=True, type=Path, help="the mplstyle file")
    parser.add_argument(
        "--tables", nargs="+", required=True, type=Path, help="tables named like the arguments they are for"
    )
    parser.add_argument("--outputs", nargs="+", required=True, type=Path, help="image files")
    arguments = parser.parse_args()
    matplotlib.use("Agg")
    plt.style.use(arguments.style)
    draw = load(arguments.code, program="workflow.deepnets.jobs.draw:main")
    tables = {path.stem: read_table(path) for path in arguments.tables}
    figure = draw(**{name: table.to_pandas() for name, table in tables.items()})
    mnist = merged_mnist([metadata_of(table)["mnist"] for table in tables.values()])
    if mnist == SUBSET:
        mark_subset(figure)
    inputs = {path.stem: sha256_of(path) for path in arguments.tables} | {"style": sha256_of(arguments.style)}
    stamp = json.dumps(Provenance(arguments.spec, arguments.code, inputs, mnist).as_metadata(), sort_keys=True)
    for output in arguments.outputs:
        # A PDF states the time of its making unless it is told not to; it takes a stamp among its keywords only.
        metadata = {"Keywords": stamp, "CreationDate": None} if output.suffix == ".pdf" else {"provenance": stamp}
        with replacing(output) as temporary:
            figure.savefig(temporary, metadata=metadata)


def mark_subset(figure: Figure) -> None:
    """Say below a figure that its numbers come from the embedded subset of MNIST."""
    figure.supxlabel(
        "Embedded subset of MNIST, 4,000 training images: not the document's numbers", color="#b00020", fontsize=7
    )


if __name__ == "__main__":
    run_job(main)
