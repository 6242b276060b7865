"""The claims of document 001, a notebook on the learning dynamics of Saxe, McClelland and Ganguli 2013."""

from workflow.deepnets.claims.claim import Claim, Erratum, Measure
from workflow.deepnets.claims.criteria import Every, Is, Mean, Near, OneMoreDraw
from workflow.deepnets.claims.measures import at_step, difference, extreme, final
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.mnist_dynamics import measures
from workflow.deepnets.documents.mnist_dynamics.claims.errata import errata
from workflow.deepnets.documents.mnist_dynamics.printed import ACCURACIES, LOSS_OF_FIRST_DRAW, LOSSES
from workflow.deepnets.documents.mnist_dynamics.runs import COMPONENTS, IMAGES, NET, TRAINED

TABLES = ("mnist_dynamics",)
# Round-off of one update is at most that of a sum over 50,000 images, 1e-11 of it; there are 100 updates.
_ROUND_OFF = 1e-9


def ledger() -> list[Claim | Erratum]:
    """Return what document 001 states, in its order, and its errata."""
    return [*_data(), *_network(), *_descent(), *_learning(), *_covariances(), *errata()]


def _data() -> list[Claim]:
    """ "Target function"."""
    target = Section('"Target function"')
    text, code, both = target.at("text"), target.at("code"), target.at("text and code")
    return [
        both.setting("inputs", "The inputs have N = {} dimensions.", measures.size("inputs"), Is(COMPONENTS)),
        both.setting("outputs", "There are M = {} outputs.", measures.size("outputs"), Is(10)),
        text.with_full_mnist().setting(
            "images_in_text", "The data are P = {} images of MNIST.", measures.size("images"), Is(1000)
        ),
        code.with_full_mnist().setting(
            "images_in_code", "The data are the first P = {} images.", measures.size("images"), Is(IMAGES)
        ),
        target.identity(
            "inputs_are_white",
            "The inputs are centred and whitened: XᵀX/P is the unit matrix.",
            final("mnist_dynamics", "whitening_error", **TRAINED),
            Every(greatest=_ROUND_OFF),
            because="The largest entry of XᵀX/P − 1 is to be round-off. A mean would stand on its diagonal.",
        ),
        target.setting(
            "targets_are_one_hot",
            "The targets are a one-hot code of the digit.",
            measures.difference_of_rules("samples", "train_loss"),
            Every(greatest=_ROUND_OFF),
            because=(
                "The loss from covariances takes each target's squared length as 1, that from samples measures it: "
                "they agree to round-off if it is 1."
            ),
            printed="",
        ),
    ]


def _network() -> list[Claim]:
    """ "Forward pass" and "Optimization objective"."""
    forward = Section('"Forward pass"')
    code, comment = forward.at("code"), forward.at("comment of the code")
    return [
        _set_to(comment, "layers", "The network has two layers of weights.", "depth", NET["depth"], "{}-layer"),
        _set_to(comment, "hidden_units_in_comment", "It has {} hidden units.", "hidden", 100, "{} hidden units"),
        _set_to(code, "hidden_units_in_code", "It has {} hidden units.", "hidden", NET["hidden"]),
        code.identity(
            "rows_have_norm_1",
            "The weights into each unit have norm 1, so that an output has the mean square 1 on average.",
            measures.mean_square_of_outputs(per="outputs"),
            Near(1),
            because=(
                "Rows of norm 1 with directions drawn evenly give a row of the end-to-end matrix the mean squared norm "
                "1, which is an output's mean square for white inputs."
            ),
        ),
        comment.identity(
            "initial_weights_preserve_norms",
            "The initial weights are norm-preserving projections.",
            measures.mean_square_of_outputs(per="inputs"),
            Near(1),
            because="Then the mean squared norm of outputs over that of inputs is 1 on average over inits.",
        ),
        _printed(
            Section('"Optimization objective"', "loss_and_accuracy"),
            "loss_of_first_draw",
            f"The mean squared error of a first draw of the weights is {LOSS_OF_FIRST_DRAW:.3f}.",
            _loss(0),
            LOSS_OF_FIRST_DRAW,
        ),
    ]


def _descent() -> list[Claim]:
    """ "Stepwise update" and "A step of learning"."""
    update, step = Section('"Stepwise update"'), Section('"A step of learning"', "loss_and_accuracy")
    # Held out are the test images of MNIST, whitened by what the training images taught: inputs "like X".
    held_out = update.with_figure("held_out")
    return [
        step.at("code")
        .with_figure("")
        .with_full_mnist()
        .setting(
            "learning_rate",
            "The learning rate is 1e-6, for gradients that are sums over all images.",
            measures.rate_of_sums,
            Is(1e-6),
            because="The rate on covariances over 2P, as the document's gradients are 2P times those on covariances.",
            printed="1e-6",
        ),
        update.with_figure("loss_and_accuracy").ordering(
            "updates_reduce_the_loss",
            "Updates reduce the loss.",
            measures.largest_rise("train_loss"),
            Every(greatest=0),
            because="With a small rate, no update of any run raises the loss.",
        ),
        update.bound(
            "updates_are_slight",
            "Each step of gradient descent changes each weight matrix slightly.",
            extreme("mnist_dynamics", "relative_update", pick="max", **TRAINED),
            Every(greatest=0.1),
            because="“Slightly”: no change has more than a tenth of the norm of its matrix, in any run.",
        ),
        held_out.ordering(
            "expected_error_falls",
            "Updates reduce the expected error on inputs that are distributed like those of training.",
            difference(
                at_step("mnist_dynamics", "test_loss", 0, **TRAINED), final("mnist_dynamics", "test_loss", **TRAINED)
            ),
            Mean(least=0),
            because="The loss on held-out images is to fall from the start to the end of training.",
        ),
        held_out.with_full_mnist().ordering(
            "each_update_reduces_the_expected_error",
            "Each step of gradient descent reduces that error.",
            measures.largest_rise("test_loss"),
            Every(greatest=0),
            because="“Each step”, with a small rate: as for the training loss, no update of any run raises it.",
        ),
        _printed(step, "loss_before_training", "The loss prior to any training is {}.", _loss(0), LOSSES[0]),
        _printed(step, "loss_after_1_step", "Behind one step it is {}.", _loss(1), LOSSES[1]),
        step.ordering(
            "one_step_reduces_the_loss",
            "The loss has decreased behind one step.",
            difference(_loss(1), _loss(0)),
            Every(greatest=-1e-6),
            because="In every run, by a digit that the document prints at least.",
        ),
    ]


