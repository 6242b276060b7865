"""Measures of document 001's runs: sizes of their data, their first outputs, their largest steps, and their costs."""

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.documents.mnist_dynamics.rules import relative_differences
from workflow.deepnets.documents.mnist_dynamics.runs import COMPONENTS, IMAGES, NET, TRAINED
from workflow.deepnets.tables.matrices import by_run, values_by_index
from workflow.deepnets.tables.rows import first_seed, require_rows, runs_of


def size(which: str) -> Measure:
    """Measure the number of "images", of "inputs" or of "outputs" of all runs: P, N or M."""
    return lambda evidence: np.array([_sizes(evidence)[which]], dtype=float)


def of_the_document(measure: Measure) -> Measure:
    """Measure only runs on as many images with as many components as the document has."""

    def measured(evidence: Evidence) -> np.ndarray:
        sizes = _sizes(evidence)
        images, inputs = sizes["images"], sizes["inputs"]
        if (images, inputs) != (IMAGES, COMPONENTS):
            raise NotTestableError(
                f"the runs are of {images} images with {inputs} components; the document: {IMAGES} with {COMPONENTS}"
            )
        return measure(evidence)

    return measured


def in_percent(measure: Measure) -> Measure:
    """Measure shares in percent."""
    return lambda evidence: 100 * measure(evidence)


def document_or_others(setting: str, value: float) -> Measure:
    """Measure the document's value of a setting or an axis if the config asks for it, or else all its values."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = evidence.settings("mnist_dynamics", setting)
        return np.array([value] if value in values else values, dtype=float)

    return measured


def rate_of_sums(evidence: Evidence) -> np.ndarray:
    """Measure the learning rates for gradients that are sums over images: those on covariances over 2P."""
    rates = np.array(evidence.settings("mnist_dynamics", "learning_rate"), dtype=float)
    return of_the_document(lambda _: rates / (2 * IMAGES))(evidence)


def mean_square_of_outputs(*, per: str) -> Measure:
    """Measure the mean squared norm of a run's first outputs for white inputs. per: "inputs" or "outputs"."""

    def measured(evidence: Evidence) -> np.ndarray:
        first = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "product", step=0)
        # The squared Frobenius norm is the mean squared norm of outputs where C_XX = 1; that of inputs is their number.
        squared = (first["value"] ** 2).groupby(first["seed"]).sum()
        return squared.to_numpy() / _sizes(evidence)[per]

    return measured


def largest_rise(metric: str) -> Measure:
    """Measure the largest change of a loss by one update, in each run; if all updates lower it, the smallest fall."""
    return lambda evidence: (
        by_run(require_rows(evidence.runs("mnist_dynamics", **TRAINED), metric)).diff().max().to_numpy()
    )


def difference_of_rules(rule: str, metric: str) -> Measure:
    """Measure by how much a rule's runs differ from those on covariances, for each seed: at most at any step."""

    def measured(evidence: Evidence) -> np.ndarray:
        covariance, other = (
            require_rows(evidence.runs("mnist_dynamics", **NET, rule=each), metric) for each in ("covariance", rule)
        )
        differences = relative_differences(covariance, other)
        if differences.empty:
            raise NotTestableError(f"no seed has the rules covariance and {rule}")
        return differences.max().to_numpy()

    return measured


def cost_by_images(evidence: Evidence) -> np.ndarray:
    """Measure the multiply-adds of an update on covariances for each number of images, over those for the fewest."""
    counts = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "multiply_adds")
    costs = values_by_index(first_seed(counts)).to_numpy()
    return costs / costs[0]


def _sizes(evidence: Evidence) -> dict[str, int]:
    """Return the numbers of images, inputs and outputs of all runs: P, N and M.

    The covariances cost P(N² + NM) multiply-adds, and the end-to-end matrix has NM cells.
    """
    runs = evidence.runs("mnist_dynamics", rule="covariance")
    counts, product = require_rows(runs, "multiply_adds_setup"), require_rows(runs, "product")
    images, cells = counts["index"].max(), product["index"].max() + 1
    pairs = runs_of(counts, index=images)["value"].iloc[0] / images
    inputs = round(np.sqrt(pairs - cells))
    return {"images": int(images), "inputs": inputs, "outputs": round(cells / inputs)}
