"""Claims on random orthogonal tanh nets: gradients, and the variance of activities."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Near
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import difference, ratio, reduce_values
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.claims.spectra import (
    axis_value,
    last_values,
    measure_each_run,
    read_values,
    rows_of_run,
    select_random_nets,
)
from deepnets.documents.saxe_2013.runs import GAUSSIAN, JACOBIANS, VARIANCES
from deepnets.tables.matrices import values_by_index
from deepnets.tables.rows import runs_of
from deepnets.theory import tanh_variance

# The config's gains above the critical gain 1. For these gains, the variance does not go to 0.
_ABOVE_1 = (1.05, 1.1, 1.25, 1.5, 2)
_BELOW_1 = 0.8
# Input variances “far beyond 1”.
_LARGE = [[4], [10], [100]]


def tanh_nets() -> list[Claim]:
    """Return the claims on singular values of Jacobians, then those on the variance of activities."""
    return [*_claim_jacobians(), *_claim_variances()]


def _claim_jacobians() -> list[Claim]:
    section = Section("Section 4, Figure 7", "jacobian_singular_values")
    order_1 = section.of("share of the Jacobian's singular values from 0.1 to 10")
    small, great = Every(0.1, 1), Every(least=0.1)
    return [
        section.identity(
            "gradients_vanish_below_1",
            "Below the edge of chaos, at the gains 0.9 and 0.95, all singular values of the Jacobian of 100 tanh "
            "layers are extremely small.",
            *combine_parts(
                {
                    f"gain {gain}": (
                        measure_each_run("singular_value", lambda rows: read_values(rows).max(), _select_gain(gain)),
                        Every(greatest=gain**100),
                    )
                    for gain in (0.9, 0.95)
                }
            ),
            quantity="largest singular value of the Jacobian",
            because=(
                "The slope of tanh is at most 1. No singular value can therefore exceed g¹⁰⁰, which is 3e-5 and 6e-3 "
                "for the two gains."
            ),
        ),
        order_1.bound(
            "isometry_at_the_edge_of_chaos",
            "At the edge of chaos, at the gain 1, a finite share of the Jacobian's singular values is of order 1 after "
            "100 layers.",
            _shares_of_order_1(_select_gain(1)),
            small,
            because=(
                "We take “of order 1” to mean from 0.1 to 10, and “a finite share” to mean at least a tenth, in our "
                "one seed, over all inputs. For products of 100 Gaussian matrices, the share is 6 %."
            ),
            main="the abstract states faithful propagation of gradients at the edge of chaos",
        ),
        order_1.bound(
            "isometry_with_large_inputs",
            "At the gain 1, a finite share of the Jacobian's singular values is of order 1, even if the variance of "
            "the inputs is far beyond 1.",
            _need_large_inputs(_shares_of_order_1({**_select_gain(1), "input_variances": _LARGE})),
            small,
            because=(
                "At least a tenth of the singular values must be from 0.1 to 10, for inputs with a variance of 4 or "
                "more."
            ),
        ),
        section.of("difference between two gains in the share of singular values from 0.1 to 10").ordering(
            "larger_gains_are_safer",
            "The spectrum of the Jacobian is more robust to a gain above 1 than to a gain equally far below 1.",
            *combine_parts(
                {
                    f"{1 + distance:g} against {1 - distance:g}": (
                        difference(
                            _shares_of_order_1(_select_gain(round(1 + distance, 2))),
                            _shares_of_order_1(_select_gain(round(1 - distance, 2))),
                        ),
                        great,
                    )
                    for distance in (0.05, 0.1)
                }
            ),
            because=(
                "In each seed, the share of singular values from 0.1 to 10 must be larger by at least 0.1 at the "
                "gain above 1."
            ),
            revised=(
                "half of the singular values had to be of order 1 at the gains 1.05 and 1.1; the paper does not "
                "state this, and the result depends on the size of the matrices"
            ),
        ),
        section.of("ratio of standard deviations of ln σ").ordering(
            "anisotropy_is_mild_above_1",
            "Above the edge of chaos, the spectrum of the Jacobian is anisotropic, but at the gain 1.1 only mildly "
            "in comparison with products of 100 Gaussian matrices.",
            *combine_parts(
                {
                    "gain 1.1 over gain 1": (
                        _divide_by_mean(_spreads(_select_gain(1.1)), _spreads(_select_gain(1))),
                        Every(least=1.5),
                    ),
                    "Gaussian products over gain 1.1": (
                        _divide_by_mean(_spreads({**GAUSSIAN, "depth": 100}), _spreads(_select_gain(1.1))),
                        Every(least=2),
                    ),
                }
            ),
            because=(
                "The standard deviation of ln σ must be at least 1.5 times as large at the gain 1.1 as at the gain "
                "1. In Gaussian products, it must be at least twice as large as in nets with the gain 1.1."
            ),
        ),
    ]


def _claim_variances() -> list[Claim]:
    section = Section("Section 4, appendix G, Figure 8", "variance_map")
    off_theory = section.of("variance divided by theory's variance, minus 1")
    return [
        off_theory.at("left").bound(
            "variance_map",
            "A layer maps the variance q of its inputs to g² ∫Dz tanh(√q z)². The paper's figure shows the gain g = 1.",
            _departures_from_map,
            Near(0, error=0.005, precision=0.05),
            because=(
                "The map holds for wide layers. The mean relative difference over nets and inputs must be 0 up to "
                "about 1/200, since layers have 200 units. We judge only g = 1, because nets of all gains use the "
                "same random draws."
            ),
            revised="the same random draws were counted once for each of seven gains, which made the error too small",
        ),
        off_theory.at("right").bound(
            "variance_goes_to_its_fixed_point",
            "Above the critical gain 1, the variance goes to the map's fixed point q∞(g) > 0 from any start.",
            *combine_parts(
                {
                    f"gain {gain:g}": (_departures_from_fixed_point(gain), Near(0, error=0.01, precision=0.1))
                    for gain in _ABOVE_1
                }
            ),
            because=(
                "Relative differences after the last layer are averaged over the inputs of each net. Finite nets "
                "scatter around the fixed point, and their mean may differ from it by about 2/200, since layers have "
                "200 units."
            ),
            revised=(
                "results were averaged over gains, although nets of all gains use the same random draws; each gain "
                "is now judged"
            ),
        ),
        section.at("right").identity(
            "variance_dies_below_1",
            "Below the critical gain 1, the variance goes to 0. We test the gain 0.8.",
            measure_each_run("variance", last_values, {**VARIANCES, "gain": _BELOW_1}),
            Every(greatest=1e-6),
            quantity="variance after 100 layers",
            because="Each layer multiplies the variance by at most g² = 0.64: almost nothing is left after 100 layers.",
        ),
    ]


def _select_gain(gain: float) -> Runs:
    return {**JACOBIANS, "gain": gain}


def _shares_of_order_1(runs: Runs) -> Measure:
    return measure_each_run("singular_value", lambda rows: rows["value"].between(0.1, 10).mean(), runs)


def _spreads(runs: Runs) -> Measure:
    """Measure the standard deviation of ln σ in each run."""
    return measure_each_run("log_singular_value", lambda rows: read_values(rows).std(), runs)


def _divide_by_mean(numerator: Measure, denominator: Measure) -> Measure:
    """Divide by the mean of the denominator, whose runs are not paired with those of the numerator."""
    return ratio(numerator, reduce_values(denominator, np.mean))


def _need_large_inputs(measure: Measure) -> Measure:
    """Return a measure that says which runs are missing if the given measure cannot be computed."""

    def measure_or_explain(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotTestableError:
            raise NotTestableError(
                "needs Jacobians at inputs with a large variance, and no config contains such inputs"
            ) from None

    return measure_or_explain


def _departures_from_map(evidence: Evidence) -> np.ndarray:
    """Return the relative difference between the variance after one layer and the map, for each net and input."""
    found = []
    for run in select_random_nets(evidence, {**VARIANCES, "gain": 1}):
        inputs, after = _variances_after(run, 1)
        found.append((after / tanh_variance.next_variance(inputs, 1) - 1).ravel())
    return np.concatenate(found)


def _departures_from_fixed_point(gain: float) -> Measure:
    """Measure the relative difference between the variance after the last layer and the fixed point, for each net."""

    def measure_nets(evidence: Evidence) -> np.ndarray:
        found = []
        for run in select_random_nets(evidence, {**VARIANCES, "gain": gain}):
            _, after = _variances_after(run, axis_value(run, "depth"))
            found.append(after.mean(axis=1) / tanh_variance.fixed_point(gain) - 1)
        return np.concatenate(found)

    return measure_nets


def _variances_after(run: pd.DataFrame, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances of the inputs, of shape (inputs,), and after a layer, of shape (nets, inputs)."""
    inputs = values_by_index(rows_of_run(run, "input_variance")).to_numpy()
    after = values_by_index(runs_of(rows_of_run(run, "variance"), step=layer)).to_numpy()
    return inputs, after.reshape(-1, len(inputs))
