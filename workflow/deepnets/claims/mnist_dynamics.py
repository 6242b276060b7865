"""The claims of document 001, a notebook on the learning dynamics of Saxe, McClelland and Ganguli 2013."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims._claim import Claim, Erratum, Measure
from workflow.deepnets.claims._evidence import Evidence, NotTestableError
from workflow.deepnets.claims._measures import at_step, difference, extreme, final
from workflow.deepnets.claims._mnist_dynamics_numbers import ACCURACIES, DEPTH, LOSS_OF_FIRST_DRAW, LOSSES
from workflow.deepnets.claims._rules import Draw, Every, Is, Mean, Near

DOCUMENT = "001-mnist-dynamics"
TABLES = ("mnist_dynamics",)
_EXPERIMENT = "mnist_dynamics"
# The document's P, N and M as its code has them, and its net.
_IMAGES, _COMPONENTS, _CLASSES = 50_000, 100, 10
_NET = {"depth": DEPTH, "init": "row_normalized", "hidden": 32, "learning_rate": 0.1}
# Part 1 computes gradients from samples. The rules agree for equal seeds, and this one has more of them.
_TRAINED = {**_NET, "rule": "covariance"}
# Round-off of one update is at most that of a sum over 50,000 images, 1e-11 of it; there are 100 updates.
_ROUND_OFF = 1e-9

_STAGE, _TARGET = '"Part 1: setting the stage"', '"Target function"'
_STEP, _TASK = '"A step of learning"', '"Solving a task"'
_PART_2 = '"Part 2: ???"'
_AS_CODED = "A setting is the document's or it is not."
_ONE_DRAW = "The document draws its initial weights without a seed: its number is one draw among ours, of 20 seeds."


def ledger() -> list[Claim | Erratum]:
    """Return what document 001 states, in its order, and its errata."""
    return [*_data(), *_network(), *_descent(), *_learning(), *_covariances(), *_errata()]


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
        Claim(
            name="expected_error_falls",
            place=place,
            kind="ordering",
            statement="Updates reduce the expected error on inputs that are distributed like those of training.",
            measure=_held_out,
            rule=Mean(least=0),
            because="The loss on held-out images is to fall from the start to the end of training.",
        ),
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
    return [
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


def _covariances() -> list[Claim]:
    """ "Part 2: ???"."""
    agree = "The same mathematics in another order: the end-to-end matrices of equal seeds differ by round-off only."
    return [
        Claim(
            name="covariances_suffice",
            place=_PART_2,
            kind="formula",
            statement="The network can be trained on covariances, computed once, instead of all examples.",
            measure=_difference_from("samples", "product"),
            rule=Every(greatest=_ROUND_OFF),
            because=f"{agree} All gradients are taken before any update, as in Part 1.",
        ),
        Claim(
            name="covariance_updates_need_no_images",
            place=_PART_2,
            kind="formula",
            statement="With covariances computed before, an update needs no training example.",
            measure=_cost_by_images,
            rule=Is(1),
            because="Its multiply-adds are the same for any number of images: a count, without noise.",
        ),
        Claim(
            name="printed_rule_is_equivalent",
            place=f"{_PART_2}, last code cell",
            kind="formula",
            statement="The printed covariance update rule is equivalent to that of Part 1.",
            measure=_difference_from("covariance_in_place", "product"),
            rule=Every(greatest=_ROUND_OFF),
            because=f"{agree} The printed code changes each matrix before it computes the next one's gradient.",
        ),
    ]


def _errata() -> list[Erratum]:
    """Faults of the document itself, in its order."""
    backward = '"Backward pass"'
    return [
        Erratum(
            name="title_of_the_paper",
            place="introduction",
            statement="The paper's title begins with “Exact solutions”, not “Exact solution”.",
            evidence="Saxe, McClelland and Ganguli 2013, arXiv:1312.6120.",
        ),
        Erratum(
            name="no_claim_is_tested",
            place="introduction",
            statement="The notebook tests none of the paper's claims, as it says it will: it ends before.",
            evidence=(
                "Part 1 trains a net and Part 2, headed “???”, ends with the definition of an update that is never "
                "run; no learning curve of a mode and no learning time is compared with the paper."
            ),
        ),
        Erratum(
            name="number_of_images",
            place=f"{_TARGET}, text",
            statement="The text says P = 1000 images; the code takes 50,000.",
            evidence=(
                "P = 50000 in the code; the printed accuracies are whole multiples of 1/50000 and not of 1/1000: "
                f"{ACCURACIES[0]} is 5,503 of 50,000."
            ),
        ),
        Erratum(
            name="number_of_hidden_units",
            place='"Forward pass", comment of the code',
            statement="The comment says 100 hidden units; the code has 32.",
            evidence="Nl = [N, 32, M].",
        ),
        Erratum(
            name="norms_are_not_preserved",
            place='"Forward pass", "Stepwise update", comments of the code',
            statement=(
                "Rows of norm 1 do not make a projection that preserves norms: a layer multiplies the mean squared "
                "norm of white inputs by units over inputs. What is kept is the mean square of a unit."
            ),
            evidence="A net of 100 inputs and 10 outputs leaves a tenth: initial_weights_preserve_norms.",
        ),
        Erratum(
            name="gradient_of_the_sum",
            place=backward,
            statement=(
                "The loss is a mean over images and outputs, but its gradient, dL/dE = 2E, is that of a sum. The rate "
                "1e-6 is not small: for the gradient of the loss as defined it is 0.5."
            ),
            evidence="`loss` is np.mean of P · M = 500,000 squares, `backward` has −2E; 500,000 · 1e-6 = 0.5.",
        ),
        Erratum(
            name="constant_is_not_dropped",
            place=backward,
            statement="The text drops the constant 2 of the gradient; the code keeps it.",
            evidence="dL/dX_L = g(X) − f(X) in the text, dLdg = −2 * E in the code.",
        ),
        Erratum(
            name="transposed_weights",
            place=backward,
            statement=(
                "The gradient sent back through a layer is dL/dX_l · W_l, not dL/dX_l · W_lᵀ; and that with respect to "
                "W_lᵀ is X_{l−1}ᵀ · dL/dX_l, with the layer's input transposed and on the left."
            ),
            evidence="dL/dX_l is P × N_l and W_lᵀ is N_{l−1} × N_l: they do not multiply. The code is right.",
        ),
        Erratum(
            name="gradient_upside_down",
            place=backward,
            statement=(
                "The “gradient of its weight matrix with respect its output” is that of the output with respect to the "
                "weight matrix."
            ),
            evidence="The formula below it has dX_l above dW_lᵀ.",
        ),
        Erratum(
            name="losses_of_another_state",
            place=f"{_STEP}, printed outputs",
            statement=f"The losses {LOSSES[0]} and {LOSSES[1]} are not those of the printed code: both are too low.",
            evidence=(
                "Of 20,000 inits as printed, with losses of 1.099 ± 0.045 (standard deviation) at first and "
                "0.664 ± 0.021 behind one step, none has the former or less, and 15 have the latter or less; see "
                f"loss_before_training and loss_after_1_step. The first draw's {LOSS_OF_FIRST_DRAW:.3f} is an ordinary "
                "one. Cells 330 to "
                "338 ran in order; what ran between 170 and 330 is not shown."
            ),
        ),
        Erratum(
            name="typing_errors",
            place=f"{backward}, {_STEP}",
            statement="“descreased” for “decreased”; W_l and W^l for the same matrix; “with respect W_l” without “to”.",
            evidence="The words stand so in the text.",
        ),
        Erratum(
            name="covariance_with_the_output",
            place=f"{_PART_2}, text",
            statement=(
                "What can be computed before training are the covariances of the inputs and of targets and inputs, not "
                "cov[f(X), g(X)]: g changes with every update."
            ),
            evidence="The code below computes CXX, CYX and CYY from X and Y alone.",
        ),
        Erratum(
            name="unused_second_moment",
            place=f"{_PART_2}, code",
            statement="CYY is no covariance, as Y is not centred, and no update needs it.",
            evidence="The columns of a one-hot code have means near 0.1; `backward` takes CXX and CYX.",
        ),
        Erratum(
            name="compose_is_missing",
            place=f"{_PART_2}, last code cell",
            statement="`compose`, the product of matrices, is not defined, so that the cell's function fails.",
            evidence="Only this cell has the name. It must be W_L … W_1; `reduce`, which would give it, is never used.",
        ),
        Erratum(
            name="updates_in_place",
            place=f"{_PART_2}, last code cell",
            statement=(
                "The printed update is not equivalent to that of Part 1: it changes each matrix before it computes the "
                "next one's gradient."
            ),
            evidence="`W -= lr * dLdW` stands in the loop, whose next pass uses that W: printed_rule_is_equivalent.",
        ),
        Erratum(
            name="rates_differ",
            place=f"{_PART_2}, last code cell",
            statement="At the same rate, Part 2's step is not that of Part 1 but 2P = 100,000 times smaller.",
            evidence=(
                "Its covariances are means over P images and its gradient has no factor 2: our rate of 0.1 is the "
                "document's 1e-6; see learning_rate."
            ),
        ),
    ]


def _setting(name: str, place: str, statement: str, value: float, key: str, printed: str) -> Claim:
    """A claim on a setting or an axis. Of several values that the config asks for, one is to be the document's."""

    def asked(evidence: Evidence) -> np.ndarray:
        values = evidence.settings(_EXPERIMENT, key)
        return np.array([value] if value in values else values, dtype=float)

    return Claim(
        name=name,
        place=place,
        kind="setting",
        statement=statement,
        printed=printed,
        measure=asked,
        rule=Is(value),
        because=_AS_CODED,
    )


