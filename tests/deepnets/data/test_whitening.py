import numpy as np
import pytest

from deepnets.data.whitened.make import Whitening, fit_whitening, make
from reproduce.errors import UserError
from reproduce.records.datasets import Dataset


@pytest.fixture(scope="module")
def images():
    generator = np.random.default_rng(0)
    mixing = generator.standard_normal((20, 20)) * np.geomspace(30, 1, 20)
    return np.clip(generator.standard_normal((500, 20)) @ mixing + 128, 0, 255).astype(np.uint8)


def test_signs_do_not_depend_on_the_order_of_images(images):
    order = np.random.default_rng(1).permutation(len(images))
    np.testing.assert_allclose(
        fit_whitening(images, 8).whiten(images)[order], fit_whitening(images[order], 8).whiten(images[order]), atol=1e-8
    )


def test_more_components_than_variance_are_refused(images):
    dead = np.concatenate([images, np.zeros_like(images)], axis=1)
    with pytest.raises(UserError, match=r"data\.whitened\.components: 21"):
        fit_whitening(dead, 21)


def test_components_equal_those_of_the_document_and_other_images_are_projected_with_the_same_fit(images):
    training, others = images[:400], images[400:]
    # Document 001 has U, S, VT = svd(X.T @ X); X @ VT[:N].T / std, with arbitrary signs, of only the training images.
    mean = training.mean(axis=0)
    _, _, directions = np.linalg.svd((training - mean).T @ (training - mean))
    directions = directions[:8].T
    deviations = ((training - mean) @ directions).std(axis=0)
    whitening = fit_whitening(training, 8)
    expected, found = (others - mean) @ directions / deviations, whitening.whiten(others)
    signs = np.sign(np.sum(found * expected, axis=0))
    np.testing.assert_allclose(found, signs * expected, atol=1e-8)
    white = whitening.whiten(training)
    np.testing.assert_allclose(white.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(white.T @ white / len(white), np.eye(8), atol=1e-10)
    # A map fitted to other images does not whiten these.
    assert np.abs(found.T @ found / len(found) - np.eye(8)).max() > 0.05
    np.testing.assert_allclose(whitening.whiten(images)[400:], found, atol=1e-12)


def test_the_data_set_contains_the_map_that_projects_the_test_images(images):
    labels = np.random.default_rng(0).integers(0, 10, 500).astype(np.uint8)
    mnist = {"train_images": images[:450], "train_labels": labels[:450]}
    mnist |= {"test_images": images[450:], "test_labels": labels[450:]}
    found = make({"images": 400, "components": 8}, Dataset(mnist))
    kept = Whitening(found["mean"], found["directions"], found["deviations"])
    np.testing.assert_array_equal(kept.whiten(images[:400]), found["inputs"])
    np.testing.assert_array_equal(kept.whiten(images[450:]), found["test_inputs"])
    np.testing.assert_allclose(found["inputs"].T @ found["inputs"] / 400, np.eye(8), atol=1e-10)
    np.testing.assert_array_equal(found["labels"], labels[:400])
    np.testing.assert_array_equal(found["test_labels"], labels[450:])
