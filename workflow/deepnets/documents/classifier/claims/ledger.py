"""The claims of document 000, "A simple classification task where deeper is better"."""

from functools import partial

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near, Printed
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import count_of_seeds, difference, difference_of_means, final, reduced, slope
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.classifier.claims.errata import errata
from workflow.deepnets.documents.classifier.claims.scales import scales
from workflow.deepnets.documents.classifier.claims.training import training
from workflow.deepnets.documents.classifier.printed import BLOCKS, READ_OFF, READING_ERROR, STANDARD_ERRORS
from workflow.deepnets.documents.classifier.runs import (
    DEPTHS,
    LEARNING_RATES,
    LINEAR,
    RANK_2,
    REPLAYED,
    TASK,
    TWO_LAYERS,
    accuracy,
    rate_of,
    replayed_accuracy,
)
from workflow.deepnets.tables.estimates import standard_error
from workflow.deepnets.tables.matrices import values_by_index
from workflow.deepnets.tables.rows import rows_of

TABLES = ("classifier",)
_PAIRED = "Repetitions differ in their init alone; three standard errors of the differences leave little to chance."


def ledger() -> list[Claim | Erratum]:
    """Return what document 000 states, in its order, and its errata."""
    return [*_task(), *_models(), *training(), *_depths(), *_explanation(), *scales(), *errata()]


def _task() -> list[Claim]:
    """ "The classification task"."""
    task = Section('"The classification task"', "data")
    return [
        *task.settings(
            "classifier",
            TASK,
            {
                "dimension": ("input_dimension", "The inputs have {} dimensions."),
                "classes": ("classes", "There are {} classes."),
                "samples": ("samples", "There are {} training examples, and as many test points."),
            },
        ),
        task.identity(
            "classes_are_directions",
            "The class of a point is the slice of the circle in which its first two features point.",
            _share_of_labels_that_are_slices,
            Is(1.0),
            because="A definition holds for every point.",
        ),
        task.bound(
            "other_dimensions_confuse",
            "The other 8 dimensions say nothing about the class.",
            _explained_by_class,
            Every(greatest=3.0),
            because=(
                "The variance of an independent normal feature between classes over that within them, by degree of "
                "freedom, follows an F distribution with 9 and 190 degrees of freedom: 2 of 1,000 lie above 3."
            ),
        ),
    ]


def _models() -> list[Claim]:
    """ "The models", up to the picture of depths."""
    models = Section('"The models"')
    shown = models.with_figure("accuracy_by_variant")
    error = STANDARD_ERRORS["two_layers"]
    return [
        *models.settings(
            "classifier",
            {**TASK, "block": list(BLOCKS)},
            {"target_loss": ("target_loss", "Training ends at a mean cross entropy of at most {}.")},
        ),
        *rate_of(shown, "The linear model takes the learning rate {}.", LINEAR),
        *rate_of(shown, "Two layers take the rate {}.", TWO_LAYERS),
        shown.setting(
            "repetitions",
            "Inits are averaged over {} repetitions.",
            count_of_seeds("classifier", block="two_layers"),
            Is(10),
            printed="{} times",
        ),
        models.bound(
            "target_is_reached",
            "Gradient descent brings the loss of the linear model to 0.01 or below.",
            final("classifier", "train_loss", **LINEAR),
            Every(greatest=0.01),
            because="The condition of the loop; the loss behind its last update is lower still.",
            printed="0.01",
        ),
        replayed_accuracy(shown, "The linear model is right on {} % of the points.", LINEAR),
        replayed_accuracy(shown, "Two layers are right on {} % of them.", TWO_LAYERS),
        shown.number(
            "two_layers_uncertainty",
            "The accuracy of two layers has the standard error {} % over repetitions.",
            reduced(accuracy(TWO_LAYERS), partial(standard_error, ddof=0)),
            Printed(error, places=1),
            because=REPLAYED,
            printed="{}%",
        ),
        shown.ordering(
            "a_second_layer_helps",
            "Two layers are more accurate than one.",
            difference(accuracy(TWO_LAYERS), accuracy(LINEAR)),
            Mean(least=0),
            because="The linear model starts at zero and is always the same; " + _PAIRED[0].lower() + _PAIRED[1:],
        ),
    ]


