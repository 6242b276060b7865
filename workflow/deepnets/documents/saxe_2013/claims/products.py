"""What the paper states of products of random matrices."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import as_measure, difference, ratio
from workflow.deepnets.claims.section import Runs, Section, in_parts
from workflow.deepnets.documents.saxe_2013.claims.spectra import (
    by_net,
    last_values,
    of_each_run,
    only,
    random_nets,
    rows_of_run,
    values,
)
from workflow.deepnets.documents.saxe_2013.printed import BIN_WIDTH, FACTORS, SHARES_AT_ORIGIN
from workflow.deepnets.documents.saxe_2013.random_nets import distance
from workflow.deepnets.documents.saxe_2013.runs import GAUSSIAN, MEAN_LOGS, ORTHOGONAL
from workflow.deepnets.tables.matrices import values_by_index
from workflow.deepnets.theory import random_products

# The bin around the origin contains real and imaginary parts below half of its width.
_HALF_BIN = BIN_WIDTH / 2
# From one panel of Figure 6B to the next: more factors, fewer.
_STEPS = tuple(zip(FACTORS[1:], FACTORS, strict=False))
_ALL_ORTHOGONAL: Runs = {**ORTHOGONAL, "depth": list(FACTORS)}


def products() -> list[Claim]:
    """Return the claims on singular values of products of random matrices, then on eigenvalues."""
    return [*_laws(), *_singular_values(), *_eigenvalues()]


def _laws() -> list[Claim]:
    section = Section("Section 3", "product_singular_values")
    return [
        section.at("Figure 6B, C, left").identity(
            "laws_of_random_matrices",
            "Squared singular values of one Gaussian matrix have the Marchenko–Pastur law, and its eigenvalues are "
            "uniform on the disc of radius 1. For products the paper has no law; those of five are compared with that "
            "of Fuss and Catalan.",
            *in_parts(
                {
                    "singular values of one matrix": (_distances_from_law(1), Every(greatest=3)),
                    "singular values of products of five": (_distances_from_law(5), Every(greatest=3)),
                    "eigenvalues of one matrix": (_distances_from_the_disc, Every(greatest=1)),
                }
            ),
            quantity="largest difference of shares from the law, in units of what is of the order of 1/N",
            because=(
                "Laws of large N. Among N singular values, which repel each other, the largest difference of shares is "
                "of the order of 1/N, of which three are allowed in each seed. The rim of the disc is smeared: 1/√N is "
                "allowed."
            ),
        ),
        section.with_figure("mean_log_singular_values").identity(
            "mean_logarithm_of_gaussian_products",
            "Not in the paper, which leaves the law of products open: the mean of ln σ falls in proportion to the "
            "number of factors, as determinants multiply.",
            of_each_run("mean_log_singular_value", _last_mean_logs_off_theory, MEAN_LOGS),
            Near(0, precision=0.05),
            revised="a least precision was added, below which our own noise would decide",
            quantity="mean of ln σ after 100 factors over its expectation, minus 1",
            because=(
                "The expectation is exact at any N: the relative difference after 100 factors, of each product, is 0 "
                "on average, known to 5 % or better."
            ),
        ),
        section.identity(
            "products_preserve_norms_on_average",
            "On average, products of scaled Gaussian matrices preserve the norm of a vector: the mean of σ² is 1.",
            *in_parts(
                {
                    f"factors: {count}": (_mean_squares(count), Near(1, precision=0.1))
                    for count in FACTORS
                    if count < 100
                }
            ),
            quantity="mean of σ²",
            because=(
                "The expectation is exact. Of 100 factors it rests on values so rare that 40 products do not contain "
                "them."
            ),
        ),
        section.identity(
            "orthogonal_products_are_isometries",
            "All singular values of products of random orthogonal matrices are 1, whatever their number, and "
            "eigenvalues lie on the unit circle.",
            *in_parts(
                {
                    "singular values": (
                        of_each_run("singular_value", lambda rows: np.abs(values(rows) - 1).max(), _ALL_ORTHOGONAL),
                        Every(greatest=1e-10),
                    ),
                    "moduli of eigenvalues": (_off_the_unit_circle, Every(greatest=1e-10)),
                }
            ),
            revised="two claims on singular values and eigenvalues are one",
            quantity="largest distance from 1",
            because="Exact but for rounding, of a hundred products at most: the largest departure from 1 of each run.",
        ),
    ]


def _singular_values() -> list[Claim]:
    section = Section("Section 3, Figure 6B", "product_singular_values")
    crowd = {
        f"{more} factors over {fewer}": difference(_shares_near_0(more), _shares_near_0(fewer))
        for more, fewer in _STEPS
    }
    kurtosis = {f"{more} factors over {fewer}": ratio(_kurtoses(more), _kurtoses(fewer)) for more, fewer in _STEPS}
    return [
        section.of("share of singular values below 0.05; its growth with the number of factors").bound(
            "most_singular_values_vanish",
            "The more Gaussian matrices are multiplied, the more singular values are vanishingly small: of 100 factors "
            "most of them.",
            *in_parts(
                {
                    **{name: (measure, Every(least=0.1)) for name, measure in crowd.items()},
                    "100 factors": (_shares_near_0(100), Every(least=0.9)),
                }
            ),
            because=(
                "0.05 is the middle of the first bin. The share is to grow by a tenth at least, which a picture shows, "
                "and to end at nine tenths or more, in each seed."
            ),
        ),
        section.of("largest singular value of 100 factors over that of one").bound(
            "large_singular_values_remain",
            "A long tail of very large singular values remains in products of 100 Gaussian matrices.",
            ratio(_largest_singular_values(100), _largest_singular_values(1)),
            Every(least=2),
            because="Twice as large as those of one matrix at least: the mean over the products of a seed.",
            revised="any growth passed, however slight; the paper states that they are very large",
        ),
        section.of("kurtosis of singular values, its growth with the number of factors, as a ratio").trend(
            "spectra_become_kurtotic",
            "The distribution of singular values becomes highly kurtotic as depth increases.",
            *in_parts({name: (measure, Every(least=1.5)) for name, measure in kurtosis.items()}),
            because="By a half at least from one panel of the figure to the next, in each seed.",
        ),
    ]


def _eigenvalues() -> list[Claim]:
    caption = Section("Section 3, Figure 6C", "product_eigenvalues")
    return [
        caption.at("caption")
        .of("eigenvalues in the bin around the origin, %")
        .numbers(
            "shares_at_origin",
            "Of the eigenvalues of products of 5 and of 100 Gaussian matrices, 32 % and 94 % lie in the bin of width "
            "0.1 around the origin.",
            {
                f"{count} factors": (_shares_at_origin(count), Near(share, error=0.5, precision=3))
                for count, share in SHARES_AT_ORIGIN.items()
            },
            because=(
                "The mean over products, against numbers rounded to a percent. Half a percent is taken for their "
                "error, since the laws of large N give 31.6 and 94.4 %."
            ),
            printed="32%, 94%",
            revised="a whole percent was taken for the document's error, twice what its rounding and the law explain",
        ),
    ]


def _last_mean_logs_off_theory(rows: pd.DataFrame) -> np.ndarray:
    """Return for each product the mean of ln σ after all factors, minus theory's, over theory's."""
    return last_values(rows) / random_products.mean_log_singular_value(only(rows, "size"), only(rows, "depth")) - 1


def _distances_from_law(depth: int) -> Measure:
    """Measure N times the largest difference of the share of singular values up to a bound from the law's."""

    def of_run(rows: pd.DataFrame) -> float:
        return only(rows, "size") * distance(random_products.log_singular_value_shares(values(rows), depth))

    return of_each_run("log_singular_value", of_run, {**GAUSSIAN, "depth": depth})


