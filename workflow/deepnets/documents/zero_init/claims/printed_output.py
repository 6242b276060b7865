"""The claims of document 004 on the printed output of "Figure 3 (left)": the net of n_h = 256 after an epoch."""

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Criterion, Every, Is, Near, Printed
from deepnets.claims.old_measures import at_step
from deepnets.claims.section import Section
from deepnets.documents.zero_init import measures
from deepnets.documents.zero_init.printed import CELLS, CORNER, TEST_COUNT, TEST_IMAGES, TEST_LOSS
from deepnets.documents.zero_init.runs import PRINTED, UPDATES

_OF_ROUNDING = (
    "Only rounding differs: we use the document's initial weights and order of the images. The error is √2 times the "
    "standard deviation over 15 runs with different orders of the images in each batch; the factor is √2 because "
    "rounding affects the document's value and ours."
)


def printed_output() -> list[Claim]:
    """Return the claims on test results after an epoch and on the cells of the first two matrices."""
    trained = Section('"Figure 3 (left)", printed output', needs_full_mnist=True).with_replayed_draws()
    tested = trained.with_figure("test_accuracy_and_loss")
    of_black_pixels = Section(trained.place, needs_full_mnist=True)
    return [
        tested.number(
            "test_loss",
            "After one epoch, the mean test loss is {} nats.",
            at_step("zero_init", "test_loss", UPDATES, **PRINTED),
            Near(TEST_LOSS, error=_two_digits(measures.error_of_difference(measures.ROUNDING_OF_LOSS))),
            because=_OF_ROUNDING,
            quantity="mean test loss, nats",
        ),
        tested.number(
            "test_count",
            f"After one epoch, {{}} of {TEST_IMAGES:,} test images are classified correctly: {TEST_COUNT / 100} %, "
            "which is printed as 95 %.",
            at_step("zero_init", "test_accuracy", UPDATES, factor=TEST_IMAGES, **PRINTED),
            Printed(TEST_COUNT, units=10),
            because=(
                "Only rounding differs, and rounding depends on the processor: with the same code, two processors "
                "gave 9453 and 9460. The standard deviation over 15 runs with different orders of the images in each "
                f"batch is {measures.ROUNDING_OF_COUNT:g} images."
            ),
            quantity=f"test images classified correctly, of {TEST_IMAGES:,}",
            main="this is the accuracy that the document prints after training",
            revised=(
                "Three combined errors allowed 16 images; a tolerance of 10, as in this workflow's tests, covers "
                "both processors."
            ),
        ),
        _second_matrix(trained),
        of_black_pixels.identity(
            "first_matrix_keeps_its_corners",
            "Training does not change the printed cells of the first weight matrix, 1 and 0.",
            measures.farthest_cell("first", UPDATES, np.eye(CORNER), **PRINTED),
            Is(0),
            quantity="largest change of the printed cells",
            because=(
                "The cells belong to six pixels that are black in every image. The gradient of these weights is "
                "therefore 0."
            ),
        ),
        of_black_pixels.identity(
            "last_columns_are_alike",
            "In each printed row of the second weight matrix, the cells of the last three inputs are equal.",
            measures.spread_of_last_columns,
            Every(greatest=1e-4),
            quantity="largest difference between the three cells of a row, divided by the largest cell",
            because=(
                "The three pixels are black in every image, and later weights start equal. The gradients of the "
                "three cells are therefore equal. The printed cells have five digits."
            ),
        ),
    ]


def _second_matrix(section: Section) -> Claim:
    return section.numbers(
        "second_matrix_after_training",
        "After one epoch, 22 cells of the second weight matrix have the printed values.",
        {
            f"row {row if row < 3 else row - CORNER + 256}, column {column}": _cell(row, column, value)
            for row, cells in CELLS.items()
            for column, value in enumerate(cells)
        },
        because=(
            f"{_OF_ROUNDING} The rounding to printed digits adds to the error. A cell is judged only if three errors "
            "are smaller than the cell itself; for column 0 in rows 253 and 255, three errors are four fifths of the "
            "cell."
        ),
        quantity="cell of the second weight matrix",
        revised="4 errors were allowed for cells off the diagonal, but only 3 for cells on the diagonal.",
        explanation=(
            "Chance may explain it. The cell in row 255, column 0 differs by 3.7 errors. Errors are estimated from "
            "15 runs; with such errors, one in twenty sets of 22 independent cells contains a difference of this "
            "size. The other 21 cells agree: our net is the document's net."
        ),
    )


def _cell(row: int, column: int, value: float) -> tuple[Measure, Criterion]:
    measure = at_step("zero_init", "second_corner_weight", UPDATES, index=row * CORNER + column, **PRINTED)
    error = _two_digits(measures.error_of_cell(row, column))
    return measure, Near(value, error=error, precision=abs(value))


def _two_digits(error: float) -> float:
    """Round an error to two significant digits."""
    return float(f"{error:.2g}")
