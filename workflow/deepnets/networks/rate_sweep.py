"""Gradient descent of one linear net at many rates at once, until the fastest of them has learned its task."""

from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from workflow.deepnets.networks.linear import Weights

# No rate is given up before this update, because high rates go wrong early.
_PATIENCE = 50


@dataclass
class Sweep:
    """The result of a sweep.

    errors: ‖W − C‖² of end-to-end matrix and task after 0, 1, … updates, shape (updates + 1, rates); NaN after a rate's
        end
    diverged, given_up: index of a rate → the update at which it diverged, or was given up
    learned: as `first_to_hold` returns it
    """

    errors: np.ndarray
    diverged: dict[int, int] = field(default_factory=dict)
    given_up: dict[int, int] = field(default_factory=dict)
    learned: tuple[int, int] | None = None


def first_to_hold(errors: np.ndarray, target: float, hold: int) -> tuple[int, int] | None:
    """Return the first update at which the error of a rate is at most the target and stays so for `hold` updates.

    errors: (updates, rates)
    returns: the update and the rate, or None; of several rates, the one with the smallest error `hold` updates later

    A rate that is too high crosses the target but does not stay below it.
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
) -> Sweep:
    """Descend at all rates (rates,) from the same weights, for white inputs, until one has learned (`first_to_hold`).

    cross_covariance: C = XᵀY/P, (n_in, n_out)
    lag: a rate is given up at update t if its error exceeds the leading rate's error at update t / lag; None: never

    Reason for `lag`: in the limit of small rates, times are inversely proportional to the rate. The precision is that
    of the weights. No product is wider than the outputs: an update takes O(depth) products (width, width) @ (width,
    n_out) per rate.
    """
    precision = weights[0].dtype
    task, steps = cross_covariance.astype(precision), np.asarray(rates, precision)[:, np.newaxis, np.newaxis]
    stacks = [np.repeat(matrix[np.newaxis], len(rates), axis=0) for matrix in weights]
    result, active = Sweep(np.full((most_updates + 1, len(rates)), np.nan)), np.arange(len(rates))
    for update in range(most_updates + 1):
        # These products map the activations of each hidden layer to the outputs.
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
    signal: rate times the gradient for the end-to-end matrix, (rates, n_in, n_out)
    """
    for stack, product in zip(stacks[:-1], suffixes, strict=True):
        next_signal = stack.mT @ signal
        stack -= signal @ product.mT
        signal = next_signal
    stacks[-1] -= signal
