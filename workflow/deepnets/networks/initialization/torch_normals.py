"""The normal numbers that torch draws on a CPU after `manual_seed`, without the slow import of torch.

torch applies Box and Muller's transform to the 32-bit outputs of a Mersenne Twister. This module computes the transform
in float64 and rounds once, so the numbers differ from torch's numbers by torch's errors in log, sin and cos (about
1e-7).
"""

import math

import numpy as np

_VECTOR = 16


class TorchStream:
    """Replays `torch.manual_seed(seed)` and the following float32 normals, in order.

    seed: 0 … 2³² − 1
    """

    def __init__(self, seed: int) -> None:
        # RandomState seeds the generator as torch does; only its raw outputs are used.
        self._bits = np.random.RandomState(seed)._bit_generator
        self._spare: float | None = None

    def normal(self, shape: tuple[int, ...]) -> np.ndarray:
        """Draw the float32 numbers that `torch.empty(shape).normal_()` would contain."""
        size = math.prod(shape)
        # For fewer than 16 entries, torch draws the entries one by one, with a different algorithm.
        values = self._draw_vectors(size) if size >= _VECTOR else [self._draw_one() for _ in range(size)]
        return np.asarray(values, dtype=np.float32).reshape(shape)

    def _draw_vectors(self, size: int) -> np.ndarray:
        uniform = self._draw_uniforms(size)
        values = np.empty(size)
        whole = size - size % _VECTOR
        values[:whole] = _box_muller(uniform[:whole])
        if whole < size:
            # torch redraws the last 16 entries as one vector if the size is not a multiple of 16.
            values[-_VECTOR:] = _box_muller(self._draw_uniforms(_VECTOR))
        return values

    def _draw_uniforms(self, size: int) -> np.ndarray:
        return (self._bits.random_raw(size) & (2**24 - 1)) * 2.0**-24

    def _draw_one(self) -> float:
        if self._spare is not None:
            value, self._spare = self._spare, None
            return value
        angle, radius = 2 * math.pi * self._draw_double(), math.sqrt(-2 * math.log1p(-self._draw_double()))
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def _draw_double(self) -> float:
        high, low = (int(word) for word in self._bits.random_raw(2))
        return ((high << 32 | low) & (2**53 - 1)) * 2.0**-53


def _box_muller(uniform: np.ndarray) -> np.ndarray:
    """Turn uniforms into normals, 16 at a time: eight radii, eight angles, eight cosines, eight sines."""
    pairs = uniform.reshape(-1, 2, _VECTOR // 2)
    radius = np.sqrt(-2 * np.log1p(-pairs[:, 0]))
    angle = 2 * np.pi * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()
