import numpy as np
import pytest

from deepnets.networks.initialization.decoupled import decoupled
from deepnets.networks.initialization.greedy_pretraining import pretrain_greedily
from deepnets.networks.initialization.initializers import initialize, orthogonal, xavier_normal
from deepnets.networks.reduction import reduce_net

SIZES = [30, 24, 26, 40, 4]


def start(init, task, sizes=SIZES):
    draw = np.random.default_rng(1).standard_normal
    if init == "decoupled":
        return decoupled(task, sizes, 0.01, draw)
    if init == "pretrained":
        return pretrain_greedily(sizes, 0.01, 0.5, 200, draw)[0]
    return initialize({"orthogonal": orthogonal, "gaussian": xavier_normal}[init], sizes, draw)


@pytest.fixture
def task():
    # The rank is one less than the number of classes, as for one-hot targets and centred inputs.
    generator = np.random.default_rng(0)
    return 0.3 * orthogonal(30, 3, generator.standard_normal) @ orthogonal(3, 4, generator.standard_normal)


@pytest.mark.parametrize(("init", "widest"), [("decoupled", 4), ("orthogonal", 15), ("pretrained", 15)])
def test_initialisations_that_keep_norms_leave_few_directions(task, init, widest):
    # At most these directions matter: the outputs, the task, and their images under narrower hidden layers.
    narrow, _ = reduce_net(start(init, task), task)
    assert max(max(matrix.shape) for matrix in narrow) <= widest
    equal = [30, 30, 30, 30, 4]
    narrow, _ = reduce_net(start(init, task, equal), task)
    # Layers of equal width lose no direction: three modes of the task and four outputs remain.
    assert max(max(matrix.shape) for matrix in narrow) <= 7


def test_normal_initialisation_leaves_all_directions(task):
    narrow, _ = reduce_net(start("gaussian", task, [30, 30, 30, 30, 4]), task)
    assert [matrix.shape for matrix in narrow] == [(30, 30)] * 3 + [(30, 4)]
