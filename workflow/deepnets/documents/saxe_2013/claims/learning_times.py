"""What the paper states of deep linear nets on MNIST: learning times, rates, pretraining."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, at_step, difference, extreme, final, ratio, total, updates
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.saxe_2013.correlations import correlation_coefficients, off_diagonal
from workflow.deepnets.documents.saxe_2013.printed import BEST_RATE, STABLE_RATE
from workflow.deepnets.documents.saxe_2013.runs import CURVES, DECOUPLED, DEPTHS, INPUTS
from workflow.deepnets.tables.axes import run_index
from workflow.deepnets.tables.estimates import fit_power_law
from workflow.deepnets.tables.matrices import by_run
from workflow.deepnets.tables.rows import NotRecordedError, require_rows

_EXPERIMENT = "learning_time"
# Depths count matrices: nets of 3, 5, 10, 74 and 100 layers.
_THREE, _FIVE, _TEN, _SEVENTY_FOUR, _HUNDRED = 2, 4, 9, 73, 99
_FROM_TEN = [9, 13, 19, 27, 35, 43, 53, 63, 73, 83, 93, 99]
# Neighbours of the rates that are tried are a factor 16^(1/16) apart.
_BETWEEN_RATES = 2**0.25


def learning_times() -> list[Claim]:
    """Return the claims on learning times, on rates, and on pretraining."""
    return [*_decoupled(), *_rates(), *_inits(), *_pretraining(), *_inputs()]


def _decoupled() -> list[Claim]:
    section = Section("Section 2", "learning_times")
    deepest: Runs = {**DECOUPLED, "depth": _HUNDRED}
    return [
        Section("Section 2, eqs. 13 and 14, in steps").identity(
            "decoupled_modes_are_numbers",
            "A decoupled net moves as its modes do alone: each is one number, a ← a + η(s − aᵐ)aᵐ⁻¹.",
            extreme(_EXPERIMENT, "map_difference", pick="max", **DECOUPLED),
            Every(greatest=1e-10),
            because=(
                "An identity: the losses differ by rounding alone. Up to a hundred products of matrices over hundreds "
                "of updates may take six of float64's sixteen digits."
            ),
        ),
        section.at("eqs. 13 and 14, in steps").identity(
            "times_of_modes",
            "So nets and numbers learn in the same updates, at every depth.",
            difference(_time(DECOUPLED), final(_EXPERIMENT, "map_learning_time", **DECOUPLED)),
            Is(0),
            because="Updates are whole numbers.",
        ),
        section.at("eqs. 14 and 15").identity(
            "continuous_time_at_any_depth",
            "Learning times are those of τ du/dt = (N − 1) u^(2 − 2/(N − 1)) (s − u), with N layers.",
            ratio(_time(DECOUPLED), final(_EXPERIMENT, "theory_learning_time", **DECOUPLED)),
            Every(0.75, 1.25),
            because=(
                "The best rate is nearly the largest that is stable, so that steps are not small, and rates are a "
                "fifth apart: within a quarter, at each depth."
            ),
        ),
        section.at("eqs. 16 and 17").identity(
            "limit_of_infinite_depth",
            "With N → ∞ layers the learning time goes to a finite limit; 100 layers are near it.",
            ratio(_time(deepest), final(_EXPERIMENT, "limit_learning_time", **deepest)),
            Every(0.75, 1.05),
            because=(
                "At 99 matrices the plateau, on which nearly all time goes, is u₀^(2/99) = 0.87 of its limit; a tenth "
                "less for the rest of the way, and a step of 5 % more."
            ),
        ),
        _finite_delay(
            section.at("Figure 4"),
            "times_saturate",
            "Learning times grow with depth ever less, and saturate.",
            DECOUPLED,
        ),
    ]


def _rates() -> list[Claim]:
    section = Section("Appendix D, eqs. 34 to 42, and Figure 4, right", "best_rates")
    best = ratio(
        final(_EXPERIMENT, "best_learning_rate", **DECOUPLED),
        at_step(_EXPERIMENT, "theory_best_learning_rate", 0, **DECOUPLED),
    )
    return [
        section.number(
            "best_rate_is_near_the_edge",
            f"The best rate is {BEST_RATE}/λ₁, with the largest eigenvalue of the Hessian at the optimum.",
            best,
            Every(1 / (1.01 * _BETWEEN_RATES), 1.01 * _BETWEEN_RATES),
            because="Rates are tried at a factor 2^(1/4) of one another: the best is at most one of them away.",
            printed=f"{BEST_RATE}/λ₁",
        ),
        section.bound(
            "best_rate_is_stable",
            f"It stays below {STABLE_RATE}/λ₁, where descent turns unstable.",
            best,
            Every(greatest=STABLE_RATE / BEST_RATE),
            because="Beyond 2/λ₁ no net stays at the optimum: the ratio to 1.9/λ₁ is 1.053 at most, at each depth.",
            printed=f"{STABLE_RATE}/λ₁",
        ),
        section.trend(
            "best_rate_is_inverse_in_layers",
            "The best rate falls as O(1/N) with N layers.",
            _exponent("best_learning_rate", {**DECOUPLED, "depth": _FROM_TEN}),
            Every(-1.1, -0.9),
            because=(
                "The slope of its logarithm over that of the number of matrices, from 10 layers on, of each seed: "
                "the rates that are tried leave 0.07 open."
            ),
        ),
    ]


def _inits() -> list[Claim]:
    section = Section("Section 3, Figure 6A", "learning_times")
    orthogonal, pretrained, gaussian = ({**DEPTHS, "init": init} for init in ("orthogonal", "pretrained", "gaussian"))
    orthogonal_100, gaussian_100, gaussian_10 = (
        _time_or_end({**runs, "depth": depth})
        for runs, depth in ((orthogonal, _HUNDRED), (gaussian, _HUNDRED), (gaussian, _TEN))
    )
    return [
        *(
            section.trend(
                f"{runs['init']}_is_flat",
                f"The learning time of {runs['init']} nets does not depend on depth.",
                _exponent("learning_time", runs),
                Mean(-0.1, 0.1),
                because=(
                    "The slope of its logarithm over that of the number of matrices: to the power 0.1, times grow by a "
                    "half from 3 to 100 layers, where those of a net that learns layer by layer grow fiftyfold."
                ),
            )
            for runs in (orthogonal, pretrained)
        ),
        *(
            _finite_delay(
                section,
                f"{runs['init']}_saturates",
                f"Depth delays the learning of {runs['init']} nets by a finite time.",
                runs,
                revised=(
                    f"added, with the rule of decoupled nets, after the value of {runs['init']}_is_flat had been seen"
                ),
            )
            for runs in (orthogonal, pretrained)
        ),
        section.trend(
            "gaussian_grows",
            "That of Gaussian nets, scaled as Glorot's, grows with depth: at 100 layers against 10.",
            ratio(gaussian_100, gaussian_10),
            Every(least=1.5),
            because=(
                "Each seed is to show it, by more than “flat” allows. A run that has not learned when it ends counts "
                "with its last update, which is too early."
            ),
        ),
        section.ordering(
            "orthogonal_is_as_fast_as_pretrained",
            "Orthogonal nets learn as fast as pretrained ones.",
            ratio(_time(orthogonal), _time(pretrained)),
            Every(0.75, 1.25),
            because="At each depth and seed within a quarter: rates are a fifth apart, and times are few updates.",
        ),
        section.ordering(
            "orthogonal_beats_gaussian",
            "At 100 layers orthogonal nets learn sooner than Gaussian ones.",
            difference(gaussian_100, orthogonal_100),
            Every(least=1),
            because="By an update at least, in each seed; a Gaussian net that has not learned counts with its last.",
        ),
    ]


def _pretraining() -> list[Claim]:
    section = Section("Section 2.1, Figure 5, right", "learning_curves")
    random = _time_or_end({**CURVES, "init": "small_gaussian"})
    runs: Runs = {**CURVES, "init": "pretrained"}
    gain = difference(random, _time(runs))
    because = "Each seed is to show it. A net that has not learned when its run ends counts with its last update."
    return [
        section.ordering(
            "pretraining_speeds_learning",
            "A pretrained net of five layers learns sooner than one from small random weights.",
            gain,
            Every(least=1),
            because=because,
        ),
        section.ordering(
            "pretraining_pays",
            "It does even if the delay by the updates of its pretraining is counted.",
            # Layers are pretrained one after the other.
            difference(gain, total(_EXPERIMENT, "pretraining_updates", **runs)),
            Every(least=1),
            because=because,
        ),
    ]


def _inputs() -> list[Claim]:
    section = Section("Section 2.1, Figure 5, left and centre", "consistency_of_inputs", needs_full_mnist=True)
    return [
        section.bound(
            "rotated_inputs_are_nearly_diagonal",
            "Rotated to the modes of the task, the inputs' correlations Σ¹¹ are nearly diagonal.",
            _off_diagonal("mode_correlation"),
            Every(greatest=0.25),
            because=(
                "The root mean square of the correlations off the diagonal, of raw images: a quarter is a sixteenth "
                "of the variance, hardly seen in a picture."
            ),
        ),
        section.ordering(
            "pixels_are_not",
            "Before, they are far from it.",
            ratio(_off_diagonal("pixel_correlation"), _off_diagonal("mode_correlation")),
            Every(least=1.5),
            because="Ten neighbouring pixels correlate more than the ten modes do, clearly: by a half.",
        ),
    ]


def _finite_delay(section: Section, name: str, statement: str, runs: Runs, *, revised: str = "") -> Claim:
    return section.trend(
        name,
        statement,
        ratio(_slope_between(_SEVENTY_FOUR, _HUNDRED, runs), _slope_between(_THREE, _FIVE, runs)),
        Every(greatest=0.1),
        because="A layer adds, at 74 to 100 layers, less than a tenth of what it adds at 3 to 5.",
        revised=revised,
    )


def _time(runs: Runs) -> Measure:
    return final(_EXPERIMENT, "learning_time", **runs)


@as_measure
def _time_or_end(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure learning times, and the last update of runs that have not learned."""
    last = updates(_EXPERIMENT, "train_loss", **runs)(evidence)
    try:
        times = _time(runs)(evidence)
    except NotRecordedError:
        # None of them has learned.
        return last
    return np.where(np.isnan(times), last, times)


def _slope_between(shallow: int, deep: int, runs: Runs) -> Measure:
    """Measure by how much the learning time grows with a layer between two depths."""
    growth = difference(_time({**runs, "depth": deep}), _time({**runs, "depth": shallow}))
    return lambda evidence: growth(evidence) / (deep - shallow)


@as_measure
def _exponent(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Measure the exponent of a metric as a power of depth, for each width and seed."""
    runs = evidence.runs(_EXPERIMENT, **wanted)
    depths, nets = sorted(runs["depth"].unique()), run_index(runs.drop(columns="depth"))
    if len(depths) < 2:
        raise NotTestableError(f"the config asks for one depth of {_EXPERIMENT} only, which has no trend")
    values = by_run(require_rows(runs, metric), down="depth").reindex(index=depths, columns=nets)
    return fit_power_law(depths, values)[0]


@as_measure
def _off_diagonal(evidence: Evidence, metric: str) -> np.ndarray:
    """Measure the root mean square of the correlation coefficients off the diagonal."""
    coefficients = correlation_coefficients(evidence.runs("input_correlations", **INPUTS), metric)
    return np.array([np.sqrt(np.mean(off_diagonal(coefficients) ** 2))])