def _mean_squares(depth: int) -> Measure:
    """Measure the mean square of the singular values of each product."""
    return of_each_run("singular_value", lambda rows: (by_net(rows) ** 2).mean(axis=1), {**GAUSSIAN, "depth": depth})


def _shares_near_0(depth: int) -> Measure:
    """Measure the share of singular values in the lower half of the bin around 0."""
    return of_each_run("singular_value", lambda rows: (values(rows) < _HALF_BIN).mean(), {**GAUSSIAN, "depth": depth})


def _largest_singular_values(depth: int) -> Measure:
    """Measure the largest singular value of a product, as a mean over the products of each run."""
    return of_each_run("singular_value", lambda rows: by_net(rows).max(axis=1).mean(), {**GAUSSIAN, "depth": depth})


def _kurtoses(depth: int) -> Measure:
    """Measure the kurtosis of all singular values of each run: 3 for normals."""

    def of_run(rows: pd.DataFrame) -> float:
        centred = values(rows) - values(rows).mean()
        return float((centred**4).mean() / (centred**2).mean() ** 2)

    return of_each_run("singular_value", of_run, {**GAUSSIAN, "depth": depth})


def _moduli(run: pd.DataFrame) -> pd.Series:
    """Return the moduli of the eigenvalues of a run, by index."""
    real, imaginary = (values_by_index(rows_of_run(run, f"eigenvalue_{part}")) for part in ("real", "imag"))
    return (real**2 + imaginary**2) ** 0.5


def _off_the_unit_circle(evidence: Evidence) -> np.ndarray:
    """Return the largest departure of a modulus from 1 in each run of orthogonal matrices."""
    return np.array([(_moduli(run) - 1).abs().max() for run in random_nets(evidence, _ALL_ORTHOGONAL)])


def _distances_from_the_disc(evidence: Evidence) -> np.ndarray:
    """Return √N times the largest difference of the share of eigenvalues within a radius from the law's, run by run."""
    found = []
    for run in random_nets(evidence, {**GAUSSIAN, "depth": 1}):
        shares = random_products.eigenvalue_shares(_moduli(run).to_numpy(), 1)
        found.append(np.sqrt(only(run, "size")) * distance(shares))
    return np.array(found)


@as_measure
def _shares_at_origin(evidence: Evidence, depth: int) -> np.ndarray:
    """Measure the percentage of eigenvalues in the bin around the origin, product by product."""
    found = []
    for run in random_nets(evidence, {**GAUSSIAN, "depth": depth}):
        real, imaginary = (values_by_index(rows_of_run(run, f"eigenvalue_{part}")).abs() for part in ("real", "imag"))
        inside = (real < _HALF_BIN) & (imaginary < _HALF_BIN)
        found.append(100 * inside.groupby(inside.index // only(run, "size")).mean().to_numpy())
    return np.concatenate(found)