def _number_of(name: str, place: str, statement: str, value: int, which: int) -> Claim:
    """A claim on a size of the data set. which: of `_sizes`."""
    return Claim(
        name=name,
        place=place,
        kind="setting",
        statement=statement,
        printed=f"{value}",
        measure=lambda evidence: np.array([_sizes(evidence)[which]], dtype=float),
        rule=Is(value),
        because=_AS_CODED,
        needs_full_mnist=which == 0,
    )


def _printed(name: str, place: str, statement: str, value: float, metric: str, step: int) -> Claim:
    """A claim on a number that the document prints of its one run."""
    return Claim(
        name=name,
        place=place,
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
    counts, product = _rows(runs, "multiply_adds_setup"), _rows(runs, "product")
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
        products = _rows(evidence.runs(_EXPERIMENT, **_TRAINED), "product")
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
    losses = _rows(evidence.runs(_EXPERIMENT, **_TRAINED), "train_loss")
    return losses.pivot_table(index="step", columns="seed", values="value").diff().max().to_numpy()


def _held_out(evidence: Evidence) -> np.ndarray:
    evidence.runs(_EXPERIMENT, **_TRAINED)
    raise NotTestableError(
        "the whitened data set holds the training images only; further ones would have to be whitened alike"
    )


def _difference_from(rule: str, metric: str) -> Measure:
    """Measure by how much a rule's runs differ from those on covariances of equal seeds.

    For each seed, the largest difference at a step over the largest value at it, of the step where that is largest.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        ours, others = (
            _rows(evidence.runs(_EXPERIMENT, **_NET, rule=each), metric).set_index(["seed", "step", "index"])["value"]
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
    runs = _rows(evidence.runs(_EXPERIMENT, **_TRAINED), "multiply_adds")
    costs = runs[runs["seed"] == runs["seed"].min()].sort_values("index")["value"].to_numpy()
    return costs / costs[0]


def _rows(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    rows = runs[runs["metric"] == metric]
    if rows.empty:
        raise NotTestableError(f"the runs recorded no {metric}")
    return rows
