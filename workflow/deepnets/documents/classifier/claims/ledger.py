"""The claims of document 000, "A simple classification task where deeper is better"."""

from functools import partial
from itertools import pairwise

import numpy as np

from deepnets.claims.claim import Claim, Coverage, Erratum, Measure
from deepnets.claims.criteria import Every, Includes, Is, Mean, Near, Printed
from deepnets.claims.estimate import Estimate
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import (
    concatenate_values,
    count_of_seeds,
    difference,
    difference_of_means,
    final,
    reduce_values,
    setting,
)
from deepnets.claims.section import READ_OFF as READ_OFF_PICTURE
from deepnets.claims.section import Runs, Section, combine_parts
from deepnets.documents.classifier.claims.errata import errata
from deepnets.documents.classifier.claims.replayed_accuracies import REPLAYED, replayed_accuracy
from deepnets.documents.classifier.claims.scales import scale_claims
from deepnets.documents.classifier.claims.training import training_claims
from deepnets.documents.classifier.measures import (
    ACCURACY,
    POINTS,
    accuracy,
    accuracy_of_all,
    difference_by_draw,
    slopes_against_depth,
    third_over_first,
)
from deepnets.documents.classifier.printed import BLOCKS, READ_OFF, READING_ERROR, STANDARD_ERRORS
from deepnets.documents.classifier.runs import (
    DATA_SETS,
    DEPTHS,
    DOCUMENT,
    LEARNING_RATES,
    LINEAR,
    RANK_2,
    RANK_2_DATA_SETS,
    STANDARD_SCALE,
    TASK,
    TWO_LAYERS,
)
from deepnets.tables.estimates import standard_error
from deepnets.tables.matrices import values_by_index
from deepnets.tables.rows import rows_of

