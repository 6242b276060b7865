"""The ledger of document 004: what its measures make of small tables."""

import numpy as np
import pytest
import scipy.linalg
from evidence import Claims, of_one_grid, table

from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from workflow.deepnets.documents.zero_init.claims.ledger import ledger
from workflow.deepnets.documents.zero_init.measures import deviation_of_row
from workflow.deepnets.jobs.judge import row_of

SETTINGS = {
    "batch": 64,
    "learning_rate": 0.1,
    "decay": {"epochs": 12, "factor": 0.7},
    "steps": 938,
    "record_every": 50,
    "rank_tolerance": 1e-4,
}
AXES = {"block": "widths", "width": 256, "depth": 4, "init": "partial_identity", "bias": 0.01, "seed": 1}
CLAIMS = Claims(ledger())
measured, verdict = CLAIMS.measured, CLAIMS.verdict


def evidence(*runs, **settings):
    """Evidence of runs, each (changes of AXES, metrics), of one grid with the document's settings but for these."""
    frame = table([({**AXES, **axes}, metrics) for axes, metrics in runs])
    return of_one_grid("zero_init", frame, AXES, {**SETTINGS, **settings})


def cells(step, matrix):
    return {(step, index): value for index, value in enumerate(np.ravel(matrix))}


# The document's print, digits and all; where it broke off, anything.
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
OF_PRINT = [name for name in CLAIMS if name.startswith("second_matrix_") and "before" not in name]


def printed(changes=(), **axes):
    """Evidence of the printed net, whose second matrix has other cells than the print where there are changes."""
    changed = PRINTED.copy()
    for cell, value in dict(changes).items():
        changed[cell] = value
    norms = cells(0, [784, 256, 256, 10])
    return evidence((axes, {"second_corner_weight": cells(938, changed), "squared_norm": norms}))


def test_the_printed_cells_reproduce_themselves():
    assert len(OF_PRINT) == 9
    assert {verdict(name, printed()) for name in [*OF_PRINT, "last_columns_are_alike", "printed_shapes"]} == {
        REPRODUCED
    }


@pytest.mark.parametrize(
    ("cell", "value", "name"),
    [
        ((0, 0), 1.16, "second_matrix_cell_0_0"),
        ((1, 1), 1.19, "second_matrix_cell_1_1"),
        ((2, 2), 0.99998, "second_matrix_cell_2_2"),
        ((0, 3), 2.4932e-04, "second_matrix_row_0"),
        ((1, 0), -7.5209e-03, "second_matrix_row_1"),
        ((2, 0), -3.74e-05, "second_matrix_row_2"),
        ((3, 3), 1.4e-05, "second_matrix_row_3"),
        ((4, 2), 1.0636e-10, "second_matrix_row_4"),
        ((5, 1), 5e-04, "second_matrix_row_5"),
    ],
)
def test_one_cell_that_differs_fails_only_its_own_claim(cell, value, name):
    found = printed({cell: value})
    assert [each for each in OF_PRINT if verdict(each, found) != REPRODUCED] == [name]


def test_deviation_of_a_row_is_in_units_of_the_error_of_both_and_of_the_print():
    # √2 times the rounding that was measured; the five printed digits add nothing that matters here.
    farther, nearer = 2 * np.sqrt(2) * 7.93e-06, np.sqrt(2) * 6.72e-04
    found = printed({(0, 3): PRINTED[0, 3] + farther, (0, 1): PRINTED[0, 1] - nearer})
    assert deviation_of_row(0, [1, 2, 3])(found) == pytest.approx(2, rel=1e-4)
    # Where rounding does nothing, half a unit of the last digit is √3 standard deviations of a uniform error.
    assert deviation_of_row(2, [2])(printed({(2, 2): PRINTED[2, 2] + 0.5e-5})) == pytest.approx(np.sqrt(3))


def test_cells_of_another_seed_or_of_a_run_that_lacks_them_reproduce_nothing():
    assert verdict("second_matrix_row_0", printed(seed=2)) == NOT_TESTABLE
    lacking = ({}, {"second_corner_weight": cells(0, np.eye(6))})
    found = evidence(({"block": "again"}, {"second_corner_weight": cells(938, PRINTED)}), lacking)
    assert verdict("second_matrix_row_0", found) == NOT_REPRODUCED


def test_spread_of_the_last_columns_is_relative_to_their_cells():
    found = printed({(3, 4): 1.01 * PRINTED[3, 4]})
    assert measured("last_columns_are_alike", found) == pytest.approx(0.01 / 1.01)


def test_corners_of_the_first_matrix_are_compared_at_the_end():
    moved = np.eye(6)
    moved[5, 0] = -1e-6
    still, changed = (
        evidence(({}, {"first_corner_weight": {**cells(0, np.eye(6)), **cells(938, end)}}))
        for end in (np.eye(6), moved)
    )
    assert verdict("first_matrix_keeps_its_corners", still) == REPRODUCED
    assert verdict("first_matrix_keeps_its_corners", changed) == NOT_REPRODUCED
    assert verdict("first_matrix_before_training", changed) == REPRODUCED


def by_the_document(init, generator):
    """The document's four matrices, (out, in) each, at n_h = 1024."""
    matrices = []
    for m, n in [(784, 784), (1024, 784), (1024, 1024), (10, 1024)]:
        matrix = np.eye(m, n)
        if init == "zero" and m > n:
            p = 1024
            matrix = np.eye(m, p) @ (scipy.linalg.hadamard(p) / 2 ** (10 / 2)) @ np.eye(p, n)
        if init in ("one", "spray"):
            for row in range(n, m):
                matrix[row, generator.integers(n)] = 1
        if init == "spray":
            matrix = (1 - matrix) / (n - 1)
        if init == "random":
            matrix = generator.standard_normal((m, n)) * np.sqrt(2 / n)
        matrices.append(matrix)
    return matrices


