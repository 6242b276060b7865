"""What the paper states of nets with one hidden layer, mode by mode."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, difference
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.saxe_2013.half_times import relative_delays
from workflow.deepnets.documents.saxe_2013.runs import DECOUPLED_TREE, MNIST_MODES, PLANE, RANDOM_TREE, TREE
from workflow.deepnets.tables.axes import split_runs
from workflow.deepnets.tables.estimates import fit_power_law
from workflow.deepnets.tables.matrices import by_index, values_by_index
from workflow.deepnets.tables.rows import first_seed, require_rows, rows_of

_LINEAR: Runs = {**RANDOM_TREE, "activation": "linear"}
_TANH: Runs = {**RANDOM_TREE, "activation": "tanh"}
_LAYERS = ("first_layer", "second_layer")


def modes() -> list[Claim]:
    """Return the claims on the plane of one mode, on those of a tree, and on those of MNIST."""
    return [*_plane(), *_tree(), *_mnist()]


def _plane() -> list[Claim]:
    plane = Section("Section 1.1, eqs. 8 to 10, Figure 2", "phase_portrait")
    appendix = Section("Appendix A", "phase_portrait")
    return [
        plane.identity(
            "hyperbola_is_conserved",
            "A mode moves along a hyperbola: a² − b² stays what it is.",
            _in_plane(_largest_change),
            Every(greatest=0.02),
            because=(
                "A step of η = 0.002 takes the part η²(s − ab)² of it, some ten times η over a run; with ever smaller "
                "steps nothing. Bounded is the largest change, over s, of any start."
            ),
        ),
        plane.identity(
            "learning_ends_where_ab_is_s",
            "From any start off the line a = −b, learning ends where ab = s.",
            _in_plane(lambda a, b: np.abs(a[-1] * b[-1] - 1)[a[0] != -b[0]]),
            Every(greatest=0.01),
            because="What is left shrinks at a rate of 2s or more: after eight units of time, below a percent.",
        ),
        plane.identity(
            "stable_manifold",
            "From the line a = −b, a mode goes to the saddle at 0.",
            _in_plane(lambda a, b: np.hypot(a[-1], b[-1])[a[0] == -b[0]]),
            Every(greatest=0.01),
            because="On it a shrinks at least as e^{−st}: over eight units of time, below a hundredth.",
        ),
        appendix.at("eqs. 23 to 25").identity(
            "unequal_layers",
            "Layers of unequal strength follow the closed form, with its s read as 2s (see the errata).",
            _distances_from_closed_form,
            Every(greatest=0.02),
            because="Descent departs from its limit by the order of a step, 0.002: ten of them, in units of √s.",
        ),
        appendix.at("eq. 26").identity(
            "unequal_half_times",
            "They are half learned when eq. 26, corrected, says.",
            lambda evidence: np.concatenate(_ratios(evidence, "phase_portrait", PLANE, "theory_half_time")),
            Every(0.99, 1.01),
            because="A step of ηs = 0.002 makes growth slower by half of that; ten times as much is allowed.",
        ),
    ]


def _tree() -> list[Claim]:
    theory, left = Section("Section 1.1"), Section("Figure 3, left", "mode_strengths")
    right = Section("Figure 3, right", "learning_delay")
    return [
        theory.at("eqs. 11 and 12")
        .with_figure("learning_delay")
        .identity(
            "balanced_half_times",
            "Balanced modes that do not interfere are half learned after ln((s − u₀)/u₀)/(2s) units of time.",
            _delays_in_steps,
            Every(0, 1),
            because=(
                "A step makes a mode grow by (1 + ηs)² where the closed form has e^{2ηs}: later by the part ηs/2. In "
                "units of ηs a delay is then 0.5, and between 0 and 1 whatever rounding to updates does."
            ),
        ),
        left.bound(
            "small_random_starts_follow_theory",
            "From small random weights, linear nets learn their modes when eq. 11 says.",
            lambda evidence: _delays(evidence, _LINEAR).mean(axis=1, skipna=False).to_numpy(),
            Every(-0.1, 0.1),
            because="Agreement is within a tenth of the time, for each mode, on average over the nets.",
        ),
        theory.with_figure("mode_strengths").trend(
            "time_is_inverse_in_strength",
            "A mode is learned in a time of the order of 1/s, the stronger the sooner.",
            _exponents_of_times,
            Mean(-1.1, -0.9),
            because=(
                "The slope of the logarithm of the half time over that of s, in each net: −1, but for the logarithm "
                "in eq. 11, which takes some 1/ln(s/u₀) = 0.06 of it."
            ),
        ),
        right.ordering(
            "competition_delays",
            "Modes of random starts are later than theory says: they compete.",
            _delays_of_nets(_LINEAR),
            Mean(least=0),
            because="The mean delay over the modes of a net is to be clearly positive over 100 nets.",
        ),
        right.ordering(
            "saturation_delays",
            "Tanh nets are later still: they saturate.",
            difference(_delays_of_nets(_TANH), _delays_of_nets(_LINEAR)),
            Mean(least=0),
            because="Nets of one start are compared, tanh with linear.",
        ),
    ]


def _mnist() -> list[Claim]:
    section = Section("Section 1.1, applied to whitened MNIST as document 001 announces", "mnist_half_times")
    because = "Within a tenth, as for the tree. Each mode is averaged over its seeds, which start differently."
    return [
        section.bound(
            "mnist_follows_eq_11",
            "From small orthogonal layers, the modes of MNIST are half learned when eq. 11 says.",
            _mean_ratios("theory_half_time"),
            Every(0.9, 1.1),
            because=because,
        ),
        section.bound(
            "mnist_follows_eq_26",
            "They are when eq. 26, corrected, says of what a net holds of each mode at its start.",
            _mean_ratios("predicted_half_time"),
            Every(0.9, 1.1),
            because=because,
        ),
    ]


@as_measure
def _in_plane(evidence: Evidence, measure: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Measure something of a and b, (steps, starts), in each run."""
    found = []
    for run in split_runs(evidence.runs("phase_portrait", **PLANE)):
        found.append(measure(*(by_index(require_rows(run, metric)).to_numpy() for metric in _LAYERS)))
    return np.concatenate(found)


