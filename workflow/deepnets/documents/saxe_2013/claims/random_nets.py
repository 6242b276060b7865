"""What the paper states of products of random matrices and of random tanh nets."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, difference
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.saxe_2013.printed import BIN_WIDTH, GAINS, SHARES_AT_ORIGIN
from workflow.deepnets.documents.saxe_2013.random_nets import distance
from workflow.deepnets.documents.saxe_2013.runs import GAUSSIAN, JACOBIANS, MEAN_LOGS, ORTHOGONAL, VARIANCES
from workflow.deepnets.tables.axes import split_runs
from workflow.deepnets.tables.matrices import values_by_index
from workflow.deepnets.tables.rows import divergence_steps, require_rows, rows_of, runs_of
from workflow.deepnets.theory import random_products, tanh_variance

_EXPERIMENT = "spectra"
# The bin around the origin contains real and imaginary parts below half of its width.
_HALF_BIN = BIN_WIDTH / 2


def random_nets() -> list[Claim]:
    """Return the claims on spectra of products and of Jacobians, and on the variance of activities."""
    return [*_products(), *_jacobians(), *_variances()]


def _products() -> list[Claim]:
    section = Section("Section 3", "product_singular_values")
    values, caption = section.at("Figure 6B"), Section("Section 3, Figure 6C, caption", "product_eigenvalues")
    return [
        *(
            values.identity(
                f"law_of_{name}",
                f"Singular values of {words} have {law}.",
                _distances_from_law(depth),
                Every(greatest=3),
                because=(
                    "The law is that of large N; among N values that repel each other the largest difference of shares "
                    "is of the order of one of them: up to three, in each seed."
                ),
            )
            for depth, name, words, law in (
                (1, "one_factor", "one Gaussian matrix", "the law of a quarter circle"),
                (5, "five_factors", "products of five", "the Fuss–Catalan law"),
            )
        ),
        values.trend(
            "small_values_crowd_at_0",
            "The more Gaussian matrices are multiplied, the more singular values are near 0: 5 against 1.",
            difference(_shares_near_0(5), _shares_near_0(1)),
            Every(least=0.1),
            because="The share below 0.05 is to grow by a tenth at least, in each seed: a picture shows that.",
        ),
        values.bound(
            "nearly_all_values_vanish",
            "Of 100 factors, nearly all of them are.",
            _shares_near_0(100),
            Every(least=0.9),
            because="“Nearly all” is nine of ten, in each seed.",
        ),
        values.trend(
            "large_values_grow",
            "A few grow large meanwhile: the largest of 100 factors against that of 1.",
            difference(_largest_singular_values(100), _largest_singular_values(1)),
            Every(least=0),
            because="The mean over the products of a seed of the largest one, which of one factor is 2.",
        ),
        *(
            caption.number(
                f"share_at_origin_of_{depth}",
                f"Of the eigenvalues of products of {depth}, {{}} % lie in the bin around the origin.",
                _shares_at_origin(depth),
                Near(share, error=1.0),
                because=(
                    "The mean over products against a number that is rounded to a percent and does not depend on N "
                    "where N is large; one of 100 eigenvalues is one percent, which is taken for the document's error."
                ),
                printed="{}%",
            )
            for depth, share in SHARES_AT_ORIGIN.items()
        ),
        section.with_figure("mean_log_singular_values").identity(
            "mean_logarithm_of_gaussian_products",
            "Determinants multiply, so that the mean of ln σ falls in proportion to the number of factors.",
            _of_each_run("mean_log_singular_value", _last_mean_logs_off_theory, MEAN_LOGS),
            Near(0),
            because="The expectation is exact at any N: the relative difference is 0 but for chance.",
        ),
        section.identity(
            "orthogonal_products_are_isometries",
            "All singular values of products of orthogonal matrices are 1, whatever their number.",
            _of_each_run("singular_value", lambda rows: np.abs(rows["value"].to_numpy() - 1).max(), ORTHOGONAL),
            Every(greatest=1e-10),
            because="Exact but for rounding, of a hundred products at most: the largest departure of each run.",
            printed="1",
        ),
    ]


def _jacobians() -> list[Claim]:
    section = Section("Section 4, Figure 7", "jacobian_singular_values")
    return [
        *(
            section.bound(
                f"gradients_vanish_below_1_at_{gain}".replace(".", "_"),
                f"At the gain {gain}, all singular values of the Jacobian of 100 tanh layers vanish.",
                _of_each_run("singular_value", lambda rows: rows["value"].to_numpy().max(), _with_gain(gain)),
                Every(greatest=gain**100),
                because="No slope of tanh is above 1, so that none exceeds g¹⁰⁰, which is nearly 0.",
            )
            for gain in GAINS
            if gain < 1
        ),
        *(
            section.bound(
                f"gradients_stay_above_1_at_{gain}".replace(".", "_"),
                f"At the gain {gain}, many of them stay of order 1.",
                _of_each_run("singular_value", lambda rows: rows["value"].between(0.1, 10).mean(), _with_gain(gain)),
                Every(least=0.5),
                because="“Many” is half of them or more, “of order 1” from 0.1 to 10, in each seed.",
            )
            for gain in GAINS
            if gain > 1
        ),
    ]


def _variances() -> list[Claim]:
    section = Section("Section 4, Figure 8", "variance_map")
    return [
        section.at("left").identity(
            "variance_map",
            "A layer takes the variance q of its inputs to g² ∫Dz tanh(√q z)².",
            _departures_from_map,
            Near(0, error=0.005),
            because=(
                "The map is that of wide layers: relative differences average to 0 over nets, gains and inputs, but "
                "for what one in 200 units makes."
            ),
        ),
        section.at("right").identity(
            "variance_goes_to_its_fixed_point",
            "Above the gain 1 it goes to the map's fixed point q∞(g), whatever it was.",
            _departures_from_fixed_point,
            Near(0, error=0.01),
            because=(
                "Relative differences behind the last layer, each net averaged over its inputs; finite nets scatter "
                "around it, and their mean may be off by the order of two in 200 units."
            ),
        ),
        section.at("right").identity(
            "variance_dies_below_1",
            "Below the gain 1 it goes to 0.",
            _of_each_run("variance", _last_values, {**VARIANCES, "gain": 0.8}),
            Every(greatest=1e-6),
            because="A layer leaves at most g² of it, so that of 3 nothing is left behind 100 of them.",
        ),
    ]


@as_measure
def _of_each_run(
    evidence: Evidence, metric: str, measure: Callable[[pd.DataFrame], float | np.ndarray], wanted: Runs
) -> np.ndarray:
    """Measure something of the rows of a metric in each run, NaN if it diverged before it recorded any."""
    recorded = [_rows(run, metric) for run in _runs(evidence, wanted)]
    return np.hstack([measure(rows) if len(rows) else np.nan for rows in recorded])


def _runs(evidence: Evidence, wanted: Runs) -> list[pd.DataFrame]:
    return split_runs(evidence.runs(_EXPERIMENT, **wanted))


def _rows(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    # A run that diverged may have recorded nothing.
    return require_rows(run, metric) if divergence_steps(run).empty else rows_of(run, metric)


def _last_values(rows: pd.DataFrame) -> np.ndarray:
    """Return the values after the last layer of a run."""
    return rows.loc[rows["step"] == rows["depth"], "value"].to_numpy()


def _last_mean_logs_off_theory(rows: pd.DataFrame) -> np.ndarray:
    """Return for each product the mean of ln σ after all factors, minus theory's, over theory's."""
    return _last_values(rows) / random_products.mean_log_singular_value(_only(rows, "size"), _only(rows, "depth")) - 1


def _distances_from_law(depth: int) -> Measure:
    """Measure N times the largest difference of the share of singular values up to a bound from the law's."""

    def of_run(rows: pd.DataFrame) -> float:
        shares = random_products.log_singular_value_shares(rows["value"].to_numpy(), depth)
        return _only(rows, "size") * distance(shares)

    return _of_each_run("log_singular_value", of_run, {**GAUSSIAN, "depth": depth})