def _learning() -> list[Claim]:
    """ "Solving a task"."""
    task = Section('"Solving a task"', "loss_and_accuracy")
    return [
        task.number(
            "chance_before_training",
            "Before any training, the accuracy is around {} % (chance).",
            measures.in_percent(_accuracy(0)),
            Near(10),
            because="All outputs are drawn alike, so that over inits each digit is guessed right one time in ten.",
            printed="around {}%",
        ),
        *(
            _printed(
                task,
                f"accuracy_at_step_{step}",
                f"The accuracy behind {step} steps is {{}}.",
                _accuracy(step),
                accuracy,
            )
            for step, accuracy in ACCURACIES.items()
        ),
        task.ordering(
            "one_step_helps_slightly",
            "Training for one step improves the accuracy slightly.",
            measures.in_percent(difference(_accuracy(1), _accuracy(0))),
            Mean(least=0, greatest=10),
            because="The mean gain over seeds is to be clearly positive, and less than the 10 % that chance gives.",
        ),
        *(
            task.ordering(
                f"{end - start}_more_steps_help",
                f"{end - start} more steps raise the accuracy further.",
                difference(_accuracy(end), _accuracy(start)),
                Every(least=1 / IMAGES),
                because="In every run, by one image of 50,000 at least.",
            )
            for start, end in ((1, 10), (10, 100))
        ),
        _set_to(task.at("code"), "steps", "Training takes 1 + 9 + 90 steps.", "steps", 100),
        task.with_full_mnist().bound(
            "above_80_percent",
            "After 100 steps the accuracy is above 80 %.",
            measures.of_the_document(measures.in_percent(_accuracy(100))),
            Every(least=80),
            because="Nothing is said of a lucky draw: the accuracy of every seed is to be above.",
            printed="above 80%",
        ),
        task.bound(
            "network_learns",
            "Therefore the network learns to solve a task.",
            measures.in_percent(_accuracy(100)),
            Every(least=50),
            because="Whatever the init, more digits are to be told rightly than wrongly, of ten kinds.",
            revised="the accuracy of 80 % and this conclusion were one claim at first, which one of 20 inits fails",
        ),
    ]


def _covariances() -> list[Claim]:
    """ "Part 2: ???"."""
    part_2 = Section('"Part 2: ???"')
    agree = "The same mathematics in another order: the end-to-end matrices of equal seeds differ by round-off only."
    return [
        part_2.with_figure("rule_difference").identity(
            "covariances_suffice",
            "The network can be trained on covariances, computed once, instead of all examples.",
            measures.difference_of_rules("samples", "product"),
            Every(greatest=_ROUND_OFF),
            because=f"{agree} All gradients are taken before any update, as in Part 1.",
        ),
        part_2.with_figure("multiply_adds").identity(
            "covariance_updates_need_no_images",
            "With covariances computed before, an update needs no training example.",
            measures.cost_by_images,
            Is(1),
            because="Its multiply-adds are the same for any number of images: a count, without noise.",
        ),
        part_2.at("last code cell")
        .with_figure("updates_in_place")
        .identity(
            "printed_rule_is_equivalent",
            "The printed covariance update rule is equivalent to that of Part 1.",
            measures.difference_of_rules("covariance_in_place", "product"),
            Every(greatest=_ROUND_OFF),
            because=f"{agree} The printed code changes each matrix before it computes the next one's gradient.",
        ),
    ]


def _set_to(section: Section, name: str, statement: str, setting: str, value: float, printed: str = "{}") -> Claim:
    """Claim a setting or an axis. Of several values that the config asks for, one must be the document's."""
    return section.setting(name, statement, measures.document_or_others(setting, value), Is(value), printed=printed)


def _printed(section: Section, name: str, statement: str, measure: Measure, value: float) -> Claim:
    """Claim a number that the document prints of its one run."""
    return (
        section.at("printed output")
        .with_full_mnist()
        .number(
            name,
            statement,
            measures.of_the_document(measure),
            OneMoreDraw(value),
            because=(
                "The document draws its initial weights without a seed: its number is one draw among ours, of 20 seeds."
            ),
        )
    )


def _loss(step: int) -> Measure:
    return at_step("mnist_dynamics", "train_loss", step, **TRAINED)


def _accuracy(step: int) -> Measure:
    return at_step("mnist_dynamics", "train_accuracy", step, **TRAINED)
