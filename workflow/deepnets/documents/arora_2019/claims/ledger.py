"""The claims of Arora, Cohen, Hu and Luo 2019 (arXiv 1905.13655), the paper that document 000 builds on."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from deepnets.claims.claim import Claim, Coverage, Erratum, Measure
from deepnets.claims.criteria import Every, Includes, Near
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, difference, final, ratio, setting
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.arora_2019.runs import (
    COMPLETED_DEPTHS,
    DEPTHS,
    DYNAMICS,
    FEW,
    OF_RANK_10,
    SCALES_OF_FLOW,
    SMALL,
    SMALL_AND_FEW,
    TASK,
)
from deepnets.tables.axes import split_runs
from deepnets.tables.matrices import by_index
from deepnets.tables.rows import rows_of

TABLES = ("matrix_completion",)
_EXPERIMENT = "matrix_completion"
_RECORDED_VALUES = 10

# The project lacks the paper's text. We count the numbers of Figures 1 to 3 in our notes and in the authors' code: size
# and two ranks; 2,000 and 5,000 entries; depths 1 to 4; four scales; two rates of the adaptive optimiser; the rate of
# Figure 3 and its ten singular values.
_COVERAGE = Coverage(
    printed=17,
    left_out={
        **dict.fromkeys(("scale 1e-4", "scale 1e-5", "scale 1e-6"), "not run: smaller starts take more updates"),
        **dict.fromkeys(("rate 0.001", "rate 0.0003"), "for an optimiser that adapts its rate, which we do not run"),
    },
)
_EACH_SEED = "Each seed has its own matrix, entries and start; seeds are few, so that the claim must hold for each."
_ERROR = "difference of reconstruction errors, in units of the matrix's norm"
_RANK = "difference of effective ranks"
_LEAST_RANK = "least_effective_rank"


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the coverage and the paper's claims on matrix completion, in its order. We know no errata."""
    return [_COVERAGE, *_setting_claims(), *_flow_claims(), *_completion_claims(), *_scale_claims()]


def _setting_claims() -> list[Claim]:
    """Claim the settings of Figures 1 to 3."""
    drawn = Section("Figure 3", "singular_values")
    task = {
        name: (setting(_EXPERIMENT, key, block="dynamics"), Includes(TASK[key]))
        for name, key in (("rows and columns", "size"), ("rank", "rank"))
    }
    task["rank in Figure 1"] = (setting(_EXPERIMENT, "rank", block="completion"), Includes(10))
    depths = {f"depth {depth}": (_axis_values("depth", depth=depth), Includes(depth)) for depth in DEPTHS}
    return [
        Section("Figures 1 to 3").setting(
            "task",
            "The matrix has 100 rows and 100 columns, and rank 5, in Figure 1 also rank 10.",
            *combine_parts(task),
            printed="100 × 100, ranks 5 and 10",
            revised="the rank 10 of Figure 1 was added, which was not run before",
        ),
        *drawn.settings(
            _EXPERIMENT,
            {**DYNAMICS, "recorded_values": _RECORDED_VALUES},
            {
                "learning_rate": ("learning_rate", "The learning rate of gradient descent is {}."),
                "recorded_values": ("recorded_values", "Figure 3 shows the {} largest singular values."),
            },
        ),
        drawn.run_with(
            "observed_entries", "2,000 entries of the matrix are observed.", _EXPERIMENT, "entries", DYNAMICS
        ),
        drawn.setting("depths", "Figure 3 shows products of 1, 2 and 3 factors.", *combine_parts(depths)),
        drawn.run_with(
            "small_start",
            "Products start from {} times the identity.",
            _EXPERIMENT,
            "scale",
            {**DYNAMICS, "scale": 0.001},
        ),
    ]


