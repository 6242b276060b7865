import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow.deepnets.networks import rank as module
from workflow.deepnets.networks.rank import rank

TOLERANCE = 1e-4


def plainly(matrix):
    return np.linalg.matrix_rank(matrix.numpy(), tol=TOLERANCE)


def with_singular_values(values, rows, seed=0):
    generator = np.random.default_rng(seed)
    left, right = (np.linalg.qr(generator.standard_normal((n, len(values))))[0] for n in (rows, len(values)))
    return torch.from_numpy((left * values @ right.T).astype(np.float32))


@given(
    exponents=st.lists(st.floats(-7, 1), min_size=1, max_size=30),
    copies=st.integers(0, 20),
    transposed=st.booleans(),
    seed=st.integers(0, 1000),
)
@settings(deadline=None)
def test_rank_is_that_of_the_svd(exponents, copies, transposed, seed):
    matrix = with_singular_values(10.0 ** np.array(exponents), 40, seed)
    if copies:
        # Equal rows, zero rows and, transposed, columns: what the count joins and drops before it factors.
        matrix = torch.cat([matrix, matrix[:1].expand(copies, -1), torch.zeros(copies, matrix.shape[1])])
    matrix = matrix.T.contiguous() if transposed else matrix
    assert rank(matrix, TOLERANCE) == plainly(matrix)


def test_edges():
    assert rank(torch.zeros(5, 5), TOLERANCE) == 0
    assert rank(-torch.zeros(5, 5), TOLERANCE) == 0
    assert rank(torch.eye(5), TOLERANCE) == 5
    assert rank(torch.ones(7, 3), TOLERANCE) == 1


@pytest.mark.parametrize("offset", [0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5])
@pytest.mark.parametrize("sign", [-1, 1])
def test_at_the_boundary_the_svd_decides(offset, sign):
    boundary = TOLERANCE + sign * offset
    values = np.concatenate([np.geomspace(3, 1e-3, 60), np.full(5, boundary), np.geomspace(1e-5, 1e-9, 35)])
    for seed in range(3):
        matrix = with_singular_values(values, 100, seed)
        assert rank(matrix, TOLERANCE) == plainly(matrix)


def test_the_svd_is_asked_only_near_the_boundary(monkeypatch):
    def refused(*_, **__):
        raise AssertionError("asked")

    monkeypatch.setattr(module.np.linalg, "matrix_rank", refused)
    clear = np.concatenate([np.geomspace(3, 2e-4, 60), np.geomspace(5e-5, 1e-9, 40)])
    assert rank(with_singular_values(clear, 100), TOLERANCE) == 60
    with pytest.raises(AssertionError, match="asked"):
        rank(with_singular_values(np.append(clear, TOLERANCE), 120), TOLERANCE)


def test_inertia_counts_blocks_of_both_sizes():
    generator = torch.Generator().manual_seed(0)
    for size in (1, 2, 3, 10, 60):
        matrix = torch.randn(size, size, generator=generator, dtype=torch.float64)
        # An empty diagonal forces pivots of size 2.
        for symmetric in (matrix + matrix.T, (matrix + matrix.T).fill_diagonal_(0)):
            expected = int((torch.linalg.eigvalsh(symmetric) > 0.25).sum())
            assert module._eigenvalues_above(symmetric, 0.25) == expected


@pytest.mark.parametrize("difference", [1e-7, 1e-4])
def test_rows_that_differ_on_the_diagonal_are_joined_and_the_loss_is_bounded(difference):
    generator = torch.Generator().manual_seed(0)
    matrix = torch.zeros(60, 60)
    matrix[:20] = torch.randn(20, 60, generator=generator)
    matrix[20:, :20] = torch.randn(20, generator=generator)
    matrix[20:, 20:] = 0.5
    matrix += torch.diag(difference * torch.rand(60, generator=generator))
    exact = matrix.double()
    joined, lost = module._collapsed(exact, 1e-7)
    # Row 20 stays alone: the entry before its diagonal is none of the padded ones.
    assert joined.shape == (22, 60)
    assert 0 < lost < 10 * difference**2
    change = torch.linalg.eigvalsh(exact @ exact.T)[-22:] - torch.linalg.eigvalsh(joined @ joined.T)
    # Round-off of eigenvalues up to some 3000.
    assert change.min() > -2e-11
    assert change.max() < lost + 2e-11
    assert rank(matrix, TOLERANCE) == plainly(matrix)


def test_rows_that_differ_on_the_diagonal_by_more_than_rounding_count():
    matrix = torch.ones(40, 40) + torch.eye(40)
    assert rank(matrix, TOLERANCE) == plainly(matrix) == 40
