"""The claims of document 000, "A simple classification task where deeper is better"."""

import numpy as np

from workflow.deepnets.claims._claim import Claim, Erratum, Measure
from workflow.deepnets.claims._classifier_numbers import ACCURACIES, NETS
from workflow.deepnets.claims._evidence import Evidence, NotTestableError
from workflow.deepnets.claims._measures import (
    at_step,
    count_of_seeds,
    difference,
    difference_of_means,
    final,
    ratio,
    reduced,
    setting,
    slope,
    updates,
)
from workflow.deepnets.claims._rules import Draw, Every, Is, Mean, Near, Printed

DOCUMENT = "000-classifier"
TABLES = ("classifier",)
# The settings that the document's text and code name.
_TASK = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
_LINEAR = {**_TASK, "block": "linear", **NETS["linear"], "learning_rate": 10}
_TWO_LAYERS = {**_TASK, "block": "two_layers", **NETS["two_layers"], "learning_rate": 1}
_RANK_2 = {**_TASK, "block": "rank_2", **NETS["rank_2"], "learning_rate": 1}
_NEAR_ZERO = {**_TASK, "block": "near_zero", **NETS["near_zero"], "learning_rate": 100}
_LARGE_SCALE = {**_TASK, "block": "large_scale", **NETS["large_scale"], "learning_rate": 0.001}
_STANDARD_SCALE = {**_TASK, "block": "standard_scale", "depth": 3, "scale": 1, "learning_rate": 0.1}
_RATES = {1: 10, 2: 1, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}
# Of the figure dln_classifier_depth, in percent, to the width of its line.
_READ_OFF = {1: 53.0, 2: 59.8, 3: 69.6, 4: 75.4, 5: 77.1, 6: 78.8}
_READING_ERROR = 0.2

_REPLAYED = (
    "The run replays the document's random numbers, and accuracies of 100 points are whole percents: a mean over ten "
    "repetitions is the document's to its last printed digit."
)
_AS_CODED = "A setting is the document's or it is not."
_PAIRED = "Repetitions differ in their init alone; three standard errors of the differences leave little to chance."


def ledger() -> list[Claim | Erratum]:
    """Return what document 000 states, in its order, and its errata."""
    return [*_task(), *_models(), *_depths(), *_explanation(), *_scales(), *_errata()]


def _task() -> list[Claim]:
    """ "The classification task"."""
    place = '"The classification task"'
    return [
        _setting("input_dimension", place, "The inputs have 10 dimensions.", 10, "dimension"),
        _setting("classes", place, "There are 10 classes.", 10, "classes"),
        _setting("samples", place, "There are 100 training examples, and as many test points.", 100, "samples"),
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


def _models() -> list[Claim]:
    """ "The models", up to the picture of depths."""
    place = '"The models"'
    _, error = ACCURACIES["two_layers"]
    return [
        _setting("target_loss", place, "Training ends at a mean cross entropy of at most 0.01.", 0.01, "target_loss"),
        _rate("linear", place, "The linear model takes the learning rate 10.", 10),
        _rate("two_layers", place, "Two layers take the rate 1.", 1),
        Claim(
            name="repetitions",
            place=place,
            kind="setting",
            statement="Inits are averaged over 10 repetitions.",
            printed="10 times",
            measure=count_of_seeds("classifier", block="two_layers"),
            rule=Is(10),
            because=_AS_CODED,
        ),
        Claim(
            name="target_is_reached",
            place=place,
            kind="bound",
            statement="Gradient descent brings the loss of the linear model to 0.01 or below.",
            printed="0.01",
            measure=final("classifier", "train_loss", **_LINEAR),
            rule=Every(greatest=0.01),
            because="The condition of the loop; the loss behind its last update is lower still.",
        ),
        _accuracy("linear", place, "The linear model is right on {} % of the points.", "{}%", _LINEAR),
        _accuracy("two_layers", place, "Two layers are right on {} % of them.", "{}%", _TWO_LAYERS),
        Claim(
            name="two_layers_uncertainty",
            place=place,
            kind="number",
            statement=f"The accuracy of two layers has the standard error {error:g} % over repetitions.",
            printed=f"{error:g}%",
            measure=reduced(final("classifier", "test_accuracy", factor=100, **_TWO_LAYERS), _standard_error_as_coded),
            rule=Printed(error, places=1),
            because=_REPLAYED,
        ),
        Claim(
            name="a_second_layer_helps",
            place=place,
            kind="ordering",
            statement="Two layers are more accurate than one.",
            measure=difference(
                final("classifier", "test_accuracy", factor=100, **_TWO_LAYERS),
                final("classifier", "test_accuracy", factor=100, **_LINEAR),
            ),
            rule=Mean(least=0),
            because="The linear model starts at zero and is always the same; " + _PAIRED[0].lower() + _PAIRED[1:],
        ),
    ]


def _depths() -> list[Claim]:
    """The picture of accuracy against depth, and its code."""
    place = '"The models", figure dln_classifier_depth'
    rates = [
        _rate("depths", place, f"The sweep takes the rate {rate} at depth {depth}.", rate, depth=depth)
        for depth, rate in _RATES.items()
    ]
    accuracies = [
        Claim(
            name=f"accuracy_at_depth_{depth}",
            place=place,
            kind="number",
            statement=f"At depth {depth}, the picture shows {_READ_OFF[depth]} %.",
            printed=f"{_READ_OFF[depth]} (read off)",
            measure=final("classifier", "test_accuracy", factor=100, **_depth(depth)),
            rule=Near(_READ_OFF[depth], error=_READING_ERROR, errors=1),
            because="The random numbers are replayed, so that only the reading of the picture is uncertain.",
        )
        for depth in _RATES
    ]
    return [
        *rates,
        *accuracies,
        Claim(
            name="deeper_is_better",
            place='"The models"',
            kind="trend",
            statement="More layers give better accuracy.",
            measure=slope("classifier", "test_accuracy", over="depth", **_TASK, block="depths", depth=list(_RATES)),
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
                    final("classifier", "test_accuracy", factor=100, **_depth(deep)),
                    final("classifier", "test_accuracy", factor=100, **_depth(deep - 1)),
                ),
                rule=Mean(least=0),
                because="“Clearly more layers give better accuracy”: each further layer is to add some.",
            )
            for deep in list(_RATES)[1:]
        ),
    ]


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
        _rate("rank_2", place, "The model of rank 2 takes the rate 1.", 1),
        _accuracy("rank_2", place, "A product of rank 2 is right on {} %.", "{}%", _RANK_2),
        Claim(
            name="rank_2_is_best",
            place=place,
            kind="ordering",
            statement="That is more than any depth before.",
            measure=_lead_of_rank_2,
            rule=Mean(least=0),
            because="Its lead over the best depth of the sweep, with the uncertainties of both.",
        ),
    ]


