"""Greedy layer-wise pretraining: each layer learns to reconstruct the output of the layer before it."""

from collections.abc import Sequence

import numpy as np

from deepnets.networks.initialization.initializers import Draw

# A layer's training ends when an update changes no weight by more than this.
_STILL = 1e-12


def pretrain_greedily(
    sizes: Sequence[int], deviation: float, rate: float, most_updates: int, draw: Draw
) -> tuple[list[np.ndarray], list[int]]:
    """Return weight matrices pretrained on white inputs, and the number of updates of each matrix.

    Each layer is the encoder E of an autoencoder; the decoder starts as the transpose of E. The initial entries of E
    are normal with standard deviation `deviation`. Gradient descent on half the mean squared reconstruction error
    trains encoder and decoder until both stop changing. They stay transposes of each other, so only E ← E + rate (I − E
    Eᵀ) E is computed. At the end, E has orthonormal rows or columns: for white inputs, the result of pretraining is a
    random orthogonal matrix. The layer's output is white in the subspace that it reaches. In all other directions there
    is no input, and the next layer's weights are set to zero. Saxe, McClelland & Ganguli 2013, section 3 and appendix
    F.

    Training of a layer also ends after most_updates, or when it diverges.
    """
    reached, weights, updates = np.eye(sizes[0]), [], []
    for size in sizes[1:]:
        encoder = deviation * draw((reached.shape[1], size))
        change, count = np.inf, 0
        while count < most_updates and np.max(np.abs(change)) > _STILL:
            change = rate * (encoder - encoder @ (encoder.T @ encoder))
            encoder += change
            count += 1
        weights.append(reached @ encoder)
        updates.append(count)
        reached = encoder.T if size > len(encoder) else np.eye(size)
    return weights, updates
