import numpy as np
import pytest

from workflow.deepnets.networks.initialization.decoupled import decoupled
from workflow.deepnets.networks.initialization.greedy_pretraining import greedily_pretrained
from workflow.deepnets.networks.initialization.initializers import initialize, orthogonal, xavier_normal
from workflow.deepnets.networks.rate_sweep import sweep
from workflow.deepnets.networks.reduction import reduced

SIZES = [30, 24, 26, 40, 4]
OPTIONS = {"target": 0.0, "hold": 0, "lag": None, "most_updates": 60}


def start(init, task, sizes=SIZES):
    draw = np.random.default_rng(1).standard_normal
    if init == "decoupled":
        return decoupled(task, sizes, 0.01, draw)
    if init == "pretrained":
        return greedily_pretrained(sizes, 0.01, 0.5, 200, draw)[0]
    return initialize({"orthogonal": orthogonal, "gaussian": xavier_normal}[init], sizes, draw)


@pytest.fixture
def task():
    # Of rank 3, as one-hot targets and centred inputs leave it.
    generator = np.random.default_rng(0)
    return 0.3 * orthogonal(30, 3, generator.standard_normal) @ orthogonal(3, 4, generator.standard_normal)


@pytest.mark.parametrize("init", ["decoupled", "orthogonal", "pretrained", "gaussian"])
def test_a_reduced_net_has_the_same_errors_at_all_times(task, init):
    weights = start(init, task)
    rates = np.array([0.01, 0.2])
    narrow, small_task = reduced(weights, task)
    full, small = sweep(weights, task, rates, **OPTIONS), sweep(narrow, small_task, rates, **OPTIONS)
    # The part of the task within its own subspace is all of it.
    np.testing.assert_allclose(small.errors, full.errors, rtol=1e-10)
    assert full.errors[-1, 1] < 0.9 * full.errors[0, 1]


@pytest.mark.parametrize(("init", "widest"), [("decoupled", 4), ("orthogonal", 15), ("pretrained", 15)])
def test_layers_that_keep_norms_leave_few_directions(task, init, widest):
    # At most the outputs, the task, and what narrower layers between make of them.
    narrow, _ = reduced(start(init, task), task)
    assert max(max(matrix.shape) for matrix in narrow) <= widest
    equal = [30, 30, 30, 30, 4]
    narrow, _ = reduced(start(init, task, equal), task)
    # Between layers of equal width nothing is lost: the task's three modes and the four outputs.
    assert max(max(matrix.shape) for matrix in narrow) <= 7


def test_normal_layers_leave_all_directions(task):
    narrow, _ = reduced(start("gaussian", task, [30, 30, 30, 30, 4]), task)
    assert [matrix.shape for matrix in narrow] == [(30, 30)] * 3 + [(30, 4)]