def _scales() -> list[Claim]:
    """ "The explanation", from the near-zero initialisation to the end."""
    place = '"The explanation"'
    small, normal = "figure dln_classifier_singular_small", "figure dln_classifier_singular_normal"
    (linear, _), (mean, error) = ACCURACIES["linear"], ACCURACIES["large_scale"]
    return [
        _rate("near_zero", place, "Outputs scaled by 10⁻⁴ take the rate 100.", 100),
        _accuracy("near_zero", place, "Three layers scaled by 10⁻⁴ are right on {} %.", "ca {}%", _NEAR_ZERO),
        *_pictured("near_zero", f"{place}, {small}", _NEAR_ZERO, end=1610, first=173, second=149),
        Claim(
            name="modes_come_one_by_one",
            place=f"{place}, {small}",
            kind="ordering",
            statement="The singular values show up one by one: the second later than the first.",
            measure=difference(_appearance(1), _appearance(0)),
            rule=Every(least=10),
            because=(
                "Each repetition is to show it: a gap of one interval between records at least. A value shows up where "
                "it first reaches a hundredth of the first's end."
            ),
            revised=(
                "at first a value showed up at half of its own end, which moves as long as training lasts; then a gap "
                "of 100 updates was asked for, of which the document says nothing"
            ),
        ),
        Claim(
            name="two_modes_fit_the_data",
            place=f"{place}, {small}",
            kind="bound",
            statement="Behind the second singular value the optimisation ends, and the third stays near 10⁻⁴.",
            printed="10^-4",
            measure=final("classifier", "singular_value", index=2, **_NEAR_ZERO),
            rule=Every(greatest=1e-3),
            because="“Around the initialization magnitude” allows a factor of ten, in each repetition.",
        ),
        Claim(
            name="remaining_modes_stay_small",
            place=f"{place}, {small}",
            kind="bound",
            statement="The fifth singular value, the last in the picture, stays near 10⁻⁴.",
            printed="10^-4",
            measure=final("classifier", "singular_value", index=4, **_NEAR_ZERO),
            rule=Every(greatest=1e-3),
            because="As for the third.",
        ),
        Claim(
            name="optimisation_terminates",
            place=place,
            kind="bound",
            statement="The optimisation ends because it fits the training data.",
            measure=final("classifier", "train_loss", **_NEAR_ZERO),
            rule=Every(greatest=0.01),
            because="Each repetition is to end below the target, not at the largest number of updates.",
        ),
        _rate("large_scale", place, "Outputs scaled by 10³ take the rate 0.001.", 0.001),
        Claim(
            name="large_scale_accuracy",
            place=place,
            kind="number",
            statement=f"Three layers scaled by 10³ are right on {mean:g} ± {error:g} %.",
            printed=f"{mean:g}% with standard deviation {error:g}%",
            measure=final("classifier", "test_accuracy", factor=100, **_LARGE_SCALE),
            rule=Near(mean, error=error),
            because=(
                "At this scale training is chaotic: rounding decides the path. The random numbers are the document's, "
                "and the number need not be; the two means are compared with both standard errors."
            ),
        ),
        Claim(
            name="large_scale_is_like_one_layer",
            place=place,
            kind="bound",
            statement="That is around the accuracy of one layer.",
            measure=difference(
                final("classifier", "test_accuracy", factor=100, **_LARGE_SCALE),
                final("classifier", "test_accuracy", factor=100, **_LINEAR),
            ),
            rule=Mean(least=-10, greatest=10),
            because=(
                f"“Around”: nearer to one layer ({linear:g} %) than to three at the usual scale, 17 points above it."
            ),
        ),
        Claim(
            name="scale_removes_the_bias",
            place=place,
            kind="ordering",
            statement="A larger scale takes most of the advantage of depth away.",
            measure=difference_of_means(
                final("classifier", "test_accuracy", factor=100, **_depth(3)),
                final("classifier", "test_accuracy", factor=100, **_LARGE_SCALE),
            ),
            rule=Mean(least=0),
            because="Three layers are to be clearly worse at scale 10³ than at scale 1.",
        ),
        _rate("standard_scale", normal, "The last picture is that of the original 3 layer model.", 0.03),
        *_pictured("standard_scale", normal, _STANDARD_SCALE, end=1350, first=77.4, second=73.3),
        Claim(
            name="final_size_100",
            place=place,
            kind="bound",
            statement="The final matrix has singular values around 100.",
            printed="100",
            measure=final("classifier", "singular_value", **_STANDARD_SCALE),
            rule=Every(least=100 / 3, greatest=300),
            because="“Around size 100” is an order of magnitude: each repetition is within a factor of three.",
        ),
        Claim(
            name="initial_size_1",
            place=place,
            kind="bound",
            statement="At the start they are around 1.",
            printed="1",
            measure=at_step("classifier", "singular_value", 0, **_STANDARD_SCALE),
            rule=Every(least=1 / 3, greatest=10 / 3),
            because="Again an order of magnitude, of the largest singular value.",
        ),
        Claim(
            name="depth_strengthens_the_bias",
            place='"The explanation", last paragraph',
            kind="trend",
            statement="More depth strengthens the bias to low rank: the third singular value falls behind the first.",
            measure=_slope_of_third_to_first,
            rule=Mean(greatest=0),
            because="The slope, over depths 2 to 6, of the logarithm of their final ratio, one for each repetition.",
        ),
    ]


