"""The claims of Arora, Cohen, Hu and Luo 2019 (arXiv 1905.13655), on whose bias of depth document 000 builds."""

from typing import Any

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum, Measure
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, difference, final, ratio
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.tables.axes import split_runs
from workflow.deepnets.tables.matrices import by_index
from workflow.deepnets.tables.rows import rows_of

TABLES = ("matrix_completion",)
_EXPERIMENT = "matrix_completion"
_TASK: Runs = {"size": 100, "rank": 5}
_DYNAMICS: Runs = {**_TASK, "block": "dynamics", "init": "identity", "learning_rate": 0.1, "entries": 2000}
_COMPLETION: Runs = {**_TASK, "block": "completion", "init": "gaussian"}
_SMALL: Runs = {**_COMPLETION, "scale": 0.001}
_FEW: Runs = {**_COMPLETION, "entries": 2000}
_SMALL_AND_FEW: Runs = {**_SMALL, **_FEW}
_DEPTHS = (1, 2, 3)

_EACH_SEED = "A seed has its own matrix, entries and start; seeds are few, and each is to show it."


def ledger() -> list[Claim | Erratum]:
    """Return what the paper states of matrix completion, in its order. No fault of the paper is known."""
    return [*_settings(), *_flow(), *_completion()]


def _settings() -> list[Claim]:
    """The set-up of Figures 1 to 3, and the products whose singular values the paper draws."""
    task, drawn = Section("Figures 1 to 3"), Section("Figure 3", "singular_values")
    products = {depth: {**_DYNAMICS, "depth": depth} for depth in _DEPTHS}
    small = {**_DYNAMICS, "scale": 0.001}
    return [
        *task.settings(
            _EXPERIMENT,
            _DYNAMICS,
            {"size": ("rows", "The matrix has {} rows and columns."), "rank": ("rank", "Its rank is {}.")},
        ),
        *drawn.settings(
            _EXPERIMENT, _DYNAMICS, {"learning_rate": ("learning_rate", "Gradient descent takes the rate {}.")}
        ),
        drawn.run_with("observed_entries", "2,000 entries are observed.", _EXPERIMENT, "entries", _DYNAMICS),
        *(
            drawn.run_with(f"depth_{depth}", "One product has depth {}.", _EXPERIMENT, "depth", runs)
            for depth, runs in products.items()
        ),
        drawn.run_with("small_start", "Products start from {} times the identity.", _EXPERIMENT, "scale", small),
    ]


def _flow() -> list[Claim]:
    """Theorem 3 and Figure 3: how singular values move."""
    theorem, drawn = Section("Theorem 3", "singular_value_flow"), Section("Figure 3", "singular_values")
    return [
        *(
            theorem.identity(
                f"flow_at_depth_{depth}",
                f"At depth N = {depth}, singular values move by dσ/dt = −N (σ²)^(1 − 1/N) ⟨∇L(W), u vᵀ⟩, from "
                "balanced factors.",
                _error_of_flow(depth),
                Every(greatest=0.005),
                because=(
                    "The theorem is of continuous time. Half a percent of a run's largest rate, at every record and "
                    "of every recorded value, leaves room for steps that are not infinitely small, and for no other "
                    "exponent."
                ),
            )
            for depth in _DEPTHS
        ),
        *(
            drawn.ordering(
                f"values_rise_one_by_one_at_depth_{depth}",
                f"At depth {depth}, from a small start, the fifth singular value rises later than the first.",
                _delay_of_fifth(depth),
                Every(least=0.1),
                because=(
                    "The update at which a value has half of what it ends at: later by a tenth of the first's at "
                    "least, which the eye sees in a picture."
                ),
            )
            for depth in (2, 3)
        ),
    ]


