"""What Saxe, McClelland and Ganguli 2013 state of deep linear nets on MNIST: learning times, rates, pretraining."""

from dataclasses import replace

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Is, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import at_step, difference, extreme, final, ratio, total, updates
from workflow.deepnets.claims.rows import rows_of
from workflow.deepnets.tables.rows import NotRecordedError

_EXPERIMENT = "learning_time"
# Shorter runs than the config's and than those of the paper's size would not have learned.
_LEARNED = {"threshold": 0.01, "max_steps": [1700, 20_000]}
_RUNS = {**_LEARNED, "block": "depths"}
_RATES = {"rates": {"lowest": 0.125, "highest": 2, "count": 17, "lag": None}}
_DECOUPLED = {**_RUNS, **_RATES, "init": "decoupled", "initial_strength": 0.001}
_CURVES = {**_LEARNED, "block": "learning_curves", "depth": 4, "deviation": 0.01}
# Depths count matrices: nets of 3, 5, 10, 74 and 100 layers.
_THREE, _FIVE, _TEN, _SEVENTY_FOUR, _HUNDRED = 2, 4, 9, 73, 99
# Neighbours of the rates that are tried are a factor 16^(1/16) apart.
_BETWEEN_RATES = 2**0.25
_STABLE = 2 / 1.9


def learning_times() -> list[Claim]:
    """Return the claims on learning times, on rates, and on pretraining."""
    return [*_decoupled(), *_rates(), *_inits(), *_pretraining(), *_inputs()]


def _decoupled() -> list[Claim]:
    place = "Section 2, Figure 4"
    return [
        Claim(
            name="decoupled_modes_are_numbers",
            place="Section 2, eqs. 13 and 14, in steps",
            kind="formula",
            statement="A decoupled net moves as its modes do alone: each is one number, a ← a + η(s − aᵐ)aᵐ⁻¹.",
            measure=extreme(_EXPERIMENT, "map_difference", pick="max", **_DECOUPLED),
            rule=Every(greatest=1e-10),
            because=(
                "An identity: the losses differ by rounding alone. Up to a hundred products of matrices over hundreds "
                "of updates may take six of float64's sixteen digits."
            ),
        ),
        Claim(
            name="times_of_modes",
            place="Section 2, eqs. 13 and 14, in steps",
            figure="learning_times",
            kind="formula",
            statement="So nets and numbers learn in the same updates, at every depth.",
            measure=difference(
                final(_EXPERIMENT, "learning_time", **_DECOUPLED), final(_EXPERIMENT, "map_learning_time", **_DECOUPLED)
            ),
            rule=Is(0),
            because="Updates are whole numbers.",
        ),
        Claim(
            name="continuous_time_at_any_depth",
            place="Section 2, eqs. 14 and 15",
            figure="learning_times",
            kind="formula",
            statement="Learning times are those of τ du/dt = (N − 1) u^(2 − 2/(N − 1)) (s − u), with N layers.",
            measure=ratio(
                final(_EXPERIMENT, "learning_time", **_DECOUPLED),
                final(_EXPERIMENT, "theory_learning_time", **_DECOUPLED),
            ),
            rule=Every(0.75, 1.25),
            because=(
                "The best rate is nearly the largest that is stable, so that steps are not small, and rates are a "
                "fifth apart: within a quarter, at each depth."
            ),
        ),
        Claim(
            name="limit_of_infinite_depth",
            place="Section 2, eqs. 16 and 17",
            figure="learning_times",
            kind="formula",
            statement="With N → ∞ layers the learning time goes to a finite limit; 100 layers are near it.",
            measure=ratio(
                final(_EXPERIMENT, "learning_time", **_DECOUPLED, depth=_HUNDRED),
                final(_EXPERIMENT, "limit_learning_time", **_DECOUPLED, depth=_HUNDRED),
            ),
            rule=Every(0.75, 1.05),
            because=(
                "At 99 matrices the plateau, on which nearly all time goes, is u₀^(2/99) = 0.87 of its limit; a tenth "
                "less for the rest of the way, and a step of 5 % more."
            ),
        ),
        *shown_in(
            "learning_times",
            [
                _finite_delay(
                    "times_saturate", place, "Learning times grow with depth ever less, and saturate.", _DECOUPLED
                )
            ],
        ),
    ]


