"""What the paper states of deep linear nets on MNIST whose modes start decoupled: learning times and rates."""

import math

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, at_step, difference, extreme, final, ratio, reduced
from workflow.deepnets.claims.section import Runs, Section, in_parts
from workflow.deepnets.documents.saxe_2013.claims.measures import EXPERIMENT, by_depth, slope_between, time, with_layers
from workflow.deepnets.documents.saxe_2013.printed import LAYERS
from workflow.deepnets.documents.saxe_2013.runs import DECOUPLED
from workflow.deepnets.tables.estimates import fit_power_law

# Neighbours of the rates that are tried are a factor 16^(1/16) apart.
_BETWEEN_RATES = 2**0.25
# From here on the paper's law of the best rate is tested: “for large N”.
_MANY_LAYERS = 10
# What rates that far apart leave open of an exponent between 10 and 100 layers, if both ends are off by one.
_OPEN = 2 * math.log(_BETWEEN_RATES) / math.log(LAYERS[-1] / _MANY_LAYERS)
_HUNDRED: Runs = with_layers(DECOUPLED, 100)
# A second start, ten times as strong.
_STRONGER = 0.01


def learning_times() -> list[Claim]:
    """Return the claims on nets whose modes start decoupled: learning times, then rates."""
    return [*_discrete_time(), *_continuous_time(), *_rates()]


def _discrete_time() -> list[Claim]:
    section = Section("Section 2, eqs. 13 and 14, in steps", "learning_times")
    return [
        section.identity(
            "decoupled_modes_are_numbers",
            "The modes of a decoupled net of any depth evolve independently: each is one number, "
            "a ← a + η(s − aᵐ)aᵐ⁻¹ with m matrices.",
            *in_parts(
                {
                    "difference of losses": (
                        extreme(EXPERIMENT, "map_difference", pick="max", **DECOUPLED),
                        Every(greatest=1e-10),
                    ),
                    "difference of learning times, updates": (
                        difference(time(DECOUPLED), final(EXPERIMENT, "map_learning_time", **DECOUPLED)),
                        Is(0),
                    ),
                }
            ),
            revised="two claims on losses and learning times are one",
            quantity="largest difference of a net and its number",
            because=(
                "Losses differ by rounding only: a hundred products of matrices over hundreds of updates may take six "
                "of float64's sixteen digits. Learning times are whole numbers."
            ),
        )
    ]


def _continuous_time() -> list[Claim]:
    section = Section("Section 2", "learning_times")
    delays = (
        difference(time(with_layers(runs, 100)), time(with_layers(runs, 3)))
        for runs in (DECOUPLED, {**DECOUPLED, "initial_strength": _STRONGER})
    )
    return [
        section.at("eqs. 14 and 15")
        .of("learning time minus theory's, updates")
        .bound(
            "continuous_time_at_any_depth",
            "Learning times are those of τ du/dt = (N − 1) u^(2 − 2/(N − 1)) (s − u), for any number N of layers.",
            difference(time(DECOUPLED), final(EXPERIMENT, "theory_learning_time", **DECOUPLED)),
            Every(-3, 3),
            because=(
                "Within three updates at each depth, of 6 to 262: one for rounding up, and two as the last steps, at "
                "the best rate, are not small."
            ),
            revised=(
                "a quarter of the time was allowed, which three layers passed by 0.006 and 100 layers could not fail"
            ),
        ),
        section.at("eqs. 16 and 17, appendix B.1")
        .of("learning time at 100 layers over that of infinitely many")
        .bound(
            "limit_of_infinite_depth",
            "With N → ∞ layers the learning time goes to a finite limit, which nets of 100 layers have nearly reached.",
            ratio(time(_HUNDRED), final(EXPERIMENT, "limit_learning_time", **_HUNDRED)),
            Every(0.75, 1.05),
            because=(
                "At 99 matrices the plateau, which takes nearly all of the time, is u₀^(2/99) = 0.87 of its limit. The "
                "rest of the way takes a tenth less, a step 5 % more."
            ),
        ),
        section.at("Figure 4, left")
        .of("updates that a layer adds at 74 to 100 layers over those at 3 to 5")
        .trend(
            "times_saturate",
            "Learning times saturate as depth grows: very deep nets are only a finite time slower than shallow ones.",
            ratio(slope_between(74, 100, DECOUPLED), slope_between(3, 5, DECOUPLED)),
            Every(0, 0.1),
            because="At 74 to 100 layers, a layer adds less than a tenth of what it adds at 3 to 5.",
            main="the abstract calls this “the surprising finding”",
            revised="times that fall with depth also passed",
        ),
        section.at("end")
        .of("delay of 100 layers against 3 from u₀ = 0.001 over that from 0.01")
        .trend(
            "delay_is_inverse_in_the_start",
            "The delay by depth scales inversely with the initial strength: from a strength ten times as large it is "
            "a tenth.",
            _with_stronger_start(ratio(*delays)),
            Every(8, 12.5),
            because="The exponent is −1 to within 0.1.",
        ),
    ]


