"""Greedy layer-wise pretraining: each layer learns to reconstruct the output of the layer before it."""

from collections.abc import Sequence

import numpy as np

from workflow.deepnets.networks.initialization.initializers import Draw

# A layer is trained when an update changes none of its weights by more than this.
_STILL = 1e-12


def pretrain_greedily(
    sizes: Sequence[int], deviation: float, rate: float, most_updates: int, draw: Draw
) -> tuple[list[np.ndarray], list[int]]:
    """Return weight matrices pretrained on white inputs, and the number of updates of each.

    Each layer starts as the encoder E of an autoencoder, from normals of a standard deviation, with the transposed
    encoder as decoder. Both descend on half the mean squared error of the reconstruction until they stop changing. They
    remain each other's transpose, E ← E + rate (I − E Eᵀ) E, so only E is computed. It ends with orthonormal rows or
    columns: for white inputs, pretraining amounts to random orthogonal matrices. The output of such a layer is white
    within the directions that it reaches. The next layer's weights from all other directions, which no input ever
    changes, are zero. Saxe, McClelland & Ganguli 2013, section 3 and appendix F.

    A layer that needs more than most_updates, or diverges, ends there.
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
