"""Claims on nets with one hidden layer, mode by mode."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Mean
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, difference
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.half_times import relative_delays
from deepnets.documents.saxe_2013.runs import DECOUPLED_TREE, MNIST_MODES, PLANE, RANDOM_TREE, TREE
from deepnets.tables.axes import split_runs
from deepnets.tables.estimates import fit_power_law
from deepnets.tables.matrices import by_index, values_by_index
from deepnets.tables.rows import first_seed, require_rows, rows_of

_LINEAR: Runs = {**RANDOM_TREE, "activation": "linear"}
_TANH: Runs = {**RANDOM_TREE, "activation": "tanh"}
_LAYERS = ("first_layer", "second_layer")
# The rise of a mode is its growth from 10 % to 90 % of its singular value.
_RISE_BOUNDS = (0.1, 0.9)


def modes() -> list[Claim]:
    """Return the claims on a single mode, on modes of a tree, and on modes of MNIST."""
    return [*_claim_plane(), *_claim_tree(), *_claim_delays(), _claim_mnist()]


def _claim_plane() -> list[Claim]:
    plane = Section("Section 1.3, eqs. 8 to 10, Figure 2", "phase_portrait")
    appendix = Section("Appendix A", "phase_portrait")
    off_the_line, on_the_line = (
        _apply_in_plane(lambda a, b: np.abs(a[-1] * b[-1] - 1)[a[0] != -b[0]]),
        _apply_in_plane(lambda a, b: np.hypot(a[-1], b[-1])[a[0] == -b[0]]),
    )
    near = Every(greatest=0.01)
    return [
        plane.identity(
            "hyperbola_is_conserved",
            "A mode (a, b) with s = 1 moves along a hyperbola: a² − b² is conserved.",
            _apply_in_plane(_largest_change),
            Every(greatest=0.02),
            quantity="largest change of a² − b², in units of s",
            because=(
                "A step with η = 0.002 changes a² − b² relatively by η²(s − ab)², and a whole run by about ten η. We "
                "judge the largest change in the run from each start."
            ),
        ),
        plane.identity(
            "ends_of_learning",
            "From any start off the line a = −b, learning ends where ab = s. From a start on this line, learning "
            "ends at the saddle a = b = 0.",
            *combine_parts({"distance of ab from s": (off_the_line, near), "distance from 0": (on_the_line, near)}),
            quantity="distance from the predicted end of learning",
            because=(
                "The distance shrinks at a rate of at least 2s off the line, and at the rate s on the line. After "
                "eight units of time, less than 1 % of the distance is left."
            ),
        ),
        appendix.at("eqs. 23 to 26").identity(
            "unequal_layers",
            "Modes whose layers have unequal strengths follow the closed form, with 2s in place of s (see the errata).",
            *combine_parts(
                {
                    "distance from the closed form": (_distances_from_closed_form, Every(greatest=0.02)),
                    "half time divided by that of eq. 26": (
                        lambda evidence: np.concatenate(
                            _half_time_ratios(evidence, "phase_portrait", PLANE, "theory_half_time")
                        ),
                        Every(0.99, 1.01),
                    ),
                }
            ),
            revised="two claims on the closed form and on half times are one",
            quantity="distance in units of √s, and ratio of half times",
            because=(
                "Gradient descent differs from its continuous limit by about one step, ηs = 0.002. We allow ten "
                "steps for the distance of a path, in units of √s, and five steps for a half time."
            ),
        ),
    ]


def _claim_tree() -> list[Claim]:
    theory, left = Section("Section 1.3"), Section("Section 1.3 and Figure 3, left", "mode_strengths")
    return [
        theory.at("eqs. 11 and 12")
        .with_figure("learning_delay")
        .identity(
            "balanced_half_times",
            "Balanced modes without interference are half learned after ln((s − u₀)/u₀)/(2s) units of time.",
            _delays_in_steps,
            Every(0, 1),
            quantity="delay of the half time, in units of ηs",
            because=(
                "In one step, a mode grows by the factor (1 + ηs)² in gradient descent, and by e^{2ηs} in the closed "
                "form. This makes the delay 0.5 in units of ηs; after rounding to whole updates, it is between 0 and "
                "1."
            ),
        ),
        theory.with_figure("mode_strengths").trend(
            "time_is_inverse_in_strength",
            "The learning time of a mode is inversely proportional to its strength s.",
            _exponents_of_times,
            Mean(-1.1, -0.9),
            because=(
                "The expected exponent of the half time as a power of s is −1. The logarithm in eq. 11 changes the "
                "exponent by 1/ln(s/u₀) = 0.06."
            ),
            quantity="exponent of the half time as a power of s",
            main="the paper calls it “a key result”",
        ),
        left.of("time from 10 % to 90 % of s divided by the time of the plateau before, mean over modes").bound(
            "plateaus_and_transitions",
            "Rapid transitions follow long plateaus, in linear nets and in tanh nets.",
            *combine_parts(
                {"linear": (_measure_rises(_LINEAR), Every(0, 1)), "tanh": (_measure_rises(_TANH), Every(0, 1))}
            ),
            because=(
                "In each net, the rise takes less time than the plateau. In a net without a hidden layer, the error "
                "falls exponentially, and the rise takes 21 times as long as the plateau."
            ),
            main="the abstract mentions these nonlinear phenomena",
        ),
        Section("Section 1.2, after eq. 7", "mode_strengths").bound(
            "learning_ends_at_the_optimum",
            "All local minima are global: learning in linear nets ends at the modes of the data.",
            _distances_from_the_optimum,
            Every(0, 0.01),
            because="In each net, all recorded modes end within 1 % of their s.",
            quantity="largest distance of a mode's final strength from s, in units of s",
        ),
        left.of("delay of half times divided by theory's half time, mean over modes").bound(
            "small_random_starts_follow_theory",
            "From small random weights, eq. 12 is an excellent approximation to learning in linear nets, and a "
            "reasonable approximation in tanh nets.",
            *combine_parts(
                {
                    "linear": (_delays_of_nets(_LINEAR), Mean(-0.1, 0.1)),
                    "tanh": (_delays_of_nets(_TANH), Mean(-0.25, 0.25)),
                }
            ),
            because=(
                "We take “excellent” to mean within 10 % of the half time, and “reasonable” within 25 %. We judge "
                "the mean over modes, because Figure 3 itself shows delays of single modes. In our linear nets, "
                "single modes are delayed by up to 19 %."
            ),
            revised=(
                "each mode had to be within 10 %; the paper does not state this, since its Figure 3 shows delays of "
                "single modes"
            ),
        ),
    ]


def _claim_delays() -> list[Claim]:
    section = Section("Figure 3, right", "learning_delay").of("delay of half times, divided by theory's half time")
    return [
        section.ordering(
            "competition_and_saturation_delay",
            "Learning is later than theory predicts, because modes compete, and even later in tanh nets, because "
            "tanh units saturate.",
            *combine_parts(
                {
                    "linear nets against theory": (_delays_of_nets(_LINEAR), Mean(least=0)),
                    "tanh against linear nets": (
                        difference(_delays_of_nets(_TANH), _delays_of_nets(_LINEAR)),
                        Mean(least=0),
                    ),
                }
            ),
            because=(
                "We take the mean delay over modes in each of 100 nets; the mean over nets must be clearly positive. "
                "We compare tanh and linear nets that start from the same weights."
            ),
        )
    ]


def _claim_mnist() -> Claim:
    section = Section("Section 1.3, applied to whitened MNIST as document 001 announces", "mnist_half_times")
    near = Every(0.9, 1.1)
    return section.of("half time divided by theory's half time, for each mode the mean over seeds").bound(
        "mnist_half_times_follow_theory",
        "From small orthogonal layers, eq. 11 and the corrected eq. 26 predict the half times of the modes of MNIST.",
        *combine_parts(
            {
                "eq. 11": (_mean_ratios("theory_half_time"), near),
                "eq. 26, from each net's own start": (_mean_ratios("predicted_half_time"), near),
            }
        ),
        because="We take “excellent approximations” to mean within 10 % for each of the nine modes.",
    )


@as_measure
def _apply_in_plane(evidence: Evidence, measure: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Apply a function of a and b, both of shape (steps, starts), to each run."""
    found = []
    for run in split_runs(evidence.runs("phase_portrait", **PLANE)):
        found.append(measure(*(by_index(require_rows(run, metric)).to_numpy() for metric in _LAYERS)))
    return np.concatenate(found)


