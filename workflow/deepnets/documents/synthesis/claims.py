import numpy as np
import pandas as pd

from deepnets.documents.synthesis import runs
from deepnets.documents.synthesis.quantities import last_values, ranks_at_end, ranks_halfway
from reproduce import api

TABLES = (
    "beyond_edge",
    "classifier",
    "hierarchy",
    "learning_time",
    "mnist_modes",
    "propagation",
    "spectra",
    "zero_init",
)


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    first, last = runs.BY_DEPTH[1], runs.BY_DEPTH[6]
    small, large = runs.BY_SCALE["near zero"], runs.BY_SCALE["times 1000"]
    partial, zero, random = (runs.STARTS.but(init=init) for init in ("partial_identity", "zero", "random"))
    narrow = partial.but(width=256, block="widths")
    vanilla, few_channels = runs.SET_UPS["vanilla"], runs.SET_UPS["vanilla"].but(width=64, block="widths")
    # The best rate in theory is 95 % of 2/sharpness.
    best, theory = (api.final(runs.DECOUPLED, f"{name}best_learning_rate") for name in ("", "theory_"))
    gaussian, orthogonal = (runs.SAXE.but(depth=9, init=init) for init in ("gaussian", "orthogonal"))
    return api.Decisions(
        {
            "rank_explains_accuracy": _rank_correlations(*runs.CLASSIFIERS) < -0.9,
            "depth_reverses_with_the_start": {"at 1": _slowdown(1) < 1, "at 0.2": _slowdown(0.2) > 1},
            "branches_matter_less_and_less": _share_of_branch(runs.SET_UPS["batch norm resnet"]).between(0.8, 1.2),
            "small_starts_separate_modes": {
                "MNIST": api.difference_of_means(
                    *(_halfway(runs.MNIST.but(scale=each), metric="mode_strength") for each in (1, 0.001))
                )
                > 0,
                "000": api.difference_of_means(*(_halfway(each, metric="singular_value") for each in (large, small)))
                > 0,
            },
            "rates_end_at_the_edge": {
                "beyond-edge": _largest_calm_rate(runs.EDGE).every(98, 102),
                "Saxe et al.": (95 * (best / theory)).every(0, 100),
                "003, sliders": _largest_share(runs.SLIDERS.but(scale=api.EVERY)).every(0, 100),
                "003, depths": _largest_share(runs.DEPTH_AND_SCALE.but(depth=[2, 3, 4], scale=1)).every(0, 100),
            },
            "depth_and_accuracy": {"1 layer": _percent(first) < 65, "6 layers": _percent(last) > 65},
            "depth_and_accuracy_on_other_data": {
                "1 layer": _percent(runs.ON_OTHER_DATA[1]) < 70,
                "6 layers": _percent(runs.ON_OTHER_DATA[6]) > 70,
            },
            "depth_and_rank": {
                "1 layer": _effective_rank(first).between(least=3, of="effective rank"),
                "6 layers": _effective_rank(last).between(1, 3, of="effective rank"),
            },
            "depth_and_sensitivity": {
                "batch norm": _log_sensitivity(runs.SET_UPS["batch norm"]) > 10,
                "vanilla": _log_sensitivity(vanilla) < 3,
            },
            "scale_and_accuracy": {"near zero": _percent(small) > 70, "times 1000": _percent(large).between(0, 70)},
            "scale_and_rank": {
                "near zero": _effective_rank(small).between(1, 3, of="effective rank"),
                "times 1000": _effective_rank(large).between(least=3, of="effective rank"),
            },
            "scale_and_time": (
                _half_time(2, 0.2) / api.final(runs.DEPTH_AND_SCALE.but(depth=2, scale=1), "half_time")
            ).between(1),
            "gain_and_sensitivity": _mean_log_of_nets(runs.JACOBIANS.but(gain=1.1))
            - _mean_log_of_nets(runs.JACOBIANS.but(gain=0.9))
            > 0,
            "width_and_accuracy": _percent(partial) - _percent(narrow) > 0,
            "width_and_rank": {
                "256": api.final(narrow, "rank").every(0, 300),
                "1024": api.final(partial, "rank").every(300),
            },
            "width_and_sensitivity": api.difference_of_means(_log_sensitivity(few_channels), _log_sensitivity(vanilla))
            > 0,
            "kind_and_accuracy": {
                "ZerO": (_percent(zero) - _percent(partial)).near(0, "share of images, %"),
                "random": (_percent(random) - _percent(partial)).near(0, "share of images, %"),
            },
            "kind_and_rank": {
                "partial identity": api.final(partial, "rank").every(0, 600),
                "ZerO": api.final(zero, "rank").every(600, 1023),
                "random": api.final(random, "rank").equals(1024),
            },
            "kind_and_time": api.ratio_of_means(
                api.time_or_end(gaussian, "learning_time"), api.final(orthogonal, "learning_time")
            )
            > 1,
            "kind_and_sensitivity": {
                "Gaussian": _mean_logs(runs.PRODUCTS.but(init="gaussian")) < -10,
                "orthogonal": _mean_logs(runs.PRODUCTS.but(init="orthogonal")).every(-1e-3, 1e-3),
            },
        }
    )


