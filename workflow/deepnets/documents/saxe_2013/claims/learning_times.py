"""Claims on deep linear nets on MNIST whose modes start decoupled: learning times and rates."""

import math

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, at_step, difference, extreme, final, ratio, reduce_values
from workflow.deepnets.claims.section import Runs, Section, combine_parts
from workflow.deepnets.documents.saxe_2013.claims.measures import (
    EXPERIMENT,
    measure_time,
    read_by_depth,
    slope_between,
    with_layers,
)
from workflow.deepnets.documents.saxe_2013.printed import LAYERS
from workflow.deepnets.documents.saxe_2013.runs import DECOUPLED
from workflow.deepnets.tables.estimates import fit_power_law

# The ratio of neighbouring rates: 17 rates cover a factor of 16.
_BETWEEN_RATES = 2**0.25
# The paper states the law of the best rate “for large N”: we test it from so many layers on.
_MANY_LAYERS = 10
# The resolution of an exponent between 10 and 100 layers, if the rates at both ends are off by one.
_RESOLUTION = 2 * math.log(_BETWEEN_RATES) / math.log(LAYERS[-1] / _MANY_LAYERS)
_HUNDRED: Runs = with_layers(DECOUPLED, 100)
# A second initial strength, ten times as large.
_STRONGER = 0.01


def learning_times() -> list[Claim]:
    """Return the claims on learning times, then on rates."""
    return [*_claim_discrete_time(), *_claim_continuous_time(), *_claim_rates()]


def _claim_discrete_time() -> list[Claim]:
    section = Section("Section 2, eqs. 13 and 14, in steps", "learning_times")
    return [
        section.identity(
            "decoupled_modes_are_numbers",
            "The modes of a decoupled net of any depth evolve independently: with m matrices, each mode is one number "
            "a with a ← a + η(s − aᵐ)aᵐ⁻¹.",
            *combine_parts(
                {
                    "difference of losses": (
                        extreme(EXPERIMENT, "map_difference", pick="max", **DECOUPLED),
                        Every(greatest=1e-10),
                    ),
                    "difference of learning times, updates": (
                        difference(measure_time(DECOUPLED), final(EXPERIMENT, "map_learning_time", **DECOUPLED)),
                        Is(0),
                    ),
                }
            ),
            revised="two claims on losses and learning times are one",
            quantity="largest difference between a net and its numbers a",
            because=(
                "Losses differ only by rounding: a hundred products of matrices over hundreds of updates may cost six "
                "of float64's sixteen digits. Learning times are integers and must be equal."
            ),
        )
    ]


def _claim_continuous_time() -> list[Claim]:
    section = Section("Section 2", "learning_times")
    delays = (
        difference(measure_time(with_layers(runs, 100)), measure_time(with_layers(runs, 3)))
        for runs in (DECOUPLED, {**DECOUPLED, "initial_strength": _STRONGER})
    )
    return [
        section.at("eqs. 14 and 15")
        .of("learning time minus theory's, updates")
        .bound(
            "continuous_time_at_any_depth",
            "For any number N of layers, learning times follow from τ du/dt = (N − 1) u^(2 − 2/(N − 1)) (s − u).",
            difference(measure_time(DECOUPLED), final(EXPERIMENT, "theory_learning_time", **DECOUPLED)),
            Every(-3, 3),
            because=(
                "We allow three updates at each depth, of 6 to 262: one for rounding up, and two because the last "
                "steps at the best rate are not small."
            ),
            revised=(
                "a quarter of the time was allowed, which three layers passed by 0.006 and 100 layers could not fail"
            ),
        ),
        section.at("eqs. 16 and 17, appendix B.1")
        .of("learning time at 100 layers divided by that of infinitely many layers")
        .bound(
            "limit_of_infinite_depth",
            "For N → ∞ layers, the learning time has a finite limit, which nets of 100 layers nearly reach.",
            ratio(measure_time(_HUNDRED), final(EXPERIMENT, "limit_learning_time", **_HUNDRED)),
            Every(0.75, 1.05),
            because=(
                "The plateau takes nearly all of the time. With 99 matrices, it is u₀^(2/99) = 0.87 of its limit. We "
                "allow a tenth less for the rest of the learning, and 5 % more for discrete steps."
            ),
        ),
        section.at("Figure 4, left")
        .of("updates that a layer adds at 74 to 100 layers divided by those at 3 to 5")
        .trend(
            "times_saturate",
            "Learning times saturate as depth grows: very deep nets need only a finite time more than shallow nets.",
            ratio(slope_between(74, 100, DECOUPLED), slope_between(3, 5, DECOUPLED)),
            Every(0, 0.1),
            because="From 74 to 100 layers, a layer adds less than a tenth of the updates that it adds from 3 to 5.",
            main="the abstract calls this “the surprising finding”",
            revised="times that fall with depth also passed",
        ),
        section.at("end")
        .of("delay of 100 layers against 3 from u₀ = 0.001 divided by that from 0.01")
        .trend(
            "delay_is_inverse_in_the_start",
            "The delay by depth is inversely proportional to the initial strength: with ten times the strength, the "
            "delay is a tenth.",
            _need_stronger_start(ratio(*delays)),
            Every(8, 12.5),
            because="The exponent of the delay as a power of the strength is −1 ± 0.1.",
        ),
    ]


