"""Program: whiten MNIST for document 001 and write it to results/data/whitened.npz."""

from dataclasses import asdict
from pathlib import Path

from deepnets.data.whitening import fit_whitening
from reproduce.jobs.cost import mathematics
from reproduce.records import datasets
from reproduce.records.atomic import replacing
from reproduce.records.job import Job


def main(job: Job, mnist: Path, output: Path) -> None:
    """Whiten the first training images, and map the test images alike. spec: numbers of images and components."""
    with replacing(output) as unfinished:
        dataset = datasets.read(mnist)
        # If there are fewer images than the document's 50,000, as in the embedded subset, the slice takes all.
        images, labels = (dataset[name][: job.spec["images"]] for name in ("train_images", "train_labels"))
        with mathematics():
            whitening = fit_whitening(images, job.spec["components"])
            inputs, test_inputs = whitening.whiten(images), whitening.whiten(dataset["test_images"])
        arrays = {"inputs": inputs, "labels": labels, "test_inputs": test_inputs, "test_labels": dataset["test_labels"]}
        provenance = job.provenance({"mnist": dataset.digest}, dataset.mnist)
        datasets.write(unfinished, {**arrays, **asdict(whitening)}, provenance)
