"""The ledger of document 004: its measures and verdicts on small tables."""

import numpy as np
import pandas as pd
import pytest

from evidence import Claims, cells, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from reproduce.claims.judging import row_of
from reproduce.tables.table import Table

SETTINGS = {
    **{"batch": 64, "learning_rate": 0.1, "decay": {"epochs": 12, "factor": 0.7}, "steps": 938, "record_every": 50},
    **{"rank_tolerance": 1e-4},
}
AXES = {"block": "widths", "width": 256, "depth": 4, "init": "partial_identity", "bias": 0.01, "seed": 1}
CLAIMS = Claims("zero_init")
measured, verdict = CLAIMS.measured, CLAIMS.verdict


def evidence(*runs):
    """Return evidence of runs, each (changes of AXES, metrics), in one grid with the document's settings."""
    frame = table([({**AXES, **axes}, metrics) for axes, metrics in runs])
    return of_one_grid("zero_init", frame, AXES, SETTINGS)


# These are the digits that the document prints. Cells that it does not print have arbitrary values.
PRINTED = np.array(
    [
        [1.1448e00, -7.5209e-03, -6.2786e-06, -2.4932e-04, -2.4932e-04, -2.4932e-04],
        [-1.6591e-02, 1.1818e00, -6.2500e-06, 1.1423e-03, 1.1423e-03, 1.1423e-03],
        [-3.7327e-05, -6.4429e-04, 9.9996e-01, -4.0734e-05, -4.0734e-05, -4.0734e-05],
        [2.1381e-04, 7.8031e-04, 1.0636e-10, 1.2327e-05, 1.2327e-05, 1.2327e-05],
        [5.3667e-04, 8.4930e-04, 3.0437e-11, 1.3962e-05, 1.3962e-05, 1.3962e-05],
        [4.9626e-04, 1.4102e-03, 7.0, 7.0, 7.0, 7.0],
    ]
)


def printed_net(changes=(), **axes):
    """Return evidence of the printed net, with changes of cells of the second matrix."""
    changed = PRINTED.copy()
    for cell, value in dict(changes).items():
        changed[cell] = value
    return evidence((axes, {"second_corner_weight": cells(changed, 938)}))


@pytest.mark.parametrize(
    ("cell", "value", "name"),
    [
        ((0, 0), 1.163, "row 0, column 0"),
        ((2, 2), 0.99998, "row 2, column 2"),
        ((0, 3), 2.4932e-04, "row 0, column 3"),
        ((3, 3), 1.4e-05, "row 253, column 3"),
        ((5, 1), 9e-04, "row 255, column 1"),
    ],
)
def test_a_cell_that_differs_is_named(cell, value, name):
    row = row_of(CLAIMS["second_matrix_after_training"], printed_net({cell: value}))
    assert row["verdict"] == NOT_REPRODUCED
    assert row["remark"].startswith(f"21 of 22 agree; {name}: {NOT_REPRODUCED}")


def test_cells_may_differ_by_the_interval_for_one_more_run_divided_by_22_cells():
    # The error is √2 times the measured rounding error; that of the five printed digits is negligible. Student's t with
    # 14 degrees of freedom has 0.005 / 22 of its probability beyond 4.54.
    name, error = "second_matrix_after_training", np.sqrt(2) * 7.93e-06
    assert verdict(name, printed_net({(0, 3): PRINTED[0, 3] - 4.4 * error})) == REPRODUCED
    assert verdict(name, printed_net({(0, 3): PRINTED[0, 3] - 4.7 * error})) == NOT_REPRODUCED
    # If only the print has an error, it is uniform within half a unit of the last digit, √3 standard deviations.
    assert verdict(name, printed_net({(2, 2): PRINTED[2, 2] + 4.4 / np.sqrt(12) * 1e-5})) == REPRODUCED
    assert verdict(name, printed_net({(2, 2): PRINTED[2, 2] + 4.7 / np.sqrt(12) * 1e-5})) == NOT_REPRODUCED


def test_cells_of_a_different_seed_or_block_do_not_reproduce_the_print():
    assert verdict("second_matrix_after_training", printed_net(seed=2)) == NOT_TESTABLE
    assert verdict("second_matrix_after_training", printed_net(block="again")) == NOT_TESTABLE
    lacking = evidence(({}, {"second_corner_weight": cells(PRINTED[:5], 938)}))
    assert verdict("second_matrix_after_training", lacking) != REPRODUCED


def net_of_the_authors(width, ranks, **axes):
    metrics = {"rank": {(step, 0): rank for step, rank in ranks.items()}}
    return {"block": "widths_without_bias", "bias": 0, "width": width, **axes}, metrics


