import numpy as np

from deepnets.data.whitening import Whitening
from reproduce.config.points import canonical_json
from reproduce.jobs.whiten import main
from reproduce.records import datasets
from reproduce.records.job import Job
from reproduce.records.provenance import Provenance

CODE = "reproduce.jobs.whiten:main@0123456789abcdef"


def test_the_data_set_contains_the_map_that_projects_the_test_images(tmp_path):
    generator = np.random.default_rng(0)
    images, labels = (
        generator.integers(0, high, size).astype(np.uint8) for high, size in ((256, (500, 20)), (10, 500))
    )
    arrays = {"train_images": images[:450], "train_labels": labels[:450]}
    arrays |= {"test_images": images[450:], "test_labels": labels[450:]}
    datasets.write(tmp_path / "mnist.npz", arrays, Provenance("{}", CODE, {}, "full"))
    spec = canonical_json({"images": 400, "components": 8})
    main(Job(spec, CODE), tmp_path / "mnist.npz", tmp_path / "whitened.npz")
    found = datasets.read(tmp_path / "whitened.npz")
    kept = Whitening(found["mean"], found["directions"], found["deviations"])
    np.testing.assert_array_equal(kept.whiten(images[:400]), found["inputs"])
    np.testing.assert_array_equal(kept.whiten(images[450:]), found["test_inputs"])
    np.testing.assert_allclose(found["inputs"].T @ found["inputs"] / 400, np.eye(8), atol=1e-10)
    np.testing.assert_array_equal(found["labels"], labels[:400])
    np.testing.assert_array_equal(found["test_labels"], labels[450:])
