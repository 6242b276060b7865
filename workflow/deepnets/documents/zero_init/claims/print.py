"""The claims of document 004 on what stands printed below the code of "Figure 3 (left)": of the net of n_h = 256."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Is, Near, Printed
from workflow.deepnets.claims.measures import at_step
from workflow.deepnets.documents.zero_init.claims.cells import (
    CORNER,
    PRINTED_CELLS,
    ROUNDING_OF_CELLS,
    deviation_of_row,
    error_of_cell,
    farthest,
    of_both,
    partial_corner,
    spread_of_last_columns,
    two_digits,
)
from workflow.deepnets.documents.zero_init.claims.inits import formula, norms, shapes
from workflow.deepnets.documents.zero_init.printed import TEST_COUNT, TEST_IMAGES, TEST_LOSS
from workflow.deepnets.documents.zero_init.runs import QUOTED, UPDATES

_REPLAYED = (
    "Init and order of the images are the document's, so that only rounding differs. Fifteen runs with the images of a "
    "batch in another order show what rounding does in 938 updates; both sides have that error."
)
_ROUNDING_OF_LOSS, _ROUNDING_OF_COUNT = 0.00106, 3.8


def printed() -> list[Claim]:
    """What stands below the code of "Figure 3 (left)": of the net of n_h = 256."""
    place = '"Figure 3 (left)", printed output'
    return [
        formula(
            "printed_shapes",
            place,
            "The matrices are 784 × 784, 256 × 784, 256 × 256 and 10 × 256.",
            norms("partial_identity", [min(pair) for pair in shapes(256)], width=256),
            Every(1 - 1e-5, 1 + 1e-5),
            "The squared norm of a partial identity is the lesser side of its shape.",
        ),
        *(
            formula(
                f"{matrix}_matrix_before_training",
                place,
                f"Before training, the {matrix} matrix has the printed cells: {shown}.",
                farthest(matrix, 0, corner, **QUOTED),
                Is(0),
                "Ones and zeros are exact.",
            )
            for matrix, corner, shown in (
                ("first", np.eye(CORNER), "ones on the diagonal, zeros elsewhere"),
                ("second", partial_corner(), "ones on the diagonal above, zeros elsewhere"),
            )
        ),
        Claim(
            name="test_loss",
            place=place,
            figure="test_accuracy_and_loss",
            kind="number",
            statement=f"Behind an epoch the mean test loss is {TEST_LOSS}.",
            printed=f"{TEST_LOSS}",
            measure=at_step("zero_init", "test_loss", UPDATES, **QUOTED),
            rule=Near(TEST_LOSS, error=two_digits(of_both(_ROUNDING_OF_LOSS))),
            because=_REPLAYED,
            needs_full_mnist=True,
        ),
        Claim(
            name="test_count",
            place=place,
            figure="test_accuracy_and_loss",
            kind="number",
            statement=f"Of {TEST_IMAGES:,} test images, {TEST_COUNT} are classified rightly.",
            printed=f"{TEST_COUNT}/{TEST_IMAGES}",
            measure=at_step("zero_init", "test_accuracy", UPDATES, factor=TEST_IMAGES, **QUOTED),
            rule=Near(TEST_COUNT, error=two_digits(of_both(_ROUNDING_OF_COUNT))),
            because=_REPLAYED,
            needs_full_mnist=True,
        ),
        Claim(
            name="test_percent",
            place=place,
            figure="test_accuracy_and_loss",
            kind="number",
            statement="That is 95 %.",
            printed="95%",
            measure=at_step("zero_init", "test_accuracy", UPDATES, factor=100, **QUOTED),
            rule=Printed(95),
            because="A printed percentage; rounding moves a run by 0.04 of a percent.",
            needs_full_mnist=True,
        ),
        Claim(
            name="first_matrix_keeps_its_corners",
            place=place,
            kind="bound",
            statement="Training leaves the printed cells of the first matrix as they were.",
            printed="1., 0.",
            measure=farthest("first", UPDATES, np.eye(CORNER), **QUOTED),
            rule=Is(0),
            because="torch prints no decimals where all cells are whole numbers; the outermost pixels are black.",
            needs_full_mnist=True,
        ),
        *(_diagonal_cell(place, number) for number in range(3)),
        *(_row_of_cells(place, row) for row in PRINTED_CELLS),
        Claim(
            name="last_columns_are_alike",
            place=place,
            kind="bound",
            statement="In each printed row of the second matrix, the cells of the last three inputs are the same.",
            measure=spread_of_last_columns,
            rule=Every(greatest=1e-4),
            because="Printed alike to five digits; measured is the largest difference over the size of the cell.",
            needs_full_mnist=True,
        ),
    ]


def _diagonal_cell(place: str, number: int) -> Claim:
    value, rounding = PRINTED_CELLS[number][number], ROUNDING_OF_CELLS[number][number]
    return Claim(
        name=f"second_matrix_cell_{number}_{number}",
        place=place,
        kind="number",
        statement=f"Behind an epoch, cell ({number}, {number}) of the second matrix is {value:g}.",
        printed=f"{value:.4e}",
        measure=at_step("zero_init", "second_corner_weight", UPDATES, index=number * (CORNER + 1), **QUOTED),
        rule=Near(value, error=two_digits(error_of_cell(value, rounding))),
        because=_REPLAYED + " The print has five digits.",
        needs_full_mnist=True,
    )


def _row_of_cells(place: str, row: int) -> Claim:
    # Those on the diagonal have claims of their own.
    columns = [column for column in range(len(PRINTED_CELLS[row])) if column != row or row > 2]
    return Claim(
        name=f"second_matrix_row_{row}",
        place=place,
        kind="number",
        statement=(
            f"Behind an epoch, row {row if row < 3 else row - CORNER + 256} of the second matrix has the printed "
            "cells off the diagonal."
        ),
        printed=", ".join(f"{PRINTED_CELLS[row][column]:.4e}" for column in columns),
        measure=deviation_of_row(row, columns),
        rule=Every(greatest=4),
        because=(
            "The largest difference from the print, in units of its error. "
            + _REPLAYED
            + " Of up to four cells, the farthest is within 4."
        ),
        needs_full_mnist=True,
    )
