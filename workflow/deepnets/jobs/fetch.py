"""Program: bring MNIST to results/data/mnist.npz."""

import argparse
import json
from pathlib import Path

from workflow.deepnets.code.fingerprint import verify
from workflow.deepnets.config.points import canonical
from workflow.deepnets.data import sources
from workflow.deepnets.jobs._cost import run_job
from workflow.deepnets.records import datasets
from workflow.deepnets.records.provenance import Provenance


def main() -> None:
    """Acquire MNIST as the spec says and write it as one data set."""
    parser = argparse.ArgumentParser(description="Acquire MNIST and write it as one data set.")
    parser.add_argument("--spec", required=True, help="JSON: source, directory, mirrors")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT")
    parser.add_argument("--output", required=True, type=Path, help="the npz file")
    arguments = parser.parse_args()
    verify(arguments.code, program="workflow.deepnets.jobs.fetch:main")
    arrays, mnist = sources.acquire(**json.loads(arguments.spec), folder=arguments.output.parent / ".download")
    # The file says what it holds, not where it came from: another source of the same content changes no byte.
    provenance = Provenance(canonical({"mnist": mnist}), arguments.code, mnist=mnist)
    datasets.write(arguments.output, arrays, provenance)


if __name__ == "__main__":
    run_job(main)
