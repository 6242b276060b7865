"""Measures and criteria of this project's own statements, which compare documents."""

import numpy as np
import pandas as pd

from deepnets.claims.criteria import Between, Every
from deepnets.claims.measures import (
    Measure,
    Tables,
    difference_of_means,
    final,
    measure,
    ratio_of_means,
)
from deepnets.claims.statements import Ledger
from deepnets.documents.synthesis.quantities import ranks_at_end, ranks_halfway
from deepnets.documents.synthesis.runs import (
    BY_DEPTH,
    BY_SCALE,
    CLASSIFIERS,
    DEPTH_AND_SCALE,
    MNIST,
    PRODUCTS,
    SAXE,
    SET_UPS,
    SLIDERS,
    STARTS,
)
from deepnets.tables.matrices import by_simulation
from deepnets.tables.rows import require_rows
from deepnets.tables.selection import Selection

TABLES = ("classifier", "hierarchy", "learning_time", "mnist_modes", "propagation", "spectra", "zero_init")
_HIGH = Every(90, 100)


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    first, last = BY_DEPTH[1], BY_DEPTH[6]
    small, large = BY_SCALE["near zero"], BY_SCALE["times 1000"]
    partial, zero, random = (STARTS.but(init=init) for init in ("partial_identity", "zero", "random"))
    narrow = partial.but(width=256, block="widths")
    vanilla, few_channels = SET_UPS["vanilla"], SET_UPS["vanilla"].but(width=64, block="widths")
    ten_layers = SAXE.but(depth=9)
    return Ledger(
        {
            "rank_explains_accuracy": (Measure(_rank_correlation, *CLASSIFIERS), Every(greatest=-0.9)),
            "depth_reverses_with_the_start": {
                "at 1": (_slowdown(1), Between(greatest=1)),
                "at 0.2": (_slowdown(0.2), Between(least=1)),
            },
            "branches_matter_less_and_less": (
                measure(_share_of_branch, SET_UPS["batch norm resnet"]),
                Every(0.8, 1.2),
            ),
            "small_starts_separate_modes": {
                "003": (
                    _halfway(SLIDERS.but(scale=10), "singular_value")
                    - _halfway(SLIDERS.but(scale=1e-15), "singular_value"),
                    Every(least=0),
                ),
                "MNIST": (
                    difference_of_means(*(_halfway(MNIST.but(scale=each), "mode_strength") for each in (1, 0.001))),
                    Between(least=0),
                ),
                "000": (
                    difference_of_means(_halfway(large, "singular_value"), _halfway(small, "singular_value")),
                    Between(least=0),
                ),
            },
            "zero_exceeds_the_partial_identity": (
                difference_of_means(final(zero, "rank"), final(partial, "rank")),
                Between(least=0),
            ),
            "depth_and_accuracy": {
                "1 layer": (_percent(first), Every(greatest=65)),
                "6 layers": (_percent(last), Every(65)),
            },
            "depth_and_rank": {
                "1 layer": (_effective_rank(first), Every(3)),
                "6 layers": (_effective_rank(last), Every(1, 3)),
            },
            "depth_and_sensitivity": {
                "batch norm": (_log_sensitivity(SET_UPS["batch norm"]), Every(10)),
                "vanilla": (_log_sensitivity(vanilla), Every(greatest=3)),
            },
            "scale_and_accuracy": {
                "near zero": (_percent(small), Every(70)),
                "times 1000": (_percent(large), Every(0, 70)),
            },
            "scale_and_rank": {
                "near zero": (_effective_rank(small), Every(1, 3)),
                "times 1000": (_effective_rank(large), Every(3)),
            },
            "scale_and_time": {
                "1e-12": (final(SLIDERS.but(scale=1e-12), "half_time"), Every(30)),
                "1": (final(SLIDERS.but(scale=1), "half_time"), Every(0, 30)),
            },
            "width_and_accuracy": {"256": (_percent(narrow), _HIGH), "1024": (_percent(partial), _HIGH)},
            "width_and_rank": {
                "256": (final(narrow, "rank"), Every(0, 300)),
                "1024": (final(partial, "rank"), Every(300)),
            },
            "width_and_sensitivity": (
                difference_of_means(_log_sensitivity(few_channels), _log_sensitivity(vanilla)),
                Between(least=0),
            ),
            "kind_and_accuracy": {
                "partial identity": (_percent(partial), _HIGH),
                "ZerO": (_percent(zero), _HIGH),
                "random": (_percent(random), _HIGH),
            },
            "kind_and_rank": {
                "partial identity": (final(partial, "rank"), Every(0, 600)),
                "ZerO": (final(zero, "rank"), Every(600)),
                "random": (final(random, "rank"), Every(600)),
            },
            "kind_and_time": (
                ratio_of_means(
                    *(final(ten_layers.but(init=init), "learning_time") for init in ("gaussian", "orthogonal"))
                ),
                Between(least=1),
            ),
            "kind_and_sensitivity": {
                "Gaussian": (final(PRODUCTS.but(init="gaussian"), "mean_log_singular_value"), Every(greatest=-10)),
                "orthogonal": (final(PRODUCTS.but(init="orthogonal"), "mean_log_singular_value"), Every(-1e-3, 1e-3)),
            },
        }
    )


def _percent(selection: Selection) -> Measure:
    return 100 * final(selection, "test_accuracy")


def _effective_rank(selection: Selection) -> Measure:
    return measure(lambda runs: ranks_at_end(runs).to_numpy(float), selection)


def _halfway(selection: Selection, metric: str) -> Measure:
    """Measure the effective rank when the loss has halved."""
    return measure(lambda runs: ranks_halfway(runs, metric).to_numpy(float), selection)


def _slowdown(scale: float) -> Measure:
    """Measure the half time of the first mode with three matrices, divided by that with two, for each seed."""
    two, three = (final(DEPTH_AND_SCALE.but(scale=scale, depth=depth), "half_time") for depth in (2, 3))
    return three / two


def _rank_correlation(tables: Tables) -> np.ndarray:
    """Return Spearman's correlation of effective rank and test accuracy over all runs of document 000's nets."""
    pairs = [(_effective_rank(each)(tables), _percent(each)(tables)) for each in CLASSIFIERS]
    ranks, accuracies = (pd.Series(np.concatenate(each)).rank() for each in zip(*pairs, strict=True))
    return np.array([np.corrcoef(ranks, accuracies)[0, 1]])


def _share_of_branch(runs: pd.DataFrame) -> np.ndarray:
    """Return, for each simulation, the branch's share times (l + 1) as the median over units from the tenth on."""
    shares = by_simulation(require_rows(runs, "variance_share_branch"))
    shares = shares[shares.index >= 10]
    return shares.mul(shares.index.to_numpy() + 1, axis=0).median().to_numpy()


def _log_sensitivity(selection: Selection) -> Measure:
    """Measure log₁₀ of the sensitivity χ at layer 200, for each simulation."""
    return measure(lambda runs: np.log10(by_simulation(require_rows(runs, "chi", step=200)).to_numpy()[0]), selection)
