"""The claims of document 001, a notebook on the learning dynamics of Saxe, McClelland and Ganguli 2013."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim, Erratum, Measure, shown_in
from workflow.deepnets.claims.criteria import Draw, Every, Is, Mean, Near
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import at_step, difference, extreme, final
from workflow.deepnets.claims.rows import rows_of
from workflow.deepnets.claims.settings import as_set
from workflow.deepnets.documents.mnist_dynamics.claims.errata import errata
from workflow.deepnets.documents.mnist_dynamics.claims.held_out import held_out
from workflow.deepnets.documents.mnist_dynamics.printed import ACCURACIES, DEPTH, LOSS_OF_FIRST_DRAW, LOSSES

TABLES = ("mnist_dynamics",)
_EXPERIMENT = "mnist_dynamics"
# The document's P, N and M as its code has them, and its net.
_IMAGES, _COMPONENTS, _CLASSES = 50_000, 100, 10
_NET = {"depth": DEPTH, "init": "row_normalized", "hidden": 32, "learning_rate": 0.1}
# Part 1 computes gradients from samples. The rules agree for equal seeds, and this one has more of them.
_TRAINED = {**_NET, "rule": "covariance"}
# Round-off of one update is at most that of a sum over 50,000 images, 1e-11 of it; there are 100 updates.
_ROUND_OFF = 1e-9
_TARGET = '"Target function"'
_STEP, _TASK = '"A step of learning"', '"Solving a task"'
_PART_2 = '"Part 2: ???"'
_ONE_DRAW = "The document draws its initial weights without a seed: its number is one draw among ours, of 20 seeds."


def ledger() -> list[Claim | Erratum]:
    """Return what document 001 states, in its order, and its errata."""
    return [*_data(), *_network(), *_descent(), *_learning(), *_covariances(), *errata()]


def _data() -> list[Claim]:
    """ "Target function"."""
    return [
        _number_of("inputs", f"{_TARGET}, text and code", "The inputs have N = 100 dimensions.", _COMPONENTS, 1),
        _number_of("outputs", f"{_TARGET}, text and code", "There are M = 10 outputs.", _CLASSES, 2),
        _number_of("images_in_text", f"{_TARGET}, text", "The data are P = 1000 images of MNIST.", 1000, 0),
        _number_of("images_in_code", f"{_TARGET}, code", "The data are the first P = 50000 images.", _IMAGES, 0),
        Claim(
            name="inputs_are_white",
            place=_TARGET,
            kind="formula",
            statement="The inputs are centred and whitened: XᵀX/P is the unit matrix.",
            measure=final(_EXPERIMENT, "whitening_error", **_TRAINED),
            rule=Every(greatest=_ROUND_OFF),
            because="The largest entry of XᵀX/P − 1 is to be round-off. A mean would stand on its diagonal.",
        ),
        Claim(
            name="targets_are_one_hot",
            place=_TARGET,
            kind="setting",
            statement="The targets are a one-hot code of the digit.",
            measure=_difference_from("samples", "train_loss"),
            rule=Every(greatest=_ROUND_OFF),
            because=(
                "The loss from covariances takes each target's squared length as 1, that from samples measures it: "
                "they agree to round-off if it is 1."
            ),
        ),
    ]


def _network() -> list[Claim]:
    """ "Forward pass" and "Optimization objective"."""
    place, comment = '"Forward pass", code', '"Forward pass", comment of the code'
    return [
        _setting("layers", comment, "The network has two layers of weights.", DEPTH, "depth", f"{DEPTH}-layer"),
        _setting("hidden_units_in_comment", comment, "It has 100 hidden units.", 100, "hidden", "100 hidden units"),
        _setting("hidden_units_in_code", place, "It has 32 hidden units.", 32, "hidden", "32"),
        Claim(
            name="rows_have_norm_1",
            place=place,
            kind="formula",
            statement="The weights into each unit have norm 1, so that an output has the mean square 1 on average.",
            measure=_mean_square_of_outputs(per="output"),
            rule=Near(1),
            because=(
                "Rows of norm 1 with directions drawn evenly give a row of the end-to-end matrix the mean squared norm "
                "1, which is an output's mean square for white inputs."
            ),
        ),
        Claim(
            name="initial_weights_preserve_norms",
            place=comment,
            kind="formula",
            statement="The initial weights are norm-preserving projections.",
            measure=_mean_square_of_outputs(per="input"),
            rule=Near(1),
            because="Then the mean squared norm of outputs over that of inputs is 1 on average over inits.",
        ),
        _printed(
            "loss_of_first_draw",
            '"Optimization objective", printed output',
            f"The mean squared error of a first draw of the weights is {LOSS_OF_FIRST_DRAW:.3f}.",
            LOSS_OF_FIRST_DRAW,
            "train_loss",
            0,
        ),
    ]


def _descent() -> list[Claim]:
    """ "Stepwise update" and "A step of learning"."""
    place = '"Stepwise update"'
    losses = [at_step(_EXPERIMENT, "train_loss", step, **_TRAINED) for step in (0, 1)]
    return [
        Claim(
            name="learning_rate",
            place=f"{_STEP}, code",
            kind="setting",
            statement="The learning rate is 1e-6, for gradients that are sums over all images.",
            printed="1e-6",
            measure=_rate_of_sums,
            rule=Is(1e-6),
            because="The rate on covariances over 2P, as the document's gradients are 2P times those on covariances.",
            needs_full_mnist=True,
        ),
        Claim(
            name="updates_reduce_the_loss",
            place=place,
            figure="loss_and_accuracy",
            kind="ordering",
            statement="Updates reduce the loss.",
            measure=_largest_rise,
            rule=Every(greatest=0),
            because="With a small rate, no update of any run raises the loss.",
        ),
        Claim(
            name="updates_are_slight",
            place=place,
            kind="bound",
            statement="Each step of gradient descent changes each weight matrix slightly.",
            measure=extreme(_EXPERIMENT, "relative_update", pick="max", **_TRAINED),
            rule=Every(greatest=0.1),
            because="“Slightly”: no change has more than a tenth of the norm of its matrix, in any run.",
        ),
        *held_out(),
        _printed(
            "loss_before_training",
            f"{_STEP}, printed output",
            f"The loss prior to any training is {LOSSES[0]}.",
            LOSSES[0],
            "train_loss",
            0,
        ),
        _printed(
            "loss_after_1_step",
            f"{_STEP}, printed output",
            f"Behind one step it is {LOSSES[1]}.",
            LOSSES[1],
            "train_loss",
            1,
        ),
        Claim(
            name="one_step_reduces_the_loss",
            place=_STEP,
            figure="loss_and_accuracy",
            kind="ordering",
            statement="The loss has decreased behind one step.",
            measure=difference(losses[1], losses[0]),
            rule=Every(greatest=-1e-6),
            because="In every run, by a digit that the document prints at least.",
        ),
    ]


def _learning() -> list[Claim]:
    """ "Solving a task"."""
    accuracies = {step: at_step(_EXPERIMENT, "train_accuracy", step, **_TRAINED) for step in ACCURACIES}
    claims = [
        Claim(
            name="chance_before_training",
            place=_TASK,
            kind="number",
            statement="Before any training, the accuracy is around 10 % (chance).",
            printed="around 10%",
            measure=_in_percent(accuracies[0]),
            rule=Near(10),
            because="All outputs are drawn alike, so that over inits each digit is guessed right one time in ten.",
        ),
        *(
            _printed(
                f"accuracy_at_step_{step}",
                f"{_TASK}, printed output",
                f"The accuracy behind {step} steps is {accuracy}.",
                accuracy,
                "train_accuracy",
                step,
            )
            for step, accuracy in ACCURACIES.items()
        ),
        Claim(
            name="one_step_helps_slightly",
            place=_TASK,
            kind="ordering",
            statement="Training for one step improves the accuracy slightly.",
            measure=_in_percent(difference(accuracies[1], accuracies[0])),
            rule=Mean(least=0, greatest=10),
            because="The mean gain over seeds is to be clearly positive, and less than the 10 % that chance gives.",
        ),
        *(
            Claim(
                name=f"{end - start}_more_steps_help",
                place=_TASK,
                kind="ordering",
                statement=f"{end - start} more steps raise the accuracy further.",
                measure=difference(accuracies[end], accuracies[start]),
                rule=Every(least=1 / _IMAGES),
                because="In every run, by one image of 50,000 at least.",
            )
            for start, end in ((1, 10), (10, 100))
        ),
        _setting("steps", f"{_TASK}, code", "Training takes 1 + 9 + 90 steps.", 100, "steps", "100"),
        Claim(
            name="above_80_percent",
            place=_TASK,
            kind="bound",
            statement="After 100 steps the accuracy is above 80 %.",
            printed="above 80%",
            measure=_of_the_document(_in_percent(accuracies[100])),
            rule=Every(least=80),
            because="Nothing is said of a lucky draw: the accuracy of every seed is to be above.",
            needs_full_mnist=True,
        ),
        Claim(
            name="network_learns",
            place=_TASK,
            kind="bound",
            statement="Therefore the network learns to solve a task.",
            measure=_in_percent(accuracies[100]),
            rule=Every(least=50),
            because="Whatever the init, more digits are to be told rightly than wrongly, of ten kinds.",
            revised="the accuracy of 80 % and this conclusion were one claim at first, which one of 20 inits fails",
        ),
    ]
    return shown_in("loss_and_accuracy", claims)


def _covariances() -> list[Claim]:
    """ "Part 2: ???"."""
    agree = "The same mathematics in another order: the end-to-end matrices of equal seeds differ by round-off only."
    return [
        Claim(
            name="covariances_suffice",
            place=_PART_2,
            figure="rule_difference",
            kind="formula",
            statement="The network can be trained on covariances, computed once, instead of all examples.",
            measure=_difference_from("samples", "product"),
            rule=Every(greatest=_ROUND_OFF),
            because=f"{agree} All gradients are taken before any update, as in Part 1.",
        ),
        Claim(
            name="covariance_updates_need_no_images",
            place=_PART_2,
            figure="multiply_adds",
            kind="formula",
            statement="With covariances computed before, an update needs no training example.",
            measure=_cost_by_images,
            rule=Is(1),
            because="Its multiply-adds are the same for any number of images: a count, without noise.",
        ),
        Claim(
            name="printed_rule_is_equivalent",
            place=f"{_PART_2}, last code cell",
            figure="updates_in_place",
            kind="formula",
            statement="The printed covariance update rule is equivalent to that of Part 1.",
            measure=_difference_from("covariance_in_place", "product"),
            rule=Every(greatest=_ROUND_OFF),
            because=f"{agree} The printed code changes each matrix before it computes the next one's gradient.",
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str, printed: str) -> Claim:
    """A claim on a setting or an axis. Of several values that the config asks for, one is to be the document's."""

    def asked(evidence: Evidence) -> np.ndarray:
        values = evidence.settings(_EXPERIMENT, key)
        return np.array([value] if value in values else values, dtype=float)

    return as_set(name, place, statement, value, asked, printed=printed)