def _rates() -> list[Claim]:
    section = Section("Section 2, Figure 4, right, and appendix B, eqs. 41 and 42", "best_rates")
    best = ratio(
        final(EXPERIMENT, "best_learning_rate", **DECOUPLED),
        at_step(EXPERIMENT, "theory_best_learning_rate", 0, **DECOUPLED),
    )
    large = {**DECOUPLED, "depth": [layers - 1 for layers in LAYERS if layers >= _MANY_LAYERS]}
    return [
        section.of("largest over smallest product of best rate and λ₁, over depths").bound(
            "best_rate_is_inverse_in_curvature",
            "The best rate is proportional to 1/λ₁, where λ₁ is the largest eigenvalue of the Hessian at the optimum.",
            reduced(best, lambda ratios: ratios.max() / ratios.min()),
            Every(1, 1.01 * _BETWEEN_RATES),
            because=(
                "Rates from 1/8 to 2 times 1.9/λ₁ are tried, each 1.19 times the one before: the factor may differ by "
                "one of them between 3 and 100 layers. The best one is the last below 2/λ₁, where descent turns "
                "unstable: the factor is known to a fifth."
            ),
            revised=(
                "the rate was compared with 1.9/λ₁ and bounded by 2/λ₁, which the paper does not state: it leaves the "
                "factor open"
            ),
        ),
        section.of("exponent of the best rate as a power of the number of layers").trend(
            "best_rate_is_inverse_in_layers",
            "The best rate scales as O(1/N) with N layers.",
            _exponent("best_learning_rate", large),
            Every(-1 - _OPEN, -1 + _OPEN),
            because=(
                "From 10 to 100 layers, in each seed. The rates that are tried leave 0.15 open, if both ends are off "
                "by one of them. They are centred on theory's 1/λ₁, whose own exponent is −0.94 there; a rate that "
                "does not fall at all is among those tried at each of these depths, and would be found."
            ),
            revised=(
                "the allowed 0.1 was less than the grid of rates resolves, the number of matrices stood for that of "
                "layers, and it passed by 0.0004"
            ),
        ),
    ]


def _with_stronger_start(measure: Measure) -> Measure:
    """Measure the same; if the results lack one of the two starts, the message says which are needed."""

    def measured(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotTestableError:
            raise NotTestableError(
                f"needs decoupled nets from the initial strength {_STRONGER}, too: no config has them"
            ) from None

    return measured


@as_measure
def _exponent(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Measure the exponent of a metric as a power of the number of layers, for each net."""
    values = by_depth(evidence, metric, wanted)
    if len(values) < 2:
        raise NotTestableError(f"the config contains one depth of {EXPERIMENT} only, which has no trend")
    return fit_power_law(values.index.to_numpy() + 1, values)[0]
