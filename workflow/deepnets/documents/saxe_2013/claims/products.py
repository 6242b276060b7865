"""Claims on products of random matrices."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Every, Near
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure, difference, ratio
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.saxe_2013.claims.spectra import (
    axis_value,
    last_values,
    measure_each_run,
    read_values,
    reshape_by_net,
    rows_of_run,
    select_random_nets,
)
from deepnets.documents.saxe_2013.printed import BIN_WIDTH, FACTORS, SHARES_AT_ORIGIN
from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.documents.saxe_2013.runs import GAUSSIAN, MEAN_LOGS, ORTHOGONAL
from deepnets.tables.matrices import values_by_index
from deepnets.theory import random_products

# Eigenvalues are in the bin around the origin if their real and imaginary parts are both below half of the bin's width.
_HALF_BIN = BIN_WIDTH / 2
# Pairs of (more factors, fewer factors), for neighbouring panels of Figure 6B.
_STEPS = tuple(zip(FACTORS[1:], FACTORS, strict=False))
_ALL_ORTHOGONAL: Runs = {**ORTHOGONAL, "depth": list(FACTORS)}


def products() -> list[Claim]:
    """Return the claims on singular values of products of random matrices, then on eigenvalues."""
    return [*_claim_laws(), *_claim_singular_values(), *_claim_eigenvalues()]


def _claim_laws() -> list[Claim]:
    section = Section("Section 3", "product_singular_values")
    return [
        section.at("Figure 6B, C, left").identity(
            "laws_of_random_matrices",
            "Squared singular values of one Gaussian matrix follow the Marchenko–Pastur law, and the matrix's "
            "eigenvalues are uniform on the disc of radius 1. The paper has no law for products; we compare products "
            "of five matrices with the Fuss–Catalan law.",
            *combine_parts(
                {
                    "singular values of one matrix": (_distances_from_law(1), Every(greatest=3)),
                    "singular values of products of five": (_distances_from_law(5), Every(greatest=3)),
                    "eigenvalues of one matrix": (_distances_from_the_disc, Every(greatest=1)),
                }
            ),
            quantity=(
                "largest difference between cumulative shares and the law, in units of 1/N (singular values) or 1/√N "
                "(eigenvalues)"
            ),
            because=(
                "These laws hold for large N. Singular values repel each other; this makes the largest difference of "
                "shares of the order of 1/N. We allow 3/N in each seed. For eigenvalues we allow 1/√N, because the "
                "rim of the disc is blurred."
            ),
        ),
        section.with_figure("mean_log_singular_values").identity(
            "mean_logarithm_of_gaussian_products",
            "The mean of ln σ falls in proportion to the number of factors, because determinants multiply. The paper "
            "does not state this law.",
            measure_each_run("mean_log_singular_value", _mean_log_errors, MEAN_LOGS),
            Near(0, precision=0.05),
            revised="a required precision was added, without which our own noise would decide",
            quantity="mean of ln σ after 100 factors divided by its expectation, minus 1",
            because=(
                "The expectation is exact at any N. After 100 factors, the relative difference from the expectation "
                "must be 0 on average over products, with an uncertainty of at most 5 %."
            ),
        ),
        section.identity(
            "products_preserve_norms_on_average",
            "On average, products of scaled Gaussian matrices preserve the norm of a vector: the mean of σ² is 1.",
            *combine_parts(
                {
                    f"factors: {count}": (_mean_squares(count), Near(1, precision=0.1))
                    for count in FACTORS
                    if count < 100
                }
            ),
            quantity="mean of σ²",
            because=(
                "The expectation is exact. We do not judge 100 factors: there, the expectation depends on values "
                "that are too rare to occur in 40 products."
            ),
        ),
        section.identity(
            "orthogonal_products_are_isometries",
            "All singular values of products of any number of random orthogonal matrices are 1, and their eigenvalues "
            "lie on the unit circle.",
            *combine_parts(
                {
                    "singular values": (
                        measure_each_run(
                            "singular_value", lambda rows: np.abs(read_values(rows) - 1).max(), _ALL_ORTHOGONAL
                        ),
                        Every(greatest=1e-10),
                    ),
                    "moduli of eigenvalues": (_off_the_unit_circle, Every(greatest=1e-10)),
                }
            ),
            revised="two claims on singular values and eigenvalues are one",
            quantity="largest distance from 1",
            because=(
                "The law is exact; only rounding in the products of at most a hundred matrices adds errors. We judge "
                "the largest distance in each run."
            ),
        ),
    ]


def _claim_singular_values() -> list[Claim]:
    section = Section("Section 3, Figure 6B", "product_singular_values")
    crowd = {
        f"{more} factors over {fewer}": difference(_shares_near_0(more), _shares_near_0(fewer))
        for more, fewer in _STEPS
    }
    kurtosis = {f"{more} factors over {fewer}": ratio(_kurtoses(more), _kurtoses(fewer)) for more, fewer in _STEPS}
    return [
        section.of("share of singular values below 0.05, and its growth with the number of factors").bound(
            "most_singular_values_vanish",
            "The more Gaussian matrices are multiplied, the more singular values are vanishingly small; with 100 "
            "factors, most of them are.",
            *combine_parts(
                {
                    **{name: (measure, Every(least=0.1)) for name, measure in crowd.items()},
                    "100 factors": (_shares_near_0(100), Every(least=0.9)),
                }
            ),
            because=(
                "0.05 is the middle of the first bin. In each seed, the share must grow by at least 0.1 at each "
                "step, a growth that is visible in a picture, and must reach at least 0.9."
            ),
        ),
        section.of("largest singular value of a product of 100 matrices, divided by the largest of one matrix").bound(
            "large_singular_values_remain",
            "A long tail of very large singular values remains in products of 100 Gaussian matrices.",
            ratio(_largest_singular_values(100), _largest_singular_values(1)),
            Every(least=2),
            because=(
                "The largest singular value of a product must be at least twice as large as that of one matrix. We "
                "compare means over the products of a seed."
            ),
            revised="any growth passed, however slight, but the paper states that these values are very large",
        ),
        section.of("kurtosis of the singular values of a product, divided by the kurtosis for fewer factors").trend(
            "spectra_become_kurtotic",
            "The distribution of singular values becomes highly kurtotic as depth increases.",
            *combine_parts({name: (measure, Every(least=1.5)) for name, measure in kurtosis.items()}),
            because="The kurtosis must grow by at least a half from one panel of the figure to the next, in each seed.",
        ),
    ]


def _claim_eigenvalues() -> list[Claim]:
    caption = Section("Section 3, Figure 6C", "product_eigenvalues")
    return [
        caption.at("caption")
        .of("eigenvalues in the bin around the origin, %")
        .numbers(
            "shares_at_origin",
            "The bin of width 0.1 around the origin contains 32 % of the eigenvalues of products of 5 Gaussian "
            "matrices, and 94 % of those of products of 100.",
            {
                f"{count} factors": (_shares_at_origin(count), Near(share, error=0.5, precision=3))
                for count, share in SHARES_AT_ORIGIN.items()
            },
            because=(
                "The paper rounds to 1 %. We take 0.5 % as the error of the paper's numbers; the laws for large N, "
                "31.6 and 94.4 %, are within this error."
            ),
            printed="32%, 94%",
            revised=(
                "a whole percent was taken for the document's error, which is twice the error that its rounding and "
                "the law explain"
            ),
        ),
    ]


def _mean_log_errors(rows: pd.DataFrame) -> np.ndarray:
    """Return the relative error of theory's mean of ln σ after all factors, for each product."""
    return (
        last_values(rows) / random_products.mean_log_singular_value(axis_value(rows, "size"), axis_value(rows, "depth"))
        - 1
    )


