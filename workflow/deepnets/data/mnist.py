"""Facts about MNIST that need none of its files: shapes, and which of its sets a result depends on."""

from collections.abc import Mapping

from workflow.deepnets.errors import UserError

# Pixels along a side of an image; an image is stored as one row of all pixels.
SIDE = 28
PIXELS = SIDE**2
CLASSES = 10
# The whole set, or the 5,000 training images of an installed package.
FULL, SUBSET = "full", "subset"
# The subset's other 1,000 images are its test set.
TRAINING_IMAGES = {FULL: 60_000, SUBSET: 4_000}


def refuse_batch(spec: Mapping, images: int) -> None:
    """Raise UserError if a run's batch exceeds the number of images.

    If the source is `auto`, the config does not determine this number, so the run refuses and not the plan.
    """
    if spec["batch"] > images:
        raise UserError(
            f"experiments.{spec['experiment']}: batch {spec['batch']} of {images} training images; allowed: {images} "
            "or less"
        )


def merged_mnist(kinds: list[str]) -> str:
    """Return which MNIST a result of several inputs depends on: "subset" if any used it, "" if none used MNIST."""
    return max(kinds, default="", key=["", FULL, SUBSET].index)
