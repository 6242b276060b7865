"""What the claims of Arora et al. 2019 ask of tables, on runs made by hand."""

import numpy as np
import pytest
from evidence import Claims, of_one_grid, table

from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from workflow.deepnets.documents.arora_2019.claims import ledger as arora_2019

AXES = {"block": "dynamics", "depth": 2, "init": "identity", "scale": 0.001, "entries": 2000, "seed": 0}
END = {**AXES, "block": "completion", "init": "gaussian"}
SETTINGS = {"size": 100, "rank": 5, "learning_rate": 0.1}
CLAIMS = Claims(arora_2019.ledger())
verdict = CLAIMS.verdict


def evidence(*runs, **settings):
    """Evidence of runs, each (axes, metrics), of one grid with the paper's settings but for these."""
    return of_one_grid("matrix_completion", table(runs), AXES, {**SETTINGS, **settings})


def test_the_error_of_the_flow_is_in_parts_of_the_largest_rate_of_a_run():
    theory = {(1, 0): -4.0, (1, 1): 1.0, (2, 0): 2.0}
    found = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {**theory, (1, 0): -4.5}}))
    assert arora_2019._error_of_flow(2)(found) == pytest.approx([0.5 / 4])
    lost = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {(1, 0): -4.0}}))
    assert verdict("flow_at_depth_2", lost) == NOT_REPRODUCED


def test_a_value_rises_when_it_has_half_of_its_end():
    paths = {0: [0, 4, 5, 9, 12], 4: [0, 1, 1, 3, 8]}
    values = {(10 * step, mode): value for mode, path in paths.items() for step, value in enumerate(path)}
    found = evidence((AXES, {"singular_value": values}))
    # The first at step 30, the fifth at step 40.
    assert arora_2019._delay_of_fifth(2)(found) == pytest.approx([1 / 3])
    assert verdict("values_rise_one_by_one_at_depth_2", found) == REPRODUCED
    assert verdict("values_rise_one_by_one_at_depth_3", found) == NOT_TESTABLE


def ends(depth, scale=0.001, entries=2000, seed=0, **metrics):
    axes = {**END, "depth": depth, "scale": scale, "entries": entries, "seed": seed}
    return axes, {
        name: {(1000, index): value for index, value in enumerate(values)} for name, values in metrics.items()
    }


def test_the_gap_is_the_sixth_value_over_the_fifth_and_closes_with_depth():
    found = evidence(
        ends(2, singular_value=[9, 8, 7, 6, 5, 2]),
        ends(2, seed=1, singular_value=[9, 8, 7, 6, 4, 1]),
        ends(3, singular_value=[9, 8, 7, 6, 5, 1]),
        ends(3, seed=1, singular_value=[9, 8, 7, 6, 5, 2]),
    )
    assert arora_2019._gap(2)(found) == pytest.approx([0.4, 0.25])
    assert CLAIMS["depth_widens_the_gap"].measure(found) == pytest.approx([-0.2, 0.15])
    # One seed of two does not show it.
    assert verdict("depth_widens_the_gap", found) == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("name", "less", "more"),
    [
        ("rank_falls_from_depth_1_to_2", {"depth": 2}, {"depth": 1}),
        ("rank_falls_from_depth_2_to_3", {"depth": 3}, {"depth": 2}),
        ("rank_falls_with_scale_at_depth_2", {"depth": 2, "scale": 0.001}, {"depth": 2, "scale": 1}),
        ("rank_falls_with_scale_at_depth_3", {"depth": 3, "scale": 0.001}, {"depth": 3, "scale": 1}),
        ("error_falls_from_depth_1_to_2", {"depth": 2}, {"depth": 1}),
        ("error_falls_from_depth_2_to_3", {"depth": 3}, {"depth": 2}),
        ("error_falls_with_scale_at_depth_2", {"depth": 2, "scale": 0.001}, {"depth": 2, "scale": 1}),
        ("error_falls_with_scale_at_depth_3", {"depth": 3, "scale": 0.001}, {"depth": 3, "scale": 1}),
        ("error_falls_with_entries", {"depth": 2, "entries": 5000}, {"depth": 2, "entries": 2000}),
    ],
)
def test_orderings_hold_one_way_and_not_the_other(name, less, more):
    metric = "effective_rank" if name.startswith("rank") else "test_loss"
    right = evidence(ends(**less, **{metric: [1.0]}), ends(**more, **{metric: [2.0]}))
    wrong = evidence(ends(**less, **{metric: [2.0]}), ends(**more, **{metric: [1.0]}))
    assert (verdict(name, right), verdict(name, wrong)) == (REPRODUCED, NOT_REPRODUCED)


def test_what_is_not_observed_stays_at_depth_1():
    name = "without_factors_nothing_is_completed"
    kept = evidence(ends(1, test_loss=[0.8]), ends(1, seed=1, test_loss=[0.81]))
    assert CLAIMS[name].measure(kept) == pytest.approx(np.sqrt([0.8, 0.81]))
    assert verdict(name, kept) == REPRODUCED
    assert verdict(name, evidence(ends(1, test_loss=[0.7]), ends(1, seed=1, test_loss=[0.7]))) == NOT_REPRODUCED


def test_runs_of_another_task_say_nothing():
    runs = [ends(depth, test_loss=[1.0], effective_rank=[5], singular_value=[1] * 6) for depth in (1, 2, 3)]
    found = evidence(*runs, (AXES, {"singular_value_rate": {(1, 0): 1.0}}), rank=4)
    settings = {name for name, claim in CLAIMS.items() if claim.kind == "setting"}
    assert {verdict(name, found) for name in CLAIMS.keys() - settings} == {NOT_TESTABLE}
    assert verdict("rank", found) == NOT_REPRODUCED
    assert verdict("depth_2", found) == NOT_TESTABLE
