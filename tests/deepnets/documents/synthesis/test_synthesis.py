import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.synthesis.claims import _half_time
from deepnets.documents.synthesis.quantities import effective_rank, ranks_halfway
from reproduce.claims.estimate import AtLeast
from reproduce.tables.table import Table

pytestmark = pytest.mark.usefixtures("off_screen")
_BASE = {
    "classifier": {"init": "xavier_normal", "rank": 0, "data_seed": 0, "target_loss": 0.01},
    "hierarchy": {"dataset": "plain", "init": "fan_sum_normal"},
    "learning_time": {"block": "depths", "width": 100},
    "mnist_modes": {"depth": 2, "init": "row_normalized"},
}


def rows(experiment, metric, values, *, step=0, **axes):
    return evidence.rows(metric, values, step=step, **{**_BASE[experiment], "seed": 0, **axes})


def test_the_effective_rank_of_equal_values_is_their_number_without_zeros():
    assert effective_rank(np.array([3.0, 3, 3, 0])) == pytest.approx(3)
    assert effective_rank(np.array([2.0, 1, 1])) == pytest.approx(np.exp(0.5 * np.log(2) + 0.5 * np.log(4)))
    assert np.isnan(effective_rank(np.zeros(2)))


def test_the_halfway_rank_is_that_at_half_the_initial_loss():
    net = {"depth": 2, "block": "sliders", "scale": 1, "learning_rate": 200}
    losses, values = (1, 0.6, 0.5, 0.1), ([0, 0], [1, 0], [1, 1], [3, 1])
    table = pd.concat(
        [rows("hierarchy", "train_loss", loss, step=step, **net) for step, loss in enumerate(losses)]
        + [rows("hierarchy", "singular_value", value, step=step, **net) for step, value in enumerate(values)]
    )
    assert ranks_halfway(table, "singular_value").tolist() == pytest.approx([2])
    assert np.isnan(ranks_halfway(table[table["step"] < 2], "singular_value").iloc[0])


def test_the_time_of_a_net_that_has_not_learned_is_at_least_its_last_update():
    net = {"block": "depth_and_scale", "depth": 3, "scale": 0.2, "learning_rate": 10}
    frames = [rows("hierarchy", "train_loss", 1, step=250, **net, seed=seed) for seed in range(3)]
    frames += [rows("hierarchy", "half_time", 230, **net), rows("hierarchy", "diverged", 1, step=250, **net, seed=2)]
    found = _half_time(3, 0.2)({"hierarchy": Table.by_hand(pd.concat(frames))})
    assert isinstance(found, AtLeast)
    assert found.values.tolist() == pytest.approx([230, 250, np.nan], nan_ok=True)