def test_ranks_without_biases_are_compared_with_the_authors():
    wide = {"block": "inits_without_bias"}
    found = evidence(
        net_of_the_authors(256, {901: 128, 938: 999}),
        net_of_the_authors(512, {901: 330}),
        net_of_the_authors(1024, {0: 0, 901: 500, 951: 505}),
        net_of_the_authors(2048, {0: 0, 901: 490, 951: 504}, **wide),
        net_of_the_authors(256, {901: 1}, seed=2),
    )
    ranks = measured("ranks_after_epoch_1", found)
    assert {name: rank.tolist() for name, rank in ranks.items()} == {
        f"n_h = {width}": [rank] for width, rank in ((256, 128), (512, 330), (1024, 500))
    }
    assert measured("lines_of_1024_and_2048_coincide", found).tolist() == [0, 10, 1]
    assert verdict("ranks_after_epoch_1", found) == REPRODUCED
    (other,) = measured("ranks_after_epoch_1", evidence(net_of_the_authors(1024, {901: 511})))["n_h = 1024"]
    part = CLAIMS["ranks_after_epoch_1"].criterion.parts["n_h = 1024"]
    assert part.judge([other], exact=True).verdict == NOT_REPRODUCED
    assert verdict("ranks_after_epoch_20", found) == NOT_TESTABLE
    assert row_of(CLAIMS["ranks_after_epoch_20"], found)["remark"].endswith(
        "configs/paper_size.yaml may: it has the paper's sizes"
    )
    narrow = evidence(net_of_the_authors(1024, {901: 500}))
    remark = row_of(CLAIMS["ranks_at_2048"], narrow)["remark"]
    assert remark.startswith("the config contains no such net at n_h = 2048; configs/paper_size.yaml may")


def test_the_count_may_differ_by_rounding():
    def found(accuracy):
        return evidence(({}, {"test_accuracy": {(938, 0): accuracy}}))

    # Student's t is 2.98 at 99 %, and √2 times the standard deviation of 3.8 images is 5.4.
    assert [verdict("test_count", found(accuracy)) for accuracy in (0.9439, 0.9469)] == 2 * [REPRODUCED]
    assert [verdict("test_count", found(accuracy)) for accuracy in (0.9437, 0.9471)] == 2 * [NOT_REPRODUCED]


def test_the_least_share_of_full_rank_is_computed_for_each_run():
    nets = [(1024, 1000, 1), (1024, 1024, 101), (2048, 2048, 1)]
    axes = {"init": "random", "block": "inits_without_bias"}
    found = evidence(
        *(net_of_the_authors(width, {0: width, 901: rank}, **axes, seed=seed) for width, rank, seed in nets)
    )
    np.testing.assert_allclose(measured("random_keeps_full_rank", found), [1000 / 1024, 1, 1])
    assert verdict("random_keeps_full_rank", found) == NOT_REPRODUCED


def net_of_the_right_figure(init, ranks, accuracy=0.9, **axes):
    metrics = {"rank": {(step, 0): rank for step, rank in ranks.items()}, "test_accuracy": {(938, 0): accuracy}}
    return {"block": "inits", "width": 1024, "init": init, **axes}, metrics


def test_a_constraint_by_inputs_is_judged_by_other_inputs():
    def found(partial, zero, all_inputs=400):
        few = {"block": "fewer_inputs"}
        nets = evidence(net_of_the_right_figure("partial_identity", {1: 9, 938: all_inputs}))["zero_init"]
        fewer = [("partial_identity", partial), ("zero", zero)]
        pooled = evidence(*(net_of_the_right_figure(init, {938: rank}, **few) for init, rank in fewer))["zero_init"]
        grids = [*nets.grids, *({**grid, "settings": {**SETTINGS, "pool": 2}} for grid in pooled.grids)]
        return {"zero_init": Table(pd.concat([nets.frame, pooled.frame], ignore_index=True), grids)}

    name = "input_dimension_constrains_rank"
    assert measured(name, found(100, 220))["partial identity, 196 over 784 inputs"].tolist() == [0.25]
    assert [verdict(name, found(*ranks)) for ranks in ((100, 220), (210, 220), (100, 196))] == [
        REPRODUCED,
        NOT_REPRODUCED,
        NOT_REPRODUCED,
    ]


def test_one_and_spray_are_judged_by_all_logs():
    def found(one=500, spray=1024, accuracy=0.3):
        return evidence(
            net_of_the_right_figure("one", {51: one, 938: 500}),
            net_of_the_right_figure("spray", {51: spray, 938: 1024}, accuracy),
        )

    changes = ({}, {"one": 784}, {"spray": 1022}, {"accuracy": 0.6})
    assert [verdict("one_and_spray", found(**each)) for each in changes] == [REPRODUCED, *3 * [NOT_REPRODUCED]]
