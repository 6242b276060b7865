"""What document 001 states of images that no update has seen ("Stepwise update").

Held out are the test images of MNIST, whitened by what the training images taught: inputs "like X".
"""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Mean
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import at_step, difference, final
from workflow.deepnets.documents.mnist_dynamics.printed import DEPTH

_EXPERIMENT = "mnist_dynamics"
_TRAINED = {"depth": DEPTH, "init": "row_normalized", "hidden": 32, "learning_rate": 0.1, "rule": "covariance"}
_PLACE = '"Stepwise update"'


def held_out() -> list[Claim]:
    """Return the claims on the expected error, which held-out images estimate."""
    return [
        Claim(
            name="expected_error_falls",
            place=_PLACE,
            figure="held_out",
            kind="ordering",
            statement="Updates reduce the expected error on inputs that are distributed like those of training.",
            measure=difference(
                at_step(_EXPERIMENT, "test_loss", 0, **_TRAINED), final(_EXPERIMENT, "test_loss", **_TRAINED)
            ),
            rule=Mean(least=0),
            because="The loss on held-out images is to fall from the start to the end of training.",
        ),
        Claim(
            name="each_update_reduces_the_expected_error",
            place=_PLACE,
            figure="held_out",
            kind="ordering",
            statement="Each step of gradient descent reduces that error.",
            measure=_largest_rise_of_held_out_loss,
            rule=Every(greatest=0),
            because="“Each step”, with a small rate: as for the training loss, no update of any run raises it.",
            needs_full_mnist=True,
        ),
    ]


def _largest_rise_of_held_out_loss(evidence: Evidence) -> np.ndarray:
    """Return the largest change of the held-out loss by one update, of each run; where all fall, the smallest fall."""
    runs = evidence.runs(_EXPERIMENT, **_TRAINED)
    losses = runs[runs["metric"] == "test_loss"]
    if losses.empty:
        raise NotTestableError("the runs recorded no test_loss")
    return losses.pivot_table(index="step", columns="seed", values="value").diff().max().to_numpy()
