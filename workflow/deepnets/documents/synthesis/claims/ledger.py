"""This project's own claims that compare documents: one for each figure, and the numbers of the summary table."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Criterion, Every, Mean
from deepnets.claims.estimate import Measured
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import difference, difference_of_means, final, ratio_of_means
from deepnets.claims.section import Section, combine_parts
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
from deepnets.tables.rows import Runs, require_rows

TABLES = ("classifier", "hierarchy", "learning_time", "mnist_modes", "propagation", "spectra", "zero_init")
_OURS = "This statement is ours; no document makes it."
_OF_TABLE = f"{_OURS} The numbers are far from the bound; we judge only the direction of the change."
_HIGH = Every(90, 100)
_LITTLE = f"{_OURS} “Little”: all accuracies must be between 90 and 100 %; the ranks differ far more."
_INITS = {"partial identity": "partial_identity", "ZerO": "zero", "random": "random"}


def ledger() -> list[Claim]:
    """Return the claims of the figures, then the claims of the table."""
    return [*_figures(), *_claim_depth(), *_claim_scale(), *_claim_width(), *_claim_kind()]


def _figures() -> list[Claim]:
    return [
        _section("rank_and_accuracy").trend(
            "rank_explains_accuracy",
            "Among the classifiers of document 000, test accuracy falls as effective rank rises.",
            _rank_correlation,
            Every(greatest=-0.9),
            because=(
                f"{_OURS} A correlation of at most −0.9 means that high ranks almost always go with low accuracies."
            ),
            quantity="Spearman's correlation of effective rank and test accuracy over runs",
        ),
        _section("depth_and_learning_time").ordering(
            "depth_reverses_with_the_start",
            "With an initial scale γ = 1, a net of three weight matrices learns the first mode sooner than a net of "
            "two; with γ = 0.2, the net of three learns it later (003).",
            *combine_parts({"at 1": (_slowdown(1), Mean(greatest=1)), "at 0.2": (_slowdown(0.2), Mean(least=1))}),
            because=f"{_OURS} If depth changed nothing, the ratio of half times would be 1.",
            quantity="half time of the first mode with three matrices, divided by the half time with two",
        ),
        _section("depth_before_training").bound(
            "branches_matter_less_and_less",
            "In a batch-normalised resnet, the branch of unit l adds about 1/(l + 1) of the signal's variance.",
            _share_of_branch,
            Every(0.8, 1.2),
            because=f"{_OURS} The median over the units from the tenth on must be within a fifth of 1.",
            quantity="branch's share of the variance × (l + 1)",
        ),
        _section("start_and_separation").ordering(
            "small_starts_separate_modes",
            "When the loss has halved, fewer modes take part in a net with the smallest initial weights than in one "
            "with the largest.",
            *combine_parts(_separations()),
            because=f"{_OURS} We judge only the sign of the difference of effective ranks; document 003 has one seed.",
            quantity="effective rank at half the loss, largest initial scale minus smallest",
        ),
        _section("start_and_rank").ordering(
            "zero_exceeds_the_partial_identity",
            "From ZerO, a layer of 1,024 units learns a higher rank than from the partial identity (004).",
            difference_of_means(
                _measure_end("rank", {**STARTS, "init": "zero"}),
                _measure_end("rank", {**STARTS, "init": "partial_identity"}),
            ),
            Mean(least=0),
            because=f"{_OURS} We judge only the sign of the difference.",
            quantity="rank of W₃ − I after one epoch, ZerO minus partial identity",
        ),
    ]


def _claim_depth() -> list[Claim]:
    classifier = _section("rank_and_accuracy")
    first, last = BY_DEPTH[1], BY_DEPTH[6]
    return [
        classifier.of("test accuracy, %").ordering(
            "depth_and_accuracy",
            "More layers raise the test accuracy of a linear classifier (000).",
            *combine_parts(
                {"1 layer": (_accuracy(first), Every(greatest=65)), "6 layers": (_accuracy(last), Every(65))}
            ),
            because=_OF_TABLE,
        ),
        classifier.of("effective rank").ordering(
            "depth_and_rank",
            "More layers lower the effective rank of a linear classifier (000).",
            *combine_parts(
                {"1 layer": (_effective_rank(first), Every(3)), "6 layers": (_effective_rank(last), Every(1, 3))}
            ),
            because=_OF_TABLE,
        ),
        _section("depth_before_training").ordering(
            "depth_and_sensitivity",
            "Over 200 layers, noise relative to signal grows by many more powers of ten with batch normalisation than "
            "without (002).",
            *combine_parts(
                {
                    "batch norm": (_log_sensitivity(SET_UPS["batch norm"]), Every(10)),
                    "vanilla": (_log_sensitivity(SET_UPS["vanilla"]), Every(greatest=3)),
                }
            ),
            quantity="log₁₀ of the sensitivity χ at layer 200",
            because=_OF_TABLE,
        ),
    ]


def _claim_scale() -> list[Claim]:
    small, large = BY_SCALE["near zero"], BY_SCALE["times 1000"]
    return [
        _section("start_and_rank")
        .of("test accuracy, %")
        .ordering(
            "scale_and_accuracy",
            "Larger initial weights lower the test accuracy of a deep linear classifier (000).",
            *combine_parts(
                {"near zero": (_accuracy(small), Every(70)), "times 1000": (_accuracy(large), Every(0, 70))}
            ),
            because=_OF_TABLE,
        ),
        _section("start_and_rank")
        .of("effective rank")
        .ordering(
            "scale_and_rank",
            "Larger initial weights raise the effective rank of a deep linear classifier (000).",
            *combine_parts(
                {"near zero": (_effective_rank(small), Every(1, 3)), "times 1000": (_effective_rank(large), Every(3))}
            ),
            because=_OF_TABLE,
        ),
        _section("start_and_separation")
        .of("updates until the first mode is half learned")
        .ordering(
            "scale_and_time",
            "From larger initial weights, a net learns the first mode sooner (003).",
            *combine_parts({"1e-12": (_half_time(1e-12), Every(30)), "1": (_half_time(1), Every(0, 30))}),
            because=_OF_TABLE,
        ),
    ]


def _claim_width() -> list[Claim]:
    narrow, wide = (
        {**STARTS, "init": "partial_identity", "width": width, "block": block}
        for width, block in ((256, "widths"), (1024, "inits"))
    )
    few, many = {**SET_UPS["vanilla"], "width": 64, "block": "widths"}, SET_UPS["vanilla"]
    return [
        _section("start_and_rank")
        .of("test accuracy after one epoch, %")
        .ordering(
            "width_and_accuracy",
            "After one epoch, the number of hidden units changes the test accuracy little (004).",
            *combine_parts(
                {
                    "256": (_measure_end("test_accuracy", narrow, 100), _HIGH),
                    "1024": (_measure_end("test_accuracy", wide, 100), _HIGH),
                }
            ),
            because=_LITTLE,
        ),
        _section("start_and_rank")
        .of("rank of W₃ − I after one epoch")
        .ordering(
            "width_and_rank",
            "Layers with more hidden units learn a higher rank (004).",
            *combine_parts(
                {"256": (_measure_end("rank", narrow), Every(0, 300)), "1024": (_measure_end("rank", wide), Every(300))}
            ),
            because=_OF_TABLE,
        ),
        _section("depth_before_training")
        .of("log₁₀ of the sensitivity χ at layer 200, 64 channels minus 512")
        .ordering(
            "width_and_sensitivity",
            "In vanilla nets with more channels, noise relative to signal grows less (002).",
            difference_of_means(_log_sensitivity(few), _log_sensitivity(many)),
            Mean(least=0),
            because=_OF_TABLE,
        ),
    ]


def _claim_kind() -> list[Claim]:
    starts = {name: {**STARTS, "init": init} for name, init in _INITS.items()}
    ten_layers = {**SAXE, "depth": 9}
    return [
        _section("start_and_rank")
        .of("test accuracy after one epoch, %")
        .ordering(
            "kind_and_accuracy",
            "After one epoch, the initialisation changes the test accuracy little (004).",
            *combine_parts({name: (_measure_end("test_accuracy", runs, 100), _HIGH) for name, runs in starts.items()}),
            because=_LITTLE,
        ),
        _section("start_and_rank")
        .of("rank of W₃ − I after one epoch")
        .ordering(
            "kind_and_rank",
            "A layer learns a lower rank from the partial identity than from ZerO; random weights have full rank "
            "(004).",
            *combine_parts(
                {
                    name: (_measure_end("rank", runs), Every(0, 600) if name == "partial identity" else Every(600))
                    for name, runs in starts.items()
                }
            ),
            because=_OF_TABLE,
        ),
        _section("depth_and_learning_time").ordering(
            "kind_and_time",
            "Nets of ten layers learn more slowly from Gaussian weights than from orthogonal weights (Saxe et al.).",
            ratio_of_means(
                final("learning_time", "learning_time", **ten_layers, init="gaussian"),
                final("learning_time", "learning_time", **ten_layers, init="orthogonal"),
            ),
            Mean(least=1),
            quantity="learning time with Gaussian weights, divided by the learning time with orthogonal weights",
            because=_OF_TABLE,
        ),
        _section("depth_before_training")
        .of("mean ln σ of the singular values of a product of 100 matrices")
        .ordering(
            "kind_and_sensitivity",
            "Products of 100 Gaussian matrices shrink most directions; products of orthogonal matrices shrink none "
            "(Saxe et al.).",
            *combine_parts(
                {
                    "Gaussian": (_mean_log("gaussian"), Every(greatest=-10)),
                    "orthogonal": (_mean_log("orthogonal"), Every(-1e-3, 1e-3)),
                }
            ),
            because=_OF_TABLE,
        ),
    ]


def _section(figure: str) -> Section:
    return Section("across the documents", figure, ours=True)


def _accuracy(runs: Runs) -> Measure:
    return final("classifier", "test_accuracy", factor=100, **runs)


def _effective_rank(runs: Runs) -> Measure:
    return lambda evidence: ranks_at_end(evidence.runs("classifier", **runs)).to_numpy(float)


def _measure_end(metric: str, runs: Runs, factor: float = 1) -> Measure:
    return final("zero_init", metric, factor=factor, **runs)


def _half_time(scale: float) -> Measure:
    return final("hierarchy", "half_time", **SLIDERS, scale=scale)


def _mean_log(init: str) -> Measure:
    return final("spectra", "mean_log_singular_value", **PRODUCTS, init=init)


def _rank_correlation(evidence: Evidence) -> np.ndarray:
    """Measure Spearman's correlation of effective rank and test accuracy over all runs of document 000's nets."""
    pairs = [(_effective_rank(runs)(evidence), _accuracy(runs)(evidence)) for runs in CLASSIFIERS]
    ranks, accuracies = (pd.Series(np.concatenate(each)).rank() for each in zip(*pairs, strict=True))
    return np.array([np.corrcoef(ranks, accuracies)[0, 1]])


def _slowdown(scale: float) -> Measure:
    """Measure the half time of the first mode with three matrices, divided by that with two, for each seed."""

    def measured(evidence: Evidence) -> np.ndarray:
        two, three = (
            final("hierarchy", "half_time", **DEPTH_AND_SCALE, scale=scale, depth=depth)(evidence) for depth in (2, 3)
        )
        return three / two

    return measured


def _share_of_branch(evidence: Evidence) -> np.ndarray:
    """Measure, for each simulation, the branch's share times (l + 1) as the median over units from the tenth on."""
    shares = by_simulation(
        require_rows(evidence.runs("propagation", **SET_UPS["batch norm resnet"]), "variance_share_branch")
    )
    shares = shares[shares.index >= 10]
    return shares.mul(shares.index.to_numpy() + 1, axis=0).median().to_numpy()


def _log_sensitivity(runs: Runs) -> Measure:
    def measured(evidence: Evidence) -> np.ndarray:
        return np.log10(
            by_simulation(require_rows(evidence.runs("propagation", **runs), "chi", step=200)).to_numpy()[0]
        )

    return measured


def _separations() -> dict[str, tuple[Callable[[Evidence], Measured], Criterion]]:
    """Return document → difference of effective ranks at half the loss (largest scale minus smallest), criterion."""

    def halfway(experiment: str, metric: str, runs: Runs) -> Measure:
        return lambda evidence: ranks_halfway(evidence.runs(experiment, **runs), metric).to_numpy(float)

    tree = [halfway("hierarchy", "singular_value", {**SLIDERS, "scale": scale}) for scale in (10, 1e-15)]
    mnist = [halfway("mnist_modes", "mode_strength", {**MNIST, "scale": scale}) for scale in (1, 0.001)]
    points = [halfway("classifier", "singular_value", BY_SCALE[name]) for name in ("times 1000", "near zero")]
    return {
        "003": (difference(*tree), Every(least=0)),
        "MNIST": (difference_of_means(*mnist), Mean(least=0)),
        "000": (difference_of_means(*points), Mean(least=0)),
    }
