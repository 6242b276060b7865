"""The claims of document 000, "The models", on training: fit to the data, learning rate and threshold."""

from collections.abc import Callable

from deepnets.claims.claim import Claim, Erratum, Measure
from deepnets.claims.criteria import Every, Is, Mean
from deepnets.claims.old_measures import concatenate_values, difference, difference_of_means, final, updates
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.classifier.measures import POINTS, accuracy, slopes_against_depth
from deepnets.documents.classifier.printed import ACCURACIES, NETS
from deepnets.documents.classifier.runs import DOCUMENT, LEARNING_RATES, REPETITIONS, TASK

# The text's nets with one and two layers, and deeper nets with the same settings as two layers.
_NETS = {1: NETS["linear"], **{depth: {**NETS["two_layers"], "depth": depth} for depth in (2, 3, 6)}}
# Half of the accuracy that a second layer adds, in percentage points.
_LITTLE = (ACCURACIES["two_layers"] - ACCURACIES["linear"]) / 2


def training_claims() -> list[Claim | Erratum]:
    """Return the claims on the fit to the training data, the learning rate and the stopping threshold."""
    models = Section('"The models"').with_replayed_draws()
    swept = models.with_figure("accuracy_by_rate_and_threshold").of(POINTS)
    little = Every(least=-_LITTLE, greatest=_LITTLE)
    linear = {
        "rate 3": {"rate": 3},
        "rate 1": {"rate": 1},
        "threshold 0.001": {"threshold": 0.001},
    }
    return [
        models.with_figure("accuracy_along_the_run").bound(
            "perfect_fit",
            "At a cross entropy of 0.01 the training data are fitted perfectly: training accuracy is {} %.",
            concatenate_values(*(final("classifier", "train_accuracy", factor=100, **runs) for runs in DOCUMENT)),
            Is(100),
            because="“Perfectly”: each run of each of the document's nets is correct on all 100 training points.",
            printed="{}% accuracy",
            quantity="training accuracy, %",
        ),
        swept.bound(
            "rate_and_threshold_matter_little",
            "The learning rate and the stopping threshold of the linear model do not matter much if they are small "
            "enough.",
            *combine_parts(
                {name: (difference(_accuracy(1, **other), _accuracy(1)), little) for name, other in linear.items()}
            ),
            because=(
                "“Not much” means here less than half of the accuracy that a second layer adds. “Small enough” means "
                "not above the document's rate 10 and threshold 0.01."
            ),
        ),
        swept.ordering(
            "smaller_rates_and_thresholds_take_longer",
            "A smaller learning rate or stopping threshold takes more time to optimise.",
            *combine_parts(
                {
                    "rate 3 against 10": (difference(_update_count(1, rate=3), _update_count(1)), Every(least=1)),
                    "rate 1 against 3": (
                        difference(_update_count(1, rate=1), _update_count(1, rate=3)),
                        Every(least=1),
                    ),
                    "threshold 0.001 against 0.01": (
                        difference(_update_count(1, threshold=0.001), _update_count(1)),
                        Every(least=1),
                    ),
                }
            ),
            because="All nets start at zero, so the counts have no noise: one more update is enough.",
            quantity="difference of numbers of updates",
        ),
        swept.ordering(
            "layers_help_at_one_rate",
            "The second and the third layer improve test accuracy. The learning rate changes with depth, but is not "
            "the cause.",
            *combine_parts(
                {
                    "2 layers minus 1, rate 1": (difference(_accuracy(2), _accuracy(1, rate=1)), Mean(least=0)),
                    "3 layers minus 2, rate 0.1": (
                        difference_of_means(_accuracy(3, rate=0.1), _accuracy(2, rate=0.1)),
                        Mean(least=0),
                    ),
                }
            ),
            because=(
                "We compare both depths at the same rate. This rate is at or between the document's rates for the two "
                "depths."
            ),
        ),
        swept.trend(
            "deeper_is_better_at_smaller_rates_and_thresholds",
            "More layers give better test accuracy at smaller learning rates and thresholds too.",
            *combine_parts(
                {
                    "a tenth of each rate": (
                        _accuracy_slopes(lambda depth: {"rate": _tenth(LEARNING_RATES[depth])}),
                        Mean(least=0),
                    ),
                    "a tenth of the threshold": (
                        _accuracy_slopes(lambda depth: {"threshold": _tenth(TASK["target_loss"])}),
                        Mean(least=0),
                    ),
                }
            ),
            because="The slope of accuracy against depth, one for each repetition, must be clearly positive.",
            quantity="slope of test accuracy, percentage points per layer",
        ),
        models.erratum(
            "fit_needs_no_overparameterisation",
            "The text writes that a perfect fit to the training data is “only possible since” there are more "
            "parameters than the examples need. In fact any number of points of this task can be fitted.",
            "A linear classifier of rank 2 classifies every point correctly (optimal_classifier). Multiplying "
            "its matrix by a large factor makes the cross entropy arbitrarily low.",
        ),
    ]


def _accuracy(depth: int, **changed: float) -> Measure:
    """Measure the final test accuracy in percent of the document's net of this depth.

    changed: a rate or threshold that replaces the document's.
    """
    return accuracy(_runs_of_net(depth, **changed))


def _update_count(depth: int, **changed: float) -> Measure:
    return updates("classifier", "train_loss", **_runs_of_net(depth, **changed))


def _runs_of_net(depth: int, *, rate: float | None = None, threshold: float | None = None) -> Runs:
    own = "linear" if depth == 1 else "depths"
    block = "rates" if rate else "thresholds" if threshold else own
    trained = {"learning_rate": rate or LEARNING_RATES[depth], "target_loss": threshold or TASK["target_loss"]}
    # The net with one layer starts from zeros and has one run.
    return {**TASK, **_NETS[depth], "block": block, **trained, "seed": 0 if depth == 1 else REPETITIONS}


def _tenth(value: float) -> float:
    # In floating point, 0.1 · 0.03 is not the config's 0.003.
    return float(f"{value / 10:.6g}")


def _accuracy_slopes(changed: Callable[[int], dict[str, float]]) -> Measure:
    """Measure the slope of test accuracy against depth, in percentage points per layer, for each repetition.

    changed: depth → the rate or threshold that replaces the document's.
    """
    return slopes_against_depth({depth: _accuracy(depth, **changed(depth)) for depth in _NETS})
