import numpy as np
import pytest

from deepnets.networks.initialization.initializers import orthogonal
from deepnets.networks.reduction import reduce_net
from small_runs import deep_start

NARROWING, EQUAL = [30, 24, 26, 40, 4], [30, 30, 30, 30, 4]


@pytest.fixture
def task():
    # The rank is one less than the number of classes, as for one-hot targets and centred inputs.
    generator = np.random.default_rng(0)
    return 0.3 * orthogonal(30, 3, generator.standard_normal) @ orthogonal(3, 4, generator.standard_normal)


# At most these directions matter: the outputs, the task, and their images under narrower hidden layers. Layers of equal
# width lose no direction: three modes of the task and four outputs remain. Normal weights keep no direction apart.
@pytest.mark.parametrize(
    ("init", "sizes", "widest"),
    [
        *(("decoupled", NARROWING, 4), ("orthogonal", NARROWING, 15), ("pretrained", NARROWING, 15)),
        *((init, EQUAL, 7) for init in ("decoupled", "orthogonal", "pretrained")),
        ("gaussian", EQUAL, 30),
    ],
)
def test_only_initialisations_that_keep_norms_leave_few_directions(task, init, sizes, widest):
    narrow, _ = reduce_net(deep_start(init, sizes, task, np.random.default_rng(1).standard_normal), task)
    assert max(max(matrix.shape) for matrix in narrow) <= widest
    assert init != "gaussian" or [matrix.shape for matrix in narrow] == [(30, 30)] * 3 + [(30, 4)]
