from itertools import accumulate, pairwise

import numpy as np

from reproduce import api


# Divergence is a result: silence NumPy's warnings. If only some rates diverge, these have no rows.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Factorise a 3 × 3 matrix into `depth` matrices, at each learning rate from 1 to `largest_rate` %.

    The step is the learning rate in % of the edge of stability, 2 / (depth · s^(2 − 2/depth)) for the largest entry
    s = `strength`: with equal layers, the sharpness of the minimum is 2 divided by it. The target of the next mode is
    that of the mode before times `ratio`. Each layer starts with `scale` times the roots of the targets, up to `spread`
    larger or smaller, plus Gaussian noise of deviation `departure`. The loss is half of the squared error. The gap of a
    mode is its largest diagonal entry of |BᵀB − AAᵀ| over adjacent layers A, B. With the basis "diagonal", all matrices
    are diagonal but for `departure`; with "rotated", the same net is trained in random orthonormal bases of the inputs,
    units and outputs, where rounding errors rotate its singular vectors too. Metrics at each rate, in the net's own basis:

    - gap_left[record], after 1, 10 and 100 % of the updates: gap of the first mode, as a share of the start.
    - largest_rise, once: largest increase of any gap in one update, as a share of the start.
    - oscillation[mode], in the last 64 updates: range of the mode in the product, divided by its target.
    - oscillating, in the last 64 updates: number of modes, from the first on, until one oscillates by less than 0.01.
    - period, in the last 64 updates: after how many the first mode repeats; 64 if after more than 32.
    - orbit[update], in the last 16 updates: the first mode in the product, divided by its target.
    """
    generator, depth, measurements = np.random.default_rng(spec["seed"]), spec["depth"], api.Measurements()
    targets = spec["strength"] * spec["ratio"] ** np.arange(3)
    percents = np.arange(1, spec["largest_rate"] + 1)
    rates = (percents / 50 / (depth * targets[0] ** (2 - 2 / depth)))[:, np.newaxis, np.newaxis]
    weights = []
    for _ in range(depth):
        entries = targets ** (1 / depth) * spec["scale"] * (1 + spec["spread"] * generator.uniform(-1, 1, 3))
        start = np.diag(entries) + spec["departure"] * generator.standard_normal((3, 3))
        weights.append(np.repeat(start[np.newaxis], len(rates), axis=0))
    bases = [np.eye(3)] * (depth + 1)
    if spec["basis"] == "rotated":
        bases = [np.linalg.qr(generator.standard_normal((3, 3)))[0] for _ in bases]
    weights = [after @ weight @ before.T for weight, (before, after) in zip(weights, pairwise(bases), strict=True)]
    target = bases[-1] @ np.diag(targets) @ bases[0].T
    gaps = _gaps(weights, bases)
    # With equal layers, there is no gap to lose.
    first = np.where(gaps > 0, gaps, 1)
    rise, left, modes = np.full(len(rates), -np.inf), [], []
    for update in range(1, spec["updates"] + 1):
        products = list(accumulate(weights, lambda product, weight: weight @ product, initial=np.eye(3)))
        modes.append(np.diagonal(bases[-1].T @ products[-1] @ bases[0], axis1=1, axis2=2) / targets)
        signal = products[-1] - target
        for layer in reversed(range(depth)):
            gradient, signal = signal @ products[layer].mT, weights[layer].mT @ signal
            weights[layer] = weights[layer] - rates * gradient
        before, gaps = gaps, _gaps(weights, bases)
        rise = np.maximum(rise, ((gaps - before) / first).max(axis=1))
        if spec["updates"] in (update, 10 * update, 100 * update):
            left.append(gaps[:, 0] / first[:, 0])
    last = np.array(modes[-64:])
    finite = np.isfinite(last).all(axis=(0, 2)) & np.isfinite(rise)
    if not finite.any():
        measurements.add_divergence(percents[-1])
    for rate in np.flatnonzero(finite):
        orbit, ranges = last[:, rate, 0], np.ptp(last[:, rate], axis=0)
        lags = (lag for lag in range(1, min(33, len(orbit))) if np.abs(orbit[lag:] - orbit[:-lag]).max() < 1e-6)
        measurements.add(percents[rate], "gap_left", np.array(left)[:, rate])
        measurements.add(percents[rate], "largest_rise", rise[rate])
        measurements.add(percents[rate], "oscillation", ranges)
        measurements.add(percents[rate], "oscillating", np.cumprod(ranges > 0.01).sum())
        measurements.add(percents[rate], "period", next(lags, 64))
        measurements.add(percents[rate], "orbit", orbit[-16:])
    return measurements


def _gaps(weights: list[np.ndarray], bases: list[np.ndarray]) -> np.ndarray:
    """Return the gap of each mode for each rate, (rates, modes); 0 for a single layer."""
    own = [weight @ before for weight, before in zip(weights, bases, strict=False)]
    turned = [basis.T @ weight for weight, basis in zip(weights, bases[1:], strict=True)]
    pairs = [np.sum(out**2, axis=1) - np.sum(into**2, axis=2) for into, out in zip(turned, own[1:], strict=False)]
    return np.abs([np.zeros(weights[0].shape[:2]), *pairs]).max(axis=0)