def _depths() -> list[Claim]:
    """The picture of accuracy against depth, and its code."""
    models = Section('"The models"', "accuracy_by_depth")
    picture = models.at("figure dln_classifier_depth")
    return [
        *(
            claim
            for depth, runs in DEPTHS.items()
            for claim in rate_of(picture, f"The sweep takes the rate {{}} at depth {depth}.", runs, depth=depth)
        ),
        *(
            picture.number(
                f"accuracy_at_depth_{depth}",
                f"At depth {depth}, the picture shows {READ_OFF[depth]} %.",
                accuracy(runs),
                Near(READ_OFF[depth], error=READING_ERROR, errors=1),
                because="The random numbers are replayed, so that only the reading of the picture is uncertain.",
                printed=f"{READ_OFF[depth]} (read off)",
            )
            for depth, runs in DEPTHS.items()
        ),
        models.trend(
            "deeper_is_better",
            "More layers give better accuracy.",
            slope("classifier", "test_accuracy", over="depth", **TASK, block="depths", depth=list(LEARNING_RATES)),
            Mean(least=0),
            because="The slope of accuracy against depth, one for each repetition, is to be clearly positive.",
        ),
        *(
            models.ordering(
                f"depth_{deep}_beats_{deep - 1}",
                f"{deep} layers are more accurate than {deep - 1}.",
                difference_of_means(accuracy(DEPTHS[deep]), accuracy(DEPTHS[deep - 1])),
                Mean(least=0),
                because="“Clearly more layers give better accuracy”: each further layer is to add some.",
            )
            for deep in list(LEARNING_RATES)[1:]
        ),
    ]


def _explanation() -> list[Claim]:
    """ "The explanation", up to the near-zero initialisation."""
    explanation = Section('"The explanation"')
    shown = explanation.with_figure("accuracy_by_variant")
    return [
        explanation.identity(
            "optimal_classifier",
            "The matrix whose columns point to the middles of the slices classifies every point.",
            _accuracy_of_optimal_matrix,
            Is(1.0),
            because="An optimal classifier makes no mistake, on any point.",
        ),
        explanation.identity(
            "optimal_classifier_has_rank_2",
            "The optimal classifier's matrix has rank {}.",
            _rank_of_optimal_matrix,
            Is(2),
            because="A rank is a whole number.",
            printed="{}",
        ),
        *rate_of(shown, "The model of rank 2 takes the rate {}.", RANK_2),
        replayed_accuracy(shown, "A product of rank 2 is right on {} %.", RANK_2),
        shown.ordering(
            "rank_2_is_best",
            "That is more than any depth before.",
            _lead_of_rank_2,
            Mean(least=0),
            because="Its lead over the best depth of the sweep, with the uncertainties of both.",
        ),
    ]


def _data(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs, (points, dimensions), and labels that all runs share."""
    runs = evidence.runs("classifier", **TASK)
    inputs, labels = (values_by_index(rows_of(runs, metric)).to_numpy() for metric in ("input", "label"))
    if not len(labels):
        raise NotTestableError("no run records its inputs")
    return inputs.reshape(len(labels), -1), labels


def _share_of_labels_that_are_slices(evidence: Evidence) -> np.ndarray:
    inputs, labels = _data(evidence)
    angles = np.arctan2(inputs[:, 0], inputs[:, 1])
    slices = np.floor((angles / np.pi + 1) / 2 * TASK["classes"])
    return np.array([np.mean(slices == labels)])


def _explained_by_class(evidence: Evidence) -> np.ndarray:
    """Return for each further feature the F ratio of an analysis of variance by class."""
    inputs, labels = _data(evidence)
    features, classes = inputs[:, 2:], np.unique(labels)
    means = np.array([features[labels == kind].mean(axis=0) for kind in classes])
    counts = np.array([np.sum(labels == kind) for kind in classes])[:, np.newaxis]
    between = np.sum(counts * (means - features.mean(axis=0)) ** 2, axis=0) / (len(classes) - 1)
    left = np.sum((features - means[np.searchsorted(classes, labels)]) ** 2, axis=0) / (len(features) - len(classes))
    return between / left


def _optimal_matrix() -> np.ndarray:
    """Return the document's W, (2, classes): what stands in its further rows is zero."""
    numbers = np.arange(1, TASK["classes"] + 1)
    angles = np.pi * (2 * numbers - 1 - TASK["classes"]) / TASK["classes"]
    return np.stack([np.sin(angles), np.cos(angles)])


def _accuracy_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    inputs, labels = _data(evidence)
    return np.array([np.mean((inputs[:, :2] @ _optimal_matrix()).argmax(axis=1) == labels)])


def _rank_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    # Of the document's task only.
    evidence.runs("classifier", **TASK)
    return np.array([np.linalg.matrix_rank(_optimal_matrix())], dtype=float)


def _lead_of_rank_2(evidence: Evidence) -> np.ndarray:
    """Return the accuracy of rank 2 over that of the best depth of the sweep, in percent."""
    means = {depth: accuracy(runs)(evidence).mean() for depth, runs in DEPTHS.items()}
    best = max(means, key=means.__getitem__)
    return difference_of_means(accuracy(RANK_2), accuracy(DEPTHS[best]))(evidence)