def _shares_near_0(depth: int) -> Measure:
    """Measure the share of singular values in the lower half of the bin around 0."""
    return _of_each_run("singular_value", lambda rows: (rows["value"] < _HALF_BIN).mean(), {**GAUSSIAN, "depth": depth})


def _largest_singular_values(depth: int) -> Measure:
    """Measure the largest singular value of a product, as a mean over the products of each run."""

    def of_run(rows: pd.DataFrame) -> float:
        return rows["value"].groupby(rows["index"] // _only(rows, "size")).max().mean()

    return _of_each_run("singular_value", of_run, {**GAUSSIAN, "depth": depth})


@as_measure
def _shares_at_origin(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the percentage of eigenvalues in the bin around the origin, product by product."""
    found = []
    for run in _runs(evidence, {**GAUSSIAN, "depth": depth}):
        real, imaginary = (values_by_index(_rows(run, f"eigenvalue_{part}")).abs() for part in ("real", "imag"))
        inside = (real < _HALF_BIN) & (imaginary < _HALF_BIN)
        found.append(100 * inside.groupby(inside.index // _only(run, "size")).mean().to_numpy())
    return np.concatenate(found)


def _with_gain(gain: float) -> Runs:
    return {**JACOBIANS, "gain": gain}


def _only(rows: pd.DataFrame, axis: str) -> int:
    """Return the only value of an axis in the rows of a run."""
    return int(rows[axis].iloc[0])


def _departures_from_map(evidence: Evidence) -> np.ndarray:
    """Return by how much the variance after one layer exceeds the map's, over the map's: net by net, input by input."""
    found = []
    for run in _runs(evidence, VARIANCES):
        inputs, after = _variances_after(run, 1)
        found.append((after / tanh_variance.next_variance(inputs, run["gain"].iloc[0]) - 1).ravel())
    return np.concatenate(found)


def _departures_from_fixed_point(evidence: Evidence) -> np.ndarray:
    """Return by how much the variance after the last layer exceeds the fixed point, over it: net by net."""
    found = []
    for run in _runs(evidence, VARIANCES):
        gain = run["gain"].iloc[0]
        if gain > 1:
            _, after = _variances_after(run, _only(run, "depth"))
            found.append(after.mean(axis=1) / tanh_variance.fixed_point(gain) - 1)
    if not found:
        raise NotTestableError("the config asks for no gain above 1")
    return np.concatenate(found)


def _variances_after(run: pd.DataFrame, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances of the inputs, (inputs,), and those after a layer, (nets, inputs)."""
    inputs = values_by_index(_rows(run, "input_variance")).to_numpy()
    after = values_by_index(runs_of(_rows(run, "variance"), step=layer)).to_numpy()
    return inputs, after.reshape(-1, len(inputs))
