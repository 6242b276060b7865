"""Gradient descent of one linear net at many learning rates at once, until the net has learned at one rate."""

from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from deepnets.networks.linear import Weights

# No rate is given up before this update: a high rate may lead at first, then fail.
_PATIENCE = 50


@dataclass
class RateSweep:
    """The result of a sweep.

    errors: ‖W − C‖² of end-to-end matrix W and task C after 0, 1, … updates, shape (updates + 1, rates); NaN after a
        rate has diverged or was given up
    diverged, given_up: index of a rate → the update at which it diverged, or was given up
    learned: as `first_to_hold` returns it
    """

    errors: np.ndarray
    diverged: dict[int, int] = field(default_factory=dict)
    given_up: dict[int, int] = field(default_factory=dict)
    learned: tuple[int, int] | None = None


def first_to_hold(errors: np.ndarray, target: float, hold: int) -> tuple[int, int] | None:
    """Return the first update at which the error at a rate reaches the target and stays there for `hold` updates.

    errors: (updates, rates)
    returns: the update and the rate's index, or None; if several rates reach the target at this update, the rate with
        the smallest error `hold` updates later

    If a rate is too high, the error falls below the target, but then rises again.
    """
    if len(errors) <= hold:
        return None
    held = np.all(np.lib.stride_tricks.sliding_window_view(errors <= target, hold + 1, axis=0), axis=-1)
    if not held.any():
        return None
    update = int(held.any(axis=1).argmax())
    return update, int(np.argmin(np.where(held[update], errors[update + hold], np.inf)))


def sweep_rates(
    weights: Weights,
    cross_covariance: np.ndarray,
    rates: np.ndarray,
    *,
    target: float,
    hold: int,
    lag: float | None,
    most_updates: int,
) -> RateSweep:
    """Train from the same weights at all rates, for white inputs, until one rate has learned (`first_to_hold`).

    cross_covariance: C = XᵀY/P, shape (n_in, n_out)
    lag: a rate is given up at update t if the error at this rate exceeds the leading rate's error at update t / lag;
        None: never

    Reason for `lag`: in the limit of small rates, times are inversely proportional to the rate. Training has the
    weights' precision. For each rate, an update takes O(depth) products of shapes (width, width) and (width, n_out); no
    product has two factors of shape (width, width).
    """
    precision = weights[0].dtype
    task, steps = cross_covariance.astype(precision), np.asarray(rates, precision)[:, np.newaxis, np.newaxis]
    stacks = [np.repeat(matrix[np.newaxis], len(rates), axis=0) for matrix in weights]
    result, active = RateSweep(np.full((most_updates + 1, len(rates)), np.nan)), np.arange(len(rates))
    for update in range(most_updates + 1):
        # For each hidden layer, the product that maps the layer's activations to the outputs.
        suffixes = list(accumulate(stacks[:0:-1], lambda product, matrix: matrix @ product))[::-1]
        difference = stacks[0] @ suffixes[0] - task
        errors = np.sum(np.square(difference, dtype=np.float64), axis=(1, 2))
        kept = np.isfinite(errors)
        result.diverged |= dict.fromkeys(active[~kept].tolist(), update)
        result.errors[update, active[kept]] = errors[kept]
        if update >= hold and (learned := first_to_hold(result.errors[update - hold : update + 1], target, hold)):
            result.learned = update - hold, learned[1]
            break
        if lag and kept.any() and update >= _PATIENCE:
            leader = active[kept][np.argmin(errors[kept])]
            slow = kept & (errors > result.errors[int(update / lag), leader])
            result.given_up |= dict.fromkeys(active[slow].tolist(), update)
            kept &= ~slow
        if not kept.any():
            break
        if not kept.all():
            active, steps, difference = active[kept], steps[kept], difference[kept]
            for stack in (stacks, suffixes):
                # Copying one layer at a time saves memory.
                for layer, matrices in enumerate(stack):
                    stack[layer] = matrices[kept]
        _descend(stacks, suffixes, steps * difference)
    result.errors = result.errors[: update + 1]
    return result


def _descend(stacks: list[np.ndarray], suffixes: list[np.ndarray], signal: np.ndarray) -> None:
    """Update all matrices of all rates once, in place.

    suffixes: as in `sweep_rates`
    signal: rate times the gradient for the end-to-end matrix, shape (rates, n_in, n_out)
    """
    for stack, product in zip(stacks[:-1], suffixes, strict=True):
        next_signal = stack.mT @ signal
        stack -= signal @ product.mT
        signal = next_signal
    stacks[-1] -= signal
