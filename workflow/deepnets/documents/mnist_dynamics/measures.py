"""Measures of document 001's runs: sizes of their data, their first outputs, their largest steps, and their costs."""

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure
from workflow.deepnets.documents.mnist_dynamics.rules import relative_differences
from workflow.deepnets.documents.mnist_dynamics.runs import COMPONENTS, IMAGES, NET, TRAINED
from workflow.deepnets.tables.matrices import by_run, values_by_index
from workflow.deepnets.tables.rows import first_seed, require_rows, runs_of


@as_measure
def size(evidence: Evidence, which: str) -> np.ndarray:
    """Measure the number of "images", of "inputs" or of "outputs" of all runs: P, N or M."""
    return np.array([_sizes(evidence)[which]], dtype=float)


@as_measure
def of_the_document(evidence: Evidence, measure: Measure) -> np.ndarray:
    """Measure only runs on as many images with as many components as the document has."""
    sizes = _sizes(evidence)
    images, inputs = sizes["images"], sizes["inputs"]
    if (images, inputs) != (IMAGES, COMPONENTS):
        raise NotTestableError(
            f"the runs are of {images} images with {inputs} components; the document: {IMAGES} with {COMPONENTS}"
        )
    return measure(evidence)


@as_measure
def in_percent(evidence: Evidence, measure: Measure) -> np.ndarray:
    """Measure shares in percent."""
    return 100 * measure(evidence)


@as_measure
def document_or_others(evidence: Evidence, setting: str, value: float) -> np.ndarray:
    """Measure the document's value of a setting or an axis if the config asks for it, or else all its values."""
    values = evidence.settings("mnist_dynamics", setting)
    return np.array([value] if value in values else values, dtype=float)


def rate_of_sums(evidence: Evidence) -> np.ndarray:
    """Measure the learning rates for gradients that are sums over images: those on covariances over 2P."""
    rates = np.array(evidence.settings("mnist_dynamics", "learning_rate"), dtype=float)
    return of_the_document(lambda _: rates / (2 * IMAGES))(evidence)


@as_measure
def mean_square_of_outputs(evidence: Evidence, *, per: str) -> np.ndarray:
    """Measure the mean squared norm of a run's first outputs for white inputs. per: "inputs" or "outputs"."""
    first = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "product", step=0)
    # The squared Frobenius norm is the mean squared norm of outputs where C_XX = 1; that of inputs is their number.
    squared = (first["value"] ** 2).groupby(first["seed"]).sum()
    return squared.to_numpy() / _sizes(evidence)[per]


@as_measure
def largest_rise(evidence: Evidence, metric: str) -> np.ndarray:
    """Measure the largest change of a loss by one update, in each run; if all updates lower it, the smallest fall."""
    return by_run(require_rows(evidence.runs("mnist_dynamics", **TRAINED), metric)).diff().max().to_numpy()


@as_measure
def difference_of_rules(evidence: Evidence, rule: str, metric: str) -> np.ndarray:
    """Measure by how much a rule's runs differ from those on covariances, for each seed: at most at any step."""
    covariance, other = (
        require_rows(evidence.runs("mnist_dynamics", **NET, rule=each), metric) for each in ("covariance", rule)
    )
    differences = relative_differences(covariance, other)
    if differences.empty:
        raise NotTestableError(f"no seed has the rules covariance and {rule}")
    return differences.max().to_numpy()


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
