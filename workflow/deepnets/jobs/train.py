"""Program: run one point of an experiment and write its measurements."""

import argparse
import json
from pathlib import Path

from workflow.deepnets.code.fingerprint import load
from workflow.deepnets.jobs._cost import mathematics, run_job
from workflow.deepnets.jobs._threads import use_threads


def main() -> None:
    """Run the entry that the code names on the spec and the data sets, and write the run's Parquet file."""
    parser = argparse.ArgumentParser(description="Run one point of an experiment and write its measurements.")
    parser.add_argument("--spec", required=True, help="JSON: axes and settings of the point")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT")
    parser.add_argument(
        "--data", nargs="*", default=[], type=Path, help="npz files, each named like the argument it is for"
    )
    parser.add_argument("--output", required=True, type=Path, help="the run.parquet")
    arguments = parser.parse_args()
    spec = json.loads(arguments.spec)
    use_threads(spec.get("threads", 1))

    # numpy and torch read the number of threads when they are imported: not before it is set.
    from workflow.deepnets.records import datasets
    from workflow.deepnets.records.provenance import Provenance, merged_mnist
    from workflow.deepnets.records.tables import write_run

    run = load(arguments.code, program="workflow.deepnets.jobs.train:main")
    data = {path.stem: datasets.read(path) for path in arguments.data}
    with mathematics():
        measurements = run(spec, **data)
    inputs = {name: dataset.sha256 for name, dataset in data.items()}
    mnist = merged_mnist([dataset.mnist for dataset in data.values()])
    write_run(arguments.output, measurements, Provenance(arguments.spec, arguments.code, inputs, mnist))


if __name__ == "__main__":
    run_job(main)
