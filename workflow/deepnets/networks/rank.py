"""The rank of a matrix at an absolute tolerance."""

import numpy as np
import torch


def rank(matrix: torch.Tensor, tolerance: float) -> int:
    """Return the number of singular values above a tolerance, as `numpy.linalg.matrix_rank` does, but faster.

    matrix: float32 (m, n), finite
    tolerance: absolute, t > 0

    The rank is the number of positive eigenvalues of G − t², where G is the smaller of the Gram matrices AAᵀ and AᵀA.
    By Sylvester's law of inertia, D in the decomposition LDLᵀ of G − t² has the same number of positive eigenvalues.
    LDLᵀ takes an eighth of the time of an SVD. Float64 rounds eigenvalues of G by up to about n·eps·‖A‖². For n = 2048,
    ‖A‖ = 4 and t = 1e-4 this is 7e-12, compared with t² = 1e-8, and changes a singular value near t by 4e-8. The error
    of an SVD in float32 is larger, eps·‖A‖ = 5e-7. If the bound exceeds t² (as in training that diverged),
    `numpy.linalg.matrix_rank` is called.
    """
    exact = matrix.numpy().astype(np.float64)
    # For the product of a matrix and its own transpose, NumPy computes only one half of the entries.
    gram = torch.from_numpy(exact.T @ exact if exact.shape[0] > exact.shape[1] else exact @ exact.T)
    # The trace, which is the sum of all eigenvalues, bounds the largest eigenvalue ‖A‖².
    if len(gram) * torch.finfo(torch.float64).eps * gram.trace() > tolerance**2:
        return int(np.linalg.matrix_rank(matrix.numpy(), tol=tolerance))
    gram.diagonal().sub_(tolerance**2)
    factors, pivots = torch.linalg.ldl_factor(gram)
    # Two negative pivots mark a 2 × 2 block of D, which has one positive and one negative eigenvalue.
    return int(((factors.diagonal() > 0) & (pivots > 0)).sum() + (pivots < 0).sum() // 2)
