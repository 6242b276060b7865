"""Claims on deep linear nets on MNIST whose modes start decoupled: learning times and rates."""

import math

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Is
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, at_step, difference, extreme, final, ratio, reduce_values
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.claims.measures import (
    EXPERIMENT,
    measure_time,
    read_by_depth,
    slope_between,
    with_layers,
)
from deepnets.documents.saxe_2013.printed import LAYERS
from deepnets.documents.saxe_2013.runs import DECOUPLED
from deepnets.tables.estimates import fit_power_law

# The ratio of neighbouring rates: 17 rates cover a factor of 16.
_BETWEEN_RATES = 2**0.25
# The paper states its law of the best rate “for large N”. We test the law from this number of layers on.
_MANY_LAYERS = 10
# The largest error of an exponent fitted between 10 and 100 layers, if the rates at both ends are wrong by one step.
_RESOLUTION = 2 * math.log(_BETWEEN_RATES) / math.log(LAYERS[-1] / _MANY_LAYERS)
_HUNDRED: Runs = with_layers(DECOUPLED, 100)
# A second initial strength, ten times as large.
_STRONGER = 0.01


def learning_times() -> list[Claim]:
    """Return the claims on learning times, then those on rates."""
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
            quantity="largest difference between a net and gradient descent on its numbers a",
            because=(
                "Losses differ only by rounding: with a hundred matrix products in each of hundreds of updates, six "
                "of float64's sixteen digits may be lost. Learning times are integers and must be equal."
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
        .of("our learning time minus that of theory, in updates")
        .bound(
            "continuous_time_at_any_depth",
            "For any number N of layers, learning times follow from τ du/dt = (N − 1) u^(2 − 2/(N − 1)) (s − u).",
            difference(measure_time(DECOUPLED), final(EXPERIMENT, "theory_learning_time", **DECOUPLED)),
            Every(-3, 3),
            because=(
                "Learning times are 6 to 262 updates. At each depth, they may differ from theory by three updates: "
                "one because times are rounded up, and two because the last steps at the best rate are not small."
            ),
            revised=(
                "a quarter of the time was allowed; three layers passed with a margin of 0.006, and 100 layers could "
                "not fail"
            ),
        ),
        section.at("eqs. 16 and 17, appendix B.1")
        .of("learning time at 100 layers divided by theory's learning time for infinitely many layers")
        .bound(
            "limit_of_infinite_depth",
            "For N → ∞ layers, the learning time has a finite limit, which nets of 100 layers nearly reach.",
            ratio(measure_time(_HUNDRED), final(EXPERIMENT, "limit_learning_time", **_HUNDRED)),
            Every(0.75, 1.05),
            because=(
                "The plateau takes nearly all of the time. With 99 matrices, the plateau's length is u₀^(2/99) = "
                "0.87 of its limit. The ratio may be a tenth smaller because of the learning after the plateau, and "
                "up to 1.05 because steps are discrete."
            ),
        ),
        section.at("Figure 4, left")
        .of("updates added per layer between 74 and 100 layers, divided by updates added per layer between 3 and 5")
        .trend(
            "times_saturate",
            "Learning times saturate as depth grows: very deep nets need only a finite time more than shallow nets.",
            ratio(slope_between(74, 100, DECOUPLED), slope_between(3, 5, DECOUPLED)),
            Every(0, 0.1),
            because=(
                "From 74 to 100 layers, each layer adds less than a tenth of the updates that each layer adds from 3 "
                "to 5."
            ),
            main="the abstract calls this “the surprising finding”",
            revised="times that fall with depth also passed",
        ),
        section.at("end")
        .of("delay of 100 layers relative to 3 layers, from u₀ = 0.001, divided by the same delay from u₀ = 0.01")
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
        section.of("largest product of best rate and λ₁ at any depth, divided by the smallest").bound(
            "best_rate_is_inverse_in_curvature",
            "The best learning rate is proportional to 1/λ₁, where λ₁ is the largest eigenvalue of the Hessian at the "
            "optimum.",
            reduce_values(best, lambda ratios: ratios.max() / ratios.min()),
            Every(1, 1.01 * _BETWEEN_RATES),
            because=(
                "We try rates from 1/8 to 2 times 1.9/λ₁, each 1.19 times the previous rate. From 3 to 100 layers, "
                "the product may vary by one of these steps. The best rate is the last tried rate below 2/λ₁, where "
                "gradient descent becomes unstable. The factor is therefore known only up to a fifth."
            ),
            revised=("the rate was compared with 1.9/λ₁ and bounded by 2/λ₁, but the paper does not state the factor"),
        ),
        section.of("exponent of the best rate as a power of the number of layers").trend(
            "best_rate_is_inverse_in_layers",
            "The best learning rate scales as O(1/N) with the number N of layers.",
            _exponent_over_layers("best_learning_rate", large),
            Every(-1 - _RESOLUTION, -1 + _RESOLUTION),
            because=(
                "The exponent is fitted from 10 to 100 layers, in each seed. If the rates at both ends are wrong by "
                "one step, the exponent is wrong by 0.15. The tried rates are centred on theory's 1/λ₁, whose "
                "exponent is −0.94 in this range. The ranges of tried rates at all of these depths overlap: a best "
                "rate that does not fall with depth would be found."
            ),
            revised=(
                "the allowed error of 0.1 was smaller than the resolution of the grid of rates, matrices were "
                "counted instead of layers, and the claim passed with a margin of 0.0004"
            ),
        ),
    ]


def _need_stronger_start(measure: Measure) -> Measure:
    """Return a measure that says which runs are missing if the given measure cannot be computed."""

    def measure_or_explain(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotTestableError:
            raise NotTestableError(
                f"also needs decoupled nets with the initial strength {_STRONGER}; no config contains such nets"
            ) from None

    return measure_or_explain


@as_measure
def _exponent_over_layers(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Measure the exponent of a metric as a power of the number of layers, for each net."""
    values = read_by_depth(evidence, metric, wanted)
    if len(values) < 2:
        raise NotTestableError(f"the config contains only one depth of {EXPERIMENT}; a trend needs two")
    return fit_power_law(values.index.to_numpy() + 1, values)[0]
