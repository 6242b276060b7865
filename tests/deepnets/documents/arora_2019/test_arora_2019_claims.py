"""The claims of Arora et al. 2019, judged on runs with hand-made numbers."""

import numpy as np
import pytest

from deepnets.documents.arora_2019.claims import sixth_over_fifth
from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from reproduce.tables.selection import NotTestableError

AXES = {"block": "dynamics", "depth": 2, "init": "identity", "scale": 0.001, "rank": 5, "entries": 2000, "seed": 0}
END = {**AXES, "block": "completion", "init": "gaussian"}
SETTINGS = {"size": 100, "learning_rate": 0.1}
CLAIMS = Claims("arora_2019")
verdict = CLAIMS.verdict


def evidence(*runs):
    """Return evidence of runs, each (axes, metrics), from one grid with the paper's settings."""
    return of_one_grid("matrix_completion", table(runs), AXES, SETTINGS)


def test_the_error_of_the_flow_is_a_fraction_of_the_run_s_largest_rate():
    theory = {(1, 0): -4.0, (1, 1): 1.0, (2, 0): 2.0}
    found = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {**theory, (1, 0): -4.5}}))
    assert CLAIMS["singular_value_flow"].measure(found)["depth 2"] == pytest.approx([0.5 / 4])
    lost = evidence((AXES, {"theory_singular_value_rate": theory, "singular_value_rate": {(1, 0): -4.0}}))
    parts = CLAIMS["singular_value_flow"].measure(lost)
    assert np.isnan(parts["depth 2"]).all()
    assert isinstance(parts["depth 3"], NotTestableError)
    assert verdict("singular_value_flow", lost) == NOT_REPRODUCED


def of_two_seeds(*runs):
    """Return evidence of two seeds, whose values, given for the first one, differ by 1 %."""
    return evidence(
        *(
            ends(**axes, seed=seed, **{name: [value * (1 + 0.01 * seed)]})
            for axes, name, value in runs
            for seed in (0, 1)
        )
    )


def ends(depth, scale=0.001, rank=5, entries=2000, seed=0, **metrics):
    axes = {**END, "depth": depth, "scale": scale, "rank": rank, "entries": entries, "seed": seed}
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
    assert sixth_over_fifth(2)(found) == pytest.approx([0.4, 0.25])
    assert CLAIMS["depth_widens_the_gap"].measure(found) == pytest.approx([-0.2, 0.15])
    # In one of the two seeds the gap does not grow.
    assert verdict("depth_widens_the_gap", found) == UNDECIDED


DEPTHS = [{"depth": 3}, {"depth": 2}, {"depth": 1}]
SCALES = [{"depth": depth, "scale": scale} for depth in (2, 3) for scale in (0.001, 1)]


@pytest.mark.parametrize(
    ("name", "metric", "runs", "right", "wrong"),
    [
        ("rank_falls_with_depth", "effective_rank", DEPTHS, (1, 2, 3), (2, 1, 3)),
        ("error_falls_with_depth", "test_loss", DEPTHS, (1, 2, 3), (1, 3, 2)),
        ("rank_falls_with_scale", "effective_rank", SCALES, (1, 2, 1, 2), (1, 2, 2, 1)),
        ("error_falls_with_scale", "test_loss", SCALES, (1, 2, 1, 2), (2, 1, 1, 2)),
        (
            "error_falls_with_depth_at_rank_10",
            "test_loss",
            [{"depth": depth, "rank": 10, "entries": 3000} for depth in (4, 3, 2)],
            (1, 2, 3),
            (2, 1, 3),
        ),
        (
            "error_falls_with_entries",
            "test_loss",
            [{"depth": 2, "entries": entries} for entries in (5000, 2000)],
            (1, 2),
            (2, 1),
        ),
        (
            "depth_helps_most_with_few_entries",
            "test_loss",
            [{"depth": depth, "entries": entries} for entries in (2000, 5000) for depth in (2, 3)],
            # Errors are square roots of losses: 3 - 1 = 2 against 1, and 0 against 1.
            (9, 1, 4, 1),
            (1, 1, 4, 1),
        ),
    ],
)
def test_an_ordering_is_not_reproduced_the_other_way_round(name, metric, runs, right, wrong):
    verdicts = []
    for values in (right, wrong):
        found = of_two_seeds(*((run, metric, value) for run, value in zip(runs, values, strict=True)))
        verdicts.append(verdict(name, found))
    assert verdicts == [REPRODUCED, NOT_REPRODUCED]


@pytest.mark.parametrize(
    ("norms", "expected"),
    # The least nuclear norms of the two seeds are 10 and 20.
    [((10.1, 20.21), REPRODUCED), ((9.9, 19.81), NOT_REPRODUCED), ((10.1, 20.001), UNDECIDED)],
)
def test_nuclear_norms_are_compared_with_the_least_norm_of_each_seed(norms, expected):
    runs = [
        ends(depth, seed=seed, nuclear_norm=[norm], least_nuclear_norm=[10.0 * (seed + 1)])
        for depth in (3, 4)
        for seed, norm in enumerate(norms)
    ]
    assert verdict("nuclear_norm_is_not_minimised", evidence(*runs)) == expected
