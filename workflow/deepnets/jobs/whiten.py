"""Program: bring MNIST to results/data/whitened.npz, the inputs of document 001."""

import argparse
import json
from pathlib import Path

from workflow.deepnets.code.fingerprint import verify
from workflow.deepnets.data.whitening import whitened
from workflow.deepnets.jobs._cost import mathematics, run_job
from workflow.deepnets.records import datasets
from workflow.deepnets.records.provenance import Provenance


def main() -> None:
    """Whiten the first training images as the spec says."""
    parser = argparse.ArgumentParser(description="Whiten the first training images of MNIST.")
    parser.add_argument("--spec", required=True, help="JSON: images, components")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT")
    parser.add_argument("--mnist", required=True, type=Path, help="the npz file that fetch wrote")
    parser.add_argument("--output", required=True, type=Path, help="the npz file")
    arguments = parser.parse_args()
    verify(arguments.code, program="workflow.deepnets.jobs.whiten:main")
    spec = json.loads(arguments.spec)
    mnist = datasets.read(arguments.mnist)
    # The subset is smaller than the document's 50,000: it gives what it has.
    images, labels = (mnist[name][: spec["images"]] for name in ("train_images", "train_labels"))
    provenance = Provenance(arguments.spec, arguments.code, {"mnist": mnist.sha256}, mnist.mnist)
    with mathematics():
        inputs = whitened(images, spec["components"])
    datasets.write(arguments.output, {"inputs": inputs, "labels": labels}, provenance)


if __name__ == "__main__":
    run_job(main)
