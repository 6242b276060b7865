"""What Saxe, McClelland and Ganguli 2013 state of nets with one hidden layer, mode by mode."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import difference
from workflow.deepnets.claims.rows import by_step, each_run

# Eight units of time.
_PLANE = {"singular_value": 1, "learning_rate": 0.002, "steps": 4000}
_TREE = {
    "levels": 5,
    "branches": 2,
    "flip_probability": 0.1,
    "features": 1000,
    "hidden": 32,
    "learning_rate": 0.5e-3,
    "initial_strength": 1e-6,
    "depth": 2,
}
_RANDOM = {**_TREE, "block": "small_random", "init": "normal"}
_MNIST = {"block": "small", "init": "orthogonal", "scale": 0.001, "hidden": 32, "learning_rate": 0.1, "depth": 2}


def modes() -> list[Claim]:
    """Return the claims on the plane of one mode, on those of a tree, and on those of MNIST."""
    return [*_plane(), *_tree(), *_mnist()]


def _plane() -> list[Claim]:
    place = "Section 1.1, eqs. 8 to 10, Figure 2"
    claims = [
        Claim(
            name="hyperbola_is_conserved",
            place=place,
            kind="formula",
            statement="A mode moves along a hyperbola: a² − b² stays what it is.",
            measure=_in_plane(_largest_change),
            rule=Every(greatest=0.02),
            because=(
                "A step of η = 0.002 takes the part η²(s − ab)² of it, some ten times η over a run; with ever smaller "
                "steps nothing. Bounded is the largest change, over s, of any start."
            ),
        ),
        Claim(
            name="learning_ends_where_ab_is_s",
            place=place,
            kind="formula",
            statement="From any start off the line a = −b, learning ends where ab = s.",
            measure=_in_plane(lambda a, b: np.abs(a[-1] * b[-1] - 1)[a[0] != -b[0]]),
            rule=Every(greatest=0.01),
            because="What is left shrinks at a rate of 2s or more: after eight units of time, below a percent.",
        ),
        Claim(
            name="stable_manifold",
            place=place,
            kind="formula",
            statement="From the line a = −b, a mode goes to the saddle at 0.",
            measure=_in_plane(lambda a, b: np.hypot(a[-1], b[-1])[a[0] == -b[0]]),
            rule=Every(greatest=0.01),
            because="On it a shrinks at least as e^{−st}: over eight units of time, below a hundredth.",
        ),
        Claim(
            name="unequal_layers",
            place="Appendix A, eqs. 23 to 25",
            kind="formula",
            statement="Layers of unequal strength follow the closed form, with its s read as 2s (see the errata).",
            measure=_distances_from_closed_form,
            rule=Every(greatest=0.02),
            because="Descent departs from its limit by the order of a step, 0.002: ten of them, in units of √s.",
        ),
        Claim(
            name="unequal_half_times",
            place="Appendix A, eq. 26",
            kind="formula",
            statement="They are half learned when eq. 26, corrected, says.",
            measure=_ratios("phase_portrait", "theory_half_time", **_PLANE),
            rule=Every(0.99, 1.01),
            because="A step of ηs = 0.002 makes growth slower by half of that; ten times as much is allowed.",
        ),
    ]
    return shown_in("phase_portrait", claims)


def _tree() -> list[Claim]:
    place = "Figure 3"
    return [
        Claim(
            name="balanced_half_times",
            place="Section 1.1, eqs. 11 and 12",
            figure="learning_delay",
            kind="formula",
            statement="Balanced modes that do not interfere are half learned after ln((s − u₀)/u₀)/(2s) units of time.",
            measure=_delays_in_steps,
            rule=Every(0, 1),
            because=(
                "A step makes a mode grow by (1 + ηs)² where the closed form has e^{2ηs}: later by the part ηs/2. In "
                "units of ηs a delay is then 0.5, and between 0 and 1 whatever rounding to updates does."
            ),
        ),
        Claim(
            name="small_random_starts_follow_theory",
            place=f"{place}, left",
            figure="mode_strengths",
            kind="bound",
            statement="From small random weights, linear nets learn their modes when eq. 11 says.",
            measure=_mean_delays("linear"),
            rule=Every(-0.1, 0.1),
            because="Agreement is within a tenth of the time, for each mode, on average over the nets.",
        ),
        Claim(
            name="time_is_inverse_in_strength",
            place="Section 1.1",
            figure="mode_strengths",
            kind="trend",
            statement="A mode is learned in a time of the order of 1/s, the stronger the sooner.",
            measure=_exponents_of_times,
            rule=Mean(-1.1, -0.9),
            because=(
                "The slope of the logarithm of the half time over that of s, in each net: −1, but for the logarithm "
                "in eq. 11, which takes some 1/ln(s/u₀) = 0.06 of it."
            ),
        ),
        Claim(
            name="competition_delays",
            place=f"{place}, right",
            figure="learning_delay",
            kind="ordering",
            statement="Modes of random starts are later than theory says: they compete.",
            measure=_delays_of_nets("linear"),
            rule=Mean(least=0),
            because="The mean delay over the modes of a net is to be clearly positive over 100 nets.",
        ),
        Claim(
            name="saturation_delays",
            place=f"{place}, right",
            figure="learning_delay",
            kind="ordering",
            statement="Tanh nets are later still: they saturate.",
            measure=difference(_delays_of_nets("tanh"), _delays_of_nets("linear")),
            rule=Mean(least=0),
            because="Nets of one start are compared, tanh with linear.",
        ),
    ]


def _mnist() -> list[Claim]:
    place = "Section 1.1, applied to whitened MNIST as document 001 announces"
    because = "Within a tenth, as for the tree. Each mode is averaged over its seeds, which start differently."
    claims = [
        Claim(
            name="mnist_follows_eq_11",
            place=place,
            kind="bound",
            statement="From small orthogonal layers, the modes of MNIST are half learned when eq. 11 says.",
            measure=_mean_ratios("theory_half_time"),
            rule=Every(0.9, 1.1),
            because=because,
        ),
        Claim(
            name="mnist_follows_eq_26",
            place=place,
            kind="bound",
            statement="They are when eq. 26, corrected, says of what a net holds of each mode at its start.",
            measure=_mean_ratios("predicted_half_time"),
            rule=Every(0.9, 1.1),
            because=because,
        ),
    ]
    return shown_in("mnist_half_times", claims)


def _in_plane(measure: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Measure:
    """Measure something of a and b, (steps, starts), in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("phase_portrait", **_PLANE)
        return np.concatenate(
            [
                measure(*(by_step(rows, metric).to_numpy() for metric in ("first_layer", "second_layer")))
                for rows in each_run(runs)
            ]
        )

    return measured


