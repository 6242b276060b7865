import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks.initialization.torch_normals import TorchStream

SHAPES = st.lists(st.integers(1, 40), min_size=1, max_size=2).map(tuple)


@given(seed=st.integers(0, 2**32 - 1), shapes=st.lists(SHAPES, min_size=1, max_size=8))
def test_normals_equal_those_of_torch(seed, shapes):
    # torch draws tensors of fewer than 16 entries differently and keeps a spare number, so the order matters.
    torch.manual_seed(seed)
    stream = TorchStream(seed)
    for shape in shapes:
        expected = torch.empty(shape).normal_().numpy()
        # The errors of torch's vectorised log, sin and cos are a few units in the last place of float32.
        np.testing.assert_allclose(stream.normal(shape), expected, rtol=2e-6, atol=2e-6)


def test_randn_gives_the_document_s_numbers():
    torch.manual_seed(0)
    expected = torch.randn(200, 10).numpy()
    found = TorchStream(0).normal((200, 10))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("size", [15, 16, 17, 32, 33])
def test_normals_equal_those_of_torch_around_size_16(size):
    torch.manual_seed(3)
    stream = TorchStream(3)
    for _ in range(3):
        np.testing.assert_allclose(stream.normal((size,)), torch.empty(size).normal_().numpy(), rtol=2e-6, atol=2e-6)