def _rates() -> list[Claim]:
    place = "Appendix D, eqs. 34 to 42, and Figure 4, right"
    best = ratio(
        final(_EXPERIMENT, "best_learning_rate", **_DECOUPLED),
        at_step(_EXPERIMENT, "theory_best_learning_rate", 0, **_DECOUPLED),
    )
    claims = [
        Claim(
            name="best_rate_is_near_the_edge",
            place=place,
            kind="number",
            statement="The best rate is 1.9/λ₁, with the largest eigenvalue of the Hessian at the optimum.",
            printed="1.9/λ₁",
            measure=best,
            rule=Every(1 / (1.01 * _BETWEEN_RATES), 1.01 * _BETWEEN_RATES),
            because="Rates are tried at a factor 2^(1/4) of one another: the best is at most one of them away.",
        ),
        Claim(
            name="best_rate_is_stable",
            place=place,
            kind="bound",
            statement="It stays below 2/λ₁, where descent turns unstable.",
            printed="2/λ₁",
            measure=best,
            rule=Every(greatest=_STABLE),
            because="Beyond 2/λ₁ no net stays at the optimum: the ratio to 1.9/λ₁ is 1.053 at most, at each depth.",
        ),
        Claim(
            name="best_rate_is_inverse_in_layers",
            place=place,
            kind="trend",
            statement="The best rate falls as O(1/N) with N layers.",
            measure=_exponent(
                "best_learning_rate", **_DECOUPLED, depth=[9, 13, 19, 27, 35, 43, 53, 63, 73, 83, 93, 99]
            ),
            rule=Every(-1.1, -0.9),
            because=(
                "The slope of its logarithm over that of the number of matrices, from 10 layers on, of each seed: "
                "the rates that are tried leave 0.07 open."
            ),
        ),
    ]
    return shown_in("best_rates", claims)


def _inits() -> list[Claim]:
    place = "Section 3, Figure 6A"
    claims = [
        *(
            Claim(
                name=f"{init}_is_flat",
                place=place,
                kind="trend",
                statement=f"The learning time of {init} nets does not depend on depth.",
                measure=_exponent("learning_time", **_RUNS, init=init),
                rule=Mean(-0.1, 0.1),
                because=(
                    "The slope of its logarithm over that of the number of matrices: to the power 0.1, times grow by a "
                    "half from 3 to 100 layers, where those of a net that learns layer by layer grow fiftyfold."
                ),
            )
            for init in ("orthogonal", "pretrained")
        ),
        *(
            replace(
                _finite_delay(
                    f"{init}_saturates",
                    place,
                    f"Depth delays the learning of {init} nets by a finite time.",
                    {**_RUNS, "init": init},
                ),
                revised=f"added, with the rule of decoupled nets, after the value of {init}_is_flat had been seen",
            )
            for init in ("orthogonal", "pretrained")
        ),
        Claim(
            name="gaussian_grows",
            place=place,
            kind="trend",
            statement="That of Gaussian nets, scaled as Glorot's, grows with depth: at 100 layers against 10.",
            measure=ratio(_times("gaussian", _HUNDRED), _times("gaussian", _TEN)),
            rule=Every(least=1.5),
            because=(
                "Each seed is to show it, by more than “flat” allows. A run that has not learned when it ends counts "
                "with its last update, which is too early."
            ),
        ),
        Claim(
            name="orthogonal_is_as_fast_as_pretrained",
            place=place,
            kind="ordering",
            statement="Orthogonal nets learn as fast as pretrained ones.",
            measure=ratio(
                final(_EXPERIMENT, "learning_time", **_RUNS, init="orthogonal"),
                final(_EXPERIMENT, "learning_time", **_RUNS, init="pretrained"),
            ),
            rule=Every(0.75, 1.25),
            because="At each depth and seed within a quarter: rates are a fifth apart, and times are few updates.",
        ),
        Claim(
            name="orthogonal_beats_gaussian",
            place=place,
            kind="ordering",
            statement="At 100 layers orthogonal nets learn sooner than Gaussian ones.",
            measure=difference(_times("gaussian", _HUNDRED), _times("orthogonal", _HUNDRED)),
            rule=Every(least=1),
            because="By an update at least, in each seed; a Gaussian net that has not learned counts with its last.",
        ),
    ]
    return shown_in("learning_times", claims)