TABLES = ("classifier",)
# Printed numbers: three sizes, repetitions, target, eight rates, two scales, five accuracies with two errors, the seed,
# the rank and the columns of the optimal matrix, and the sizes 1, 100 and 10⁻⁴ of singular values. Numbers read off
# pictures: six accuracies by depth, and six numbers from the last two pictures.
_COVERAGE = Coverage(
    printed=40,
    left_out={
        "column indices of the optimal matrix": "they follow from its formula (optimal_classifier)",
        "seed 0": "the runs replay its random numbers",
    },
)
_PAIRED = "Repetitions differ only in their init. The mean difference must exceed three of its standard errors."


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the coverage, the claims of document 000 in its order, and its errata."""
    return [
        _COVERAGE,
        *_task_claims(),
        *_model_claims(),
        *training_claims(),
        *_depth_claims(),
        *_explanation_claims(),
        *scale_claims(),
        *errata(),
    ]


def _task_claims() -> list[Claim]:
    """Return the claims of "The classification task"."""
    task = Section('"The classification task"', "data").with_replayed_draws()
    sizes = {"dimension": "dimensions", "classes": "classes", "samples": "points"}
    return [
        task.setting(
            "sizes_of_the_task",
            "The task has 10 dimensions, 10 classes, 100 training points and 100 test points.",
            *combine_parts({words: (setting("classifier", key), Includes(TASK[key])) for key, words in sizes.items()}),
        ),
        task.identity(
            "classes_are_directions",
            "The first two features of a point are a direction, which lies in one of ten slices of the circle; this "
            "slice is the class of the point.",
            _share_of_labels_that_are_slices,
            Is(1.0),
            quantity="share of points whose class is the number of their slice",
            because="This is the definition of the class, so it must hold for every point.",
        ),
        task.identity(
            "other_dimensions_confuse",
            "The last 8 of the 10 dimensions are useless for classification.",
            _variance_ratios,
            Every(greatest=3.0),
            quantity="variance between classes divided by variance within classes, for each feature",
            because=(
                "For an independent normal feature, this ratio (per degree of freedom) follows an F distribution with "
                "9 and 190 degrees of freedom. Only 2 in 1,000 such ratios exceed 3. The claim uses the points only, "
                "no net."
            ),
        ),
    ]


def _model_claims() -> list[Claim]:
    """Return the claims of "The models", up to the picture of depths."""
    models = Section('"The models"').with_replayed_draws()
    shown = models.with_figure("accuracy_by_variant")
    error = STANDARD_ERRORS["two_layers"]
    return [
        *models.settings(
            "classifier",
            {**TASK, "block": list(BLOCKS)},
            {"target_loss": ("target_loss", "Training ends at a mean cross entropy of at most {}.")},
        ),
        shown.setting(
            "learning_rates",
            "The learning rate is 10 with one layer, 1 with two and with rank 2, 0.03 with three to six layers, 100 at "
            "scale 10⁻⁴ and 0.001 at scale 10³.",
            *combine_parts(
                {
                    f"{runs['block']}, depth {runs['depth']}": (
                        setting("classifier", "learning_rate", block=runs["block"], depth=runs["depth"]),
                        Includes(runs["learning_rate"]),
                    )
                    for runs in DOCUMENT
                    if runs is not STANDARD_SCALE
                }
            ),
        ),
        shown.setting(
            "repetitions",
            "Accuracies are averaged over 10 repetitions, each with its own initial weights.",
            count_of_seeds("classifier", **TWO_LAYERS),
            Every(least=10),
            revised="more than ten repetitions are allowed, because they contain the first ten",
            because="A config with more repetitions contains the same first ten.",
            printed="10 times",
        ),
        models.identity(
            "training_ends_at_its_target",
            "Training of each net ends at a training loss of 0.01 or below.",
            concatenate_values(*(final("classifier", "train_loss", **runs) for runs in DOCUMENT)),
            Every(greatest=0.01),
            quantity="final training loss (cross entropy), nats",
            because=(
                "The training loop stops at this loss. No run may stop earlier because it reached the maximum number "
                "of updates."
            ),
        ),
        replayed_accuracy(
            shown,
            "With one layer, test accuracy is {} %.",
            LINEAR,
            main="the document compares all its results with this accuracy",
        ),
        replayed_accuracy(
            shown,
            "With two layers, test accuracy is {} %.",
            TWO_LAYERS,
            main="the blog sets out to explain this improvement",
        ),
        shown.number(
            "two_layers_uncertainty",
            "With two layers, the standard error of the test accuracy over repetitions is {} %.",
            reduce_values(accuracy_of_all(TWO_LAYERS), partial(standard_error, ddof=0)),
            Printed(error, places=1),
            because=REPLAYED,
            printed="{}%",
            quantity="standard error of the test accuracy, percentage points",
        ),
        shown.of(POINTS).ordering(
            "a_second_layer_helps",
            "Two layers are more accurate than one.",
            difference(accuracy(TWO_LAYERS), accuracy(LINEAR)),
            Mean(least=0),
            because=f"The linear model starts at zero, so all its runs are equal. {_PAIRED}",
        ),
        models.with_figure("accuracy_by_depth").bound(
            "initialization_matters_from_two_layers_on",
            "With one layer the problem is convex and the initialisation does not matter; with two layers the "
            "initialisation matters.",
            *combine_parts(
                {
                    "one layer": (_deviation_over_inits(DEPTHS[1]), Every(greatest=0.0)),
                    "two layers": (_deviation_over_inits(DEPTHS[2]), Every(1.0, 50.0)),
                }
            ),
            because=(
                "With one layer all inits must give the same accuracy. With two layers, the accuracies must deviate by "
                "at least 1 point, which is one of the 100 test points."
            ),
            quantity="standard deviation of test accuracies over inits, percentage points",
        ),
        models.with_figure("accuracy_by_depth").ordering(
            "parameterization_changes_the_solution",
            "The parameterisation changes the implicit bias: gradient descent finds one "
            "solution with a product of two matrices, and another solution with one matrix.",
            difference(third_over_first(LINEAR), third_over_first(TWO_LAYERS)),
            Mean(least=0),
            because=(
                "With two layers, the trained matrix has a smaller ratio of the third to the first singular value. "
                f"{_PAIRED}"
            ),
            quantity="third / first singular value, one layer minus two",
        ),
    ]


def _depth_claims() -> list[Claim]:
    """Return the claims on accuracy against depth: a picture and its code."""
    models = Section('"The models"', "accuracy_by_depth")
    replayed = models.with_replayed_draws().of(POINTS)
    steps = [(shallow, deep) for shallow, deep in pairwise(DATA_SETS)]
    return [
        replayed.at("figure dln_classifier_depth").number(
            "accuracies_by_depth",
            "With one to six layers, the picture shows test accuracies of {} %.",
            *combine_parts(
                {
                    f"depth {depth}": (
                        reduce_values(accuracy_of_all(runs), np.mean),
                        Near(READ_OFF[depth], error=READING_ERROR, errors=1),
                    )
                    for depth, runs in DEPTHS.items()
                }
            ),
            because="The runs replay the random numbers, so only our reading of the picture is uncertain.",
            printed=READ_OFF_PICTURE,
            quantity=ACCURACY,
            revised="the tolerance also included our own standard error",
        ),
        models.with_figure("accuracy_over_data_sets").trend(
            "deeper_is_better",
            "More layers give better test accuracy; we test this on 20 draws of the data.",
            *combine_parts(
                {
                    f"{deep} layers minus {shallow}": (
                        difference_by_draw(DATA_SETS[deep], DATA_SETS[shallow]),
                        Mean(least=0),
                    )
                    for shallow, deep in steps
                }
            ),
            because=(
                "The document has one draw of its points. On each of our 20 draws, we compare a net with the next "
                "deeper net."
            ),
            quantity=POINTS,
            main="the document's title states it",
            revised="the claim was judged only on the document's own draw (deeper_is_better_on_the_documents_data)",
        ),
        replayed.trend(
            "deeper_is_better_on_the_documents_data",
            "On the document's own draw of the data, more layers give better test accuracy.",
            slopes_against_depth({depth: accuracy(runs) for depth, runs in DEPTHS.items()}),
            Mean(least=0),
            because="The slope of accuracy against depth, one for each repetition, must be clearly positive.",
            quantity="slope of test accuracy, percentage points per layer",
        ),
        replayed.ordering(
            "each_layer_adds",
            "“Clearly more layers give better accuracy”: on the document's data, each further layer increases the "
            "accuracy.",
            *combine_parts(
                {
                    f"{deep} layers minus {deep - 1}": (
                        difference_of_means(accuracy(DEPTHS[deep]), accuracy(DEPTHS[deep - 1])),
                        Mean(least=0),
                    )
                    for deep in list(LEARNING_RATES)[1:]
                }
            ),
            because="The accuracy with each further layer must increase by three standard errors of the difference.",
            explanation=(
                "Chance may explain it. The fifth and the sixth layer add 1.7 points each, less than two standard "
                "errors: ten repetitions are too few to decide. Up to four layers, each layer clearly helps. On 20 "
                "draws of the data, six layers are better than three by 11 points (deeper_is_better)."
            ),
        ),
    ]


def _explanation_claims() -> list[Claim]:
    """Return the claims of "The explanation", up to the near-zero initialisation."""
    explanation = Section('"The explanation"').with_replayed_draws()
    shown = explanation.with_figure("accuracy_by_variant")
    return [
        explanation.identity(
            "optimal_classifier",
            "The matrix whose columns point to the middles of the slices classifies every point correctly.",
            _accuracy_of_optimal_matrix,
            Is(1.0),
            quantity="share of points classified correctly",
            because="An optimal classifier makes no mistakes.",
        ),
        explanation.identity(
            "optimal_classifier_has_rank_2",
            "The optimal classifier's matrix has rank {}.",
            _rank_of_optimal_matrix,
            Is(2),
            quantity="rank",
            because="A rank is a whole number.",
            printed="{}",
        ),
        replayed_accuracy(shown, "With a product of rank 2, test accuracy is {} %.", RANK_2),
        shown.ordering(
            "rank_2_is_best",
            "A product of rank 2 is more accurate than products of full rank at any depth from one to six.",
            _lead_of_rank_2,
            Mean(least=0),
            because="We compare rank 2 with the best of the six depths; the uncertainty includes those of both means.",
            quantity=POINTS,
            main="the text calls this accuracy “the best we've seen”; it shows that low rank helps",
        ),
        Section('"The explanation"', "accuracy_over_data_sets").ordering(
            "rank_2_is_best_on_other_data",
            "A product of rank 2 is more accurate than a net of six layers; we test this on 20 draws of the data.",
            difference_by_draw(RANK_2_DATA_SETS, DATA_SETS[6]),
            Mean(least=0),
            because="The document has one draw of its points. We compare the two nets on each of our 20 draws.",
            quantity=POINTS,
        ),
    ]


def _inputs_and_labels(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return the data that all runs share: inputs of shape (points, dimensions) and labels of shape (points,)."""
    runs = evidence.runs("classifier", **LINEAR)
    inputs, labels = (values_by_index(rows_of(runs, metric)).to_numpy() for metric in ("input", "label"))
    if not len(labels):
        raise NotTestableError("no run recorded its inputs")
    return inputs.reshape(len(labels), -1), labels


