"""What Saxe, McClelland and Ganguli 2013 state of products of random matrices and of random tanh nets."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import difference
from workflow.deepnets.claims.rows import each_run, rows_of
from workflow.deepnets.theory import random_products, tanh_variance

_EXPERIMENT = "spectra"
_LINEAR = {"gain": 1, "activation": "linear"}
_GAUSSIAN = {**_LINEAR, "block": "products", "init": "gaussian"}
_ORTHOGONAL = {**_LINEAR, "block": "products", "init": "orthogonal"}
_TANH = {"init": "orthogonal", "activation": "tanh", "depth": 100}
# The bin around the origin of Figure 6C: real and imaginary parts below half of its width.
_HALF_BIN = 0.05


def random_nets() -> list[Claim]:
    """Return the claims on spectra of products and of Jacobians, and on the variance of activities."""
    return [*_products(), *_jacobians(), *_variances()]


def _products() -> list[Claim]:
    singular_values, eigenvalues = "Section 3, Figure 6B", "Section 3, Figure 6C"
    return [
        *(
            Claim(
                name=f"law_of_{name}",
                place=singular_values,
                figure="product_singular_values",
                kind="formula",
                statement=f"Singular values of {words} have {law}.",
                measure=_distances_from_law(depth),
                rule=Every(greatest=3),
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
        Claim(
            name="small_values_crowd_at_0",
            place=singular_values,
            figure="product_singular_values",
            kind="trend",
            statement="The more Gaussian matrices are multiplied, the more singular values are near 0: 5 against 1.",
            measure=difference(_shares_near_0(5), _shares_near_0(1)),
            rule=Every(least=0.1),
            because="The share below 0.05 is to grow by a tenth at least, in each seed: a picture shows that.",
        ),
        Claim(
            name="nearly_all_values_vanish",
            place=singular_values,
            figure="product_singular_values",
            kind="bound",
            statement="Of 100 factors, nearly all of them are.",
            measure=_shares_near_0(100),
            rule=Every(least=0.9),
            because="“Nearly all” is nine of ten, in each seed.",
        ),
        Claim(
            name="large_values_grow",
            place=singular_values,
            figure="product_singular_values",
            kind="trend",
            statement="A few grow large meanwhile: the largest of 100 factors against that of 1.",
            measure=difference(_largest_singular_values(100), _largest_singular_values(1)),
            rule=Every(least=0),
            because="The mean over the products of a seed of the largest one, which of one factor is 2.",
        ),
        *(
            Claim(
                name=f"share_at_origin_of_{depth}",
                place=f"{eigenvalues}, caption",
                figure="product_eigenvalues",
                kind="number",
                statement=f"Of the eigenvalues of products of {depth}, {share} % lie in the bin around the origin.",
                printed=f"{share}%",
                measure=_shares_at_origin(depth),
                rule=Near(share, error=1.0),
                because=(
                    "The mean over products against a number that is rounded to a percent and does not depend on N "
                    "where N is large; one of 100 eigenvalues is one percent, which is taken for the document's error."
                ),
            )
            for depth, share in ((5, 32), (100, 94))
        ),
        Claim(
            name="mean_logarithm_of_gaussian_products",
            place="Section 3",
            figure="mean_log_singular_values",
            kind="formula",
            statement="Determinants multiply, so that the mean of ln σ falls in proportion to the number of factors.",
            measure=_mean_logs_off_theory,
            rule=Near(0),
            because="The expectation is exact at any N: the relative difference is 0 but for chance.",
        ),
        Claim(
            name="orthogonal_products_are_isometries",
            place="Section 3",
            figure="product_singular_values",
            kind="formula",
            statement="All singular values of products of orthogonal matrices are 1, whatever their number.",
            printed="1",
            measure=_of_each_run("singular_value", lambda values: np.abs(values - 1).max(), **_ORTHOGONAL),
            rule=Every(greatest=1e-10),
            because="Exact but for rounding, of a hundred products at most: the largest departure of each run.",
        ),
    ]


def _jacobians() -> list[Claim]:
    place = "Section 4, Figure 7"
    claims = [
        *(
            Claim(
                name=f"gradients_vanish_below_1_at_{name}",
                place=place,
                kind="bound",
                statement=f"At the gain {gain}, all singular values of the Jacobian of 100 tanh layers vanish.",
                measure=_of_each_run("singular_value", np.max, **_TANH, block="jacobians", gain=gain),
                rule=Every(greatest=gain**100),
                because="No slope of tanh is above 1, so that none exceeds g¹⁰⁰, which is nearly 0.",
            )
            for gain, name in ((0.9, "0_9"), (0.95, "0_95"))
        ),
        *(
            Claim(
                name=f"gradients_stay_above_1_at_{name}",
                place=place,
                kind="bound",
                statement=f"At the gain {gain}, many of them stay of order 1.",
                measure=_shares_of_order_one(gain),
                rule=Every(least=0.5),
                because="“Many” is half of them or more, “of order 1” from 0.1 to 10, in each seed.",
            )
            for gain, name in ((1.05, "1_05"), (1.1, "1_1"))
        ),
    ]
    return shown_in("jacobian_singular_values", claims)


def _variances() -> list[Claim]:
    place = "Section 4, Figure 8"
    claims = [
        Claim(
            name="variance_map",
            place=f"{place}, left",
            kind="formula",
            statement="A layer takes the variance q of its inputs to g² ∫Dz tanh(√q z)².",
            measure=_departures_from_map,
            rule=Near(0, error=0.005),
            because=(
                "The map is that of wide layers: relative differences average to 0 over nets, gains and inputs, but "
                "for what one in 200 units makes."
            ),
        ),
        Claim(
            name="variance_goes_to_its_fixed_point",
            place=f"{place}, right",
            kind="formula",
            statement="Above the gain 1 it goes to the map's fixed point q∞(g), whatever it was.",
            measure=_departures_from_fixed_point,
            rule=Near(0, error=0.01),
            because=(
                "Relative differences behind the last layer, each net averaged over its inputs; finite nets scatter "
                "around it, and their mean may be off by the order of two in 200 units."
            ),
        ),
        Claim(
            name="variance_dies_below_1",
            place=f"{place}, right",
            kind="formula",
            statement="Below the gain 1 it goes to 0.",
            measure=_of_each_run("variance", lambda values: values, last=True, **_TANH, block="variances", gain=0.8),
            rule=Every(greatest=1e-6),
            because="A layer leaves at most g² of it, so that of 3 nothing is left behind 100 of them.",
        ),
    ]
    return shown_in("variance_map", claims)


def _of_each_run(
    metric: str, measure: Callable[[np.ndarray], float | np.ndarray], *, last: bool = False, **wanted: object
) -> Measure:
    """Measure something of all values of a metric in each run; last: of those behind its last layer."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = []
        for rows in _runs(evidence, **wanted):
            values = _rows(rows, metric)
            if last:
                values = values[values["step"] == rows["depth"].iloc[0]]
            found.append(measure(values["value"].to_numpy()) if len(values) else np.nan)
        return np.hstack(found)

    return measured


