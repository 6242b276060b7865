import numpy as np

from evidence import Claims, of_one_grid, table
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED

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
    # A theorem holds for each seed.
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