def _number_of(name: str, place: str, statement: str, value: int, which: int) -> Claim:
    """A claim on a size of the data set. which: of `_sizes`."""
    return as_set(
        name,
        place,
        statement,
        value,
        lambda evidence: np.array([_sizes(evidence)[which]], dtype=float),
        printed=f"{value}",
        needs_full_mnist=which == 0,
    )


def _printed(name: str, place: str, statement: str, value: float, metric: str, step: int) -> Claim:
    """A claim on a number that the document prints of its one run."""
    return Claim(
        name=name,
        place=place,
        figure="loss_and_accuracy",
        kind="number",
        statement=statement,
        printed=f"{value}",
        measure=_of_the_document(at_step(_EXPERIMENT, metric, step, **_TRAINED)),
        rule=Draw(value),
        because=_ONE_DRAW,
        needs_full_mnist=True,
    )


def _in_percent(measure: Measure) -> Measure:
    return lambda evidence: 100 * measure(evidence)


def _sizes(evidence: Evidence) -> tuple[int, int, int]:
    """Return the numbers of images, inputs and outputs of all runs: P, N and M.

    The covariances cost P(N² + NM) multiply-adds, and the end-to-end matrix has NM cells.
    """
    runs = evidence.runs(_EXPERIMENT, rule="covariance")
    counts, product = rows_of(runs, "multiply_adds_setup"), rows_of(runs, "product")
    images, cells = counts["index"].max(), product["index"].max() + 1
    pairs = counts.loc[counts["index"] == images, "value"].iloc[0] / images
    inputs = round(np.sqrt(pairs - cells))
    return int(images), inputs, round(cells / inputs)