def start(init, matrices):
    ends = np.ix_([0, 1, 2, -3, -2, -1], [0, 1, 2, -3, -2, -1])
    values = np.linalg.svd(matrices[1], compute_uv=False)
    return (
        {"width": 1024, "block": "inits", "init": init},
        {
            "squared_norm": cells(0, [np.sum(matrix**2) for matrix in matrices]),
            "second_singular_value": cells(0, [values[0], values[-1]]),
            "second_corner_weight": cells(0, matrices[1][ends]),
        },
    )


OF_INIT = {
    "zero": ["hadamard_cells", "hadamard_keeps_norms", "zero_is_identity_elsewhere"],
    "partial_identity": ["partial_identity_keeps_inputs", "partial_identity_counts_ones"],
    "one": ["one_copies_an_input_per_unit"],
    "spray": ["spray_inverts_one", "spray_value"],
    "random": ["random_is_kaiming"],
}


@pytest.mark.parametrize("init", OF_INIT)
def test_inits_of_the_documents_code_reproduce_the_claims(init):
    matrices = by_the_document(init, np.random.default_rng(0))
    found = evidence(start(init, matrices))
    assert {name: verdict(name, found) for name in OF_INIT[init]} == dict.fromkeys(OF_INIT[init], REPRODUCED)
    # Two rows of the second matrix change places, its scale is off by a tenth, a cell of the last one is missing.
    matrices[1][[0, 1]] = 1.1 * matrices[1][[1, 0]]
    matrices[3][0] = 0
    found = evidence(start(init, matrices))
    assert {verdict(name, found) for name in OF_INIT[init]} == {NOT_REPRODUCED}


def test_deviations_from_kaiming_count_standard_deviations_by_layer():
    norms = cells(0, [2 * 784, 2 * 1024, 2 * 1024, 20 * (1 + 3 * np.sqrt(2 / 10240))])
    axes = {"width": 1024, "init": "random"}
    found = evidence(*(({**axes, "seed": seed}, {"squared_norm": norms}) for seed in (1, 2)))
    np.testing.assert_allclose(measured("random_is_kaiming", found), [0, 0, 0, 0, 0, 0, 3, 3], atol=1e-9)


def authors(width, ranks, **axes):
    metrics = {"rank": {(step, 0): rank for step, rank in ranks.items()}}
    return {"bias": 0, "width": width, **axes}, metrics


def test_ranks_without_biases_are_compared_between_widths():
    found = evidence(
        authors(256, {901: 128, 938: 999}),
        authors(512, {901: 330}),
        authors(1024, {0: 0, 901: 500, 951: 505}),
        authors(2048, {0: 0, 901: 490, 951: 504}),
        authors(256, {901: 1}, seed=2),
    )
    assert measured("wider_nets_gain_more_rank", found).tolist() == [202, 170]
    assert measured("lines_of_1024_and_2048_coincide", found).tolist() == [0, 10, 1]
    assert verdict("picture_of_partial_256_epoch_1", found) == REPRODUCED
    assert verdict("picture_of_partial_256_epoch_20", found) == NOT_TESTABLE
    remark = row_of(CLAIMS["picture_of_zero_2048_epoch_20"], found, "full")["remark"]
    assert remark.endswith("configs/paper_size.yaml may: it has the paper's sizes")


def test_least_share_of_full_rank_is_of_each_width():
    found = evidence(
        authors(1024, {0: 1024, 901: 1000}, init="random"), authors(2048, {0: 2048, 901: 2048}, init="random")
    )
    np.testing.assert_allclose(measured("random_keeps_full_rank", found), [1000 / 1024, 1])
    assert verdict("random_keeps_full_rank", found) == NOT_REPRODUCED


# By changes of one setting each: which claims a run of other settings can still judge.
@pytest.mark.parametrize(
    ("name", "other"), [("learning_rate", 0.2), ("batch", 32), ("decay", {"epochs": 1, "factor": 0.7}), ("steps", 937)]
)
def test_results_of_other_settings_judge_no_claim_on_training(name, other):
    metrics = {
        "rank": cells(0, [0]) | {(901, 0): 500.0, (938, 0): 500.0},
        "test_loss": {(938, 0): 0.1849},
        "test_accuracy": {(938, 0): 0.9454},
        "first_corner_weight": cells(938, np.eye(6)),
        "second_corner_weight": cells(938, PRINTED),
    }
    of_nets = [({}, metrics), *(({"width": 1024, "init": init}, metrics) for init in ("zero", "random"))]
    trained = [claim for claim in CLAIMS.values() if claim.needs_full_mnist]
    found, wrong = evidence(*of_nets), evidence(*of_nets, **{name: other})
    assert sum(row_of(claim, found, "full")["verdict"] != NOT_TESTABLE for claim in trained) > 15
    left = {claim.name for claim in trained if row_of(claim, wrong, "full")["verdict"] != NOT_TESTABLE}
    assert left == set()


def test_a_net_of_another_depth_is_not_the_documents():
    metrics = {
        "rank": {(0, 0): 0.0},
        "squared_norm": cells(0, [784, 256, 256, 10]),
        "second_corner_weight": {(0, 0): 1.0},
    }
    found = evidence(({"depth": 5}, metrics))
    judged = {name for name in CLAIMS if verdict(name, found) != NOT_TESTABLE}
    assert {CLAIMS[name].kind for name in judged} == {"setting"}
    assert verdict("layers", found) == NOT_REPRODUCED
