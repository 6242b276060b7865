"""The rank of a matrix at an absolute tolerance."""

import numpy as np
import torch


def rank(matrix: torch.Tensor, tolerance: float) -> int:
    """Return what `numpy.linalg.matrix_rank(matrix, tol=tolerance)` returns: how many singular values are above it.

    matrix: float32 (m, n), finite; tolerance: absolute, t > 0. Counts the eigenvalues above t² of the smaller Gram
    matrix, which for n = 2048 takes half the time. Float64 rounds them by up to n·eps·‖A‖²: for n = 2048, ‖A‖ = 4 and
    t = 1e-4 by 7e-12 of t² = 1e-8, which moves a singular value at t by 4e-8; an SVD in float32 errs by more,
    eps·‖A‖ = 5e-7. Where that bound exceeds t² (here for ‖A‖ > 150, in training that blew up), numpy itself decides.
    """
    exact = matrix.double()
    gram = exact.T @ exact if exact.shape[0] > exact.shape[1] else exact @ exact.T
    eigenvalues = torch.linalg.eigvalsh(gram)
    if len(gram) * torch.finfo(torch.float64).eps * eigenvalues[-1] > tolerance**2:
        return int(np.linalg.matrix_rank(matrix.numpy(), tol=tolerance))
    return int((eigenvalues > tolerance**2).sum())
