from itertools import combinations, pairwise

import numpy as np

from deepnets.networks import linear
from deepnets.theory.sharpness import eigenvalues
from reproduce import api


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Train `depth` linear layers by gradient descent on half of the squared error, and measure the Hessian.

    The target has the singular values `strength` · `ratio`^k, k < `modes`, in random bases. An aligned start has
    `scale` times these, as equal powers in all layers; a gaussian one has entries of about this size. Inputs are
    white, or have unequal variances from 0.5 to 1.5. The rate is `edge_share` · 2/(depth · strength^(2 − 2/depth)). Metrics
    at evenly spaced updates; counts and times only at the last one:

    - train_loss: half of the squared error.
    - hessian[rank]: the three largest eigenvalues of the Hessian.
    - gauss_newton[pair]: eigenvalues of its Gauss–Newton part, in the order of those of theory.
    - theory[pair]: in theory, first of modes, then of pairs of modes, then of a mode and the rest.
    - residual_part: largest size of an eigenvalue of the Hessian without its Gauss–Newton part.
    - kind_count[kind]: nonzero eigenvalues of the Gauss–Newton part whose eigenvector maps a mode to itself (0), to
      another mode (1), or neither (2).
    - half_time[mode], updates: when a singular value of the net reaches half of the target's; missing if it never does.
    """
    measurements, depth, updates, modes = api.Measurements(), spec["depth"], spec["updates"], spec["modes"]
    generator, targets = np.random.default_rng(spec["seed"]), spec["strength"] * spec["ratio"] ** np.arange(modes)
    inputs, outputs = spec["inputs"], spec["outputs"]
    sizes = linear.layer_sizes(inputs, min(inputs, outputs), outputs, depth)
    bases = [np.linalg.qr(generator.standard_normal((size, size)))[0][:, :modes] for size in sizes]
    target, roots = bases[0] * targets @ bases[-1].T, (spec["scale"] * targets) ** (1 / depth)
    weights = [before * roots @ after.T for before, after in pairwise(bases)]
    if spec["init"] == "gaussian":
        weights = [roots[0] * generator.standard_normal(shape) / shape[0] ** 0.5 for shape in pairwise(sizes)]
    covariance = np.diag(np.linspace(0.5, 1.5, inputs)) if spec["covariance"] == "unequal" else np.eye(inputs)
    rate, strengths = spec["edge_share"] * 2 / (depth * spec["strength"] ** (2 - 2 / depth)), []
    recorded = {round(updates * share / spec["records"]) for share in range(spec["records"] + 1)}
    for step in range(updates + 1):
        product = linear.product(weights)
        loss = np.sum(covariance @ (product - target) ** 2) / 2
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            return measurements
        strengths.append(np.linalg.svd(product, compute_uv=False)[:modes])
        if step in recorded:
            jacobian, rest = derivatives(weights, covariance, target)
            kernel, vectors = np.linalg.eigh(jacobian @ jacobian.T)
            theory = eigenvalues(strengths[-1], inputs, outputs, depth)
            measurements.add(step, "train_loss", loss)
            measurements.add(step, "hessian", np.linalg.eigvalsh(jacobian.T @ jacobian + rest)[:-4:-1])
            measurements.add(step, "gauss_newton", kernel, index=np.argsort(theory))
            measurements.add(step, "theory", theory)
            measurements.add(step, "residual_part", np.abs(np.linalg.eigvalsh(rest)).max())
        gradients = linear.covariance_gradients(weights, covariance, covariance @ target)
        weights = linear.gradient_step(weights, gradients, rate)
    # Eigenvalues below a billionth of the largest are rounding.
    maps = vectors.T[kernel > 1e-9 * kernel[-1]].reshape(-1, inputs, outputs)
    shares = np.sum((bases[0].T @ maps @ bases[-1]) ** 2, axis=0)
    own, within = np.trace(shares), np.sum(shares)
    measurements.add(updates, "kind_count", [own, within - own, len(maps) - within])
    api.add_finite(measurements, updates, "half_time", linear.half_times(np.array(strengths), targets))
    return measurements


def derivatives(weights: linear.Weights, covariance: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the Jacobian J of all outputs, and the Hessian without JᵀJ, from products; the covariance is diagonal."""
    depth, ends = len(weights), np.cumsum([0, *(each.size for each in weights)])
    path = {(at, at): np.eye(size) for at, size in enumerate([len(target), *(len(each.T) for each in weights)])}
    for start, end in combinations(range(depth + 1), 2):
        path[start, end] = path[start, end - 1] @ weights[end - 1]
    jacobian = [np.kron(covariance**0.5 @ path[0, at], path[at + 1, depth].T) for at in range(depth)]
    errors, rest = covariance @ (path[0, depth] - target), np.zeros((ends[-1], ends[-1]))
    for early, late in combinations(range(depth), 2):
        outside = path[late + 1, depth] @ errors.T @ path[0, early]
        block = np.einsum("bc,da->abcd", path[early + 1, late], outside).reshape(weights[early].size, -1)
        rest[ends[early] : ends[early + 1], ends[late] : ends[late + 1]] = block
    return np.hstack(jacobian), rest + rest.T
