"""Gradient descent of one linear net at many rates at once, until the fastest of them has learned its task."""

from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from workflow.deepnets.networks.linear import Weights

# Updates before which no rate is given up: high ones go astray first.
_PATIENCE = 50


@dataclass
class Sweep:
    """What the rates of a sweep came to.

    errors: ‖W − C‖² of end-to-end matrix and task after 0, 1, … updates, (updates + 1, rates); NaN after a rate's end.
    diverged, given_up: index of a rate → the update at which it left the finite numbers, or was given up.
    learned: as `first_to_hold` returns it.
    """

    errors: np.ndarray
    diverged: dict[int, int] = field(default_factory=dict)
    given_up: dict[int, int] = field(default_factory=dict)
    learned: tuple[int, int] | None = None


def first_to_hold(errors: np.ndarray, target: float, hold: int) -> tuple[int, int] | None:
    """Return the first update from which the error of a rate is at most the target, and still is `hold` updates later.

    errors: (updates, rates). Returns the update and the rate, of several the one with the smallest error in the end;
    None where there is none. A rate that is too high passes through the target, and on.
    """
    if len(errors) <= hold:
        return None
    held = np.all(np.lib.stride_tricks.sliding_window_view(errors <= target, hold + 1, axis=0), axis=-1)
    if not held.any():
        return None
    update = int(held.any(axis=1).argmax())
    return update, int(np.argmin(np.where(held[update], errors[update + hold], np.inf)))


def sweep(
    weights: Weights,
    cross_covariance: np.ndarray,
    rates: np.ndarray,
    *,
    target: float,
    hold: int,
    lag: float | None,
    most_updates: int,
) -> Sweep:
    """Descend at all rates (rates,) from the same weights, for white inputs, until one has learned (`first_to_hold`).

    Unless `lag` is None, a rate is given up when it is more than that many times slower than the one ahead, which had
    the same error before update t / lag: in the limit of small rates, times go with the inverse of the rate.

    cross_covariance: C = XᵀY/P, (n_in, n_out). The precision is that of the weights. No product is wider than the
    outputs: O(depth) products (width, width) @ (width, n_out) an update and rate.
    """
    precision = weights[0].dtype
    task, steps = cross_covariance.astype(precision), np.asarray(rates, precision)[:, np.newaxis, np.newaxis]
    stacks = [np.repeat(matrix[np.newaxis], len(rates), axis=0) for matrix in weights]
    result, going = Sweep(np.full((most_updates + 1, len(rates)), np.nan)), np.arange(len(rates))
    for update in range(most_updates + 1):
        # What the activations of each hidden layer become at the outputs.
        behind = list(accumulate(stacks[:0:-1], lambda product, matrix: matrix @ product))[::-1]
        difference = stacks[0] @ behind[0] - task
        own = np.sum(np.square(difference, dtype=np.float64), axis=(1, 2))
        kept = np.isfinite(own)
        result.diverged |= dict.fromkeys(going[~kept].tolist(), update)
        result.errors[update, going[kept]] = own[kept]
        if update >= hold and (held := first_to_hold(result.errors[update - hold : update + 1], target, hold)):
            result.learned = update - hold, held[1]
            break
        if lag and kept.any() and update >= _PATIENCE:
            ahead = going[kept][np.argmin(own[kept])]
            slow = kept & (own > result.errors[int(update / lag), ahead])
            result.given_up |= dict.fromkeys(going[slow].tolist(), update)
            kept &= ~slow
        if not kept.any():
            break
        if not kept.all():
            going, steps, difference = going[kept], steps[kept], difference[kept]
            for stack in (stacks, behind):
                # One after the other, so that no memory is taken twice.
                for layer, matrices in enumerate(stack):
                    stack[layer] = matrices[kept]
        _descend(stacks, behind, steps * difference)
    result.errors = result.errors[: update + 1]
    return result


def _descend(stacks: list[np.ndarray], behind: list[np.ndarray], sent: np.ndarray) -> None:
    """Move all matrices of all rates by one update, in place.

    behind: as in `sweep`; sent: rate times the gradient for the end-to-end matrix, (rates, n_in, n_out).
    """
    for stack, product in zip(stacks[:-1], behind, strict=True):
        onwards = stack.mT @ sent
        stack -= sent @ product.mT
        sent = onwards
    stacks[-1] -= sent
