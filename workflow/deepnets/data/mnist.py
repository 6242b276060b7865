"""Facts about MNIST that are known without its files: shapes, and the set that a result depends on."""

from collections.abc import Mapping

from reproduce.errors import UserError

# Pixels along a side of an image; an image is stored as one row of all pixels.
SIDE = 28
PIXELS = SIDE**2
CLASSES = 10
# FULL is the whole of MNIST, SUBSET the 5,000 training images that come with this package.
FULL, SUBSET = "full", "subset"
# The other 1,000 images of the subset are for testing.
TRAINING_IMAGES = {FULL: 60_000, SUBSET: 4_000}


def refuse_batch(spec: Mapping, images: int) -> None:
    """Raise UserError if a run's batch exceeds the number of images.

    If the source is `auto`, the config does not determine the number of images. Therefore the run checks it, not the
    plan.
    """
    if spec["batch"] > images:
        raise UserError(
            f"experiments.{spec['experiment']}: batch {spec['batch']} of {images} training images; allowed: {images} "
            "or less"
        )


def merged_mnist(kinds: list[str]) -> str:
    """Merge the inputs' kinds of MNIST: "subset" if an input depends on it, else "full", or "" without MNIST."""
    return max(kinds, default="", key=["", FULL, SUBSET].index)
