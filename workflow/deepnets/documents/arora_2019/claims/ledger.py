"""The claims of Arora, Cohen, Hu and Luo 2019 (arXiv 1905.13655), on whose bias of depth document 000 builds."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Erratum, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import NotTestableError
from workflow.deepnets.claims.measures import difference, final, ratio, setting
from workflow.deepnets.claims.rows import each_run
from workflow.deepnets.claims.settings import as_set, run_with

TABLES = ("matrix_completion",)
_EXPERIMENT = "matrix_completion"
_TASK = {"size": 100, "rank": 5}
_DYNAMICS = {**_TASK, "block": "dynamics", "init": "identity", "learning_rate": 0.1, "entries": 2000}
_COMPLETION = {**_TASK, "block": "completion", "init": "gaussian"}
_SMALL = {**_COMPLETION, "scale": 0.001}
_FEW = {**_COMPLETION, "entries": 2000}
_DEPTHS = (1, 2, 3)

_EACH_SEED = "A seed has its own matrix, entries and start; seeds are few, and each is to show it."


def ledger() -> list[Claim | Erratum]:
    """Return what the paper states of matrix completion, in its order. No fault of the paper is known."""
    return [*_settings(), *_flow(), *_completion()]


def _settings() -> list[Claim]:
    """The set-up of Figures 1 to 3."""
    return [
        _setting("rows", "Figures 1 to 3", "The matrix has 100 rows and columns.", 100, "size"),
        _setting("rank", "Figures 1 to 3", "Its rank is 5.", 5, "rank"),
        *shown_in("singular_values", _of_figure_3()),
    ]


def _of_figure_3() -> list[Claim]:
    """The products whose singular values the paper draws."""
    place = "Figure 3"
    axes = [
        ("observed_entries", "2,000 entries are observed.", 2000, "entries"),
        *((f"depth_{depth}", f"One product has depth {depth}.", depth, "depth") for depth in _DEPTHS),
        ("small_start", "Products start from 0.001 times the identity.", 0.001, "scale"),
    ]
    return [
        _setting("learning_rate", place, "Gradient descent takes the rate 0.1.", 0.1, "learning_rate"),
        *(
            run_with(name, place, statement, value, _EXPERIMENT, axis, **_DYNAMICS)
            for name, statement, value, axis in axes
        ),
    ]


def _flow() -> list[Claim]:
    """Theorem 3 and Figure 3: how singular values move."""
    return [
        *(
            Claim(
                name=f"flow_at_depth_{depth}",
                place="Theorem 3",
                figure="singular_value_flow",
                kind="formula",
                statement=(
                    f"At depth N = {depth}, singular values move by dσ/dt = −N (σ²)^(1 − 1/N) ⟨∇L(W), u vᵀ⟩, from "
                    "balanced factors."
                ),
                measure=_error_of_flow(depth),
                rule=Every(greatest=0.005),
                because=(
                    "The theorem is of continuous time. Half a percent of a run's largest rate, at every record and "
                    "of every recorded value, leaves room for steps that are not infinitely small, and for no other "
                    "exponent."
                ),
            )
            for depth in _DEPTHS
        ),
        *(
            Claim(
                name=f"values_rise_one_by_one_at_depth_{depth}",
                place="Figure 3",
                figure="singular_values",
                kind="ordering",
                statement=f"At depth {depth}, from a small start, the fifth singular value rises later than the first.",
                measure=_delay_of_fifth(depth),
                rule=Every(least=0.1),
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
    return [
        Claim(
            name="without_factors_nothing_is_completed",
            place="Figures 1 and 2, depth 1",
            figure="completion_by_entries",
            kind="formula",
            statement="At depth 1 unobserved entries stay as they were: an error of √0.8 from a small start.",
            measure=lambda evidence: np.sqrt(
                final(_EXPERIMENT, "test_loss", **_SMALL, depth=1, entries=2000)(evidence)
            ),
            rule=Near(np.sqrt(0.8), error=0.004),
            because=(
                "The 8,000 entries that are left have nearly four fifths of the squared norm: of entries that are sums "
                "of five products of normals, their share varies so that the error does by 0.004."
            ),
        ),
        *(
            _ordering(
                f"rank_falls_from_depth_{depth - 1}_to_{depth}",
                "Figure 2, effective rank",
                "completion_by_scale",
                f"Depth {depth} ends at a lower effective rank than depth {depth - 1}, from scale 0.001.",
                difference(
                    final(_EXPERIMENT, "effective_rank", **_SMALL, entries=2000, depth=depth),
                    final(_EXPERIMENT, "effective_rank", **_SMALL, entries=2000, depth=depth - 1),
                ),
            )
            for depth in (2, 3)
        ),
        Claim(
            name="depth_widens_the_gap",
            place="Theorem 3 and its discussion",
            kind="ordering",
            statement="Depth makes small singular values smaller beside large ones: the sixth over the fifth, which "
            "the matrix has, is smaller at depth 3 than at depth 2.",
            measure=difference(_gap(3), _gap(2)),
            rule=Every(greatest=0),
            because=_EACH_SEED,
        ),
        *(
            _ordering(
                f"rank_falls_with_scale_at_depth_{depth}",
                "Figure 2, effective rank",
                "completion_by_scale",
                f"At depth {depth}, a smaller start ends at a lower effective rank: 0.001 against 1.",
                _between_scales("effective_rank", depth),
            )
            for depth in (2, 3)
        ),
        *(
            _ordering(
                f"error_falls_from_depth_{depth - 1}_to_{depth}",
                "Figure 1, reconstruction error",
                "completion_by_entries",
                f"From 2,000 entries depth {depth} reconstructs the matrix better than depth {depth - 1}.",
                difference(
                    final(_EXPERIMENT, "test_loss", **_SMALL, entries=2000, depth=depth),
                    final(_EXPERIMENT, "test_loss", **_SMALL, entries=2000, depth=depth - 1),
                ),
            )
            for depth in (2, 3)
        ),
        *(
            _ordering(
                f"error_falls_with_scale_at_depth_{depth}",
                "Figure 2, reconstruction error",
                "completion_by_scale",
                f"At depth {depth}, a smaller start reconstructs better: 0.001 against 1.",
                _between_scales("test_loss", depth),
            )
            for depth in (2, 3)
        ),
        _ordering(
            "error_falls_with_entries",
            "Figure 1, reconstruction error",
            "completion_by_entries",
            "At depth 2, 5,000 entries reconstruct the matrix better than 2,000.",
            difference(
                final(_EXPERIMENT, "test_loss", **_SMALL, entries=5000, depth=2),
                final(_EXPERIMENT, "test_loss", **_SMALL, entries=2000, depth=2),
            ),
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str) -> Claim:
    return as_set(name, place, statement, value, setting(_EXPERIMENT, key, block="dynamics"))


def _ordering(name: str, place: str, figure: str, statement: str, measure: Measure) -> Claim:
    """A claim that a difference, one for each seed, is below 0."""
    return Claim(
        name=name,
        place=place,
        figure=figure,
        kind="ordering",
        statement=statement,
        measure=measure,
        rule=Every(greatest=0),
        because=_EACH_SEED,
    )


def _of_each_run(measure: Callable[[pd.DataFrame], float], **wanted: object) -> Measure:
    """Measure something of the rows of each run."""
    return lambda evidence: np.array([measure(rows) for rows in each_run(evidence.runs(_EXPERIMENT, **wanted))])


def _error_of_flow(depth: int) -> Measure:
    """Measure the largest error of the rates of singular values over the largest rate, in each run."""

    def of_run(rows: pd.DataFrame) -> float:
        simulated, theory = (
            rows[rows["metric"] == metric].set_index(["step", "index"])["value"]
            for metric in ("singular_value_rate", "theory_singular_value_rate")
        )
        if theory.empty:
            raise NotTestableError("the runs recorded no rates of singular values")
        return (simulated - theory).abs().max(skipna=False) / theory.abs().max()

    return _of_each_run(of_run, **_DYNAMICS, depth=depth)


def _delay_of_fifth(depth: int) -> Measure:
    """Measure how much later the fifth singular value has half of its end than the first, over the first's time."""

    def of_run(rows: pd.DataFrame) -> float:
        values = rows[rows["metric"] == "singular_value"].pivot(index="step", columns="index", values="value")
        if not {0, 4} <= set(values.columns) or len(values) < 3:
            raise NotTestableError("the runs recorded too few singular values")
        first, fifth = ((values[mode] >= values[mode].iloc[-1] / 2).idxmax() for mode in (0, 4))
        return fifth / first - 1 if first else np.nan

    return _of_each_run(of_run, **_DYNAMICS, depth=depth, scale=0.001)


def _gap(depth: int) -> Measure:
    """Measure the sixth singular value at the end over the fifth."""
    fifth, sixth = (
        final(_EXPERIMENT, "singular_value", index=index, **_SMALL, entries=2000, depth=depth) for index in (4, 5)
    )
    return ratio(sixth, fifth)


def _between_scales(metric: str, depth: int) -> Measure:
    small, large = (final(_EXPERIMENT, metric, **_FEW, depth=depth, scale=scale) for scale in (0.001, 1))
    return difference(small, large)
