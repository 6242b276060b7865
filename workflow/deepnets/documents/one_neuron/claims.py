import numpy as np
import pandas as pd

from deepnets.theory.one_neuron import kernel_distance_at_end
from reproduce import api

TABLES = ("one_neuron",)
# The imbalances of the notebook.
NOTEBOOK = (-4, -2, -1, 0, 1, 2, 4)
FLOW = api.Selection("one_neuron", depth=2, data="whitened", imbalance=[*NOTEBOOK])
SAMPLE = FLOW.but(data="one_sample")


def decisions() -> api.Decisions:
    """Return the tests of the statements. Metrics are those of the start of Figure 2, if not of all starts."""
    ends, at_1 = (
        api.family(
            "imbalance", imbalances, lambda imbalance, time=time: _moved(FLOW.but(imbalance=imbalance), time=time)
        )
        for imbalances, time in ((NOTEBOOK, np.inf), ((-4, -2, -1.5, -0.5, 0, 2, 4), 1))
    )
    drift = _exponent(FLOW.but(imbalance=[-1, 0, 1]))
    return api.Decisions(
        {
            "imbalance_is_conserved": {
                "flow": api.final(FLOW, "largest_drift").every(0, 1e-6),
                "gradient descent": drift.every(0.9, 1.1),
            },
            "imbalance_sets_feature_learning": ends.steps() < 0,
            "rapid_feature_learning_needs_balance": at_1.less(0)[-4, -2, 2, 4] < 0,
            "solution_is_exact": api.extreme(FLOW, "error", pick="max").every(0, 1e-6),
            "kernel_distance_has_a_closed_form": _from_formula(FLOW).every(-1e-3, 1e-3),
            "late_rate_is_twice_the_squared_output_weight": _late_rates(FLOW).every(0.999, 1.001),
            "negative_imbalance_is_lazy_first": {
                "at -4 and -2": _early_share(FLOW.but(imbalance=[-4, -2])).every(0, 0.05),
                "at 0": _early_share(FLOW.but(imbalance=0)).every(0.1, 1),
            },
            "end_depends_on_the_imbalance": api.extreme(SAMPLE, "end_error", pick="max").every(0, 1e-6),
            "ends_of_strong_imbalances": {
                f"at {imbalance}": api.extreme(SAMPLE.but(imbalance=imbalance), metric, pick="max").every(0, 0.01)
                for imbalance, metric in {40: "distance_to_nearest", -40: "distance_to_ray"}.items()
            },
            "output_weight_may_change_its_sign": _share_as_predicted(FLOW).equals(1),
            "fastest_feature_learner_is_slightly_unbalanced": at_1.less(-0.5)[-1.5, 0] < 0,
        },
        settings=(FLOW,),
    )


def curve(run: pd.DataFrame, metric: str) -> pd.Series:
    """Return a metric of a run's first start against training time."""
    values, times = (api.by_seed(api.require_rows(run, name, index=0)).iloc[:, 0] for name in (metric, "training_time"))
    return values.set_axis(times[values.index])


def moved(run: pd.DataFrame, time: float) -> float:
    """Return the distance of the kernel from its start at a training time."""
    distances = curve(run, "kernel_distance")
    return np.interp(time, distances.index, distances)


_moved = api.each_run(moved)


# At a rate that is too large, a drift may be 0.
@api.each_run
@np.errstate(divide="ignore", invalid="ignore")
def _exponent(run: pd.DataFrame) -> float:
    drifts = api.require_rows(run, "descent_drift")
    return api.fit_power_law(2 ** drifts["index"].to_numpy(), np.abs(drifts["value"].to_numpy()))[0]


@api.each_run
def _from_formula(run: pd.DataFrame) -> np.ndarray:
    return moved(run, np.inf) - kernel_distance_at_end(run["imbalance"].iloc[0])


@api.each_run
def _late_rates(run: pd.DataFrame) -> np.ndarray:
    """Return the late rate of the loss across the target divided by the formula, for each start off the target's axis."""
    target, times = _target(run), curve(run, "training_time").index.to_numpy()
    first, second = (api.by_index(api.rows_of(run, f"{part}_coefficient")).to_numpy() for part in ("first", "second"))
    across = (first * target[1] - second * target[0]) ** 2
    logs = np.log10(across[:, across[0] > 1e-20] / across[0, across[0] > 1e-20])
    rates = np.full(len(logs.T), np.nan)
    for start in np.flatnonzero(logs[-1] < -10):
        begin = np.flatnonzero(logs[:, start] > -6)[-1]
        end = begin + np.argmax(logs[begin:, start] < -10)
        rates[start] = np.log(10) * (logs[begin, start] - logs[end, start]) / (times[end] - times[begin])
    return rates / _formula(run)


@api.each_run
def _early_share(run: pd.DataFrame) -> float:
    losses = curve(run, "loss")[::-1]
    return moved(run, np.interp(losses.iloc[-1] / 2, losses, losses.index)) / moved(run, np.inf)


@api.each_run
def _share_as_predicted(run: pd.DataFrame) -> float:
    first, second, weights = (
        api.by_index(api.rows_of(run, metric))
        for metric in ("first_coefficient", "second_coefficient", "output_weight")
    )
    along = _target(run) @ [first.iloc[0], second.iloc[0]]
    return ((weights.iloc[-1] < 0) == (along / weights.iloc[0] ** 2 < -_formula(run) / 2)).mean()


def _target(run: pd.DataFrame) -> np.ndarray:
    return api.values_by_index(api.rows_of(run, "target")).to_numpy()


def _formula(run: pd.DataFrame) -> float:
    """Return δ + √(δ² + 4‖β*‖²), twice the square of a balanced end's output weight."""
    imbalance = run["imbalance"].iloc[0]
    return imbalance + np.hypot(imbalance, 2 * np.linalg.norm(_target(run)))