def _of_each_seed(metric: str, measure: Callable[[pd.DataFrame, int, int], float], **wanted: object) -> Measure:
    """Measure something of the rows of a metric, with N and the depth of the run; NaN of a run that got lost."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = []
        for run in _runs(evidence, **wanted):
            rows = _rows(run, metric)
            found.append(measure(rows, run["size"].iloc[0], run["depth"].iloc[0]) if len(rows) else np.nan)
        return np.array(found)

    return measured


def _runs(evidence: Evidence, **wanted: object) -> list[pd.DataFrame]:
    return each_run(evidence.runs(_EXPERIMENT, **wanted))


def _rows(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    # A run that diverged may have recorded nothing.
    return run[run["metric"] == metric] if (run["metric"] == "diverged").any() else rows_of(run, metric)


def _distances_from_law(depth: int) -> Measure:
    """Measure N times the largest difference of the share of singular values up to a bound from the law's."""

    def of_run(rows: pd.DataFrame, size: int, factors: int) -> float:
        shares = np.sort(random_products.log_singular_value_shares(rows["value"].to_numpy(), factors))
        ranks = np.arange(len(shares) + 1) / len(shares)
        return size * np.maximum(np.abs(shares - ranks[:-1]), np.abs(shares - ranks[1:])).max()

    return _of_each_seed("log_singular_value", of_run, **_GAUSSIAN, depth=depth)