def _flow_claims() -> list[Claim]:
    """Claim how singular values move (Theorem 3 and Figure 3)."""
    flow = {f"depth {depth}": (_error_of_flow(depth), Every(greatest=0.005)) for depth in DEPTHS}
    delays = {
        "depth 1": (_delay_of_fifth(1), Every(-0.1, 0.1)),
        "depth 2": (_delay_of_fifth(2), Every(least=0.1)),
        "depth 3": (_delay_of_fifth(3), Every(least=0.1)),
        "depth 3 less depth 2": (difference(_delay_of_fifth(3), _delay_of_fifth(2)), Every(least=0.1)),
    }
    return [
        Section("Theorem 3", "singular_value_flow").bound(
            "singular_value_flow",
            "From balanced factors, the singular values of a product of N factors move by "
            "dσ/dt = −N (σ²)^(1 − 1/N) ⟨∇L(W), u vᵀ⟩.",
            *combine_parts(flow),
            because=(
                "The theorem assumes continuous time. The limit, for every recorded value of every run, is half a "
                "percent of the run's largest rate. Finite steps satisfy it; another exponent would not."
            ),
            quantity="largest error of the rate of a singular value, divided by the largest rate of the run",
            main="Theorem 3 explains in the paper why depth lowers the rank",
        ),
        Section("Figure 3", "singular_values").trend(
            "depth_separates_singular_values",
            "With depth, small singular values move more slowly and large ones faster: from a small start, all rise "
            "together at depth 1, and the fifth rises later in deeper products.",
            *combine_parts(delays),
            because=(
                "A singular value rises when it first reaches half of its last value. The limits are a tenth of the "
                "first value's rise time, a delay that is visible in a picture."
            ),
            quantity="delay of the fifth singular value's rise after the first's, divided by the first's rise time",
            main="it is the conclusion of Figure 3",
        ),
        _decrease_claim(
            Section("Theorem 3 and its discussion", "singular_values"),
            "depth_widens_the_gap",
            "Depth makes small singular values smaller relative to large ones: the ratio of the sixth to the fifth, "
            "the last nonzero one of the true matrix, is smaller at depth 3 than at depth 2.",
            difference(_sixth_over_fifth(3), _sixth_over_fifth(2)),
            quantity="difference of ratios of the sixth singular value to the fifth",
        ),
    ]