def _largest_change(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    conserved = first**2 - second**2
    return np.abs(conserved - conserved[0]).max(axis=0)


def _distances_from_closed_form(evidence: Evidence) -> np.ndarray:
    """Return the largest distance of each start's path from the closed form, at the same time."""
    found = []
    for run in split_runs(evidence.runs("phase_portrait", **PLANE)):
        first, second = (
            by_index(require_rows(run, metric)) - by_index(require_rows(run, f"theory_{metric}")) for metric in _LAYERS
        )
        found.append(np.hypot(first.to_numpy(), second.to_numpy()).max(axis=0))
    return np.concatenate(found)


@as_measure
def _mean_ratios(evidence: Evidence, theory: str) -> np.ndarray:
    """Measure the half times of MNIST's modes over those of theory: for each mode, the mean over seeds."""
    by_mode = pd.concat(_ratios(evidence, "mnist_modes", MNIST_MODES, theory)).groupby(level=0)
    return by_mode.agg(lambda ratios: ratios.mean(skipna=False)).to_numpy()


def _ratios(evidence: Evidence, experiment: str, runs: Runs, theory: str) -> list[pd.Series]:
    """Return by mode the half times over those of theory, run by run, NaN where a net does not get there."""
    found = []
    for run in split_runs(evidence.runs(experiment, **runs)):
        expected = values_by_index(rows_of(run, theory))
        expected = expected[np.isfinite(expected)]
        if expected.empty:
            raise NotTestableError(f"the runs recorded no {theory}")
        found.append(values_by_index(rows_of(run, "half_time")).reindex(expected.index) / expected)
    return found


def _delays(evidence: Evidence, runs: Runs) -> pd.DataFrame:
    """Return the delays of half times, in parts of theory's: a row for each mode, a column for each net."""
    delays = relative_delays(evidence.runs("mode_dynamics", **runs))
    if delays.empty:
        raise NotTestableError("the runs recorded no half times")
    return delays


def _delays_in_steps(evidence: Evidence) -> np.ndarray:
    """Return the delays of decoupled modes in units of ηs, which are steps."""
    delays = _delays(evidence, DECOUPLED_TREE)
    steps = TREE["learning_rate"] * _of_theory(evidence, DECOUPLED_TREE, "data_singular_value").reindex(delays.index)
    return delays.div(steps, axis=0).to_numpy().ravel()


def _delays_of_nets(runs: Runs) -> Measure:
    """Measure for each net the mean delay over its modes."""
    return lambda evidence: _delays(evidence, runs).mean(skipna=False).to_numpy()


def _exponents_of_times(evidence: Evidence) -> np.ndarray:
    """Return for each net the exponent of the half time as a power of the singular value."""
    times = (_delays(evidence, _LINEAR) + 1).mul(_of_theory(evidence, _LINEAR, "theory_half_time"), axis=0)
    singular_values = _of_theory(evidence, _LINEAR, "data_singular_value").reindex(times.index)
    return fit_power_law(singular_values, times)[0]


def _of_theory(evidence: Evidence, runs: Runs, metric: str) -> pd.Series:
    """Return by mode what follows from the data and is the same in all runs."""
    return values_by_index(rows_of(first_seed(evidence.runs("mode_dynamics", **runs)), metric))
