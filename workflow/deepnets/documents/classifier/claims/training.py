"""What document 000 states of training itself ("The models"): that it fits the data, and what hangs on its settings."""

from collections.abc import Callable

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum, Measure
from workflow.deepnets.claims.criteria import Every, Is, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, difference, difference_of_means, final, updates
from workflow.deepnets.claims.section import Runs, Section
from workflow.deepnets.documents.classifier.nets import DOCUMENT_DATA
from workflow.deepnets.documents.classifier.printed import ACCURACIES, BLOCKS, NETS
from workflow.deepnets.documents.classifier.runs import LEARNING_RATES, TASK, accuracy
from workflow.deepnets.tables.estimates import fit_line

_TASK: Runs = {**TASK, "data_seed": DOCUMENT_DATA}
# The nets of one and two layers that the text describes, and deeper ones like the latter.
_NETS = {1: NETS["linear"], **{depth: {**NETS["two_layers"], "depth": depth} for depth in (2, 3, 6)}}
# Half of what a second layer adds, in percent.
_LITTLE = (ACCURACIES["two_layers"] - ACCURACIES["linear"]) / 2
_NOT_MUCH = "“Not much”: by less than half of what a second layer adds, in either direction."
_LONGER = "Each is to take one update more at least: a count, of nets that all begin at zero."


def training() -> list[Claim | Erratum]:
    """Return the claims on the fit to the training data, on the learning rate and on the threshold at which it ends."""
    models = Section('"The models"')
    swept = models.with_figure("accuracy_by_rate_and_threshold")
    little = Every(least=-_LITTLE, greatest=_LITTLE)
    return [
        models.with_figure("accuracy_along_the_run").bound(
            "perfect_fit",
            "A cross entropy of 0.01 means that the training data are fitted perfectly.",
            final("classifier", "train_accuracy", factor=100, **_TASK, block=list(BLOCKS)),
            Is(100),
            because="“Perfectly”: each run of each of the document's nets is right on all 100 training points.",
            printed="{}% accuracy",
        ),
        swept.bound(
            "rate_matters_little",
            "The learning rate of the linear model does not matter much if it is small enough.",
            _several(*(difference(_accuracy(1, rate=rate), _accuracy(1)) for rate in (3, 1))),
            little,
            because=f"The document's rate 10 is small enough for it, and so are smaller ones. {_NOT_MUCH}",
        ),
        swept.bound(
            "threshold_matters_little",
            "The threshold at which its training stops does not matter much if it is small enough.",
            difference(_accuracy(1, threshold=0.001), _accuracy(1)),
            little,
            because=f"The document's threshold 0.01 is small enough for it, and so is a tenth of it. {_NOT_MUCH}",
        ),
        swept.ordering(
            "smaller_rates_take_longer",
            "A smaller learning rate takes more time to optimise.",
            _several(
                difference(_updates(1, rate=3), _updates(1)), difference(_updates(1, rate=1), _updates(1, rate=3))
            ),
            Every(least=1),
            because=_LONGER,
        ),
        swept.ordering(
            "smaller_threshold_takes_longer",
            "A smaller threshold takes more time to optimise.",
            difference(_updates(1, threshold=0.001), _updates(1)),
            Every(least=1),
            because=_LONGER,
        ),
        swept.ordering(
            "two_layers_help_at_one_rate",
            "It is the second layer that improves the accuracy, not the learning rate, which changes too.",
            difference(_accuracy(2), _accuracy(1, rate=1)),
            Mean(least=0),
            because="Two layers are to be better than one at the rate 1 for both, clearly: by three standard errors.",
        ),
        swept.ordering(
            "three_layers_help_at_one_rate",
            "So it is with the third.",
            difference_of_means(_accuracy(3, rate=0.1), _accuracy(2, rate=0.1)),
            Mean(least=0),
            because="At the rate 0.1 for both, between those of the document for two layers and for three.",
        ),
        swept.trend(
            "deeper_is_better_at_smaller_rates",
            "That more layers give better accuracy does not hang on the learning rate.",
            _slopes(lambda depth: {"rate": _tenth(LEARNING_RATES[depth])}),
            Mean(least=0),
            because=(
                "At a tenth of each net's rate too, the slope of accuracy against depth, one for each repetition, is "
                "to be clearly positive."
            ),
        ),
        swept.trend(
            "deeper_is_better_at_a_smaller_threshold",
            "Nor does it hang on the threshold.",
            _slopes(lambda depth: {"threshold": _tenth(TASK["target_loss"])}),
            Mean(least=0),
            because="The same slope, of nets that are trained to a tenth of the document's loss.",
        ),
        models.erratum(
            "fit_needs_no_overparameterisation",
            "A perfect fit to the training data is not “only possible since” there are more parameters than the "
            "examples need: any number of points of this task can be fitted.",
            "The labels are those of a linear classifier of rank 2 (optimal_classifier), which is right on every "
            "point, and scaled up has a cross entropy as low as one likes.",
        ),
    ]


def _accuracy(depth: int, **changed: float) -> Measure:
    """Measure the final test accuracy in percent of the document's net, with another rate or threshold if given."""
    return accuracy(_net(depth, **changed))


def _updates(depth: int, **changed: float) -> Measure:
    return updates("classifier", "train_loss", **_net(depth, **changed))


def _net(depth: int, *, rate: float | None = None, threshold: float | None = None) -> Runs:
    own = "linear" if depth == 1 else "depths"
    block = "rates" if rate else "thresholds" if threshold else own
    trained = {"learning_rate": rate or LEARNING_RATES[depth], "target_loss": threshold or TASK["target_loss"]}
    return {**_TASK, **_NETS[depth], "block": block, **trained}


def _tenth(value: float) -> float:
    # 0.1 · 0.03 is not the number that the config writes as 0.003.
    return float(f"{value / 10:.6g}")


@as_measure
def _several(evidence: Evidence, *measures: Measure) -> np.ndarray:
    """Measure all values of some measures."""
    return np.concatenate([measure(evidence) for measure in measures])


@as_measure
def _slopes(evidence: Evidence, changed: Callable[[int], dict[str, float]]) -> np.ndarray:
    """Measure by how many percent accuracy grows per layer, for each repetition; the linear model has one for all.

    changed: depth → what is not the document's own of the net.
    """
    accuracies = [_accuracy(depth, **changed(depth))(evidence) for depth in _NETS]
    if len({len(each) for each in accuracies} - {1}) > 1:
        raise NotTestableError("the depths have different numbers of repetitions, which cannot be paired")
    return fit_line(list(_NETS), np.array(np.broadcast_arrays(*accuracies)))[0]
