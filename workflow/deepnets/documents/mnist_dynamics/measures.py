"""Measures of the runs of document 001: data sizes, first outputs, changes of the loss, and costs."""

import numpy as np

from deepnets.claims.claim import Measure
from deepnets.claims.evidence import EVERY, Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, at_step
from deepnets.documents.mnist_dynamics.printed import LOSSES
from deepnets.documents.mnist_dynamics.rules import relative_differences
from deepnets.documents.mnist_dynamics.runs import AXES, COMPONENTS, IMAGES, NET, TRAINED
from deepnets.tables.estimates import fit_line
from deepnets.tables.matrices import by_run, values_by_index
from deepnets.tables.rows import first_seed, require_rows, runs_of

# A line through fewer seeds would be too uncertain.
_LEAST_SEEDS_OF_A_LINE = 10


@as_measure
def size(evidence: Evidence, which: str) -> np.ndarray:
    """Measure the number of "images" (P), "inputs" (N) or "outputs" (M) of the document's runs."""
    return np.array([_sizes(evidence)[which]], dtype=float)


@as_measure
def at_document_size(evidence: Evidence, measure: Measure) -> np.ndarray:
    """Measure, but raise NotTestableError unless the runs have the document's numbers of images and components."""
    sizes = _sizes(evidence)
    images, inputs = sizes["images"], sizes["inputs"]
    if (images, inputs) != (IMAGES, COMPONENTS):
        raise NotTestableError(
            f"the runs have {images} images with {inputs} components, the document has {IMAGES} with {COMPONENTS}"
        )
    return measure(evidence)


def rate_of_sums(evidence: Evidence) -> np.ndarray:
    """Measure the learning rates for gradients that are sums over images: the config's rates, divided by 2P."""
    rates = np.array(evidence.settings("mnist_dynamics", "learning_rate"), dtype=float)
    return at_document_size(lambda _: rates / (2 * IMAGES))(evidence)


def mean_square_of_outputs(evidence: Evidence) -> np.ndarray:
    """Measure the mean squared norm of the outputs before training, divided by that of the (white) inputs."""
    first = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "product", step=0)
    # C_XX = 1: the outputs' mean squared norm is the product's squared Frobenius norm, and that of the inputs is N.
    squared = (first["value"] ** 2).groupby(first["seed"]).sum()
    return squared.to_numpy() / _sizes(evidence)["inputs"]


@as_measure
def largest_rise(evidence: Evidence, metric: str) -> np.ndarray:
    """Measure each run's largest change of a loss in one update. It is negative if all updates lower the loss."""
    return by_run(require_rows(evidence.runs("mnist_dynamics", **TRAINED), metric)).diff().max().to_numpy()


def loss_from_document_start(evidence: Evidence) -> np.ndarray:
    """Measure the loss after one update, corrected to the document's loss before this update, for each seed.

    The correction is the slope of a line, fitted over seeds to the loss after the update against the loss before.
    """
    before, after = (at_step("mnist_dynamics", "train_loss", step, **TRAINED)(evidence) for step in (0, 1))
    if (seeds := len(np.unique(before))) < _LEAST_SEEDS_OF_A_LINE:
        raise NotTestableError(f"{seeds} seeds are too few for a line; {_LEAST_SEEDS_OF_A_LINE} are needed")
    if not np.isfinite([before, after]).all():
        return before + after
    slope, _ = fit_line(before, after)
    return after - slope * (before - LOSSES[0])


@as_measure
def difference_of_rules(evidence: Evidence, rule: str, metric: str) -> np.ndarray:
    """Measure the largest relative difference between a rule and the covariance rule over all steps, for each seed."""
    # The config may contain any number of rules. The next line selects the two rules to compare.
    runs = evidence.runs("mnist_dynamics", **NET, rule=EVERY)
    covariance, other = (require_rows(runs, metric, rule=each) for each in ("covariance", rule))
    differences = relative_differences(covariance, other)
    if differences.empty:
        raise NotTestableError(f"no seed has the rules covariance and {rule}")
    return differences.max().to_numpy()


def cost_by_images(evidence: Evidence) -> np.ndarray:
    """Measure the multiply-adds of one update on covariances, for each number of images.

    All values are divided by the value with the fewest images.
    """
    counts = require_rows(evidence.runs("mnist_dynamics", **TRAINED), "multiply_adds")
    costs = values_by_index(first_seed(counts)).to_numpy()
    return costs / costs[0]


def _sizes(evidence: Evidence) -> dict[str, int]:
    """Return the numbers of images P, inputs N and outputs M of the document's runs.

    The runs do not record N; it follows from P(N² + NM) multiply-adds, and the NM entries of the end-to-end matrix.
    """
    runs = evidence.runs("mnist_dynamics", **AXES)
    counts, product = require_rows(runs, "multiply_adds_setup"), require_rows(runs, "product")
    images, cells = counts["index"].max(), product["index"].max() + 1
    pairs = runs_of(counts, index=images)["value"].iloc[0] / images
    if not pairs > cells:
        raise NotTestableError("no numbers of images and inputs give the recorded multiply-adds")
    inputs = round(np.sqrt(pairs - cells))
    return {"images": int(images), "inputs": inputs, "outputs": round(cells / inputs)}