def _errata() -> list[Erratum]:
    (_, small), (_, large) = ACCURACIES["two_layers"], ACCURACIES["large_scale"]
    return [
        Erratum(
            name="standard_error_for_deviation",
            place='"The models", "The explanation"',
            statement=(
                f"The “standard deviation” of {small:g} % and {large:g} % is the standard error of the mean, with "
                "divisor n."
            ),
            evidence="The code prints np.std(scores)/len(scores)**.5; see two_layers_uncertainty.",
        ),
        Erratum(
            name="one_data_set",
            place='"The models"',
            statement=(
                "The ± counts inits only: all runs share one training set and one test set of 100 points. The binomial "
                "standard error of an accuracy near 60 % on 100 points is 4.9 %, eight times the quoted one."
            ),
            evidence="X is drawn once, above all loops; √(0.6 · 0.4 / 100) = 0.049.",
        ),
        Erratum(
            name="low_loss_is_no_proof_of_fit",
            place='"The models"',
            statement="A mean cross entropy of 0.01 over 100 examples does not mean that all are classified rightly.",
            evidence="One wrong example costs at least ln 2, and ln 2 / 100 = 0.0069 is below 0.01.",
        ),
        Erratum(
            name="rate_of_the_last_figure",
            place='"The explanation", last figure',
            statement="The last picture is not of the original model: it was drawn with the rate 0.1, not 0.03.",
            evidence="At 0.1 training ends where the picture does: last_update_of_standard_scale.",
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str, **axes: object) -> Claim:
    """A claim that the config runs what the document's code does."""
    return Claim(
        name=name,
        place=place,
        kind="setting",
        statement=statement,
        printed=f"{value}",
        measure=setting("classifier", key, **axes),
        rule=Is(value),
        because=_AS_CODED,
    )


def _rate(block: str, place: str, statement: str, value: float, **axes: object) -> Claim:
    """A claim on the learning rate of a block, at some depth of it where one is given."""
    name = "_".join(["rate_of", block, *map(str, axes.values())])
    return _setting(name, place, statement, value, "learning_rate", block=block, **axes)


def _pictured(
    block: str, place: str, runs: dict[str, object], *, end: float, first: float, second: float
) -> list[Claim]:
    """Claims on what a picture of singular values shows of one repetition, read off: its last update, and its ends."""
    values = [final("classifier", "singular_value", index=index, **runs) for index in (0, 1)]
    shown = {
        "last_update": ("The picture ends behind {} updates.", end, updates("classifier", "train_loss", **runs)),
        "first_value": ("The first singular value ends at {} in the picture.", first, values[0]),
        "second_value": ("The second singular value ends at {} in the picture.", second, values[1]),
    }
    return [
        Claim(
            name=f"{name}_of_{block}",
            place=place,
            kind="number",
            statement=statement.format(f"about {value:g}"),
            printed=f"{value:g} (read off)",
            measure=measure,
            rule=Draw(value),
            because="The picture is of one repetition; which one, the document does not say.",
        )
        for name, (statement, value, measure) in shown.items()
    ]


def _accuracy(block: str, place: str, statement: str, printed: str, runs: dict[str, object]) -> Claim:
    """A claim on a mean accuracy in percent, {} in the texts, that the replayed random numbers make exact."""
    value, _ = ACCURACIES[block]
    number = f"{value:g}"
    return Claim(
        name=f"{block}_accuracy",
        place=place,
        kind="number",
        statement=statement.format(number),
        printed=printed.format(number),
        measure=final("classifier", "test_accuracy", factor=100, **runs),
        rule=Printed(value, places=len(number.partition(".")[2])),
        because=_REPLAYED,
    )


def _depth(depth: int) -> dict[str, object]:
    return {**_TASK, "block": "depths", "depth": depth, "learning_rate": _RATES[depth]}


def _standard_error_as_coded(values: np.ndarray) -> float:
    # With divisor n, as the document's code has it.
    return float(np.std(values) / np.sqrt(len(values)))


def _data(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs, (points, dimensions), and labels that all runs share."""
    runs = evidence.runs("classifier", **_TASK)
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
    slices = np.floor((angles / np.pi + 1) / 2 * _TASK["classes"])
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
    numbers = np.arange(1, _TASK["classes"] + 1)
    angles = np.pi * (2 * numbers - 1 - _TASK["classes"]) / _TASK["classes"]
    return np.stack([np.sin(angles), np.cos(angles)])


def _accuracy_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    inputs, labels = _data(evidence)
    return np.array([np.mean((inputs[:, :2] @ _optimal_matrix()).argmax(axis=1) == labels)])


def _rank_of_optimal_matrix(evidence: Evidence) -> np.ndarray:
    # Of the document's task only.
    evidence.runs("classifier", **_TASK)
    return np.array([np.linalg.matrix_rank(_optimal_matrix())], dtype=float)


def _lead_of_rank_2(evidence: Evidence) -> np.ndarray:
    """Return the accuracy of rank 2 over that of the best depth of the sweep, in percent."""
    means = {depth: final("classifier", "test_accuracy", **_depth(depth))(evidence).mean() for depth in _RATES}
    best = max(means, key=means.__getitem__)
    return difference_of_means(
        final("classifier", "test_accuracy", factor=100, **_RANK_2),
        final("classifier", "test_accuracy", factor=100, **_depth(best)),
    )(evidence)


def _appearance(mode: int) -> Measure:
    """Measure the first recorded update at which a singular value is a hundredth of the largest at the end."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("classifier", **_NEAR_ZERO)
        rows = runs[runs["metric"] == "singular_value"]
        values, first = (
            rows[rows["index"] == each].pivot_table(index="step", columns="seed", values="value") for each in (mode, 0)
        )
        return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)

    return measured


def _slope_of_third_to_first(evidence: Evidence) -> np.ndarray:
    ratios = []
    depths = [depth for depth in _RATES if depth > 1]
    for depth in depths:
        first, third = (final("classifier", "singular_value", index=index, **_depth(depth)) for index in (0, 2))
        ratios.append(np.log(ratio(third, first)(evidence)))
    return np.polyfit(depths, np.array(ratios), 1)[0]
