"""The ReLU network of document 004: forward pass, backward pass and plain SGD in torch, in place.

Gradients are written by hand: one product computes an update and adds the update to the matrix. Autograd would store
the gradient and read it again; for batches of 64, this takes as much time as the product.
"""

from collections.abc import Sequence

import torch

Tensors = Sequence[torch.Tensor]


def square_first_layer_sizes(n_in: int, width: int, n_out: int, depth: int) -> list[int]:
    """Return the sizes of the layers, [n_in, n_in, width, …, width, n_out], with `depth` ≥ 2 weight matrices."""
    return [n_in, n_in, *[width] * (depth - 2), n_out]


def activations(inputs: torch.Tensor, weights: Tensors, biases: Tensors) -> list[torch.Tensor]:
    """Return the activations of all layers; the first are the inputs, of shape (n, n_in), the last the scores.

    weights: matrices of shape (n_in, n_out)
    biases: vectors of shape (n_out,), or an empty list
    """
    layers = [inputs]
    for position, matrix in enumerate(weights):
        layer = torch.addmm(biases[position], layers[-1], matrix) if biases else layers[-1] @ matrix
        layers.append(layer if matrix is weights[-1] else layer.relu_())
    return layers


def cross_entropy(scores: torch.Tensor, labels: torch.Tensor) -> tuple[float, torch.Tensor]:
    """Return the mean cross entropy in nats, and its gradient with respect to scores.

    scores: shape (n, k)
    labels: int64, shape (n,)
    """
    logarithms = torch.log_softmax(scores, dim=1)
    loss = torch.nn.functional.nll_loss(logarithms, labels)
    gradient = logarithms.exp_()
    gradient[torch.arange(len(labels)), labels] -= 1
    return float(loss), gradient.div_(len(labels))


def descend(layers: Tensors, weights: Tensors, biases: Tensors, output_gradient: torch.Tensor, rate: float) -> None:
    """Change weights and biases in place by one step of gradient descent.

    layers: as `activations` returns them
    output_gradient: ∂loss/∂scores, shape (n, n_out)
    """
    for position in reversed(range(len(weights))):
        gradient = output_gradient
        if position > 0:
            # This product uses the old matrix. The slope of ReLU at 0 is 0, as in torch; a mask would take three
            # passes.
            output_gradient = gradient @ weights[position].T
            torch.ops.aten.threshold_backward(output_gradient, layers[position], 0, grad_input=output_gradient)
        weights[position].addmm_(layers[position].T, gradient, alpha=-rate)
        if biases:
            biases[position].sub_(gradient.sum(dim=0), alpha=rate)
