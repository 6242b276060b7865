import numpy as np

from deepnets.data.low_rank import draw_task
from deepnets.networks.linear import effective_rank
from deepnets.theory.nuclear_norm import least_nuclear_norm
from reproduce import api


def run(spec: dict) -> api.Measurements:
    """Complete the matrix of a run of `matrix_completion` with the least nuclear norm, by convex optimisation.

    Both complete the same matrix from the same entries if they have the same size, rank, number of entries and seed.
    The figure is that of Arora, Cohen, Hu & Luo 2019.

    Metrics at step 0:

    - test_loss: mean squared error over all entries, observed or not (Fig. 2).
    - nuclear_norm: sum of the singular values of the completed matrix (Fig. 2).
    - effective_rank: exponential of the entropy of the singular values, each divided by the sum of all (Fig. 2).
    - duality_gap: difference between nuclear_norm and a proven lower bound, divided by nuclear_norm.
    """
    truth, observed = draw_task(spec["size"], spec["rank"], spec["entries"], spec["seed"])
    completed, gap = least_nuclear_norm(truth, observed, gap=spec["largest_gap"])
    values = np.linalg.svd(completed, compute_uv=False)
    measurements = api.Measurements()
    measurements.add(0, "test_loss", np.mean((completed - truth) ** 2))
    measurements.add(0, "nuclear_norm", values.sum())
    measurements.add(0, "effective_rank", effective_rank(values))
    measurements.add(0, "duality_gap", gap)
    return measurements