def _completion_claims() -> list[Claim]:
    """Claim how the completed matrix depends on depth and entries, from a small start (Figures 1 and 2, abstract)."""
    errors, ranks = Section("Figure 1", "completion_by_entries"), Section("Figure 2", "completion_by_scale")
    return [
        Section("Figures 1 and 2, depth 1", "completion_by_entries").identity(
            "without_factors_nothing_is_completed",
            "At depth 1, unobserved entries keep their initial values: from a small start, the reconstruction error is "
            "√0.8.",
            _reconstruction_error(**SMALL_AND_FEW, depth=1),
            Near(np.sqrt(0.8), error=0.004, precision=0.03),
            revised="a least precision was added, below which our own noise would decide",
            quantity="reconstruction error, in units of the matrix's norm",
            because=(
                "The 8,000 unobserved entries have nearly four fifths of the squared norm. Entries are sums of five "
                "products of normals, so that this share varies between seeds, and the error by 0.004."
            ),
        ),
        _decrease_claim(
            ranks,
            "rank_falls_with_depth",
            "Depth strengthens the tendency towards low rank: from a small start, each further factor lowers the final "
            "effective rank.",
            _steps_of_depth(_end_of("effective_rank")),
            quantity=_RANK,
            main="it is the abstract's first finding",
        ),
        _decrease_claim(
            errors,
            "error_falls_with_depth",
            "Depth leads to more accurate recovery: from 2,000 entries, each further factor lowers the reconstruction "
            "error.",
            _steps_of_depth(_reconstruction_error),
            quantity=_ERROR,
            main="it is the second half of the abstract's first finding",
        ),
        _decrease_claim(
            errors,
            "error_falls_with_depth_at_rank_10",
            "Depth also helps at rank 10: from 3,000 entries, the third and the fourth factor lower the reconstruction "
            "error.",
            _steps_of_depth(_reconstruction_error, COMPLETED_DEPTHS, OF_RANK_10),
            quantity=_ERROR,
        ),
        errors.setting(
            "completed_depths",
            "Matrices are completed by products of 2, 3 and 4 factors.",
            *combine_parts(
                {f"depth {depth}": (_measure_completed_depths(depth), Includes(depth)) for depth in COMPLETED_DEPTHS},
            ),
        ),
        errors.ordering(
            "depth_helps_most_with_few_entries",
            "Depth helps most if few entries are observed: the third factor lowers the reconstruction error more with "
            "2,000 entries than with 5,000.",
            difference(_gain_of_third_factor(2000), _gain_of_third_factor(5000)),
            Every(least=0),
            because=_EACH_SEED,
            quantity=_ERROR,
        ),
        ranks.ordering(
            "nuclear_norm_is_not_minimised",
            "Norms do not capture the bias of depth: from 2,000 entries, products of 2, 3 and 4 matrices end at a "
            "nuclear norm above the least one of all matrices with these entries.",
            *combine_parts(
                {f"depth {depth}": (_excess_over_least_norm(depth), Every(least=1e-4)) for depth in COMPLETED_DEPTHS}
            ),
            because=(
                f"{_EACH_SEED} Convex optimisation finds the least norm with a proven relative error of 1e-5 at most; "
                "the limit is ten times that."
            ),
            quantity="nuclear norm (sum of singular values) divided by the least nuclear norm, minus 1",
            main="it is the abstract's second finding",
            revised="the norm of the matrix sought stood for the least one, which was not computed",
        ),
        _decrease_claim(
            ranks,
            "rank_is_below_that_of_the_least_norm",
            "From 2,000 entries, products of 3 and 4 matrices end at a lower effective rank than the matrix of least "
            "nuclear norm: depth favours low rank over low norm.",
            {
                f"depth {depth}": difference(
                    *(_end_of(metric)(**SMALL_AND_FEW, depth=depth) for metric in ("effective_rank", _LEAST_RANK))
                )
                for depth in COMPLETED_DEPTHS[1:]
            },
            quantity=_RANK,
        ),
        _decrease_claim(
            errors,
            "error_falls_with_entries",
            "At depth 2, the reconstruction error is lower with 5,000 entries than with 2,000.",
            _change(_reconstruction_error, {"entries": 5000}, {"entries": 2000}, **SMALL, depth=2),
            quantity=_ERROR,
        ),
    ]


def _scale_claims() -> list[Claim]:
    """Claim how the completed matrix depends on the scale of the start (Figures 1 and 2)."""
    by_scale = Section("Figures 1 and 2", "completion_by_scale")
    because = f"{_EACH_SEED} The paper's largest scale is 0.001; we add 1, at which the effect is larger."
    return [
        _decrease_claim(
            by_scale,
            "rank_falls_with_scale",
            "A smaller scale of the start leads to a lower final effective rank: 0.001 against 1.",
            _steps_of_scale(_end_of("effective_rank")),
            because=because,
            quantity=_RANK,
        ),
        _decrease_claim(
            by_scale,
            "error_falls_with_scale",
            "A smaller scale of the start leads to a lower reconstruction error: 0.001 against 1.",
            _steps_of_scale(_reconstruction_error),
            because=because,
            quantity=_ERROR,
        ),
    ]


def _decrease_claim(
    section: Section,
    name: str,
    statement: str,
    measures: Measure | dict[str, Measure],
    *,
    quantity: str,
    because: str = _EACH_SEED,
    main: str = "",
) -> Claim:
    """Claim that one difference or several, each with one value per seed, are below 0."""
    below = Every(greatest=0)
    if isinstance(measures, dict):
        measure, criterion = combine_parts({part: (each, below) for part, each in measures.items()})
    else:
        measure, criterion = measures, below
    return section.ordering(name, statement, measure, criterion, because=because, quantity=quantity, main=main)


# Axes and settings of runs, as keyword arguments → measure of a final value.
_FinalMeasure = Callable[..., Measure]


def _end_of(metric: str) -> _FinalMeasure:
    return lambda **wanted: final(_EXPERIMENT, metric, **wanted)