def _completion() -> list[Claim]:
    """Figures 1 and 2: the matrix at the end."""
    errors = Section("Figure 1, reconstruction error", "completion_by_entries")
    ranks = Section("Figure 2, effective rank", "completion_by_scale")
    errors_by_scale = Section("Figure 2, reconstruction error", "completion_by_scale")
    return [
        Section("Figures 1 and 2, depth 1", "completion_by_entries").identity(
            "without_factors_nothing_is_completed",
            "At depth 1 unobserved entries stay as they were: an error of √0.8 from a small start.",
            _error_without_factors,
            Near(np.sqrt(0.8), error=0.004),
            because=(
                "The 8,000 entries that are left have nearly four fifths of the squared norm: of entries that are sums "
                "of five products of normals, their share varies so that the error does by 0.004."
            ),
        ),
        *(
            _falls(
                ranks,
                f"rank_falls_from_depth_{depth - 1}_to_{depth}",
                f"Depth {depth} ends at a lower effective rank than depth {depth - 1}, from scale 0.001.",
                _between("effective_rank", {"depth": depth}, {"depth": depth - 1}, **_SMALL_AND_FEW),
            )
            for depth in (2, 3)
        ),
        _falls(
            Section("Theorem 3 and its discussion"),
            "depth_widens_the_gap",
            "Depth makes small singular values smaller beside large ones: the sixth over the fifth, which "
            "the matrix has, is smaller at depth 3 than at depth 2.",
            difference(_gap(3), _gap(2)),
        ),
        *(
            _falls(
                ranks,
                f"rank_falls_with_scale_at_depth_{depth}",
                f"At depth {depth}, a smaller start ends at a lower effective rank: 0.001 against 1.",
                _between("effective_rank", {"scale": 0.001}, {"scale": 1}, **_FEW, depth=depth),
            )
            for depth in (2, 3)
        ),
        *(
            _falls(
                errors,
                f"error_falls_from_depth_{depth - 1}_to_{depth}",
                f"From 2,000 entries depth {depth} reconstructs the matrix better than depth {depth - 1}.",
                _between("test_loss", {"depth": depth}, {"depth": depth - 1}, **_SMALL_AND_FEW),
            )
            for depth in (2, 3)
        ),
        *(
            _falls(
                errors_by_scale,
                f"error_falls_with_scale_at_depth_{depth}",
                f"At depth {depth}, a smaller start reconstructs better: 0.001 against 1.",
                _between("test_loss", {"scale": 0.001}, {"scale": 1}, **_FEW, depth=depth),
            )
            for depth in (2, 3)
        ),
        _falls(
            errors,
            "error_falls_with_entries",
            "At depth 2, 5,000 entries reconstruct the matrix better than 2,000.",
            _between("test_loss", {"entries": 5000}, {"entries": 2000}, **_SMALL, depth=2),
        ),
    ]


def _falls(section: Section, name: str, statement: str, measure: Measure) -> Claim:
    """Claim that a difference, one for each seed, is below 0."""
    return section.ordering(name, statement, measure, Every(greatest=0), because=_EACH_SEED)


def _between(metric: str, first: Runs, second: Runs, **shared: Any) -> Measure:
    """Measure by how much more of a metric runs end with than other runs of the same seeds."""
    return difference(*(final(_EXPERIMENT, metric, **shared, **runs) for runs in (first, second)))


def _error_without_factors(evidence: Evidence) -> np.ndarray:
    return np.sqrt(final(_EXPERIMENT, "test_loss", **_SMALL_AND_FEW, depth=1)(evidence))


@as_measure
def _error_of_flow(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the largest error of the rates of singular values over the largest rate, in each run."""
    errors = []
    for rows in split_runs(evidence.runs(_EXPERIMENT, **_DYNAMICS, depth=depth)):
        simulated, theory = (
            rows_of(rows, metric).set_index(["step", "index"])["value"]
            for metric in ("singular_value_rate", "theory_singular_value_rate")
        )
        if theory.empty:
            raise NotTestableError("the runs recorded no rates of singular values")
        errors.append((simulated - theory).abs().max(skipna=False) / theory.abs().max())
    return np.array(errors)


@as_measure
def _delay_of_fifth(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure how much later the fifth singular value has half of its end than the first, over the first's time."""
    delays = []
    for rows in split_runs(evidence.runs(_EXPERIMENT, **_DYNAMICS, depth=depth, scale=0.001)):
        values = by_index(rows_of(rows, "singular_value"))
        if not {0, 4} <= set(values.columns) or len(values) < 3:
            raise NotTestableError("the runs recorded too few singular values")
        first, fifth = ((values[mode] >= values[mode].iloc[-1] / 2).idxmax() for mode in (0, 4))
        delays.append(fifth / first - 1 if first else np.nan)
    return np.array(delays)


def _gap(depth: int) -> Measure:
    """Measure the sixth singular value at the end over the fifth."""
    fifth, sixth = (
        final(_EXPERIMENT, "singular_value", index=index, **_SMALL_AND_FEW, depth=depth) for index in (4, 5)
    )
    return ratio(sixth, fifth)
