"""Measures and criteria of this project's own statements, which compare documents."""

import numpy as np
import pandas as pd

from deepnets.documents.synthesis import runs
from deepnets.documents.synthesis.quantities import last_values, ranks_at_end, ranks_halfway
from reproduce.claims.criteria import Between, Every, Is, Near
from reproduce.claims.measures import (
    Measure,
    difference_of_means,
    final,
    measure,
    ratio_of_means,
    time_or_end,
)
from reproduce.claims.statements import Ledger
from reproduce.tables.matrices import by_simulation
from reproduce.tables.rows import require_rows
from reproduce.tables.selection import Selection

TABLES = ("classifier", "hierarchy", "learning_time", "mnist_modes", "propagation", "spectra", "zero_init")


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    first, last = runs.BY_DEPTH[1], runs.BY_DEPTH[6]
    small, large = runs.BY_SCALE["near zero"], runs.BY_SCALE["times 1000"]
    partial, zero, random = (runs.STARTS.but(init=init) for init in ("partial_identity", "zero", "random"))
    narrow = partial.but(width=256, block="widths")
    vanilla, few_channels = runs.SET_UPS["vanilla"], runs.SET_UPS["vanilla"].but(width=64, block="widths")
    gaussian, orthogonal = (runs.SAXE.but(depth=9, init=init) for init in ("gaussian", "orthogonal"))
    rise, unchanged = Between(least=0), Near(0, of="share of images, %")
    return Ledger(
        {
            "rank_explains_accuracy": (measure(_rank_correlations, *runs.CLASSIFIERS), Between(greatest=-0.9)),
            "depth_reverses_with_the_start": {
                "at 1": (_slowdown(1), Between(greatest=1)),
                "at 0.2": (_slowdown(0.2), Between(least=1)),
            },
            "branches_matter_less_and_less": (
                measure(_share_of_branch, runs.SET_UPS["batch norm resnet"]),
                Between(0.8, 1.2),
            ),
            "small_starts_separate_modes": {
                "MNIST": (
                    difference_of_means(
                        *(_halfway(runs.MNIST.but(scale=each), "mode_strength") for each in (1, 0.001))
                    ),
                    rise,
                ),
                "000": (
                    difference_of_means(_halfway(large, "singular_value"), _halfway(small, "singular_value")),
                    rise,
                ),
            },
            "depth_and_accuracy": {
                "1 layer": (_percent(first), Between(greatest=65)),
                "6 layers": (_percent(last), Between(least=65)),
            },
            "depth_and_rank": {
                "1 layer": (_effective_rank(first), Between(least=3)),
                "6 layers": (_effective_rank(last), Between(1, 3)),
            },
            "depth_and_sensitivity": {
                "batch norm": (_log_sensitivity(runs.SET_UPS["batch norm"]), Between(least=10)),
                "vanilla": (_log_sensitivity(vanilla), Between(greatest=3)),
            },
            "scale_and_accuracy": {
                "near zero": (_percent(small), Between(least=70)),
                "times 1000": (_percent(large), Between(0, 70)),
            },
            "scale_and_rank": {
                "near zero": (_effective_rank(small), Between(1, 3)),
                "times 1000": (_effective_rank(large), Between(least=3)),
            },
            "scale_and_time": (
                _half_time(2, 0.2) / final(runs.DEPTH_AND_SCALE.but(depth=2, scale=1), "half_time"),
                Between(1),
            ),
            "gain_and_sensitivity": (
                measure(_mean_log_of_nets, runs.JACOBIANS.but(gain=1.1))
                - measure(_mean_log_of_nets, runs.JACOBIANS.but(gain=0.9)),
                rise,
            ),
            "width_and_accuracy": (difference_of_means(_percent(partial), _percent(narrow)), rise),
            "width_and_rank": {
                "256": (final(narrow, "rank"), Every(0, 300)),
                "1024": (final(partial, "rank"), Every(300)),
            },
            "width_and_sensitivity": (
                difference_of_means(_log_sensitivity(few_channels), _log_sensitivity(vanilla)),
                rise,
            ),
            "kind_and_accuracy": {
                "ZerO": (difference_of_means(_percent(zero), _percent(partial)), unchanged),
                "random": (difference_of_means(_percent(random), _percent(partial)), unchanged),
            },
            "kind_and_rank": {
                "partial identity": (final(partial, "rank"), Every(0, 600)),
                "ZerO": (final(zero, "rank"), Every(600, 1023)),
                "random": (final(random, "rank"), Is(1024)),
            },
            "kind_and_time": (
                ratio_of_means(time_or_end(gaussian, "learning_time"), final(orthogonal, "learning_time")),
                Between(least=1),
            ),
            "kind_and_sensitivity": {
                "Gaussian": (measure(_mean_logs, runs.PRODUCTS.but(init="gaussian")), Between(greatest=-10)),
                "orthogonal": (measure(_mean_logs, runs.PRODUCTS.but(init="orthogonal")), Every(-1e-3, 1e-3)),
            },
        }
    )


def _percent(selection: Selection) -> Measure:
    return 100 * final(selection, "test_accuracy")


def _effective_rank(selection: Selection) -> Measure:
    return measure(lambda rows: ranks_at_end(rows).to_numpy(float), selection)


def _halfway(selection: Selection, metric: str) -> Measure:
    """Measure the effective rank when the loss has halved."""
    return measure(lambda rows: ranks_halfway(rows, metric).to_numpy(float), selection)


def _half_time(depth: int, scale: float) -> Measure:
    """Measure the half time of the first mode, in updates."""
    return time_or_end(runs.DEPTH_AND_SCALE.but(scale=scale, depth=depth), "half_time")


def _slowdown(scale: float) -> Measure:
    """Measure the half time of the first mode with three matrices, divided by that with two, for each seed."""
    return _half_time(3, scale) / final(runs.DEPTH_AND_SCALE.but(scale=scale, depth=2), "half_time")


def _rank_correlations(*nets: pd.DataFrame) -> np.ndarray:
    """Return Spearman's correlation of effective rank and test accuracy over document 000's nets, for each seed."""
    pairs = pd.concat(
        pd.DataFrame({"rank": ranks_at_end(rows), "accuracy": last_values(rows, "test_accuracy")}) for rows in nets
    )
    by_seed = pairs.groupby(level="seed")
    return np.array([own["rank"].rank().corr(own["accuracy"].rank()) for _, own in by_seed])


def _mean_logs(rows: pd.DataFrame) -> np.ndarray:
    """Return the mean ln σ of the singular values of each product of 100 matrices."""
    return by_simulation(require_rows(rows, "mean_log_singular_value", step=100)).to_numpy()[0]


def _mean_log_of_nets(rows: pd.DataFrame) -> np.ndarray:
    """Return the mean ln σ of the singular values of each net's Jacobian."""
    logs = require_rows(rows, "log_singular_value")
    return logs["value"].groupby([logs["seed"], logs["index"] // logs["size"]]).mean().to_numpy()


def _share_of_branch(rows: pd.DataFrame) -> np.ndarray:
    """Return the median over units l ≥ 10 of (l + 1) times the branch's share of the variance, per simulation."""
    shares = by_simulation(require_rows(rows, "variance_share_branch"))
    shares = shares[shares.index >= 10]
    return shares.mul(shares.index.to_numpy() + 1, axis=0).median().to_numpy()


def _log_sensitivity(selection: Selection) -> Measure:
    """Measure log₁₀ of the sensitivity χ at layer 200, for each simulation."""
    return measure(lambda rows: np.log10(by_simulation(require_rows(rows, "chi", step=200)).to_numpy()[0]), selection)
