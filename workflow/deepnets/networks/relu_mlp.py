"""The ReLU network of document 004: forward pass, backward pass and plain SGD in torch, in place.

Gradients are written by hand, so that one product adds an update to its matrix. Autograd would write the gradient and
read it again, which at batches of 64 costs as much as the product.
"""

from collections.abc import Sequence

import torch

Tensors = Sequence[torch.Tensor]


def square_first_layer_sizes(n_in: int, width: int, n_out: int, depth: int) -> list[int]:
    """Return the sizes of the layers, [n_in, n_in, width, …, width, n_out], with `depth` ≥ 2 weight matrices."""
    return [n_in, n_in, *[width] * (depth - 2), n_out]


def activations(inputs: torch.Tensor, weights: Tensors, biases: Tensors) -> list[torch.Tensor]:
    """Return the inputs (n, n_in) and the activations of all later layers; the last are the scores.

    weights: (n_in, n_out) each
    biases: (n_out,) each, or none at all
    """
    layers = [inputs]
    for position, matrix in enumerate(weights):
        layer = torch.addmm(biases[position], layers[-1], matrix) if biases else layers[-1] @ matrix
        layers.append(layer if matrix is weights[-1] else layer.relu_())
    return layers


def cross_entropy(scores: torch.Tensor, labels: torch.Tensor) -> tuple[float, torch.Tensor]:
    """Return the mean cross entropy (nats) of scores (n, k) against labels int64 (n,), and its gradient by scores."""
    logarithms = torch.log_softmax(scores, dim=1)
    loss = torch.nn.functional.nll_loss(logarithms, labels)
    gradient = logarithms.exp_()
    gradient[torch.arange(len(labels)), labels] -= 1
    return float(loss), gradient.div_(len(labels))


def descend(layers: Tensors, weights: Tensors, biases: Tensors, output_gradient: torch.Tensor, rate: float) -> None:
    """Change weights and biases in place by one step of gradient descent.

    layers: as `activations` returns them
    output_gradient: ∂loss/∂scores, (n, n_out)
    """
    for position in reversed(range(len(weights))):
        gradient = output_gradient
        if position > 0:
            # Uses the old matrix. ReLU's slope at 0 is 0, as in torch; a mask would take three passes.
            output_gradient = gradient @ weights[position].T
            torch.ops.aten.threshold_backward(output_gradient, layers[position], 0, grad_input=output_gradient)
        weights[position].addmm_(layers[position].T, gradient, alpha=-rate)
        if biases:
            biases[position].sub_(gradient.sum(dim=0), alpha=rate)
