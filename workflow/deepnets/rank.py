"""The rank of a matrix at an absolute tolerance, at a fraction of the cost of its singular values.

The number of singular values above t is the number of positive eigenvalues of A Aᵀ − t² I, which Sylvester's law of
inertia reads off the pivots of one symmetric factorisation, in float64: an eighth of the arithmetic of an SVD. Counts
a little below and a little above t that agree prove that no rounding, ours or that of a float32 SVD, can change the
integer. Where they differ, the SVD itself decides.
"""

import numpy as np
import torch

# How far a singular value from a float32 SVD may lie from the true one, in units of float32's spacing times the norm:
# more than twice what the largest were found to err in trained layers, where those near the tolerance err far less.
_SVD_ERROR = 1


def rank(matrix: torch.Tensor, tolerance: float) -> int:
    """Return what `numpy.linalg.matrix_rank(matrix, tol=tolerance)` returns.

    matrix: float32 (m, n), finite; tolerance: the absolute size above which a singular value counts, > 0.
    """
    collapsed = _without_copies(_without_copies(matrix.double()).T)
    if not collapsed.numel():
        return 0
    gram = collapsed.T @ collapsed if collapsed.shape[0] > collapsed.shape[1] else collapsed @ collapsed.T
    # The Frobenius norm of the Gram matrix bounds the square of the largest singular value.
    squared_norm = float(torch.linalg.matrix_norm(gram))
    margin = 2 * tolerance * _SVD_ERROR * torch.finfo(torch.float32).eps * squared_norm**0.5
    margin += len(gram) * torch.finfo(torch.float64).eps * squared_norm
    surely = _eigenvalues_above(gram, tolerance**2 + margin)
    if surely == _eigenvalues_above(gram, tolerance**2 - margin):
        return surely
    return int(np.linalg.matrix_rank(matrix.numpy(), tol=tolerance))


def _without_copies(matrix: torch.Tensor) -> torch.Tensor:
    """Drop zero rows and join m equal rows to one, times √m: the singular values stay, but for zeros.

    Padded units that never separate, and units that never fire, make most of a wide layer such rows.
    """
    # Adding 0 turns −0 into 0, whose bytes differ.
    rows = (matrix.contiguous() + 0.0).numpy()
    counts: dict[bytes, int] = {}
    for row in rows:
        key = row.tobytes()
        counts[key] = counts.get(key, 0) + 1
    counts.pop(bytes(rows.itemsize * rows.shape[1]), None)
    distinct = np.frombuffer(b"".join(counts), dtype=rows.dtype).reshape(len(counts), rows.shape[1])
    return torch.from_numpy(distinct * np.sqrt(list(counts.values()))[:, np.newaxis])


def _eigenvalues_above(gram: torch.Tensor, shift: float) -> int:
    """Count the eigenvalues of a symmetric matrix above a shift from the inertia of Bunch and Kaufman's L D Lᵀ."""
    shifted = gram.clone()
    shifted.diagonal().sub_(shift)
    factors, pivots, _ = torch.linalg.ldl_factor_ex(shifted)
    # Negative pivots mark the blocks of size 2, which are indefinite by the choice of pivots: one eigenvalue each way.
    single = pivots > 0
    return int((factors.diagonal()[single] > 0).sum()) + int((~single).sum()) // 2
