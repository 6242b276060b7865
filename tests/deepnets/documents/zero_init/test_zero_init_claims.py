import numpy as np

from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED

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


def net_of_the_authors(width, ranks, **axes):
    metrics = {"rank": {(step, 0): rank for step, rank in ranks.items()}}
    return {"block": "widths_without_bias", "bias": 0, "width": width, **axes}, metrics


def test_a_theorem_holds_for_each_seed():
    every = evidence(*(net_of_the_authors(1024, {901: rank}, seed=seed) for seed, rank in ((1, 784), (2, 785))))
    assert measured("theorem_1", every).tolist() == [784, 785]
    assert verdict("theorem_1", every) == NOT_REPRODUCED


def test_the_least_share_of_full_rank_is_computed_for_each_run():
    nets = [(1024, 1000, 1), (1024, 1024, 101), (2048, 2048, 1)]
    axes = {"init": "random", "block": "inits_without_bias"}
    found = evidence(
        *(net_of_the_authors(width, {0: width, 901: rank}, **axes, seed=seed) for width, rank, seed in nets)
    )
    np.testing.assert_allclose(measured("random_keeps_full_rank", found), [1000 / 1024, 1, 1])
    assert verdict("random_keeps_full_rank", found) == NOT_REPRODUCED
