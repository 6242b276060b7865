"""The rank of a matrix at an absolute tolerance, at a fraction of the cost of its singular values.

The number of singular values above t is the number of positive eigenvalues of A Aᵀ − t² I, which Sylvester's law of
inertia reads off the pivots of one symmetric factorisation, in float64: an eighth of the arithmetic of an SVD. Counts
a little below and a little above t that agree prove that no rounding, ours or that of a float32 SVD, can change the
integer. Where they differ, the SVD itself decides.
"""

import numpy as np
import torch

# How far a singular value from a float32 SVD may lie from the true one, in units of float32's spacing times the norm.
# In trained layers the largest were found to err by up to 0.44, those near the tolerance by less than 0.001.
_SVD_ERROR = 0.5
# What joining rows may cost, relative to the square of the tolerance: more would often send the count to the SVD.
_NEGLIGIBLE = 2e-3
# Entries that are equal on this grid, in units of the tolerance, make rows that may be joined.
_GRID = 1e-3


def rank(matrix: torch.Tensor, tolerance: float) -> int:
    """Return what `numpy.linalg.matrix_rank(matrix, tol=tolerance)` returns.

    matrix: float32 (m, n), finite; tolerance: the absolute size above which a singular value counts, > 0.
    """
    exact = matrix.double()
    collapsed, lost = _collapsed(exact, _GRID * tolerance)
    if lost > _NEGLIGIBLE * tolerance**2:
        # Rows were joined that differ by more than rounding.
        collapsed, lost = exact, 0.0
    gram = collapsed.T @ collapsed if collapsed.shape[0] > collapsed.shape[1] else collapsed @ collapsed.T
    # The Frobenius norm of the Gram matrix bounds the square of the largest singular value.
    squared_norm = float(torch.linalg.matrix_norm(gram))
    margin = 2 * tolerance * _SVD_ERROR * torch.finfo(torch.float32).eps * squared_norm**0.5
    margin += len(gram) * torch.finfo(torch.float64).eps * squared_norm
    if margin + lost < tolerance**2:
        surely = _eigenvalues_above(gram, tolerance**2 + margin)
        if surely == len(exact) or surely == _eigenvalues_above(gram, tolerance**2 - margin - lost):
            return surely
    return int(np.linalg.matrix_rank(matrix.numpy(), tol=tolerance))


def _collapsed(exact: torch.Tensor, grid: float) -> tuple[torch.Tensor, float]:
    """Join m nearly equal rows to their sum over √m, and bound what the eigenvalues of the Gram matrix lose by it.

    Padded units that never separate but by rounding, and units that never fire, make most of a wide layer such rows.
    W − I is rounded otherwise on its diagonal, so rows are compared with their diagonal entry replaced by the one
    before it.
    Joining projects the columns of A onto a subspace: with the rest R, A Aᵀ has the eigenvalues of the collapsed Gram
    matrix up to ‖R‖², which the largest sums of a row and of a column of |R| bound.
    """
    # Adding 0 turns −0 into 0, whose bytes differ.
    cells = np.rint(exact.numpy() / grid).astype(np.float32) + np.float32(0)
    diagonal = np.arange(min(cells.shape))
    cells[diagonal, diagonal] = cells[diagonal, diagonal - 1]
    groups: dict[bytes, int] = {}
    labels = [groups.setdefault(row.tobytes(), len(groups)) for row in cells]
    group = torch.tensor(labels)
    roots = torch.bincount(group).double().sqrt()[:, None]
    joined = torch.zeros(len(groups), exact.shape[1], dtype=torch.float64).index_add_(0, group, exact).div_(roots)
    rest = (exact - (joined / roots)[group]).abs_()
    return joined, float(rest.sum(dim=0).max() * rest.sum(dim=1).max())


def _eigenvalues_above(gram: torch.Tensor, shift: float) -> int:
    """Count the eigenvalues of a symmetric matrix above a shift from the inertia of Bunch and Kaufman's L D Lᵀ."""
    shifted = gram.clone()
    shifted.diagonal().sub_(shift)
    factors, pivots, _ = torch.linalg.ldl_factor_ex(shifted)
    # Negative pivots mark the blocks of size 2, which are indefinite by the choice of pivots: one eigenvalue each way.
    single = pivots > 0
    return int((factors.diagonal()[single] > 0).sum()) + int((~single).sum()) // 2