def _reconstruction_error(**wanted: Any) -> Measure:
    """Measure the reconstruction error: the norm of the difference from the true matrix, over the latter's norm."""

    def measure(evidence: Evidence) -> np.ndarray:
        # Entries have root mean square 1. A negative loss is invalid and becomes NaN.
        with np.errstate(invalid="ignore"):
            return np.sqrt(final(_EXPERIMENT, "test_loss", **wanted)(evidence))

    return measure


def _change(end: _FinalMeasure, first: Runs, second: Runs, **shared: Any) -> Measure:
    """Measure the final values of the first runs minus those of the second, paired by seed."""
    return difference(end(**shared, **first), end(**shared, **second))


def _steps_of_depth(
    end: _FinalMeasure, depths: Sequence[int] = DEPTHS, runs: Runs = SMALL_AND_FEW
) -> dict[str, Measure]:
    """Return, for each depth after the first, the difference that its last factor makes."""
    return {
        f"depth {depth} less depth {depth - 1}": _change(end, {"depth": depth}, {"depth": depth - 1}, **runs)
        for depth in depths[1:]
    }


def _steps_of_scale(end: _FinalMeasure) -> dict[str, Measure]:
    return {f"depth {depth}": _change(end, {"scale": 0.001}, {"scale": 1}, **FEW, depth=depth) for depth in DEPTHS[1:]}


def _gain_of_third_factor(entries: int) -> Measure:
    return _change(_reconstruction_error, {"depth": 2}, {"depth": 3}, **SMALL, entries=entries)


def _axis_values(axis: str, **wanted: Any) -> Measure:
    """Measure the values of an axis among the runs of Figure 3 with these axes."""
    return lambda evidence: np.array(evidence.values(_EXPERIMENT, axis, **DYNAMICS, **wanted), dtype=float)


@as_measure
def _error_of_flow(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the largest error of the rates of singular values, divided by the largest rate, in each run."""
    errors = []
    for rows in split_runs(evidence.runs(_EXPERIMENT, **DYNAMICS, depth=depth, scale=SCALES_OF_FLOW)):
        simulated, theory = (
            rows_of(rows, metric).set_index(["step", "index"])["value"]
            for metric in ("singular_value_rate", "theory_singular_value_rate")
        )
        if theory.empty:
            raise NotTestableError("the runs recorded no rates of change of singular values")
        errors.append((simulated - theory).abs().max(skipna=False) / theory.abs().max())
    return np.array(errors)


@as_measure
def _delay_of_fifth(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the delay after which the fifth singular value reaches half of its last value, relative to the first.

    The unit is the first value's time.
    """
    delays = []
    for rows in split_runs(evidence.runs(_EXPERIMENT, **DYNAMICS, depth=depth, scale=0.001)):
        values = by_index(rows_of(rows, "singular_value"))
        if not {0, 4} <= set(values.columns) or len(values) < 3:
            raise NotTestableError("the runs recorded too few singular values")
        first, fifth = ((values[mode] >= values[mode].iloc[-1] / 2).idxmax() for mode in (0, 4))
        delays.append(fifth / first - 1 if first else np.nan)
    return np.array(delays)


def _excess_over_least_norm(depth: int) -> Measure:
    """Measure the final nuclear norm divided by the least one of all matrices with the observed entries, minus 1."""
    end, least = (_end_of(metric)(**SMALL_AND_FEW, depth=depth) for metric in ("nuclear_norm", "least_nuclear_norm"))
    return lambda evidence: ratio(end, least)(evidence) - 1


def _measure_completed_depths(depth: int) -> Measure:
    """Measure the depths of completions from a small start and few entries, among those of this depth."""
    return lambda evidence: np.array(evidence.values(_EXPERIMENT, "depth", **SMALL_AND_FEW, depth=depth), dtype=float)


def _sixth_over_fifth(depth: int) -> Measure:
    """Measure the ratio of the sixth to the fifth singular value at the end."""
    fifth, sixth = (final(_EXPERIMENT, "singular_value", index=index, **SMALL_AND_FEW, depth=depth) for index in (4, 5))
    return ratio(sixth, fifth)