def _of_the_document(measure: Measure) -> Measure:
    """Measure what other data than the document's would change."""

    def measured(evidence: Evidence) -> np.ndarray:
        images, inputs, _ = _sizes(evidence)
        if (images, inputs) != (_IMAGES, _COMPONENTS):
            raise NotTestableError(
                f"the runs are of {images} images with {inputs} components; the document: {_IMAGES} with {_COMPONENTS}"
            )
        return measure(evidence)

    return measured


def _rate_of_sums(evidence: Evidence) -> np.ndarray:
    """Return the learning rates for gradients that are sums over images: those on covariances over 2P."""
    rates = np.array(evidence.settings(_EXPERIMENT, "learning_rate"), dtype=float)
    return _of_the_document(lambda _: rates / (2 * _IMAGES))(evidence)


def _mean_square_of_outputs(*, per: str) -> Measure:
    """Measure the mean squared norm of a run's first outputs for white inputs, per input or per output."""

    def measured(evidence: Evidence) -> np.ndarray:
        products = rows_of(evidence.runs(_EXPERIMENT, **_TRAINED), "product")
        first = products[products["step"] == 0]
        if first.empty:
            raise NotTestableError("the runs recorded no product at step 0")
        # The squared Frobenius norm is the mean squared norm of outputs where C_XX = 1; that of inputs is their number.
        _, inputs, outputs = _sizes(evidence)
        squared = (first["value"] ** 2).groupby(first["seed"]).sum()
        return squared.to_numpy() / {"input": inputs, "output": outputs}[per]

    return measured