def _pretraining() -> list[Claim]:
    place = "Section 2.1, Figure 5, right"
    pretrained = final(_EXPERIMENT, "learning_time", **_CURVES, init="pretrained")
    # Layers are pretrained one after the other.
    pretraining = total(_EXPERIMENT, "pretraining_updates", **_CURVES, init="pretrained")
    because = "Each seed is to show it. A net that has not learned when its run ends counts with its last update."
    claims = [
        Claim(
            name="pretraining_speeds_learning",
            place=place,
            kind="ordering",
            statement="A pretrained net of five layers learns sooner than one from small random weights.",
            measure=difference(_times("small_gaussian", **_CURVES), pretrained),
            rule=Every(least=1),
            because=because,
        ),
        Claim(
            name="pretraining_pays",
            place=place,
            kind="ordering",
            statement="It does even if the delay by the updates of its pretraining is counted.",
            measure=difference(
                _times("small_gaussian", **_CURVES),
                lambda evidence: pretrained(evidence) + pretraining(evidence),
            ),
            rule=Every(least=1),
            because=because,
        ),
    ]
    return shown_in("learning_curves", claims)


def _inputs() -> list[Claim]:
    place = "Section 2.1, Figure 5, left and centre"
    claims = [
        Claim(
            name="rotated_inputs_are_nearly_diagonal",
            place=place,
            kind="bound",
            statement="Rotated to the modes of the task, the inputs' correlations Σ¹¹ are nearly diagonal.",
            measure=_off_diagonal("mode_correlation"),
            rule=Every(greatest=0.25),
            because=(
                "The root mean square of the correlations off the diagonal, of raw images: a quarter is a sixteenth "
                "of the variance, hardly seen in a picture."
            ),
            needs_full_mnist=True,
        ),
        Claim(
            name="pixels_are_not",
            place=place,
            kind="ordering",
            statement="Before, they are far from it.",
            measure=ratio(_off_diagonal("pixel_correlation"), _off_diagonal("mode_correlation")),
            rule=Every(least=1.5),
            because="Ten neighbouring pixels correlate more than the ten modes do, clearly: by a half.",
            needs_full_mnist=True,
        ),
    ]
    return shown_in("consistency_of_inputs", claims)


def _times(init: str, depth: int = 4, **wanted: object) -> Measure:
    """Measure learning times, of runs that have not learned the last update."""
    runs = {**_RUNS, "init": init, "depth": depth, **wanted}

    def measured(evidence: Evidence) -> np.ndarray:
        last = updates(_EXPERIMENT, "train_loss", **runs)(evidence)
        try:
            times = final(_EXPERIMENT, "learning_time", **runs)(evidence)
        except NotRecordedError:
            # None of them has learned.
            return last
        return np.where(np.isnan(times), last, times)

    return measured


def _finite_delay(name: str, place: str, statement: str, runs: dict[str, object]) -> Claim:
    return Claim(
        name=name,
        place=place,
        kind="trend",
        statement=statement,
        measure=ratio(_slope_between(_SEVENTY_FOUR, _HUNDRED, runs), _slope_between(_THREE, _FIVE, runs)),
        rule=Every(greatest=0.1),
        because="A layer adds, at 74 to 100 layers, less than a tenth of what it adds at 3 to 5.",
    )


def _slope_between(shallow: int, deep: int, runs: dict[str, object]) -> Measure:
    """Measure by how much the learning time grows with a layer between two depths."""
    times = (final(_EXPERIMENT, "learning_time", **runs, depth=depth) for depth in (deep, shallow))
    growth = difference(*times)
    return lambda evidence: growth(evidence) / (deep - shallow)


def _exponent(metric: str, **wanted: object) -> Measure:
    """Measure the slope of the logarithm of a metric over that of depth, for each width and seed."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs(_EXPERIMENT, **wanted)
        nets = ["width", "seed"]
        every = pd.MultiIndex.from_frame(runs[nets].drop_duplicates())
        found = rows_of(runs, metric).set_index(["depth", *nets])["value"].unstack(nets)
        values = found.reindex(index=sorted(runs["depth"].unique()), columns=every)
        if len(values) < 2:
            raise NotTestableError(f"the config asks for one depth of {_EXPERIMENT} only, which has no trend")
        return np.polyfit(np.log(values.index.to_numpy(float)), np.log(values.to_numpy()), 1)[0]

    return measured


def _off_diagonal(metric: str) -> Measure:
    """Measure the root mean square of the correlation coefficients off the diagonal of a recorded matrix."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("input_correlations", images=50_000)
        rows = rows_of(runs[runs["seed"] == runs["seed"].min()], metric).sort_values("index")
        matrix = rows["value"].to_numpy().reshape(round(len(rows) ** 0.5), -1)
        scales = np.sqrt(np.diag(matrix))
        coefficients = matrix / np.outer(scales, scales)
        return np.array([np.sqrt(np.mean(coefficients[~np.eye(len(matrix), dtype=bool)] ** 2))])

    return measured
