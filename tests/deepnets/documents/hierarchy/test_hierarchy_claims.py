import numpy as np
import pytest

from deepnets.documents.hierarchy import measures
from deepnets.documents.hierarchy.runs import MAIN
from evidence import Claims, cells, curve, of_one_grid, table
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.selection import NotTestableError

CLAIMS = Claims("hierarchy")
AXES = ("block", "dataset", "depth", "init", "scale", "learning_rate")

# This loss has a drop for each level of the tree: at steps 4 to 6, 10 to 11, 14 to 15 and 19 to 21.
LOSS = [1, 1, 1, 1, 1, 0.85, 0.7, 0.7, 0.7, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25, 0.1, 0, 0, 0, 0]


def frame_of(*runs, first_seed=2021, **axes):
    return table([({**axes, "seed": first_seed + place}, metrics) for place, metrics in enumerate(runs)])


def runs_of_document(*runs, first_seed=2021):
    axes = {name: MAIN[name] for name in AXES}
    settings = {name: value for name, value in MAIN.wanted.items() if name not in axes}
    return of_one_grid("hierarchy", frame_of(*runs, first_seed=first_seed, **axes), [*AXES, "seed"], settings)


def test_drops_are_counted_but_no_slow_falls_and_no_runs_that_diverged():
    once = [1, 0.5, 0.25, 0.1, 0.05] + [0.025] * 20
    lost = {"train_loss": curve([1, 0]), "diverged": {(2, 0): 1.0}}
    found = frame_of({"train_loss": curve(LOSS)}, {"train_loss": curve(once)}, lost)
    assert measures.count_of_drops.__wrapped__(found).tolist() == [4, 1]
    # A fall of 0.02 per update is less than a tenth of the fastest, 0.3.
    found = frame_of({"train_loss": curve([1, 0.7, 0.68, 0.66, 0.64, 0.34])})
    assert measures.count_of_drops.__wrapped__(found).tolist() == [2]


def test_gradients_on_plateaus_need_all_updates_and_a_run_that_diverged_has_none():
    def measured(*runs):
        return CLAIMS.measured("plateaus_are_saddle_points", runs_of_document(*runs))

    # The longest plateaus are from step 0 to 3 and from 6 to 9. On the second, the least norm is 0.02.
    norms = [0.1, 0.01, 0.1, 0.1, 0.5, 1, 0.1, 0.02, 0.1, 0.1, *[1] * (len(LOSS) - 10)]
    whole = {"train_loss": curve(LOSS), "gradient_norm": curve(norms)}
    at_even_steps = {(step, 0): norm for step, norm in enumerate(norms) if step % 2 == 0}
    lost = {"train_loss": curve(LOSS[:3]), "gradient_norm": curve(norms[:3]), "diverged": {(3, 0): 1.0}}
    assert np.array_equal(measured(*[whole] * 9, lost), [0.02] * 9 + [np.nan], equal_nan=True)
    with pytest.raises(NotTestableError, match="gradient_norm was recorded only at some updates"):
        measured(whole, whole | {"gradient_norm": at_even_steps})
    fewer = {"train_loss": curve([1, 0.5] + [0.5] * (len(LOSS) - 2)), "gradient_norm": curve(norms)}
    assert np.array_equal(measured(whole, fewer), [0.02, np.nan], equal_nan=True)


HALVES = [10, 20, 30, 32, 50, 51, 52, 55]


def test_times_are_shifted_to_the_data_of_the_first_seed():
    first = {"half_time": cells(HALVES), "predicted_half_time": cells([9, *HALVES[1:]])}
    second = {"half_time": cells([14, *HALVES[1:]]), "predicted_half_time": cells([12, *HALVES[1:]])}
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second))
    assert times["first mode"].tolist() == [10, 14 - 12 + 9]
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second, first_seed=5))
    assert "seed 2021" in str(times["first mode"])


def test_settings_within_the_sliders_are_unstable_if_a_loss_rises_or_diverges():
    def unstable(**losses):
        """Return the number of unstable settings with rates from 1 to 20, of one run for each loss: rate, losses."""
        runs = []
        for rate, *loss in losses.values():
            ended = {"diverged": {(2, 0): 1.0}} if len(loss) < 3 else {}
            runs.append(({"seed": 0, "learning_rate": rate, "scale": 1}, {"train_loss": curve(loss), **ended}))
        return measures.unstable_settings.__wrapped__(table(runs), rates=(1, 20), scales=(0.1, 1)).tolist()

    beyond, rounded = (99, 1, 2, 3), (1, 1, 0.5, 0.5 + 1e-8)
    assert unstable(rising=(20, 1, 0.5, 0.6), beyond=beyond, rounded=rounded) == [1]
    assert unstable(rising=(20, 1, 0.5, 0.6), ended=(5, 1, 0.5), rounded=rounded) == [2]
    with pytest.raises(NotRecordedError):
        unstable(beyond=beyond)
