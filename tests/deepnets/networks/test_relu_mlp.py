from itertools import pairwise

import pytest
import torch
from torch.nn import functional

from deepnets.networks.relu_mlp import activations, cross_entropy, descend, square_first_layer_sizes


def draw_net(biased, depth=4):
    generator = torch.Generator().manual_seed(0)
    sizes = square_first_layer_sizes(6, 9, 3, depth)
    weights = [torch.randn(n_in, n_out, generator=generator, dtype=torch.float64) for n_in, n_out in pairwise(sizes)]
    biases = [torch.randn(n, generator=generator, dtype=torch.float64) for n in sizes[1:]] if biased else []
    inputs = torch.randn(20, 6, generator=generator, dtype=torch.float64)
    labels = torch.randint(3, (20,), generator=generator)
    return weights, biases, inputs, labels


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("depth", [2, 4, 5])
def test_a_step_equals_that_of_autograd(biased, depth):
    weights, biases, inputs, labels = draw_net(biased, depth)
    leaves = [parameter.clone().requires_grad_() for parameter in (*weights, *biases)]
    layer = inputs
    for position in range(depth):
        layer = layer @ leaves[position] + (leaves[depth + position] if biased else 0)
        layer = functional.relu(layer) if position < depth - 1 else layer
    expected_loss = functional.nll_loss(functional.log_softmax(layer, dim=1), labels)
    expected_loss.backward()

    layers = activations(inputs, weights, biases)
    torch.testing.assert_close(layers[-1], layer.detach(), rtol=1e-13, atol=1e-13)
    loss, gradient = cross_entropy(layers[-1], labels)
    assert loss == pytest.approx(float(expected_loss.detach()), rel=1e-13)
    descend(layers, weights, biases, gradient, 0.1)
    for parameter, leaf in zip((*weights, *biases), leaves, strict=True):
        assert leaf.grad.abs().max() > 0
        torch.testing.assert_close(parameter, (leaf - 0.1 * leaf.grad).detach(), rtol=1e-12, atol=1e-12)


def test_slope_of_relu_at_zero_is_zero():
    # As in torch, a unit with neither input nor bias does not change.
    weights = [torch.eye(2), torch.tensor([[1.0, 0.0], [0.0, 0.0]]), torch.ones(2, 2)]
    layers = activations(torch.ones(1, 2), weights, [])
    descend(layers, weights, [], torch.ones(1, 2), 0.1)
    assert torch.equal(weights[1][:, 1], torch.zeros(2))
