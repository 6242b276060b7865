from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
import torch

import small_runs
from deepnets.networks.linear import product
from deepnets.networks.rate_sweep import first_to_hold, sweep_rates

OPTIONS = {"target": 0.01, "hold": 3, "lag": None, "most_updates": 400}


@pytest.fixture
def net():
    generator = np.random.default_rng(0)
    sizes = [7, 6, 5, 4]
    weights = [generator.standard_normal(shape) / 3 for shape in pairwise(sizes)]
    return weights, generator.standard_normal((7, 4)) / 4


def descend(weights, task, rate, updates):
    """Return the errors of a descent at one rate, with gradients by torch."""

    def error(net):
        return torch.sum((reduce(torch.matmul, net) - torch.tensor(task)) ** 2)

    nets = small_runs.descend(weights, lambda net: error(net) / 2, rate, updates)
    return np.array([error(list(map(torch.tensor, net))).item() for net in nets])


@pytest.mark.parametrize("depth", [2, 3])
def test_every_rate_of_a_sweep_descends_as_in_a_run_of_its_own(net, depth):
    weights, task = net[0][3 - depth :], net[1][: len(net[0][3 - depth])]
    rates = np.array([0.05, 0.1, 0.3])
    result = sweep_rates(weights, task, rates, **OPTIONS)
    updates = len(result.errors) - 1
    for index, rate in enumerate(rates):
        np.testing.assert_allclose(result.errors[:, index], descend(weights, task, rate, updates), rtol=1e-10)
    assert not result.diverged and not result.given_up
    (learned, fastest) = result.learned
    assert fastest == 2 and updates == learned + 3
    below = descend(weights, task, 0.3, updates) <= 0.01
    assert below[learned:].all() and not below[learned - 1]
    # The sweep does not change its input weights.
    assert result.errors[0, 0] == pytest.approx(np.sum((product(weights) - task) ** 2))


def test_rates_that_diverge_are_recorded_and_do_not_change_the_others(net):
    weights, task = net
    rates = np.array([50.0, 0.1, 1e300])
    with np.errstate(all="ignore"):
        result = sweep_rates(weights, task, rates, **OPTIONS)
    assert set(result.diverged) == {0, 2} and result.diverged[2] <= result.diverged[0]
    for rate, update in result.diverged.items():
        assert np.isfinite(result.errors[:update, rate]).all() and np.isnan(result.errors[update:, rate]).all()
    alone = sweep_rates(weights, task, rates[1:2], **OPTIONS)
    assert result.learned == (alone.learned[0], 1)
    np.testing.assert_allclose(result.errors[:, 1], alone.errors[:, 0], rtol=1e-12)


def test_a_sweep_ends_when_all_rates_have_diverged(net):
    with np.errstate(all="ignore"):
        result = sweep_rates(*net, np.array([1e200, 1e300]), **OPTIONS)
    assert result.learned is None and len(result.errors) == max(result.diverged.values()) + 1 < 10


def test_giving_up_slow_rates_does_not_change_the_fastest_rate(net):
    weights, task = net
    rates = np.array([0.01, 0.023, 0.04])
    patient = sweep_rates(weights, task, rates, **OPTIONS)
    hasty = sweep_rates(weights, task, rates, **{**OPTIONS, "lag": 1.5})
    assert hasty.learned == patient.learned and hasty.learned[1] == 2
    assert not patient.given_up and set(hasty.given_up) == {0, 1}
    for rate, update in hasty.given_up.items():
        # At this update its error was larger than that of the fastest rate at two thirds of the updates.
        assert patient.errors[update, rate] > patient.errors[int(update / 1.5), 2]
        assert update == 50 or patient.errors[update - 1, rate] <= patient.errors[int((update - 1) / 1.5), 2]


def test_float32_weights_are_swept_in_float32(net):
    weights, task = net
    narrow = sweep_rates([matrix.astype(np.float32) for matrix in weights], task, np.array([0.1]), **OPTIONS)
    wide = sweep_rates(weights, task, np.array([0.1]), **OPTIONS)
    difference = np.abs(narrow.errors / wide.errors - 1).max()
    assert 1e-9 < difference < 1e-3


def test_an_error_holds_from_the_first_update_at_which_it_stays_below_the_bound():
    nan = np.nan
    errors = np.array([[9, 9, 9], [1, 9, 9], [9, 1, 9], [1, 1, 1], [1, 1, 0.5], [1, 9, 0.2], [nan, 9, 0.1]])
    assert first_to_hold(errors, 1, 0) == (1, 0)
    assert first_to_hold(errors, 1, 2) == (2, 1)
    assert first_to_hold(errors[:, [0, 2]], 1, 2) == (3, 1)
    assert first_to_hold(errors[:, ::-1], 1, 2) == (2, 1)
    assert first_to_hold(errors, 1, 4) is None
    assert first_to_hold(errors, 0.01, 0) is None
    assert first_to_hold(errors[:2], 1, 2) is None