def _largest_change(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    conserved = first**2 - second**2
    return np.abs(conserved - conserved[0]).max(axis=0)


def _distances_from_closed_form(evidence: Evidence) -> np.ndarray:
    """Return the largest distance of each start's path from the closed form, at the same time."""
    found = []
    for rows in each_run(evidence.runs("phase_portrait", **_PLANE)):
        distances = [
            by_step(rows, metric) - by_step(rows, f"theory_{metric}") for metric in ("first_layer", "second_layer")
        ]
        found.append(np.hypot(*distances).max(skipna=False).to_numpy())
    return np.concatenate(found)


def _ratios(experiment: str, theory: str, **wanted: object) -> Measure:
    """Measure the half times over those of theory, of all modes that theory has one of, run by run."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = [_over_theory(rows, theory) for rows in each_run(evidence.runs(experiment, **wanted))]
        return np.concatenate(found)

    return measured


def _mean_ratios(theory: str) -> Measure:
    """Measure the half times of MNIST's modes over those of theory: for each mode, the mean over seeds."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = [_over_theory(rows, theory) for rows in each_run(evidence.runs("mnist_modes", **_MNIST))]
        return pd.concat(found).groupby(level=0).agg(lambda ratios: ratios.mean(skipna=False)).to_numpy()

    return measured


def _over_theory(rows: pd.DataFrame, theory: str) -> pd.Series:
    """Return by mode the half time of a run over that of theory, NaN where a net does not get there."""
    measured, expected = (
        rows[rows["metric"] == metric].set_index("index")["value"] for metric in ("half_time", theory)
    )
    expected = expected[np.isfinite(expected)]
    if expected.empty:
        raise NotTestableError(f"the runs recorded no {theory}")
    return measured.reindex(expected.index) / expected


def _delays(evidence: Evidence, **wanted: object) -> pd.DataFrame:
    """Return the delays of half times, in parts of theory's: a row for each mode, a column for each net."""
    runs = evidence.runs("mode_dynamics", **wanted)
    nets = []
    for rows in each_run(runs):
        theory = rows[rows["metric"] == "theory_half_time"].set_index("index")["value"]
        times = rows[rows["metric"] == "half_time"]
        if theory.empty or times.empty:
            raise NotTestableError("the runs recorded no half times")
        count = (rows["metric"] == "data_singular_value").sum()
        by_net = times["value"].groupby([times["index"] % count, times["index"] // count]).first().unstack()
        nets.append(by_net.reindex(theory.index).div(theory, axis=0) - 1)
    return pd.concat(nets, axis=1)


def _strengths(evidence: Evidence, **wanted: object) -> pd.Series:
    """Return the singular values of the data, by mode."""
    rows = each_run(evidence.runs("mode_dynamics", **wanted))[0]
    return rows[rows["metric"] == "data_singular_value"].set_index("index")["value"]


def _delays_in_steps(evidence: Evidence) -> np.ndarray:
    wanted = {**_TREE, "block": "decoupled", "init": "decoupled", "activation": "linear"}
    delays = _delays(evidence, **wanted)
    steps = _TREE["learning_rate"] * _strengths(evidence, **wanted).reindex(delays.index)
    return delays.div(steps, axis=0).to_numpy().ravel()


def _mean_delays(activation: str) -> Measure:
    """Measure for each mode the mean delay over nets."""
    return lambda evidence: _delays(evidence, **_RANDOM, activation=activation).mean(axis=1, skipna=False).to_numpy()


def _delays_of_nets(activation: str) -> Measure:
    """Measure for each net the mean delay over its modes."""
    return lambda evidence: _delays(evidence, **_RANDOM, activation=activation).mean(skipna=False).to_numpy()


def _exponents_of_times(evidence: Evidence) -> np.ndarray:
    """Return for each net the slope of the logarithm of the half time over that of the singular value."""
    wanted = {**_RANDOM, "activation": "linear"}
    delays, strengths = _delays(evidence, **wanted), _strengths(evidence, **wanted)
    rows = each_run(evidence.runs("mode_dynamics", **wanted))[0]
    theory = rows[rows["metric"] == "theory_half_time"].set_index("index")["value"]
    times = (delays + 1).mul(theory, axis=0)
    return np.polyfit(np.log(strengths.reindex(times.index)), np.log(times.to_numpy()), 1)[0]