def _largest_change(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    conserved = first**2 - second**2
    return np.abs(conserved - conserved[0]).max(axis=0)


def _distances_from_closed_form(evidence: Evidence) -> np.ndarray:
    found = []
    for run in split_runs(evidence.runs("phase_portrait", **PLANE)):
        first, second = (
            by_index(require_rows(run, metric)) - by_index(require_rows(run, f"theory_{metric}")) for metric in _LAYERS
        )
        found.append(np.hypot(first.to_numpy(), second.to_numpy()).max(axis=0))
    return np.concatenate(found)


@as_measure
def _mean_ratios(evidence: Evidence, theory: str) -> np.ndarray:
    """Measure, for each mode of MNIST, the half time divided by theory's half time, as a mean over seeds."""
    by_mode = pd.concat(_half_time_ratios(evidence, "mnist_modes", MNIST_MODES, theory)).groupby(level=0)
    return by_mode.agg(lambda ratios: ratios.mean(skipna=False)).to_numpy()


def _half_time_ratios(evidence: Evidence, experiment: str, runs: Runs, theory: str) -> list[pd.Series]:
    """Return, for each run and mode, half time / theory's half time; NaN for modes that do not reach half of s."""
    found = []
    for run in split_runs(evidence.runs(experiment, **runs)):
        expected = values_by_index(rows_of(run, theory))
        expected = expected[np.isfinite(expected)]
        if expected.empty:
            raise NotTestableError(f"the runs recorded no {theory}")
        found.append(values_by_index(rows_of(run, "half_time")).reindex(expected.index) / expected)
    return found


def _delays(evidence: Evidence, runs: Runs) -> pd.DataFrame:
    """Return the delays of half times divided by theory's half times, of shape (modes, nets)."""
    delays = relative_delays(evidence.runs("mode_dynamics", **runs))
    if delays.empty:
        raise NotTestableError("the runs recorded no half times")
    return delays


def _delays_in_steps(evidence: Evidence) -> np.ndarray:
    """Return the delays of decoupled modes, in units of ηs."""
    delays = _delays(evidence, DECOUPLED_TREE)
    singular_values = _read_constants(evidence, DECOUPLED_TREE, "data_singular_value").reindex(delays.index)
    return delays.div(TREE["learning_rate"] * singular_values, axis=0).to_numpy().ravel()


def _delays_of_nets(runs: Runs) -> Measure:
    return lambda evidence: _delays(evidence, runs).mean(skipna=False).to_numpy()


@as_measure
def _measure_rises(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure the duration of a mode's rise divided by that of the plateau before, as a mean over each net's modes.

    The value is NaN if a net has not learned a mode. Each run records the modes of its first net only.
    """
    singular_values = _read_constants(evidence, runs, "data_singular_value")
    found = []
    for run in split_runs(evidence.runs("mode_dynamics", **runs)):
        strengths = by_index(require_rows(run, "mode_strength"))
        shares = strengths / singular_values.reindex(strengths.columns)
        starts, ends = ((shares >= bound).idxmax().where((shares >= bound).any()) for bound in _RISE_BOUNDS)
        found.append(((ends - starts) / starts).mean(skipna=False))
    return np.array(found)


def _distances_from_the_optimum(evidence: Evidence) -> np.ndarray:
    """Return the largest relative error of the recorded final strengths, for each linear net."""
    singular_values = _read_constants(evidence, _LINEAR, "data_singular_value")
    runs = split_runs(evidence.runs("mode_dynamics", **_LINEAR))
    ends = (by_index(require_rows(run, "mode_strength")).iloc[-1] for run in runs)
    return np.array([(end / singular_values.reindex(end.index) - 1).abs().max(skipna=False) for end in ends])


def _exponents_of_times(evidence: Evidence) -> np.ndarray:
    """Return the exponent of the half time as a power of s, for each net."""
    times = (_delays(evidence, _LINEAR) + 1).mul(_read_constants(evidence, _LINEAR, "theory_half_time"), axis=0)
    singular_values = _read_constants(evidence, _LINEAR, "data_singular_value").reindex(times.index)
    return fit_power_law(singular_values, times)[0]


def _read_constants(evidence: Evidence, runs: Runs, metric: str) -> pd.Series:
    """Return the values, by mode, of a metric that is the same in all runs because it depends only on the data."""
    return values_by_index(rows_of(first_seed(evidence.runs("mode_dynamics", **runs)), metric))