def _share_of_labels_that_are_slices(evidence: Evidence) -> np.ndarray:
    inputs, labels = _inputs_and_labels(evidence)
    angles = np.arctan2(inputs[:, 0], inputs[:, 1])
    slices = np.floor((angles / np.pi + 1) / 2 * TASK["classes"])
    return np.array([np.mean(slices == labels)])


def _variance_ratios(evidence: Evidence) -> np.ndarray:
    """Return the F ratio of an analysis of variance by class, for each feature after the first two."""
    inputs, labels = _inputs_and_labels(evidence)
    features, classes = inputs[:, 2:], np.unique(labels)
    means = np.array([features[labels == kind].mean(axis=0) for kind in classes])
    counts = np.array([np.sum(labels == kind) for kind in classes])[:, np.newaxis]
    between = np.sum(counts * (means - features.mean(axis=0)) ** 2, axis=0) / (len(classes) - 1)
    left = np.sum((features - means[np.searchsorted(classes, labels)]) ** 2, axis=0) / (len(features) - len(classes))
    return between / left


def _optimal_matrix() -> np.ndarray:
    """Return the first two rows of the document's W, of shape (2, classes). All further rows of W are zero."""
    numbers = np.arange(1, TASK["classes"] + 1)
    angles = np.pi * (2 * numbers - 1 - TASK["classes"]) / TASK["classes"]
    return np.stack([np.sin(angles), np.cos(angles)])


def _accuracy_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    inputs, labels = _inputs_and_labels(evidence)
    return np.array([np.mean((inputs[:, :2] @ _optimal_matrix()).argmax(axis=1) == labels)])


def _rank_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    # Raises an error unless the document's task was run.
    evidence.runs("classifier", **LINEAR)
    return np.array([np.linalg.matrix_rank(_optimal_matrix())], dtype=float)


def _deviation_over_inits(runs: Runs) -> Measure:
    """Measure the standard deviation of accuracies over inits, in percentage points."""
    return reduce_values(accuracy(runs), partial(np.std, ddof=1))


def _lead_of_rank_2(evidence: Evidence) -> Estimate:
    """Return the accuracy of rank 2 minus the accuracy of the best depth, in percentage points."""
    means = {depth: accuracy(runs)(evidence).mean() for depth, runs in DEPTHS.items()}
    best = max(means, key=means.__getitem__)
    return difference_of_means(accuracy(RANK_2), accuracy(DEPTHS[best]))(evidence)
