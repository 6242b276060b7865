import numpy as np
import pandas as pd

from reproduce import api

TABLES = ("mnist_dynamics",)
NET = api.Selection("mnist_dynamics", depth=2, init="row_normalized", hidden=32, learning_rate=0.1)
# Part 1 of the document computes gradients from samples. For equal seeds, this gives the same nets as the covariance
# rule, of which we have more seeds.
TRAINED = NET.but(rule="covariance")
# Number of updates → value ("A step of learning", "Solving a task").
LOSSES = {0: 0.936852, 1: 0.594968}
ACCURACIES = {0: 0.11006, 1: 0.12794, 10: 0.38976, 100: 0.82956}
# The loss that the cell "compute the loss" prints. The document later replaces this first draw of the weights.
LOSS_OF_FIRST_DRAW = 1.1043516264560895
# P and N of the document's code.
_IMAGES, _COMPONENTS = 50_000, 100
# A limit for rounding errors: at most 1e-11 (relative) for a sum over 50,000 images, times 100 updates.
_ROUND_OFF = 1e-9
# A line through fewer seeds would be too uncertain.
_LEAST_SEEDS_OF_A_LINE = 10


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    percent = {step: round(100 * share, 3) for step, share in ACCURACIES.items()}
    accuracy = {step: 100 * api.at_step(TRAINED, "train_accuracy", step) for step in ACCURACIES}
    first_loss = _at_document_size(api.at_step(TRAINED, "train_loss", 0))
    return api.Decisions(
        {
            "loss_of_first_draw": first_loss.draws(LOSS_OF_FIRST_DRAW, "loss"),
            "updates_reduce_the_loss": _largest_rise(TRAINED, metric="train_loss").every(greatest=0),
            "updates_are_slight": api.not_testable("the document gives no number for “slightly”").every(greatest=0),
            # The document means inputs "like X". We use MNIST's test images, whitened with the training images' map.
            "expected_error_falls": _largest_rise(TRAINED, metric="test_loss").every(greatest=0),
            "loss_before_training": first_loss.draws(LOSSES[0], "loss"),
            "loss_after_1_step": _at_document_size(_loss_from_document_start(TRAINED)).near(LOSSES[1], "loss"),
            "chance_before_training": accuracy[0].near(10, "share of images, %"),
            "accuracies": {
                f"after {step}": _at_document_size(accuracy[step]).draws(value, "share of images, %")
                for step, value in percent.items()
            },
            "one_step_helps_slightly": _at_document_size(accuracy[1] - accuracy[0]).draws(
                percent[1] - percent[0], "share of images, %"
            ),
            "more_steps_help": {
                "9 steps": accuracy[10] - accuracy[1] > 0,
                "90 steps": accuracy[100] - accuracy[10] > 0,
            },
            "network_learns": _at_document_size(accuracy[100]) > 80,
            # The config may contain any number of rules.
            "covariances_suffice": _difference_of_rules(NET.but(rule=api.EVERY)).every(greatest=_ROUND_OFF),
        },
        # Training takes 1 + 9 + 90 updates.
        settings=(NET.but(steps=100),),
    )


def product_differences(runs: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Return the largest difference of the products under a rule and the covariance rule, over the largest entry.

    runs: differ only in rule and seed. Returns: steps × seeds; only the steps and seeds that both rules have.
    """
    products = api.require_rows(runs, "product").pivot(index=["step", "seed", "index"], columns="rule", values="value")
    both = products.reindex(columns=["covariance", rule]).dropna()
    differences, sizes = both[rule] - both["covariance"], both["covariance"]
    largest, size = (each.abs().groupby(["step", "seed"]).max() for each in (differences, sizes))
    return (largest / size).unstack("seed")


@api.measured
def _difference_of_rules(runs: pd.DataFrame) -> np.ndarray:
    if (differences := product_differences(runs, "samples")).empty:
        raise api.NotTestableError("no seed has the rules covariance and samples")
    return differences.max().to_numpy()


@api.measured
def _largest_rise(runs: pd.DataFrame, metric: str) -> np.ndarray:
    return api.by_run(api.require_rows(runs, metric)).diff().max().to_numpy()


def _at_document_size(values: api.Measure) -> api.Measure:
    """Return the same measure; it raises NotTestableError unless the runs have the document's images and components.

    The runs do not record the components N; they follow from P(N² + NM) multiply-adds for P images, and the NM entries
    of the end-to-end matrix.
    """
    # The same runs, but with any width and any learning rate.
    described = TRAINED.only("depth", "init", "rule")

    def compute(tables: api.Tables) -> np.ndarray:
        runs = described.rows(api.table_of(tables, described))
        counts, product = api.require_rows(runs, "multiply_adds_setup"), api.require_rows(runs, "product")
        images, cells = int(counts["index"].max()), product["index"].max() + 1
        pairs = api.runs_of(counts, index=images)["value"].iloc[0] / images
        if (images, inputs := round(np.sqrt(abs(pairs - cells)))) != (_IMAGES, _COMPONENTS):
            raise api.NotTestableError(
                f"the runs have {images} images with {inputs} components, the document has {_IMAGES} with {_COMPONENTS}"
            )
        return values(tables)

    return api.Measure(compute, *values.selections)


@api.measured
def _loss_from_document_start(runs: pd.DataFrame) -> api.Estimate | np.ndarray:
    """Measure the loss after one update at the document's loss before it, on a line fitted over seeds.

    The standard error is that of the line at this point, its slope's included.
    """
    before, after = (api.recordings(runs, "train_loss", step=step)[:, 0, 0] for step in (0, 1))
    if (seeds := len(np.unique(before))) < _LEAST_SEEDS_OF_A_LINE:
        raise api.NotTestableError(f"{seeds} seeds are too few for a line; {_LEAST_SEEDS_OF_A_LINE} are needed")
    if not np.isfinite([before, after]).all():
        return before + after
    slope, offset = api.fit_line(before, after)
    freedom, deviations = len(before) - 2, before - before.mean()
    scatter = np.sum((after - slope * before - offset) ** 2) / freedom
    error = np.sqrt(scatter * (1 / len(before) + (LOSSES[0] - before.mean()) ** 2 / np.sum(deviations**2)))
    return api.Estimate(float(slope * LOSSES[0] + offset), float(error), (len(before),), freedom)
