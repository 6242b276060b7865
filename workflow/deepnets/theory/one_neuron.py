"""Gradient flow of one linear neuron, f(x) = a w·x, in one closed form for every imbalance of its two layers.

With inputs whose second moments are the identity, the loss is ‖a w − β*‖² / 2 up to a constant. Gradient flow conserves
the imbalance δ = a² − ‖w‖² (Kunin et al. 2024). Let r = √(δ² + 4‖β*‖²), K = δ + r and E(k) = ∫₀ᵗ e^{kτ} dτ. The ratio
w·β*/a obeys a Riccati equation, and 1/a² then a linear one. Multiplied by all that may vanish, their solution is

    a = (p + q e^{−rt}) / 2√D,  w·β* = (r (p − q e^{−rt}) − δ (p + q e^{−rt})) / 4√D,  w⊥ = w⊥(0) r e^{−Kt/2} / √D,
    D = e^{−Kt} [r² + (p² E(K) + q² E(δ − r) + 2pq E(δ)) / 2],

with p = a(0) K + 2 w(0)·β* and q = a(0) (r − δ) − 2 w(0)·β*. The output weight changes its sign if p has another one.
"""

import math

import numpy as np


def initial_layers(imbalance: np.ndarray | float, product: np.ndarray) -> np.ndarray:
    """Return a ≥ 0 and, below it, w with these imbalances a² − ‖w‖² and these products a w, (inputs, starts)."""
    squares = np.sum(product**2, axis=0)
    larger = (np.abs(imbalance) + np.hypot(imbalance, 2 * np.sqrt(squares))) / 2
    output = np.sqrt(np.where(np.greater(imbalance, 0), larger, squares / larger))
    return np.vstack([output, product / output])


def layers_at(time: float, layers: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the layers after a time. layers: a and, below it, w, (1 + inputs, starts); target: β*, not 0."""
    strength, along, imbalance = np.linalg.norm(target), target @ layers[1:], imbalance_of(layers)
    root = np.hypot(imbalance, 2 * strength)
    rate, rising = imbalance + root, layers[0] * (imbalance + root) + 2 * along
    falling = 2 * root * layers[0] - rising

    def integral(exponent: np.ndarray) -> np.ndarray:
        """Return e^{−Kt} E(exponent), as factors that cannot overflow."""
        return time * np.exp((np.maximum(exponent, 0) - rate) * time) * _exprel(-np.abs(exponent) * time)

    squares = rising**2 * integral(rate) + falling**2 * integral(imbalance - root)
    squares = root**2 * np.exp(-rate * time) + squares / 2 + rising * falling * integral(imbalance)
    total, difference = (rising + sign * falling * np.exp(-root * time) for sign in (1, -1))
    across = (layers[1:] - np.outer(target, along) / strength**2) * root * np.exp(-rate * time / 2)
    inputs = np.outer(target, root * difference - imbalance * total) / 4 / strength**2 + across
    return np.vstack([total / 2, inputs]) / np.sqrt(squares)


def imbalance_of(layers: np.ndarray) -> np.ndarray:
    """Return δ of each start. layers: a and w, (…, 1 + inputs, starts)."""
    return layers[..., 0, :] ** 2 - np.sum(layers[..., 1:, :] ** 2, axis=-2)


def kernel_distance_at_end(imbalance: np.ndarray) -> np.ndarray:
    """Return 1 − cos(K(0), K(∞)) of the kernels K = a²I + wwᵀ; a w starts orthogonal to β*, and both have length 1."""
    output, inputs = ((np.hypot(imbalance, 2) + sign * imbalance) / 2 for sign in (1, -1))
    return inputs**2 / (2 * output**2 + 2 + inputs**2)


def end_of_one_sample(imbalance: float, product: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return a w after training on one sample, from initial products with a ≥ 0, (inputs, starts).

    target: the shortest solution. The part w⊥ of w orthogonal to it stays: a and the other part w∥ are two layers with
    imbalance δ + ‖w⊥‖². Both end with the sign of a + w∥, which never changes; if it is 0, they decay to 0.
    """
    direction = target / np.linalg.norm(target)
    output, weights = np.split(initial_layers(imbalance, product), [1])
    along = direction @ weights
    across = weights - np.outer(direction, along)
    ends = np.sign(output + along) * initial_layers(imbalance + np.sum(across**2, axis=0), target[:, np.newaxis])
    return ends[0] * (ends[1:] + across)


def _exprel(values: np.ndarray) -> np.ndarray:
    """Return (eˣ − 1)/x. SciPy has it, but takes longer to import than a run needs."""
    return np.array([math.expm1(value) / value if value else 1.0 for value in values.tolist()])
