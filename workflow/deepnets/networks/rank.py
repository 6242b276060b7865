"""The rank of a matrix at an absolute tolerance."""

import numpy as np
import torch


def rank(matrix: torch.Tensor, tolerance: float) -> int:
    """Return what `numpy.linalg.matrix_rank(matrix, tol=tolerance)` returns: the number of singular values above it.

    matrix: float32 (m, n), finite
    tolerance: absolute, t > 0

    It equals the number of positive eigenvalues of G − t², where G = AAᵀ is the smaller Gram matrix. By Sylvester's law
    of inertia, D of a decomposition LDLᵀ has as many, and this takes an eighth of an SVD's time. Float64 rounds
    eigenvalues by up to about n·eps·‖A‖²: for n = 2048, ‖A‖ = 4 and t = 1e-4 by 7e-12 of t² = 1e-8, which moves a
    singular value at t by 4e-8. An SVD in float32 errs by more, eps·‖A‖ = 5e-7. Where the bound exceeds t² (as in
    training that diverged), numpy decides.
    """
    exact = matrix.numpy().astype(np.float64)
    # NumPy computes only one half of a product of a matrix and its transpose.
    gram = torch.from_numpy(exact.T @ exact if exact.shape[0] > exact.shape[1] else exact @ exact.T)
    # The sum of all eigenvalues bounds the largest, ‖A‖².
    if len(gram) * torch.finfo(torch.float64).eps * gram.trace() > tolerance**2:
        return int(np.linalg.matrix_rank(matrix.numpy(), tol=tolerance))
    gram.diagonal().sub_(tolerance**2)
    factors, pivots = torch.linalg.ldl_factor(gram)
    # Two negative pivots mark a 2 × 2 block of D, which has one positive and one negative eigenvalue.
    return int(((factors.diagonal() > 0) & (pivots > 0)).sum() + (pivots < 0).sum() // 2)
