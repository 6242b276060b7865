"""Measures of document 001's runs: sizes of their data, their first outputs, their largest steps, and their costs."""

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import EVERY, Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, at_step
from workflow.deepnets.documents.mnist_dynamics.printed import LOSSES
from workflow.deepnets.documents.mnist_dynamics.rules import relative_differences
from workflow.deepnets.documents.mnist_dynamics.runs import AXES, COMPONENTS, IMAGES, NET, TRAINED
from workflow.deepnets.tables.estimates import fit_line
from workflow.deepnets.tables.matrices import by_run, values_by_index
from workflow.deepnets.tables.rows import first_seed, require_rows, runs_of

# Fewer lie on a line by chance.
_LEAST_SEEDS_OF_A_LINE = 10


@as_measure
def size(evidence: Evidence, which: str) -> np.ndarray:
    """Measure the number of "images", of "inputs" or of "outputs" of the document's runs: P, N or M."""
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


def rate_of_sums(evidence: Evidence) -> np.ndarray:
    """Measure the learning rates for gradients that are sums over images: those on covariances over 2P."""
    rates = np.array(evidence.settings("mnist_dynamics", "learning_rate"), dtype=float)
    return of_the_document(lambda _: rates / (2 * IMAGES))(evidence)


def mean_square_of_outputs(evidence: Evidence) -> np.ndarray:
    """Measure the mean squared norm of a run's first outputs for white inputs, over that of the inputs."""
    first = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "product", step=0)
    # The squared Frobenius norm is the mean squared norm of outputs where C_XX = 1; that of inputs is their number.
    squared = (first["value"] ** 2).groupby(first["seed"]).sum()
    return squared.to_numpy() / _sizes(evidence)["inputs"]


@as_measure
def largest_rise(evidence: Evidence, metric: str) -> np.ndarray:
    """Measure the largest change of a loss by one update, in each run; if all updates lower it, the smallest fall."""
    return by_run(require_rows(evidence.runs("mnist_dynamics", **TRAINED), metric)).diff().max().to_numpy()


def loss_after_the_document_s_start(evidence: Evidence) -> np.ndarray:
    """Measure the loss after one update, moved to the document's loss before it along the line over seeds."""
    before, after = (at_step("mnist_dynamics", "train_loss", step, **TRAINED)(evidence) for step in (0, 1))
    if (seeds := len(np.unique(before))) < _LEAST_SEEDS_OF_A_LINE:
        raise NotTestableError(f"{seeds} seeds are too few for a line; {_LEAST_SEEDS_OF_A_LINE} are needed")
    if not np.isfinite([before, after]).all():
        return before + after
    slope, _ = fit_line(before, after)
    return after - slope * (before - LOSSES[0])


@as_measure
def difference_of_rules(evidence: Evidence, rule: str, metric: str) -> np.ndarray:
    """Measure by how much a rule's runs differ from those on covariances, for each seed: at most at any step."""
    # All rules, whatever further ones a config has: both compared ones are chosen here.
    runs = evidence.runs("mnist_dynamics", **NET, rule=EVERY)
    covariance, other = (require_rows(runs, metric, rule=each) for each in ("covariance", rule))
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
    """Return the numbers of images, inputs and outputs of the document's runs: P, N and M.

    The covariances cost P(N² + NM) multiply-adds, and the end-to-end matrix has NM cells.
    """
    runs = evidence.runs("mnist_dynamics", **AXES)
    counts, product = require_rows(runs, "multiply_adds_setup"), require_rows(runs, "product")
    images, cells = counts["index"].max(), product["index"].max() + 1
    pairs = runs_of(counts, index=images)["value"].iloc[0] / images
    if not pairs > cells:
        raise NotTestableError("the recorded multiply-adds are those of no number of images and inputs")
    inputs = round(np.sqrt(pairs - cells))
    return {"images": int(images), "inputs": inputs, "outputs": round(cells / inputs)}
