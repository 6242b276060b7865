from deepnets.documents.mnist_dynamics import measures, printed, runs
from reproduce import api

TABLES = ("mnist_dynamics",)
# A limit for rounding errors: at most 1e-11 (relative) for a sum over 50,000 images, times 100 updates.
_ROUND_OFF = 1e-9


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    percent = {step: round(100 * share, 3) for step, share in printed.ACCURACIES.items()}
    first_loss = measures.at_document_size(api.at_step(runs.TRAINED, "train_loss", 0))
    return api.Decisions(
        {
            "loss_of_first_draw": first_loss.draws(printed.LOSS_OF_FIRST_DRAW, "loss"),
            "updates_reduce_the_loss": measures.largest_rise("train_loss").every(greatest=0),
            "updates_are_slight": api.not_testable("the document gives no number for “slightly”").every(greatest=0),
            # The document means inputs "like X". We use MNIST's test images, whitened with the training images' map.
            "expected_error_falls": measures.largest_rise("test_loss").every(greatest=0),
            "loss_before_training": first_loss.draws(printed.LOSSES[0], "loss"),
            "loss_after_1_step": measures.at_document_size(measures.loss_from_document_start()).near(
                printed.LOSSES[1], "loss"
            ),
            "chance_before_training": _accuracy(0).near(10, "share of images, %"),
            "accuracies": {
                f"after {step}": measures.at_document_size(_accuracy(step)).draws(value, "share of images, %")
                for step, value in percent.items()
            },
            "one_step_helps_slightly": measures.at_document_size(_accuracy(1) - _accuracy(0)).draws(
                percent[1] - percent[0], "share of images, %"
            ),
            "more_steps_help": {
                "9 steps": _accuracy(10) - _accuracy(1) > 0,
                "90 steps": _accuracy(100) - _accuracy(10) > 0,
            },
            "network_learns": measures.at_document_size(_accuracy(100)) > 80,
            "covariances_suffice": measures.difference_of_rules("samples").every(greatest=_ROUND_OFF),
        },
        # Training takes 1 + 9 + 90 updates.
        settings=(runs.NET.but(steps=100),),
    )


def _accuracy(step: int) -> api.Measure:
    """Measure the training accuracy after `step` updates, in percent."""
    return 100 * api.at_step(runs.TRAINED, "train_accuracy", step)