def _distances_from_law(depth: int) -> Measure:
    """Measure the Kolmogorov–Smirnov distance of singular values from their law, times N."""

    def measure_run(rows: pd.DataFrame) -> float:
        return axis_value(rows, "size") * distance_from_law(
            random_products.log_singular_value_shares(read_values(rows), depth)
        )

    return measure_each_run("log_singular_value", measure_run, {**GAUSSIAN, "depth": depth})


def _mean_squares(depth: int) -> Measure:
    return measure_each_run(
        "singular_value", lambda rows: (reshape_by_net(rows) ** 2).mean(axis=1), {**GAUSSIAN, "depth": depth}
    )


def _shares_near_0(depth: int) -> Measure:
    return measure_each_run(
        "singular_value", lambda rows: (read_values(rows) < _HALF_BIN).mean(), {**GAUSSIAN, "depth": depth}
    )


def _largest_singular_values(depth: int) -> Measure:
    """Measure the mean over products of the largest singular value, in each run."""
    return measure_each_run(
        "singular_value", lambda rows: reshape_by_net(rows).max(axis=1).mean(), {**GAUSSIAN, "depth": depth}
    )


def _kurtoses(depth: int) -> Measure:
    """Measure the kurtosis of all singular values of each run. A normal variable has the kurtosis 3."""

    def measure_run(rows: pd.DataFrame) -> float:
        centred = read_values(rows) - read_values(rows).mean()
        return float((centred**4).mean() / (centred**2).mean() ** 2)

    return measure_each_run("singular_value", measure_run, {**GAUSSIAN, "depth": depth})


def _moduli(run: pd.DataFrame) -> pd.Series:
    real, imaginary = (values_by_index(rows_of_run(run, f"eigenvalue_{part}")) for part in ("real", "imag"))
    return (real**2 + imaginary**2) ** 0.5


def _off_the_unit_circle(evidence: Evidence) -> np.ndarray:
    return np.array([(_moduli(run) - 1).abs().max() for run in select_random_nets(evidence, _ALL_ORTHOGONAL)])


def _distances_from_the_disc(evidence: Evidence) -> np.ndarray:
    """Return, for each run, the Kolmogorov–Smirnov distance of the eigenvalues' moduli from their law, times √N."""
    found = []
    for run in select_random_nets(evidence, {**GAUSSIAN, "depth": 1}):
        shares = random_products.eigenvalue_shares(_moduli(run).to_numpy(), 1)
        found.append(np.sqrt(axis_value(run, "size")) * distance_from_law(shares))
    return np.array(found)


@as_measure
def _shares_at_origin(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the percentage of eigenvalues in the bin around the origin, for each product."""
    found = []
    for run in select_random_nets(evidence, {**GAUSSIAN, "depth": depth}):
        real, imaginary = (values_by_index(rows_of_run(run, f"eigenvalue_{part}")).abs() for part in ("real", "imag"))
        inside = (real < _HALF_BIN) & (imaginary < _HALF_BIN)
        found.append(100 * inside.groupby(inside.index // axis_value(run, "size")).mean().to_numpy())
    return np.concatenate(found)
