"""MNIST: 60,000 images of handwritten digits to train on, and 10,000 to test on.

This file contains facts that are known without the images; the other modules of this folder may read files.
"""

from collections.abc import Mapping

from reproduce import api

# Pixels along a side of an image; an image is stored as one row of all pixels.
SIDE = 28
PIXELS = SIDE**2
CLASSES = 10
TRAINING_IMAGES = 60_000
# Results from the 5,000 images that come with this package record this text; 1,000 of them are for testing.
SUBSET = "embedded subset of MNIST, 4,000 training images"


def refuse_batch(spec: Mapping, images: int) -> None:
    """Raise UserError if a run's batch exceeds the number of images.

    If the source is `auto`, the config does not determine the number of images. Therefore the run checks it, not the
    plan.
    """
    if spec["batch"] > images:
        raise api.UserError(
            f"experiments.{spec['experiment']}: batch {spec['batch']} of {images} training images; allowed: {images} "
            "or less"
        )
