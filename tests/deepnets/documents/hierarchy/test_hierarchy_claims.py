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
    with pytest.raises(NotTestableError, match="diverged"):
        measures.count_of_drops.__wrapped__(found[found["seed"] == 2023])
    # A fall of 0.02 per update is less than a tenth of the fastest, 0.3.
    found = frame_of({"train_loss": curve([1, 0.7, 0.68, 0.66, 0.64, 0.34])})
    assert measures.count_of_drops.__wrapped__(found).tolist() == [2]


def test_gradients_on_plateaus_are_the_smallest_of_the_two_longest():
    norms = np.full(25, 8.0)
    # These are the last update before the first drop and the first after it. The third plateau is shorter.
    norms[[4, 6]] = 2, 1
    norms[11:15] = 6
    found = frame_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)})
    assert measures.gradient_on_plateaus.__wrapped__(found).tolist() == [2 / 8]
    sparse = frame_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)}, {"train_loss": curve(LOSS)})
    with pytest.raises(NotTestableError, match="record_rsm_every"):
        measures.gradient_on_plateaus.__wrapped__(sparse)


def test_the_time_of_a_prediction_is_that_of_its_rise_or_its_fall():
    values = [0, -0.25, 0.5, 0.5, 0, -1]
    found = frame_of({"illusory_prediction": curve(values, index=3)})
    assert measures.time_of_prediction.__wrapped__(found, 0.125, item=3).tolist() == [1.5]
    assert measures.time_of_prediction.__wrapped__(found, -0.5, item=3).tolist() == [4.5]
    assert np.isnan(measures.time_of_prediction.__wrapped__(found, 0.6, item=3)).all()


HALVES = [10, 20, 30, 32, 50, 51, 52, 55]


def test_the_mode_of_a_prediction_is_that_of_the_nearest_level():
    late = {"illusory_prediction": curve([0] * 29 + [1], index=0), "half_time": cells(HALVES)}
    never = {"illusory_prediction": curve([0] * 30, index=0), "half_time": cells(HALVES)}
    found = measures.mode_of_prediction.__wrapped__(frame_of(late, never), 0.5, item=0)
    # 28.5 is nearer to 31, the mean of the third level, than to 20.
    assert found[0] == 3
    assert np.isnan(found[1])


def test_times_are_shifted_to_the_data_of_the_first_seed():
    first = {"half_time": cells(HALVES), "predicted_half_time": cells([9, *HALVES[1:]])}
    second = {"half_time": cells([14, *HALVES[1:]]), "predicted_half_time": cells([12, *HALVES[1:]])}
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second))
    assert times["first mode"].tolist() == [10, 14 - 12 + 9]
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second, first_seed=5))
    assert "seed 2021" in str(times["first mode"])


def test_the_error_of_a_run_is_that_of_the_mode_that_differs_most_from_its_narrow_net():
    late, early = (
        {"half_time": cells(HALVES), "predicted_half_time": cells(np.array(HALVES) - lags)}
        for lags in (np.array([2, 0, 1, 0, 0, 0, 0, 1]), np.array([0, -3, 0, 0, 0, 1, 0, 0]))
    )
    unlearned = {"half_time": cells(HALVES[:3]), "predicted_half_time": cells(HALVES)}
    found = measures.largest_error.__wrapped__(frame_of(late, early, unlearned), "half_time", "predicted_half_time")
    assert found[:2] == pytest.approx([10 / 8 - 1, 20 / 23 - 1])
    assert np.isnan(found[2])


def test_settings_within_the_sliders_are_unstable_if_a_loss_rises_or_diverges():
    stable = {(1, 0.1): [1, 0.5, 0.5 + 1e-8], (1, 1): [2, 1, 0], (20, 0.1): [1, 1, 1], (20, 1): [1, 0.5, 0.6]}
    beyond = {(99, 0.1): [1, 2, 3], (99, 1): [1, 2, 3]}

    def unstable(losses):
        """Return the number of unstable settings, of one run for each pair of a rate and a scale."""
        runs = [
            (
                {"seed": 2021, "learning_rate": rate, "scale": scale},
                {"train_loss": curve(loss), **({"diverged": {(2, 0): 1.0}} if len(loss) < 3 else {})},
            )
            for (rate, scale), loss in losses.items()
        ]
        return measures.unstable_settings.__wrapped__(table(runs), rates=(1, 20), scales=(0.1, 1)).tolist()

    assert unstable(stable | beyond) == [1]
    assert unstable({**stable, (20, 1): [1, 0.5, 0.4]}) == [0]
    assert unstable({**stable, (1, 1): [1, 0.5]}) == [2]
    with pytest.raises(NotRecordedError):
        unstable(beyond)