@api.each_run
def _largest_calm_rate(run: pd.DataFrame) -> float:
    ranges = api.rows_of(run, "oscillation", index=0)
    return ranges.loc[ranges["value"] >= 0.01, "step"].min() - 1


@api.each_run
def _largest_share(run: pd.DataFrame) -> float:
    """Return the learning rate of document 003 in % of 2/sharpness, infinite for a net that has not learned.

    The document's loss is a mean over items and features.
    """
    values, losses = (api.require_rows(run, metric)["value"] for metric in ("data_singular_value", "train_loss"))
    depth, rate = run.iloc[0][["depth", "learning_rate"]]
    share = 100 * rate * depth * values.max() ** (2 - 2 / depth) / np.sum(values**2)
    return share if losses.iloc[-1] < 0.01 * losses.iloc[0] else np.inf


def _percent(selection: api.Selection) -> api.Measure:
    return 100 * api.final(selection, "test_accuracy")


@api.measured
def _effective_rank(rows: pd.DataFrame) -> np.ndarray:
    return ranks_at_end(rows).to_numpy(float)


@api.measured
def _halfway(rows: pd.DataFrame, metric: str) -> np.ndarray:
    return ranks_halfway(rows, metric).to_numpy(float)


def _half_time(depth: int, scale: float) -> api.Measure:
    return api.time_or_end(runs.DEPTH_AND_SCALE.but(scale=scale, depth=depth), "half_time")


def _slowdown(scale: float) -> api.Measure:
    return _half_time(3, scale) / api.final(runs.DEPTH_AND_SCALE.but(scale=scale, depth=2), "half_time")


@api.measured
def _rank_correlations(*nets: pd.DataFrame) -> np.ndarray:
    pairs = pd.concat(
        pd.DataFrame({"rank": ranks_at_end(rows), "accuracy": last_values(rows, "test_accuracy")}) for rows in nets
    )
    by_seed = pairs.groupby(level="seed")
    return np.array([own["rank"].rank().corr(own["accuracy"].rank()) for _, own in by_seed])


@api.measured
def _mean_logs(rows: pd.DataFrame) -> np.ndarray:
    return api.by_simulation(api.require_rows(rows, "mean_log_singular_value", step=100)).to_numpy()[0]


@api.measured
def _mean_log_of_nets(rows: pd.DataFrame) -> np.ndarray:
    logs = api.require_rows(rows, "log_singular_value")
    return logs["value"].groupby([logs["seed"], logs["index"] // logs["size"]]).mean().to_numpy()


@api.measured
def _share_of_branch(rows: pd.DataFrame) -> np.ndarray:
    """Return the median over units l ≥ 10 of (l + 1) times the branch's share of the variance, per simulation."""
    shares = api.by_simulation(api.require_rows(rows, "variance_share_branch"))
    shares = shares[shares.index >= 10]
    return shares.mul(shares.index.to_numpy() + 1, axis=0).median().to_numpy()


@api.measured
def _log_sensitivity(rows: pd.DataFrame) -> np.ndarray:
    return np.log10(api.by_simulation(api.require_rows(rows, "chi", step=200)).to_numpy()[0])