def _shares_near_0(depth: int) -> Measure:
    return _of_each_seed(
        "singular_value", lambda rows, *_: np.mean(rows["value"] < _HALF_BIN), **_GAUSSIAN, depth=depth
    )


def _largest_singular_values(depth: int) -> Measure:
    return _of_each_seed(
        "singular_value",
        lambda rows, size, _: rows["value"].groupby(rows["index"] // size).max().mean(),
        **_GAUSSIAN,
        depth=depth,
    )


def _shares_of_order_one(gain: float) -> Measure:
    return _of_each_seed(
        "singular_value",
        lambda rows, *_: np.mean(rows["value"].between(0.1, 10)),
        **_TANH,
        block="jacobians",
        gain=gain,
    )


def _shares_at_origin(depth: int) -> Measure:
    """Measure the percentage of eigenvalues in the bin around the origin, product by product."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = []
        for run in _runs(evidence, **_GAUSSIAN, depth=depth):
            real, imaginary = (
                _rows(run, f"eigenvalue_{part}").set_index("index")["value"].abs() for part in ("real", "imag")
            )
            inside = (real < _HALF_BIN) & (imaginary < _HALF_BIN)
            found.append(100 * inside.groupby(inside.index // run["size"].iloc[0]).mean().to_numpy())
        return np.concatenate(found)

    return measured


def _mean_logs_off_theory(evidence: Evidence) -> np.ndarray:
    """Return for each product the mean of ln σ behind all factors, minus theory's, over theory's."""
    found = []
    for run in _runs(evidence, **_LINEAR, block="mean_logs", init="gaussian"):
        depth, size = run["depth"].iloc[0], run["size"].iloc[0]
        rows = _rows(run, "mean_log_singular_value")
        theory = random_products.mean_log_singular_value(int(size), int(depth))
        found.append(rows.loc[rows["step"] == depth, "value"].to_numpy() / theory - 1)
    return np.concatenate(found)


def _variances_behind(run: pd.DataFrame, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances of the inputs, (inputs,), and those behind a layer, (nets, inputs)."""
    inputs = _rows(run, "input_variance").sort_values("index")["value"].to_numpy()
    rows = _rows(run, "variance")
    behind = rows[rows["step"] == layer].sort_values("index")["value"].to_numpy()
    return inputs, behind.reshape(-1, len(inputs))


def _departures_from_map(evidence: Evidence) -> np.ndarray:
    found = []
    for run in _runs(evidence, **_TANH, block="variances"):
        inputs, behind = _variances_behind(run, 1)
        found.append((behind / tanh_variance.next_variance(inputs, run["gain"].iloc[0]) - 1).ravel())
    return np.concatenate(found)


def _departures_from_fixed_point(evidence: Evidence) -> np.ndarray:
    found = []
    for run in _runs(evidence, **_TANH, block="variances"):
        gain = run["gain"].iloc[0]
        if gain > 1:
            _, behind = _variances_behind(run, run["depth"].iloc[0])
            found.append(behind.mean(axis=1) / tanh_variance.fixed_point(gain) - 1)
    if not found:
        raise NotTestableError("the config asks for no gain above 1")
    return np.concatenate(found)
