"""The claims of document 004, a notebook on ZerO initialisation, and the claims on the authors' published figure."""

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.documents.zero_init.claims.errata import errata
from deepnets.documents.zero_init.claims.model import model
from deepnets.documents.zero_init.claims.pictures import pictures
from deepnets.documents.zero_init.claims.printed_output import printed_output
from deepnets.documents.zero_init.claims.ranks import ranks
from deepnets.documents.zero_init.claims.settings import settings

TABLES = ("zero_init",)

# Numbers in text and code, 22: 4 layers (in the text and in the class), 784, 28, the bias, the tolerance, both batches,
# the epoch, the rate, its factor and 12 epochs, the seed, the log interval, four widths on the left, one on the right,
# the first label of the axis, two defaults in help texts. Numbers in the output, 33: four shapes, ones and zeros, loss,
# count, images, percentage, 22 cells and a cell that is cut off. A repeated number counts once. The document prints no
# ranks: we read ranks off the authors' pictures.
_COVERAGE = Coverage(
    printed=55,
    left_out={
        "28 pixels a side": "784 is quoted",
        "1000 images a test batch": "means over the test set do not depend on it",
        "6.8321e-1…, row 255 of the second matrix": "the exponent is cut off",
    },
)


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the coverage of document 004, then its claims, the claims on the pictures, and the errata."""
    return [_COVERAGE, *settings(), *model(), *printed_output(), *ranks(), *pictures(), *errata()]
