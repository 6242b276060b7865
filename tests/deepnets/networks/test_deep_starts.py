import numpy as np
import pytest

from deepnets.networks.initialization.initializers import orthogonal, pretrain_greedily


@pytest.mark.parametrize("sizes", [[8, 8, 8, 3], [8, 5, 5, 3], [8, 12, 12, 10], [6, 9, 4, 7]])
def test_pretraining_equals_gradient_descent_of_autoencoders_on_samples(sizes):
    # The inputs are white, encoder and decoder have separate gradients, and layers are trained one after the other.
    generator = np.random.default_rng(3)
    inputs = np.sqrt(40) * orthogonal(40, sizes[0], generator.standard_normal)
    weights, updates = pretrain_greedily(sizes, 0.05, 0.4, 500, np.random.default_rng(5).standard_normal)
    assert len(weights) == len(updates) == len(sizes) - 1
    draw, reached, layer = np.random.default_rng(5).standard_normal, np.eye(sizes[0]), inputs
    for matrix, size, count in zip(weights, sizes[1:], updates, strict=True):
        encoder = reached @ (0.05 * draw((reached.shape[1], size)))
        decoder = encoder.T.copy()
        for _ in range(count):
            errors = layer - layer @ encoder @ decoder
            step = layer.T @ errors @ decoder.T / 40, encoder.T @ layer.T @ errors / 40
            encoder, decoder = encoder + 0.4 * step[0], decoder + 0.4 * step[1]
        np.testing.assert_allclose(matrix, encoder, atol=1e-9)
        layer = layer @ encoder
        # These are the directions of the next layer's inputs.
        reached = (reached.T @ encoder).T if size > reached.shape[1] else np.eye(size)
    assert all(count > 10 for count in updates)
