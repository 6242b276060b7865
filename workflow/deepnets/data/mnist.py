"""What is known of MNIST without its files: the shape of its images, and which of its sets a result depends on."""

from collections.abc import Mapping

from workflow.deepnets.errors import UserError

# Pixels along a side of an image; images are kept as rows of all pixels.
SIDE = 28
PIXELS = SIDE**2
CLASSES = 10
# The whole set, or the 5,000 training images that a package carries.
FULL, SUBSET = "full", "subset"
# The subset's other 1,000 images are its test set.
TRAINING_IMAGES = {FULL: 60_000, SUBSET: 4_000}


def refuse_batch(spec: Mapping, images: int) -> None:
    """Raise UserError where a run's batch exceeds the images that there are.

    The plan refuses it if the config determines which MNIST comes; if the source is `auto`, the run refuses it.
    """
    if spec["batch"] > images:
        raise UserError(
            f"experiments.{spec['experiment']}: batch {spec['batch']} of {images} training images; allowed: {images} "
            "or less"
        )


def merged_mnist(kinds: list[str]) -> str:
    """Return which MNIST a result of several sources depends on: "subset" if any used it, "" if none used MNIST."""
    return max(kinds, default="", key=["", FULL, SUBSET].index)