def _claim_rates() -> list[Claim]:
    section = Section("Section 2, Figure 4, right, and appendix B, eqs. 41 and 42", "best_rates")
    best = ratio(
        final(EXPERIMENT, "best_learning_rate", **DECOUPLED),
        at_step(EXPERIMENT, "theory_best_learning_rate", 0, **DECOUPLED),
    )
    large = {**DECOUPLED, "depth": [layers - 1 for layers in LAYERS if layers >= _MANY_LAYERS]}
    return [
        section.of("largest product of best rate and λ₁ divided by the smallest, among all depths").bound(
            "best_rate_is_inverse_in_curvature",
            "The best learning rate is proportional to 1/λ₁, where λ₁ is the largest eigenvalue of the Hessian at the "
            "optimum.",
            reduce_values(best, lambda ratios: ratios.max() / ratios.min()),
            Every(1, 1.01 * _BETWEEN_RATES),
            because=(
                "We try rates from 1/8 to 2 times 1.9/λ₁, each 1.19 times the rate before. From 3 to 100 layers, the "
                "best rate may differ by one of these steps. It is the last rate below 2/λ₁, where gradient descent "
                "becomes unstable, so that the factor is known to a fifth."
            ),
            revised=(
                "the rate was compared with 1.9/λ₁ and bounded by 2/λ₁, which the paper does not state: it leaves the "
                "factor open"
            ),
        ),
        section.of("exponent of the best rate as a power of the number of layers").trend(
            "best_rate_is_inverse_in_layers",
            "The best learning rate scales as O(1/N) with the number N of layers.",
            _exponent_over_layers("best_learning_rate", large),
            Every(-1 - _RESOLUTION, -1 + _RESOLUTION),
            because=(
                "We fit the exponent from 10 to 100 layers, in each seed. If the rates at both ends are off by one "
                "step, the exponent is off by 0.15. Our rates are centred on theory's 1/λ₁, whose exponent is −0.94 in "
                "this range. At each depth they include a constant rate: a best rate that does not fall would be "
                "found."
            ),
            revised=(
                "the allowed 0.1 was less than the grid of rates resolves, the number of matrices stood for that of "
                "layers, and it passed by 0.0004"
            ),
        ),
    ]


def _need_stronger_start(measure: Measure) -> Measure:
    """Add a message about missing runs to a measure."""

    def measure_or_explain(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotTestableError:
            raise NotTestableError(
                f"needs decoupled nets with the initial strength {_STRONGER} too, which no config contains"
            ) from None

    return measure_or_explain


@as_measure
def _exponent_over_layers(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Measure the exponent of a metric as a power of the number of layers, for each net."""
    values = read_by_depth(evidence, metric, wanted)
    if len(values) < 2:
        raise NotTestableError(f"the config contains only one depth of {EXPERIMENT}; a trend needs two")
    return fit_power_law(values.index.to_numpy() + 1, values)[0]
