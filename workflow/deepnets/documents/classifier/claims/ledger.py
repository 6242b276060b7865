"""The claims of document 000, "A simple classification task where deeper is better"."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Erratum, shown_in
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near, Printed
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import count_of_seeds, difference, difference_of_means, final, reduced, slope
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.classifier.claims.errata import errata
from workflow.deepnets.documents.classifier.claims.scales import scales
from workflow.deepnets.documents.classifier.claims.training import training
from workflow.deepnets.documents.classifier.printed import ACCURACIES, BLOCKS
from workflow.deepnets.documents.classifier.runs import (
    LINEAR,
    RANK_2,
    RATES,
    REPLAYED,
    TASK,
    TWO_LAYERS,
    accuracy_of,
    at_depth,
    rate_of,
    set_to,
)

TABLES = ("classifier",)
# Of the figure dln_classifier_depth, in percent, to the width of its line.
_READ_OFF = {1: 53.0, 2: 59.8, 3: 69.6, 4: 75.4, 5: 77.1, 6: 78.8}
_READING_ERROR = 0.2
_PAIRED = "Repetitions differ in their init alone; three standard errors of the differences leave little to chance."


def ledger() -> list[Claim | Erratum]:
    """Return what document 000 states, in its order, and its errata."""
    return [*_task(), *_models(), *training(), *_depths(), *_explanation(), *scales(), *errata()]


def _task() -> list[Claim]:
    """ "The classification task"."""
    place = '"The classification task"'
    claims = [
        set_to("input_dimension", place, "The inputs have 10 dimensions.", 10, "dimension"),
        set_to("classes", place, "There are 10 classes.", 10, "classes"),
        set_to("samples", place, "There are 100 training examples, and as many test points.", 100, "samples"),
        Claim(
            name="classes_are_directions",
            place=place,
            kind="formula",
            statement="The class of a point is the slice of the circle in which its first two features point.",
            measure=_share_of_labels_that_are_slices,
            rule=Is(1.0),
            because="A definition holds for every point.",
        ),
        Claim(
            name="other_dimensions_confuse",
            place=place,
            kind="bound",
            statement="The other 8 dimensions say nothing about the class.",
            measure=_explained_by_class,
            rule=Every(greatest=3.0),
            because=(
                "The variance of an independent normal feature between classes over that within them, by degree of "
                "freedom, follows an F distribution with 9 and 190 degrees of freedom: 2 of 1,000 lie above 3."
            ),
        ),
    ]
    return shown_in("data", claims)


def _models() -> list[Claim]:
    """ "The models", up to the picture of depths."""
    place = '"The models"'
    _, error = ACCURACIES["two_layers"]
    return [
        set_to(
            "target_loss",
            place,
            "Training ends at a mean cross entropy of at most 0.01.",
            0.01,
            "target_loss",
            block=list(BLOCKS),
        ),
        rate_of("linear", place, "The linear model takes the learning rate 10.", 10, figure="accuracy_by_variant"),
        rate_of("two_layers", place, "Two layers take the rate 1.", 1, figure="accuracy_by_variant"),
        as_set(
            "repetitions",
            place,
            "Inits are averaged over 10 repetitions.",
            10,
            count_of_seeds("classifier", block="two_layers"),
            figure="accuracy_by_variant",
            printed="10 times",
        ),
        Claim(
            name="target_is_reached",
            place=place,
            kind="bound",
            statement="Gradient descent brings the loss of the linear model to 0.01 or below.",
            printed="0.01",
            measure=final("classifier", "train_loss", **LINEAR),
            rule=Every(greatest=0.01),
            because="The condition of the loop; the loss behind its last update is lower still.",
        ),
        accuracy_of("linear", place, "The linear model is right on {} % of the points.", "{}%", LINEAR),
        accuracy_of("two_layers", place, "Two layers are right on {} % of them.", "{}%", TWO_LAYERS),
        Claim(
            name="two_layers_uncertainty",
            place=place,
            figure="accuracy_by_variant",
            kind="number",
            statement=f"The accuracy of two layers has the standard error {error:g} % over repetitions.",
            printed=f"{error:g}%",
            measure=reduced(final("classifier", "test_accuracy", factor=100, **TWO_LAYERS), _standard_error_as_coded),
            rule=Printed(error, places=1),
            because=REPLAYED,
        ),
        Claim(
            name="a_second_layer_helps",
            place=place,
            figure="accuracy_by_variant",
            kind="ordering",
            statement="Two layers are more accurate than one.",
            measure=difference(
                final("classifier", "test_accuracy", factor=100, **TWO_LAYERS),
                final("classifier", "test_accuracy", factor=100, **LINEAR),
            ),
            rule=Mean(least=0),
            because="The linear model starts at zero and is always the same; " + _PAIRED[0].lower() + _PAIRED[1:],
        ),
    ]


def _depths() -> list[Claim]:
    """The picture of accuracy against depth, and its code."""
    place = '"The models", figure dln_classifier_depth'
    rates = [
        rate_of("depths", place, f"The sweep takes the rate {rate} at depth {depth}.", rate, depth=depth)
        for depth, rate in RATES.items()
    ]
    accuracies = [
        Claim(
            name=f"accuracy_at_depth_{depth}",
            place=place,
            kind="number",
            statement=f"At depth {depth}, the picture shows {_READ_OFF[depth]} %.",
            printed=f"{_READ_OFF[depth]} (read off)",
            measure=final("classifier", "test_accuracy", factor=100, **at_depth(depth)),
            rule=Near(_READ_OFF[depth], error=_READING_ERROR, errors=1),
            because="The random numbers are replayed, so that only the reading of the picture is uncertain.",
        )
        for depth in RATES
    ]
    claims = [
        *rates,
        *accuracies,
        Claim(
            name="deeper_is_better",
            place='"The models"',
            kind="trend",
            statement="More layers give better accuracy.",
            measure=slope("classifier", "test_accuracy", over="depth", **TASK, block="depths", depth=list(RATES)),
            rule=Mean(least=0),
            because="The slope of accuracy against depth, one for each repetition, is to be clearly positive.",
        ),
        *(
            Claim(
                name=f"depth_{deep}_beats_{deep - 1}",
                place='"The models"',
                kind="ordering",
                statement=f"{deep} layers are more accurate than {deep - 1}.",
                measure=difference_of_means(
                    final("classifier", "test_accuracy", factor=100, **at_depth(deep)),
                    final("classifier", "test_accuracy", factor=100, **at_depth(deep - 1)),
                ),
                rule=Mean(least=0),
                because="“Clearly more layers give better accuracy”: each further layer is to add some.",
            )
            for deep in list(RATES)[1:]
        ),
    ]
    return shown_in("accuracy_by_depth", claims)


def _explanation() -> list[Claim]:
    """ "The explanation", up to the near-zero initialisation."""
    place = '"The explanation"'
    return [
        Claim(
            name="optimal_classifier",
            place=place,
            kind="formula",
            statement="The matrix whose columns point to the middles of the slices classifies every point.",
            measure=_accuracy_of_optimal_matrix,
            rule=Is(1.0),
            because="An optimal classifier makes no mistake, on any point.",
        ),
        Claim(
            name="optimal_classifier_has_rank_2",
            place=place,
            kind="formula",
            statement="The optimal classifier's matrix has rank 2.",
            printed="2",
            measure=_rank_of_optimal_matrix,
            rule=Is(2),
            because="A rank is a whole number.",
        ),
        rate_of("rank_2", place, "The model of rank 2 takes the rate 1.", 1, figure="accuracy_by_variant"),
        accuracy_of("rank_2", place, "A product of rank 2 is right on {} %.", "{}%", RANK_2),
        Claim(
            name="rank_2_is_best",
            place=place,
            figure="accuracy_by_variant",
            kind="ordering",
            statement="That is more than any depth before.",
            measure=_lead_of_rank_2,
            rule=Mean(least=0),
            because="Its lead over the best depth of the sweep, with the uncertainties of both.",
        ),
    ]


def _standard_error_as_coded(values: np.ndarray) -> float:
    # With divisor n, as the document's code has it.
    return float(np.std(values) / np.sqrt(len(values)))


def _data(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs, (points, dimensions), and labels that all runs share."""
    runs = evidence.runs("classifier", **TASK)
    inputs, labels = (runs[runs["metric"] == metric] for metric in ("input", "label"))
    if labels.empty:
        raise NotTestableError("no run records its inputs")
    # Several runs may record the same ones.
    values, kinds = (
        rows.drop_duplicates("index").sort_values("index")["value"].to_numpy() for rows in (inputs, labels)
    )
    return values.reshape(len(kinds), -1), kinds


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
    means = {depth: final("classifier", "test_accuracy", **at_depth(depth))(evidence).mean() for depth in RATES}
    best = max(means, key=means.__getitem__)
    return difference_of_means(
        final("classifier", "test_accuracy", factor=100, **RANK_2),
        final("classifier", "test_accuracy", factor=100, **at_depth(best)),
    )(evidence)
