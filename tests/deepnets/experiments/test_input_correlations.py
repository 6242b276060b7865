import numpy as np
import pytest

from deepnets.experiments.input_correlations.run import run
from small_runs import noisy_images


@pytest.mark.parametrize("images", [1, 60])
def test_recorded_correlations_are_submatrices_of_those_of_all_pixels(images):
    dataset = noisy_images(784)
    pixels, labels = dataset["train_images"], dataset["train_labels"]
    columns = run({"images": images}, dataset).columns()
    recorded = {
        metric: columns["value"][np.array(columns["metric"]) == metric].reshape(10, 10)
        for metric in ("pixel_correlation", "mode_correlation")
    }
    inputs, targets = pixels[:images] / 255, np.eye(10)[labels[:images]]
    correlation = inputs.T @ inputs / images
    # The middle of row 14 is recorded.
    middle = np.arange(14 * 28 + 9, 14 * 28 + 19)
    np.testing.assert_allclose(recorded["pixel_correlation"], correlation[np.ix_(middle, middle)], rtol=1e-5)
    if images > 10:
        modes = np.linalg.svd(targets.T @ inputs)[2][:10]
        rotated = modes @ correlation @ modes.T
        # The sign of a mode is arbitrary.
        np.testing.assert_allclose(np.abs(recorded["mode_correlation"]), np.abs(rotated), rtol=1e-3, atol=1e-3)
        assert recorded["mode_correlation"][0, 0] == pytest.approx(np.max(rotated), rel=1e-5)
