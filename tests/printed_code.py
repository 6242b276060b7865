"""The code of document 001 as printed: two layers from samples (Part 1), and any depth from covariances (Part 2)."""

from functools import reduce

import numpy as np


def forward(X, Wl):
    Xl = [X]
    for W in Wl:
        Xl.append(Xl[-1] @ W.T)
    return Xl


def evaluate(X, Y, Wl):
    """Return the loss and the accuracy, for which the document makes a forward pass each."""
    loss = np.mean((Y - forward(X, Wl)[-1]) ** 2)
    return loss, np.mean(np.argmax(Y, axis=1) == np.argmax(forward(X, Wl)[-1], axis=1))


def backward_from_samples(fX, Xl, Wl):
    dLdg, dLdWl = -2 * (fX - Xl.pop()), []
    for W in Wl[::-1]:
        X = Xl.pop()
        dLdWl.append(np.sum(dLdg[:, :, np.newaxis] * X[:, np.newaxis, :], axis=0))
        dLdg = np.sum(dLdg[:, :, np.newaxis] * W[np.newaxis, :, :], axis=1)
    return dLdWl[::-1]


def step_from_covariances(Ws, CXX, CYX, lr):
    """Update the matrices as printed, one after the other. The document uses `compose` without its definition."""

    def compose(some):
        return reduce(lambda product, W: W @ product, some)

    dLdg = compose(Ws) @ CXX - CYX
    for i, W in enumerate(Ws):
        if i == 0:
            dLdW = compose(Ws[1:]).T @ dLdg
        elif i == len(Ws) - 1:
            dLdW = dLdg @ compose(Ws[:-1]).T
        else:
            dLdW = compose(Ws[i + 1 :]).T @ dLdg @ compose(Ws[:i]).T
        W -= lr * dLdW
