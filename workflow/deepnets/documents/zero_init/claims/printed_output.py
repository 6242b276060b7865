"""The claims of document 004 on the output of the code of "Figure 3 (left)": the net of n_h = 256."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Near, Printed
from workflow.deepnets.claims.measures import at_step
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.zero_init import measures
from workflow.deepnets.documents.zero_init.printed import CELLS, CORNER, TEST_COUNT, TEST_IMAGES, TEST_LOSS
from workflow.deepnets.documents.zero_init.runs import PRINTED, UPDATES

_REPLAYED = (
    "Init and order of the images are the document's, so that only rounding differs. Fifteen runs with the images of a "
    "batch in another order show what rounding does in 938 updates; both sides have that error."
)


def printed_output() -> list[Claim]:
    """Return the claims on shapes and cells of matrices, and on the test after an epoch."""
    output = Section('"Figure 3 (left)", printed output')
    trained = output.with_full_mnist()
    tested = trained.with_figure("test_accuracy_and_loss")
    return [
        output.identity(
            "printed_shapes",
            "The matrices are 784 × 784, 256 × 784, 256 × 256 and 10 × 256.",
            measures.counts_of_ones("partial_identity", width=256),
            Every(1 - 1e-5, 1 + 1e-5),
            because="The squared norm of a partial identity is the lesser side of its shape.",
        ),
        *(
            output.identity(
                f"{matrix}_matrix_before_training",
                f"Before training, the {matrix} matrix has the printed cells: {cells}.",
                measures.farthest_cell(matrix, 0, corner, **PRINTED),
                Is(0),
                because="Ones and zeros are exact.",
            )
            for matrix, corner, cells in (
                ("first", np.eye(CORNER), "ones on the diagonal, zeros elsewhere"),
                ("second", measures.partial_corner(), "ones on the diagonal above, zeros elsewhere"),
            )
        ),
        tested.number(
            "test_loss",
            "Behind an epoch the mean test loss is {}.",
            at_step("zero_init", "test_loss", UPDATES, **PRINTED),
            Near(TEST_LOSS, error=_two_digits(measures.error_of_difference(measures.ROUNDING_OF_LOSS))),
            because=_REPLAYED,
        ),
        tested.number(
            "test_count",
            f"Of {TEST_IMAGES:,} test images, {{}} are classified rightly.",
            at_step("zero_init", "test_accuracy", UPDATES, factor=TEST_IMAGES, **PRINTED),
            Near(TEST_COUNT, error=_two_digits(measures.error_of_difference(measures.ROUNDING_OF_COUNT))),
            because=_REPLAYED,
            printed=f"{{}}/{TEST_IMAGES}",
        ),
        tested.number(
            "test_percent",
            "That is {} %.",
            at_step("zero_init", "test_accuracy", UPDATES, factor=100, **PRINTED),
            Printed(95),
            because="A printed percentage; rounding moves a run by 0.04 of a percent.",
            printed="{}%",
        ),
        trained.bound(
            "first_matrix_keeps_its_corners",
            "Training leaves the printed cells of the first matrix as they were.",
            measures.farthest_cell("first", UPDATES, np.eye(CORNER), **PRINTED),
            Is(0),
            because="torch prints no decimals where all cells are whole numbers; the outermost pixels are black.",
            printed="1., 0.",
        ),
        *(_diagonal_cell(trained, number) for number in range(3)),
        *(_row_of_cells(trained, row) for row in CELLS),
        trained.bound(
            "last_columns_are_alike",
            "In each printed row of the second matrix, the cells of the last three inputs are the same.",
            measures.spread_of_last_columns,
            Every(greatest=1e-4),
            because="Printed alike to five digits; measured is the largest difference over the size of the cell.",
        ),
    ]


def _diagonal_cell(section: Section, number: int) -> Claim:
    value = CELLS[number][number]
    return section.number(
        f"second_matrix_cell_{number}_{number}",
        f"Behind an epoch, cell ({number}, {number}) of the second matrix is {{}}.",
        at_step("zero_init", "second_corner_weight", UPDATES, index=number * (CORNER + 1), **PRINTED),
        Near(value, error=_two_digits(measures.error_of_cell(number, number))),
        because=_REPLAYED + " The print has five digits.",
        printed=f"{value:.4e}",
    )


def _row_of_cells(section: Section, row: int) -> Claim:
    # Cells on the diagonal have claims of their own.
    columns = [column for column in range(len(CELLS[row])) if column != row or row > 2]
    number = row if row < 3 else row - CORNER + 256
    return section.number(
        f"second_matrix_row_{row}",
        f"Behind an epoch, row {number} of the second matrix has the printed cells off the diagonal.",
        measures.deviation_of_row(row, columns),
        Every(greatest=4),
        because=(
            "The largest difference from the print, in units of its error. "
            + _REPLAYED
            + " Of up to four cells, the farthest is within 4."
        ),
        printed=", ".join(f"{CELLS[row][column]:.4e}" for column in columns),
    )


def _two_digits(error: float) -> float:
    """Round an error as one writes it."""
    return float(f"{error:.2g}")
