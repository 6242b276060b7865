"""Get MNIST from the first source that serves."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from deepnets.data.mnist import CLASSES, SUBSET, index, sources
from reproduce import api

# One image in five is for testing: each class has 400 training images and 100 test images.
_HELD_OUT = 5


def make(spec: dict) -> api.Dataset:
    """Return train_images uint8 (60000, 784), train_labels uint8 (60000,), test_images and test_labels (10000, …).

    spec: source (auto, directory, download, index or embedded), directory, mirrors
    Raises UserError with the reason for every source if no source works, and if a folder is named that lacks a file.
    """
    directory = spec["directory"] or os.environ.get("MNIST_DIR")
    ways: dict[str, Callable[[], api.Dataset]] = {
        "directory": lambda: api.Dataset(sources.from_directory(directory)),
        "download": lambda: api.Dataset(sources.from_mirrors(spec["mirrors"])),
        "index": lambda: api.Dataset(index.from_index()),
        "embedded": lambda: api.Dataset(split_subset(read_subset()), SUBSET),
    }
    if spec["source"] != "auto" or directory:
        return ways["directory" if spec["source"] == "auto" else spec["source"]]()
    reasons = []
    for name, way in ways.items():
        try:
            found = way()
        except api.UserError as error:
            reasons.append(f"{name}: {error}")
            continue
        if found.reduced:
            _warn_of_subset(reasons)
        return found
    raise api.UserError("no source of MNIST works:\n  " + "\n  ".join(reasons))


def read_subset() -> np.ndarray:
    """Return the images uint8 (5000, 784) that stand in for MNIST if no other source serves."""
    with np.load(Path(__file__).with_name("subset.npz")) as subset:
        return subset["images"]


def split_subset(images: np.ndarray) -> sources.Arrays:
    """Return the first 500 training images of each class, shuffled: 4,000 to train and 1,000 to test."""
    labels = np.repeat(np.arange(CLASSES, dtype=np.uint8), len(images) // CLASSES)
    # The images are sorted by class. Taking every fifth image balances the classes; shuffling removes the order.
    held_out = np.arange(len(labels)) % _HELD_OUT == 0
    generator = np.random.default_rng(0)
    train, test = (generator.permutation(np.flatnonzero(mask)) for mask in (~held_out, held_out))
    return {
        "train_images": images[train],
        "train_labels": labels[train],
        "test_images": images[test],
        "test_labels": labels[test],
    }


def _warn_of_subset(reasons: Sequence[str]) -> None:
    line = "!" * 100
    print(
        f"{line}\nMNIST IS NOT AVAILABLE: all results use a SUBSET of 5,000 training images, and are marked.\n"
        + "\n".join(f"  {reason}" for reason in reasons)
        + "\nPut the four files into a folder, name it in MNIST_DIR, and start the same command again.\n"
        + line,
        file=sys.stderr,
    )
