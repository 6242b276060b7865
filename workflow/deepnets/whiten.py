"""Program: bring MNIST to results/data/whitened.npz, the inputs of document 001."""

import argparse
import json
from pathlib import Path

import numpy as np

from workflow.deepnets import datasets
from workflow.deepnets.cost import mathematics, run_job
from workflow.deepnets.errors import UserError
from workflow.deepnets.fingerprint import verify
from workflow.deepnets.provenance import Provenance


def whitened(images: np.ndarray, components: int) -> np.ndarray:
    """Return the first principal components of centred images, each with unit variance.

    images: (P, pixels); returns float64 (P, components), ordered by falling variance. The sign of a component is
    that which makes the largest entry of its direction positive. Document 001, Part 1, "Target function", where an
    SVD of XᵀX gives the same directions. Raises UserError if fewer components than asked for have variance.
    """
    centred = images.astype(np.float64)
    centred -= centred.mean(axis=0)
    covariance = centred.T @ centred / len(centred)
    variances, directions = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1][:components]
    if components > len(order) or variances[order[-1]] <= variances[order[0]] * 1e-12:
        raise UserError(f"whitening.components: {components} is more than these {len(images)} images have")
    directions = directions[:, order]
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.sign(directions[largest, np.arange(components)])
    scores = centred @ directions
    return scores / scores.std(axis=0)


def main() -> None:
    """Whiten the first training images as the spec says."""
    parser = argparse.ArgumentParser(description="Whiten the first training images of MNIST.")
    parser.add_argument("--spec", required=True, help="JSON: images, components")
    parser.add_argument("--code", required=True, help="ENTRY@FINGERPRINT")
    parser.add_argument("--mnist", required=True, type=Path, help="the npz file that fetch wrote")
    parser.add_argument("--output", required=True, type=Path, help="the npz file")
    arguments = parser.parse_args()
    verify(arguments.code, program="workflow.deepnets.whiten:main")
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
