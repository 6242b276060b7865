import numpy as np
import pandas as pd
import pytest

from deepnets.documents.synthesis.claims import _half_time
from deepnets.networks.linear import effective_rank
from evidence import rows
from reproduce.claims.estimate import AtLeast
from reproduce.tables.table import Table


def test_the_effective_rank_of_equal_values_is_their_number_without_zeros():
    assert effective_rank(np.array([3.0, 3, 3, 0])) == pytest.approx(3)
    assert effective_rank(np.array([2.0, 1, 1])) == pytest.approx(np.exp(0.5 * np.log(2) + 0.5 * np.log(4)))
    assert np.isnan(effective_rank(np.zeros(2)))


def test_the_time_of_a_net_that_has_not_learned_is_at_least_its_last_update():
    net = {"dataset": "plain", "init": "fan_sum_normal", "block": "depth_and_scale", "depth": 3, "scale": 0.2}
    runs = [{**net, "learning_rate": 10, "step": 250, "seed": seed} for seed in range(3)]
    frames = [rows("train_loss", 1, **run) for run in runs]
    frames += [rows("half_time", 230, **{**runs[0], "step": 0}), rows("diverged", 1, **runs[2])]
    found = _half_time(3, 0.2)({"hierarchy": Table.by_hand(pd.concat(frames))})
    assert isinstance(found, AtLeast)
    assert found.values.tolist() == pytest.approx([230, 250, np.nan], nan_ok=True)
