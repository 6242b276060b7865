import numpy as np
import pandas as pd

from deepnets.documents.mnist_dynamics.printed import LOSSES
from deepnets.documents.mnist_dynamics.rules import relative_differences
from deepnets.documents.mnist_dynamics.runs import AXES, COMPONENTS, IMAGES, NET, TRAINED
from reproduce import api

# A line through fewer seeds would be too uncertain.
_LEAST_SEEDS_OF_A_LINE = 10


def at_document_size(values: api.Measure) -> api.Measure:
    """Return the same measure; it raises NotTestableError unless the runs have the document's images and components."""

    def compute(tables: api.Tables) -> np.ndarray:
        images, inputs = _count_images_and_inputs(AXES.rows(api.table_of(tables, AXES)))
        if (images, inputs) != (IMAGES, COMPONENTS):
            raise api.NotTestableError(
                f"the runs have {images} images with {inputs} components, the document has {IMAGES} with {COMPONENTS}"
            )
        return values(tables)

    return api.Measure(compute, *values.selections)


def largest_rise(metric: str) -> api.Measure:
    """Measure each run's largest change of a loss in one update. It is negative if all updates lower the loss."""
    return api.measure(lambda runs: api.by_run(api.require_rows(runs, metric)).diff().max().to_numpy(), TRAINED)


def loss_from_document_start() -> api.Measure:
    """Measure the loss after one update at the document's loss before it, on a line fitted over seeds.

    The standard error is that of the line at this point, its slope's included.
    """
    return api.measure(_read_line_at_start, TRAINED)


def difference_of_rules(rule: str) -> api.Measure:
    """Measure the largest difference of the products under a rule and the covariance rule over all steps, by seed."""

    def subtract(runs: pd.DataFrame) -> np.ndarray:
        rows = api.require_rows(runs, "product")
        differences = relative_differences(api.runs_of(rows, rule="covariance"), api.runs_of(rows, rule=rule))
        if differences.empty:
            raise api.NotTestableError(f"no seed has the rules covariance and {rule}")
        return differences.max().to_numpy()

    # The config may contain any number of rules.
    return api.measure(subtract, NET.but(rule=api.EVERY))


def _count_images_and_inputs(runs: pd.DataFrame) -> tuple[int, int]:
    """Return the numbers of images P and inputs N of the document's runs.

    The runs do not record N; it follows from P(N² + NM) multiply-adds, and the NM entries of the end-to-end matrix.
    """
    counts, product = api.require_rows(runs, "multiply_adds_setup"), api.require_rows(runs, "product")
    images, cells = int(counts["index"].max()), product["index"].max() + 1
    pairs = api.runs_of(counts, index=images)["value"].iloc[0] / images
    if not pairs > cells:
        raise api.NotTestableError("no numbers of images and inputs give the recorded multiply-adds")
    return images, round(np.sqrt(pairs - cells))


def _read_line_at_start(runs: pd.DataFrame) -> api.Estimate | np.ndarray:
    before, after = (api.require_rows(runs, "train_loss", step=step)["value"].to_numpy() for step in (0, 1))
    if (seeds := len(np.unique(before))) < _LEAST_SEEDS_OF_A_LINE:
        raise api.NotTestableError(f"{seeds} seeds are too few for a line; {_LEAST_SEEDS_OF_A_LINE} are needed")
    if not np.isfinite([before, after]).all():
        return before + after
    slope, offset = api.fit_line(before, after)
    freedom, deviations = len(before) - 2, before - before.mean()
    scatter = np.sum((after - slope * before - offset) ** 2) / freedom
    error = np.sqrt(scatter * (1 / len(before) + (LOSSES[0] - before.mean()) ** 2 / np.sum(deviations**2)))
    return api.Estimate(float(slope * LOSSES[0] + offset), float(error), (len(before),), freedom)
