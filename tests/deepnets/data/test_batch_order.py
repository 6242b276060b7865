import torch
from torch.utils.data import DataLoader, TensorDataset

from deepnets.data.batch_order import shuffled_epochs


def test_the_order_equals_that_of_a_torch_loader_with_a_test_loader_between_epochs():
    images, epochs = 1000, 3
    loader = DataLoader(TensorDataset(torch.arange(images)), batch_size=64, shuffle=True)
    test_loader = DataLoader(TensorDataset(torch.arange(10)), batch_size=5, shuffle=True)
    torch.manual_seed(1)
    expected = []
    for _ in range(epochs):
        expected.append(torch.cat([batch for (batch,) in loader]))
        list(test_loader)
    for order, epoch in zip(expected, shuffled_epochs(1, images), strict=False):
        assert torch.equal(epoch, order)
