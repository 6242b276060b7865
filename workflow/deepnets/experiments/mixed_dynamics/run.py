import numpy as np

from deepnets.theory.mixed_dynamics import velocity
from reproduce import api


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def run(spec: dict) -> api.Measurements:
    """Fit a noisy matrix of low rank by the product A of two Gaussian layers, by gradient descent on half the squared error.

    The net has d = `size` inputs and outputs and w = ⌊d^`width_exponent`⌋ hidden units. Its threshold is c =
    d^`threshold_exponent`, and the variance of its weights is c / d^`width_exponent`. The target is the signal, a product
    of two Gaussian matrices with `rank` columns, plus noise; entries of both have variance 1. The `learning_rate` is in
    units of 1/c if c > d, and else of 1 / (largest singular value of the signal). A mode is a pair of singular vectors of
    the target: its strength is uᵀAv, and its own target s* is its singular value. With `stop_early`, training ends when
    the test error has risen twice in a row. The formula is eq. 1 of Tu et al. from the same start, with as many steps of
    the same length (theory.mixed_dynamics.velocity).

    - initial_norm, at the start: largest singular value of A, in units of c.
    - train_error, test_error, after each update: mean square of A − target, and of A − signal.
    - formula_train_error, formula_test_error, if `formula`: the same of the formula's A.
    - distance, if `formula`: norm of A − the formula's A, divided by the norm of the target.
    - strength[mode], while it is below 0.8 s*: strength of each of `modes`; the first mode is 1.
    - growth[mode], with the strength: its growth in the next update, divided by 2 · rate · c · (s* − strength), the
      growth of lazy training.
    - smallest_test_error, at its update: the smallest test error, if it is not that of the last update.
    - stable_rank, with it: squared Frobenius norm of A, divided by that of its largest singular value.
    """
    generator, measurements, size = np.random.default_rng(spec["seed"]), api.Measurements(), spec["size"]
    width, threshold = (np.float64(size) ** spec[f"{name}_exponent"] for name in ("width", "threshold"))
    factors = spec["rank"] ** -0.25 * generator.standard_normal((2, size, spec["rank"]))
    signal = factors[0] @ factors[1].T
    target = signal + generator.standard_normal((size, size))
    rate = spec["learning_rate"] / (threshold if threshold > size else np.linalg.norm(signal, 2))
    modes = np.array([mode for mode in spec["modes"] if mode <= size], dtype=int)
    left, targets, right = np.linalg.svd(target)
    left, targets, right = left[:, modes - 1], targets[modes - 1], right[modes - 1].T
    # Gradient descent depends only on the products of the layers, W2 W2ᵀ, W2 W1 and W1ᵀW1: any width costs the same.
    products = threshold / width * _gram(generator, 2 * size, np.floor(width))
    outer, product, inner = products[:size, :size], products[:size, size:], products[size:, size:]
    # At the start, no update is recorded: targets are not below 0.8 of themselves.
    formula, tests, best, strengths = product, [], product, targets
    for step in range(spec["updates"] + 1):
        error, before, strengths = product - target, strengths, np.sum(left * (product @ right), axis=0)
        train_error, test_error = np.mean(error**2), np.mean((product - signal) ** 2)
        if not np.isfinite(train_error + np.sum(formula**2)):
            measurements.add_divergence(step)
            break
        measurements.add(step, "train_error", train_error)
        measurements.add(step, "test_error", test_error)
        growing, lazy = before < 0.8 * targets, 2 * rate * threshold * (targets - before)
        measurements.add(step - 1, "strength", before[growing], index=modes[growing])
        measurements.add(step - 1, "growth", ((strengths - before) / lazy)[growing], index=modes[growing])
        if spec["formula"]:
            measurements.add(step, "distance", np.linalg.norm(product - formula) / np.linalg.norm(target))
            measurements.add(step, "formula_train_error", np.mean((formula - target) ** 2))
            measurements.add(step, "formula_test_error", np.mean((formula - signal) ** 2))
            formula = formula - rate * velocity(formula, formula - target, threshold)
        best = product if test_error < min(tests, default=np.inf) else best
        tests.append(test_error)
        if spec["stop_early"] and step > 3 and tests[-3] < tests[-2] < tests[-1]:
            break
        outer_error, error_inner = outer @ error, error @ inner
        to_outer, to_inner = error @ product.T, error.T @ product
        product = product - rate * (outer_error + error_inner) + rate**2 * to_outer @ error
        outer = outer - rate * (to_outer + to_outer.T) + rate**2 * error_inner @ error.T
        inner = inner - rate * (to_inner + to_inner.T) + rate**2 * error.T @ outer_error
    if tests:
        measurements.add(0, "initial_norm", np.linalg.norm(products[:size, size:], 2) / threshold)
    # A test error that still falls has not been smallest.
    if tests and tests[-1] > min(tests):
        measurements.add(int(np.argmin(tests)), "smallest_test_error", min(tests))
        measurements.add(int(np.argmin(tests)), "stable_rank", np.sum(best**2) / np.linalg.norm(best, 2) ** 2)
    return measurements


def _gram(generator: np.random.Generator, rows: int, columns: float) -> np.ndarray:
    """Draw G Gᵀ for a Gaussian matrix G from its triangular factor, as Bartlett does: no entry of G is drawn."""
    rank = int(min(rows, columns))
    factor = np.tril(generator.standard_normal((rows, rank)))
    np.fill_diagonal(factor, np.sqrt(generator.chisquare(columns - np.arange(rank))))
    return factor @ factor.T