def _largest_rise(evidence: Evidence) -> np.ndarray:
    """Return the largest change of the loss by one update, of each run; where all fall, the smallest fall."""
    losses = rows_of(evidence.runs(_EXPERIMENT, **_TRAINED), "train_loss")
    return losses.pivot_table(index="step", columns="seed", values="value").diff().max().to_numpy()


def _difference_from(rule: str, metric: str) -> Measure:
    """Measure by how much a rule's runs differ from those on covariances of equal seeds.

    For each seed, the largest difference at a step over the largest value at it, of the step where that is largest.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        ours, others = (
            rows_of(evidence.runs(_EXPERIMENT, **_NET, rule=each), metric).set_index(["seed", "step", "index"])["value"]
            for each in ("covariance", rule)
        )
        both = pd.DataFrame({"ours": ours, "others": others}).dropna()
        if both.empty:
            raise NotTestableError(f"no seed has the rules covariance and {rule}")
        differences, sizes = (
            each.abs().groupby(["seed", "step"]).max() for each in (both["others"] - both["ours"], both["ours"])
        )
        return (differences / sizes).groupby("seed").max().to_numpy()

    return measured


def _cost_by_images(evidence: Evidence) -> np.ndarray:
    """Return the multiply-adds of an update on covariances for each number of images, over those for the fewest."""
    runs = rows_of(evidence.runs(_EXPERIMENT, **_TRAINED), "multiply_adds")
    costs = runs[runs["seed"] == runs["seed"].min()].sort_values("index")["value"].to_numpy()
    return costs / costs[0]
