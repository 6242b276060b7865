import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks.rank import rank

TOLERANCE = 1e-4


def numpy_rank(matrix):
    return np.linalg.matrix_rank(matrix.numpy(), tol=TOLERANCE)


def with_singular_values(values, rows, seed=0):
    generator = np.random.default_rng(seed)
    left, right = (np.linalg.qr(generator.standard_normal((n, len(values))))[0] for n in (rows, len(values)))
    return torch.from_numpy((left * values @ right.T).astype(np.float32))


@given(
    above=st.lists(st.floats(-3.9, 1), max_size=15),
    below=st.lists(st.floats(-7, -4.1), min_size=1, max_size=15),
    copies=st.integers(0, 20),
    transposed=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_rank_is_the_number_of_singular_values_above_the_tolerance(above, below, copies, transposed, seed):
    # Float32 shifts singular values by about 1e-6, a hundredth of the tolerance. None is within a fifth of it.
    matrix = with_singular_values(10.0 ** np.array(above + below), 40, seed)
    # Padded layers have such zero rows or columns.
    matrix = torch.cat([matrix, torch.zeros(copies, matrix.shape[1])])
    matrix = matrix.T.contiguous() if transposed else matrix
    assert rank(matrix, TOLERANCE) == numpy_rank(matrix) == len(above)


def test_zero_identity_and_constant_matrices_have_their_rank():
    zero, one = torch.zeros(5, 5), torch.ones(7, 3)
    for matrix, expected in ((zero, 0), (-zero, 0), (torch.eye(5), 5), (TOLERANCE / 2 * torch.eye(5), 0), (one, 1)):
        assert rank(matrix, TOLERANCE) == rank(matrix.T.contiguous(), TOLERANCE) == expected


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_singular_value_a_thousandth_from_the_tolerance_is_counted_rightly(sign):
    # The matrix is diagonal: in float32, other matrices of this norm would have a rounding error of about 1e-7.
    values = np.array([3, 1, TOLERANCE * (1 + sign * 1e-3), 0])
    matrix = torch.diag(torch.tensor(values, dtype=torch.float32))
    assert rank(matrix, TOLERANCE) == numpy_rank(matrix) == (3 if sign > 0 else 2)


def test_numpy_decides_where_rounding_hides_the_tolerance():
    # A Gram matrix with eigenvalues up to 1e18 loses those below about 1e2: many of them come out negative.
    matrix = with_singular_values(np.geomspace(1e9, 1, 40), 40)
    gram = matrix.double() @ matrix.double().T
    assert (torch.linalg.eigvalsh(gram) > TOLERANCE**2).sum() < 40
    assert rank(matrix, TOLERANCE) == numpy_rank(matrix) == 40
